"""Lets people play Plenty Coups by commands until something wanted happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.players import newest
from tests.games.plenty_coups.driver import COMMANDS, PLAY, PlentyCoupsDriver, asked_for

MOST_MOVES = 400
WAIT_SECONDS = 20.0
DRIVER = PlentyCoupsDriver()


def asking(reader: Person) -> Message | None:
    """Return the newest table message, if it waits for a person."""
    message = newest(reader)
    return message if message is not None and DRIVER.asked(message) else None


async def offered(people: Sequence[Person], message: Message, begin: str = "") -> tuple[Person, list[str]]:
    """Return who is asked, and the moves that their client suggests."""
    (user,) = DRIVER.asked(message)
    person = next(each for each in people if each.id == user)
    command, option = COMMANDS.get(asked_for(message), PLAY)
    return person, [each["value"] for each in await person.autocomplete(f"plenty {command}", option, begin)]


async def play_until(
    people: Sequence[Person], *wanted: str, stop: Callable[[Message, list[str]], bool]
) -> tuple[Message, Person, list[str]]:
    """Type moves until `stop` says so of the table and the moves that are suggested.

    Moves of the wanted kinds are preferred, then hunting. Return the table message, who is asked, and the moves.
    """
    reader = people[0]
    for _ in range(MOST_MOVES):
        message = await reader.wait_for(lambda: asking(reader), WAIT_SECONDS)
        person, moves = await offered(people, message)
        if stop(message, moves):
            return message, person, moves
        command, option = COMMANDS.get(asked_for(message), PLAY)
        hunts = (await offered(people, message, "hunt"))[1] if command == "play" else []
        wishes = [move for kind in wanted for move in moves if move.startswith(kind)]
        sticks = [move for move in moves if "disdain" in wanted and move.startswith("take.") and "stick" in move]
        move = next(iter([*wishes, *sticks, *hunts, *moves]))
        version = message.version
        assert not (await person.slash(f"plenty {command}", **{option: move})).failed
        await _changed(reader, message, version)
    raise AssertionError("it never came to that")


async def _changed(reader: Person, message: Message, version: int) -> None:
    """Wait until the table message is another one, or has changed."""
    await reader.wait_for(lambda: newest(reader) is not message or message.version != version, WAIT_SECONDS)

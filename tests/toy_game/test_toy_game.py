"""A game that only this folder knows is played from lobby to winner, counted, watched again and played once more."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.games.registry import register, unregister
from bot.text.catalogue import catalogue
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening, evening
from tests.toy_game import kit

SAY = catalogue()
FOLDER = Path(__file__).parent
TURN = re.compile(r"<@!?(\d+)>'s turn")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register the game for this process, too."""
    register(kit.KIT)
    yield
    unregister(kit.KIT)


def test_the_whole_game_has_fewer_than_150_lines() -> None:
    lines = [line for name in ("kit.py", "commands.py") for line in (FOLDER / name).read_text().splitlines()]
    assert len([line for line in lines if line.strip()]) < 150


class Turn(NamedTuple):
    """A player's turn, and the message with their buttons."""

    player: Person
    message: Message

    @property
    def question(self) -> str:
        """Names the question: the custom_id of a button that answers it."""
        button = self.message.component("Stay")
        assert button is not None
        return str(button["custom_id"])


def turn(held: Evening) -> Turn | None:
    """Find the newest message that asks a person; None while the table asks nobody, or an AI."""
    for message in reversed(held.people[0].read()):
        found = TURN.search(message.text)
        if found is not None and message.component("Stay"):
            return Turn(next(each for each in held.people if each.id == found[1]), message)
    return None


def final(held: Evening, number: int) -> Message | None:
    """Find the last message of a game."""
    found = (each for each in held.people[0].read() if f"#{number}" in each.text and each.component("Rematch"))
    return next(found, None)


async def play(held: Evening, number: int) -> list[Person]:
    """Play a game to its end; return the people who moved, in order. The first of a round swaps, the others stay."""
    ana, moved = held.people[0], list[Person]()
    while True:
        await ana.wait_for(lambda: turn(held) or final(held, number), 60)
        asked = turn(held)
        if asked is None:
            return moved
        question = asked.question
        look = await asked.player.click(asked.message, "Look")
        assert look.message is not None
        assert "Your card" in look.message.text
        assert not (await asked.player.click(asked.message, "Stay" if len(moved) % 2 else "Swap")).failed
        await ana.wait_for(lambda asked=question: (now := turn(held)) is None or now.question != asked)  # type: ignore[misc]
        moved.append(asked.player)


async def replayed(held: Evening, number: int) -> str:
    """Watch a finished game; return the text of all its steps."""
    ana = held.people[0]
    opened = await ana.slash("replay", held.games, game=number)
    assert opened.message is not None, opened.text
    told = [opened.message.text]
    while onward := next((each for each in opened.message.buttons if each["custom_id"].endswith(".next")), None):
        if onward.get("disabled"):
            break
        assert not (await ana.click(opened.message, onward["custom_id"])).failed
        told.append(opened.message.text)
    return "\n".join(told)


async def test_it_is_played_counted_watched_again_and_played_once_more(tmp_path: Path) -> None:
    async with evening(tmp_path, 2, TEST_KITS="tests.toy_game.kit") as held:
        ana, ben = held.people
        opened = await ana.slash("highcard new", held.games, rules="rounds=2", clock="2h")
        assert opened.message is not None, opened.text
        assert "High Card" in opened.message.text
        assert not (await ben.click(opened.message, "Join")).failed
        assert "use **/highcard** here" in (await ben.slash("coyote look", held.games)).text
        assert not (await ana.click(opened.message, "Start")).failed
        players = await play(held, 1)
        assert len(players) == 4
        assert set(players) == {ana, ben}

        told = await replayed(held, 1)
        assert "round 2 of 2" in told
        assert [told.count(f"swap={swap}") for swap in (True, False)] == [2, 2]
        assert SAY("replay.by_clock") not in told, "every move was the player's own"
        assert "High Card" in (await ana.slash("history", held.games)).text
        board = await ana.slash("leaderboard", held.games)
        assert board.message is not None, board.text
        ranked = await ana.select(board.message, SAY("board.pick_by"), "rounds_won.highcard.any.all")
        assert not ranked.failed
        assert "Rounds won" in board.message.text

        over = final(held, 1)
        assert over is not None
        assert not (await ana.click(over, "Rematch")).failed
        await ana.wait_for(lambda: any(each.component("Start") for each in ana.read()))
        lobby = next(each for each in reversed(ana.read()) if each.component("Start"))
        assert not (await ana.slash("highcard ai add", held.games)).failed
        await ana.wait_for(lambda: "🤖" in lobby.text)
        assert not (await ana.click(lobby, "Start")).failed
        assert len(await play(held, 2)) == 4
        told = await replayed(held, 2)
        assert told.count("Choose(") == 6, "the AI player moved in both rounds"
        assert SAY("replay.by_clock") not in told

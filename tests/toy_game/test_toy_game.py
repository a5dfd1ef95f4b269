"""A game that only this folder knows is played from the lobby to the winner, and counted, and watched again."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.games.registry import register, unregister
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening, evening
from tests.toy_game import kit

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


def newest(held: Evening) -> Message:
    return held.people[0].read()[-1]


async def shown(held: Evening, words: str) -> Message:
    """Wait until a message in the channel says this, and return the newest that does."""
    ana = held.people[0]
    await ana.wait_for(lambda: any(words in each.text for each in ana.read()))
    return [each for each in ana.read() if words in each.text][-1]


async def move(held: Evening, verb: str) -> None:
    """Let whoever's turn it is press a button."""
    ana = held.people[0]
    before = newest(held).text
    found = TURN.search(before)
    assert found is not None, before
    player = next(person for person in held.people if person.id == found[1])
    assert not (await player.click(newest(held), verb)).failed
    await ana.wait_for(lambda: newest(held).text != before)


async def lobby(held: Evening, host: Person, *others: Person) -> Message:
    opened = await host.slash("highcard new", held.games, rules="rounds=2")
    assert opened.message is not None, opened.text
    assert "High Card" in opened.message.text
    for person in others:
        assert not (await person.click(opened.message, "Join")).failed
    return opened.message


async def test_it_is_played_counted_and_watched_again(tmp_path: Path) -> None:
    async with evening(tmp_path, 2, TEST_KITS="tests.toy_game.kit") as held:
        ana, ben = held.people
        table = await lobby(held, ana, ben)
        assert not (await ana.click(table, "Start")).failed
        for _ in range(2):
            await ana.wait_for(lambda: TURN.search(newest(held).text))
            look = await ben.click(newest(held), "Look")
            assert look.message is not None
            assert "Your card" in look.message.text
            await move(held, "Swap")
            await move(held, "Stay")
            reveal = await shown(held, "All cards")
            if "Deal now" in str(reveal.components):
                await ana.click(reveal, "Deal now")
        final = await _final(held)
        assert "Game #1" in final.text or "#1" in final.text
        again = await ana.click(final, "Rematch")
        assert not again.failed
        history = await ana.slash("history", held.games)
        assert "High Card" in history.text or "highcard" in history.text.casefold()
        replay = await ana.slash("replay", held.games, game=1)
        assert "The cards are dealt." in replay.text


async def _final(held: Evening) -> Message:
    ana = held.people[0]
    await ana.wait_for(lambda: any("Rematch" in str(each.components) for each in ana.read()))
    return next(each for each in reversed(ana.read()) if "Rematch" in str(each.components))

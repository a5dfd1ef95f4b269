"""A game that only this folder knows can be played from lobby to winner, counted, replayed and rematched."""

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
    """Register the game in this process, as the bot's own process does."""
    register(kit.KIT)
    yield
    unregister(kit.KIT)


def test_the_whole_game_has_fewer_than_150_lines_that_are_not_blank() -> None:
    lines = [line for name in ("kit.py", "commands.py") for line in (FOLDER / name).read_text().splitlines()]
    assert len([line for line in lines if line.strip()]) < 150


class Turn(NamedTuple):
    """A player's turn, and the message with their buttons."""

    player: Person
    message: Message

    @property
    def question(self) -> str:
        """Identifies the question: the custom_id of a button that answers it."""
        button = self.message.component("Stay")
        assert button is not None
        return str(button["custom_id"])


def turn(here: Evening) -> Turn | None:
    """Return the turn in the newest message that asks a person; None while the table asks nobody, or an AI."""
    for message in reversed(here.people[0].read()):
        found = TURN.search(message.text)
        if found is not None and message.component("Stay"):
            return Turn(next(each for each in here.people if each.id == found[1]), message)
    return None


def final(here: Evening, number: int) -> Message | None:
    """Return the last message of a game."""
    found = (each for each in here.people[0].read() if f"#{number}" in each.text and each.component("Rematch"))
    return next(found, None)


async def play(here: Evening, number: int) -> list[Person]:
    """Play a game to its end; return the people who moved, in order. In each round the first swaps, the other stays."""
    ana, moved = here.people[0], list[Person]()
    while True:
        await ana.wait_for(lambda: turn(here) or final(here, number), 60)
        asked = turn(here)
        if asked is None:
            return moved
        question = asked.question
        look = await asked.player.click(asked.message, "Look")
        assert look.message is not None
        assert "Your card" in look.message.text
        assert not (await asked.player.click(asked.message, "Stay" if len(moved) % 2 else "Swap")).failed
        await ana.wait_for(lambda asked=question: (now := turn(here)) is None or now.question != asked)  # type: ignore[misc]
        moved.append(asked.player)


async def replayed(here: Evening, number: int) -> str:
    """Watch a finished game; return the text of all its steps."""
    ana = here.people[0]
    opened = await ana.slash("replay", here.games, game=number)
    assert opened.message is not None, opened.text
    texts = [opened.message.text]
    while onward := next((each for each in opened.message.buttons if each["custom_id"].endswith(".next")), None):
        if onward.get("disabled"):
            break
        assert not (await ana.click(opened.message, onward["custom_id"])).failed
        texts.append(opened.message.text)
    return "\n".join(texts)


async def test_the_game_is_played_counted_replayed_and_rematched(tmp_path: Path) -> None:
    async with evening(tmp_path, 2, TEST_KITS="tests.toy_game.kit") as here:
        ana, ben = here.people
        opened = await ana.slash("highcard new", here.games, rules="rounds=2", clock="2h")
        assert opened.message is not None, opened.text
        assert "High Card" in opened.message.text
        assert not (await ben.click(opened.message, "Join")).failed
        assert "use **/highcard** here" in (await ben.slash("coyote look", here.games)).text
        assert not (await ana.click(opened.message, "Start")).failed
        players = await play(here, 1)
        assert len(players) == 4
        assert set(players) == {ana, ben}

        text = await replayed(here, 1)
        assert "round 2 of 2" in text
        assert [text.count(f"swap={swap}") for swap in (True, False)] == [2, 2]
        assert SAY("replay.by_clock") not in text, "every move was the player's own"
        assert "High Card" in (await ana.slash("history", here.games)).text
        board = await ana.slash("leaderboard", here.games)
        assert board.message is not None, board.text
        ranked = await ana.select(board.message, SAY("board.pick_by"), "rounds_won.highcard.any.all")
        assert not ranked.failed
        assert "Rounds won" in board.message.text

        over = final(here, 1)
        assert over is not None
        assert not (await ana.click(over, "Rematch")).failed
        await ana.wait_for(lambda: any(each.component("Start") for each in ana.read()))
        lobby = next(each for each in reversed(ana.read()) if each.component("Start"))
        assert not (await ana.slash("highcard ai add", here.games)).failed
        await ana.wait_for(lambda: "🤖" in lobby.text)
        assert not (await ana.click(lobby, "Start")).failed
        assert len(await play(here, 2)) == 4
        text = await replayed(here, 2)
        assert text.count("Choose(") == 6, "the AI player moved in both rounds"
        assert SAY("replay.by_clock") not in text

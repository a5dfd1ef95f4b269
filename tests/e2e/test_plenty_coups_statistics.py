"""Statistics of Plenty Coups with the real bot, on a server where both games were played."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening, evening
from tests.e2e.past import remember
from tests.games.drivers import PLENTY_COUPS

SCOPE = "plenty-coups.any"
RANKED = ("Coups", "Raids that came home", "Horses at the end", "Prestige at the end", "Wins", "Games played", "Rating")


@pytest_asyncio.fixture
async def held(tmp_path: Path) -> AsyncIterator[Evening]:
    """Four people who have played eight games of Plenty Coups and four of Coyote."""
    async with evening(tmp_path, 4, driver=PLENTY_COUPS, start=False) as found:
        people = [int(person.id) for person in found.people]
        await remember(found, people, 4, seed=1)
        await remember(found, people, 8, seed=2, game="plenty-coups")
        await found.bot.start()
        yield found


async def shown(person: Person, command: str, **options: object) -> Message:
    answer = await person.slash(command, **options)
    assert answer.message is not None, answer.text
    return answer.message


async def test_a_leaderboard_of_the_game_alone_by_each_of_its_figures(held: Evening) -> None:
    ana = held.people[0]
    message = await shown(ana, "leaderboard", edition=SCOPE)
    assert "Plenty Coups" in message.text
    assert sum(person.mention in message.text for person in held.people) == 4, "everybody has played often enough"
    menu = next(each for each in message.components if each.get("placeholder") == "Order by")
    labels = [option["label"] for option in menu["options"]]
    assert set(RANKED) <= set(labels), labels
    for label in labels:
        assert (await ana.select(message, "Order by", label)).changed == [message]
        assert f"🏆 {label}" in message.text
        assert "Plenty Coups" in message.text, "it is still this game's board"
    last = await shown(ana, "leaderboard")
    assert "Plenty Coups" in last.text, "it is what was played here last"
    assert (await ana.select(last, "Edition", "Coyote, all editions")).changed == [last]
    assert "Plenty Coups" not in last.text
    other = await shown(ana, "leaderboard", edition="any")
    assert "Raids that came home" not in str(other.components), "Coyote has no raids"


async def test_cards_comparisons_and_history_speak_of_the_game(held: Evening) -> None:
    ana, ben, *_ = held.people
    card = await shown(ana, "stats", edition=SCOPE)
    for words in ("Plenty Coups", "raids sent out", "alliance", "horses and", "Rating **"):
        assert words in card.text, words
    assert "calls," not in card.text
    assert "raids sent out" in (await shown(ana, "stats")).text, "it is what Ana played last"
    assert "calls," in (await shown(ana, "stats", edition="any")).text, "Coyote's card is as it was"
    versus = await shown(ana, "versus", a=ben)
    await ana.select(versus, "Edition", "Plenty Coups")
    assert "Plenty Coups" in versus.text
    assert re.search(r"^## \d+ : \d+$", versus.text, re.M)
    history = await shown(ana, "history")
    assert "12 games" in history.text
    assert history.text.count("· Plenty Coups") == 8
    assert "Coyote" in history.text
    replay = await shown(ana, "replay", game=12)
    assert "Game #12" in replay.text
    assert "Plenty Coups" in replay.text


async def test_a_board_survives_a_restart_and_forged_presses_are_refused(held: Evening) -> None:
    ana, ben, *_ = held.people
    message = await shown(ana, "leaderboard", edition=SCOPE)
    await held.bot.restart()
    assert (await ana.select(message, "Order by", "Coups")).changed == [message]
    before = message.text
    for forged in (
        "c1:0:1:board:coups.plenty-coups.any",
        "c1:0:1:board:coups.plenty_coups.any.all",
        "c1:0:1:board:feathers.plenty-coups.any.all",
        "c1:0:1:stats:0.plenty-coups.any.all",
    ):
        answer = await ben.forge(message, forged)
        assert answer.failed is None, forged
        assert answer.text, forged
        assert "went wrong" not in answer.text, forged
    assert message.text == before

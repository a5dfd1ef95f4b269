"""Public messages through the presses of players: what that saves, and whose press it is."""

from collections import deque
from pathlib import Path

import pytest

from sandbox.messagelog import Message
from tests.e2e.common import FOLLOW_UP, database, said_in, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, is_won, newest, quiet

WITHOUT_TOKEN = ("/api/v10/interactions/", "/api/v10/webhooks/")
MOST_CALLS = 0.6
"""How many requests with the bot's token an action may cost, on average over a whole game without DMs."""


def shut_dms(held: Evening) -> None:
    for person in held.people:
        person.dms_open = False


def own_requests(held: Evening) -> list[str]:
    """Return the requests in the table's channel with the bot's token."""
    return [each.route for each in held.sandbox.api.requests if f"/channels/{held.games.id}" in each.path]


def lender(message: Message) -> str | None:
    """Return the person through whose press a message was posted."""
    metadata = message.json.get("interaction_metadata")
    return None if metadata is None else metadata["user"]["id"]


@pytest.mark.parametrize("way", ["buttons", "commands"])
async def test_a_whole_game_hardly_needs_the_bots_own_token(tmp_path: Path, driver: Driver, way: str) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        shut_dms(held)
        held.sandbox.api.requests = deque()
        final = await Game(held, held.people, way, seed=2).play(None, clock="2h", **driver.short)
        assert is_won(final)
        await quiet()
        with database(held) as found:
            (acts,) = found.execute("SELECT count(*) FROM actions WHERE actor = 'user'").fetchone()
        spent = len(held.sandbox.api.requests) - sum(
            each.path.startswith(WITHOUT_TOKEN) for each in held.sandbox.api.requests
        )
        assert spent <= MOST_CALLS * acts, (spent, acts, own_requests(held))


async def test_ai_moves_are_shown_through_the_press_of_a_person(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        shut_dms(held)
        (ana,) = held.people
        message = await held.open_table(ana, clock="2h", coins=2)
        await ana.click(message, "Fill the table")
        await ana.click(message, "Start")
        await until(held, lambda: "'s turn" in message.text)
        held.sandbox.api.requests.clear()
        await until(held, lambda: said_in(held, held.driver.reveal) or ana.mention in message.text.split("'s turn")[0])
        assert own_requests(held) == []


async def test_nobody_learns_from_a_message_who_has_looked(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        *held.people, bystander = held.people
        message = await started(held)
        last = await driver.last_move(held.people, message)
        for person in (bystander, *held.people):
            if person is not last.by:
                await held.look(person, message)
        await last.press()
        await until(held, lambda: said_in(held, driver.reveal))
        interactions = held.sandbox.world.interactions.by_id.values()
        looks = {each.id for each in interactions if str(each.data.get("custom_id")).endswith(":0:look")}
        assert len(looks) >= 3
        posts = [each for each in bystander.read() if lender(each) is not None and not each.ephemeral]
        assert any(driver.reveal in each.text for each in posts)
        assert not [each for each in posts if each.json["interaction_metadata"]["id"] in looks]


async def test_after_a_kill_the_bots_own_token_serves_until_somebody_presses(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        shut_dms(held)
        message = await started(held)
        await held.bot.restart()
        held.sandbox.api.requests.clear()
        last = await driver.last_move(held.people, message)
        await last.press()
        await until(held, lambda: driver.round_of(newest(last.by) or message) == 2)
        await quiet()
        assert len(said_in(held, driver.reveal)) == 1
        assert any(each.route == FOLLOW_UP for each in held.sandbox.api.requests)


async def test_a_page_opened_from_the_final_standing_does_not_replace_it(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        shut_dms(held)
        final = await Game(held, held.people, seed=4).play(None, clock="2h", **held.driver.quickest)
        text, opened = final.text, 0
        assert lender(final) in {person.id for person in held.people}
        for button in final.buttons:
            if button.get("custom_id", "").split(":")[3:4] in (["board"], ["replay"], ["history"]):
                for person in held.people:
                    shown = await person.click(final, button["custom_id"])
                    assert shown.message is not None
                    assert shown.message.only == person.id
                    opened += 1
        assert opened
        assert final.text == text


async def test_the_lobby_of_a_rematch_is_posted_through_the_press_that_asks_for_it(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        shut_dms(held)
        final = await Game(held, held.people, seed=4).play(None, clock="2h", **held.driver.quickest)
        await quiet()
        held.sandbox.api.requests.clear()
        ana = held.people[0]
        await ana.click(final, "Rematch")
        lobby = await ana.wait_for(lambda: found if (found := newest(ana)) is not final else None)
        assert lender(lobby) == ana.id
        await quiet()
        assert own_requests(held) == []

"""What everybody sees goes through the newest press; it is posted once, and nothing waits for a ping."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.engine.registry import RULES
from bot.host.commands import DealNow, Play
from bot.host.model import House, Table
from tests.discord_ui.fake_rest import CHANNEL, Evening, lobby, press_on
from tests.host.world import HOST, bid

AT_ONCE = House(reveal="instantly")
REVEAL, PING, NEXT_ROUND = "calls Coyote on", "it's your turn", "\\u00b7 round 2"


async def in_turn(here: Evening) -> Table:
    """Start a game, and wait until everything is shown."""
    table = await here.start_game()
    await here.wait_delivered()
    await here.wait_publisher_idle()
    return table


async def lend(here: Evening) -> None:
    """Lend a press on the message that shows the table."""
    here.publisher.lend(here.id, press_on(await here.publisher.message_of(here.id)))


async def call(here: Evening, table: Table) -> Table:
    """Bid and call, so that the round ends."""
    table = await here.tables.submit(here.id, bid(table, 5))
    prompt = RULES["coyote"].prompts(table.match)[0]
    return await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))


def said(here: Evening, words: str) -> list[int]:
    return [message for message, text in here.rest.messages[CHANNEL].items() if words in text]


async def settled(here: Evening) -> None:
    await here.wait_delivered()
    await here.wait_publisher_idle()


async def test_a_whole_round_needs_no_request_of_the_bots_own(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        await here.wait_publisher_idle()
        await lend(here)
        here.rest.own.clear()
        table = await in_turn(here)
        table = await here.tables.submit(here.id, bid(table, 1))
        await settled(here)
        assert said(here, PING)
        await call(here, table)
        await settled(here)
        assert said(here, REVEAL)
        assert not said(here, PING), "it was taken back"
        await here.tables.submit(here.id, DealNow(HOST))
        await settled(here)
        assert said(here, NEXT_ROUND)
        assert here.rest.own == []
        assert {what for what, _ in here.rest.through} == {"post", "edit", "delete"}


async def test_without_a_press_the_bots_own_token_serves(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        await call(here, await in_turn(here))
        await settled(here)
        assert said(here, REVEAL)
        assert here.rest.through == []


async def test_where_the_bot_cannot_find_its_messages_it_posts_with_its_own_token(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        here.reads_history = False
        table = await in_turn(here)
        await lend(here)
        await call(here, table)
        await settled(here)
        assert said(here, REVEAL)
        assert "post" not in {what for what, _ in here.rest.through}


async def test_a_refused_press_is_not_used_again(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        await lend(here)

        async def expired() -> None:
            raise RequestRefused(50027, 401)

        here.rest.faults[CHANNEL] = expired
        table = await here.tables.submit(here.id, bid(table, 5))
        await settled(here)
        assert "Bid to beat: **5**" in "".join(here.rest.messages[CHANNEL].values())
        assert ("edit", await here.publisher.message_of(here.id)) in here.rest.own


@pytest.mark.parametrize("is_killed", [False, True])
async def test_a_post_whose_answer_was_lost_is_found_and_not_posted_again(tmp_path: Path, is_killed: bool) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        await lend(here)
        posted = asyncio.Event()

        async def lose_answer() -> None:
            posted.set()
            if is_killed:
                await asyncio.Event().wait()
            raise TemporaryFailure("ConnectionResetError")

        table = await here.tables.submit(here.id, bid(table, 5))
        await settled(here)
        here.rest.faults_after[CHANNEL] = lose_answer
        prompt = RULES["coyote"].prompts(table.match)[0]
        await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        await asyncio.wait_for(posted.wait(), 20)
        here.rest._nonces.clear()  # Discord knows no nonce of it
        if is_killed:
            await here.kill()
            after = Evening(here.store, here.rest)
            after.id = here.id
            await after.publisher.start()
        else:
            after = here
        await settled(after)
        assert len(said(after, REVEAL)) == 1
        assert ":deal" in here.rest.messages[CHANNEL][said(after, REVEAL)[0]], "it shows everything"
        await after.kill()


async def test_a_ping_that_hangs_does_not_hold_up_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        hanging, post = asyncio.Event(), here.rest.post

        async def hang(channel: int, message: object, nonce: str, *more: object) -> int:
            if nonce.startswith("p"):
                hanging.set()
                await asyncio.Event().wait()
            return await post(channel, message, nonce, *more)  # type: ignore[arg-type]

        monkeypatch.setattr(here.rest, "post", hang)
        table = await here.tables.submit(here.id, bid(table, 1))
        await asyncio.wait_for(hanging.wait(), 20)
        await call(here, table)
        async with asyncio.timeout(20):
            while not said(here, REVEAL):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_pings_are_left_out_when_too_many_requests_wait(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        here.rest.left_out = True
        await here.tables.submit(here.id, bid(table, 1))
        await settled(here)
        assert not said(here, PING)
        assert said(here, "Bid to beat: **1**")


async def test_a_ping_refused_with_the_whole_channel_suspends_the_table(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        here.rest.refusal_code = lambda written: error_codes.NO_PERMISSION if PING in written else None
        await here.tables.submit(here.id, bid(table, 1))
        async with asyncio.timeout(20):
            while not (await here.tables.get(here.id)).is_suspended:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        here.rest.refusal_code = lambda written: None
        here.publisher.wake(here.id)
        async with asyncio.timeout(20):
            while (await here.tables.get(here.id)).is_suspended:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_a_ping_read_from_the_outbox_just_before_it_was_noted_is_sent_once(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        await lend(here)
        notes = here.publisher._notes_on(here.id)
        await here.tables.submit(here.id, bid(table, 1))
        rows = await here.store.outbox(here.id)
        await settled(here)
        assert len(said(here, PING)) == 1
        here.publisher._pings.attend(here.id, notes.pings, notes.messages, rows)
        await settled(here)
        assert len(said(here, PING)) == 1


async def test_a_ping_posted_before_a_kill_is_taken_back_if_its_player_acts_at_once(tmp_path: Path) -> None:
    async with lobby(tmp_path, house=AT_ONCE) as here:
        table = await in_turn(here)
        await lend(here)
        posted = asyncio.Event()

        async def lose_answer() -> None:
            if said(here, PING):
                posted.set()
                await asyncio.Event().wait()

        here.rest.faults_after[CHANNEL] = lose_answer
        await here.tables.submit(here.id, bid(table, 1))
        await asyncio.wait_for(posted.wait(), 20)
        here.rest._nonces.clear()  # Discord knows no nonce of it
        await here.kill()
        here.rest.faults_after.pop(CHANNEL, None)
        (orphan,) = said(here, PING)

        after = Evening(here.store, here.rest)
        after.id = here.id
        await after.publisher.start()
        table = await after.tables.get(here.id)
        await after.tables.submit(here.id, bid(table, 2))  # before the ping is tried again
        await settled(after)
        assert orphan not in said(after, PING)
        await after.kill()

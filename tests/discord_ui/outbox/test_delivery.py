"""The whole outbox is delivered, even if some messages are refused or cannot be noted as sent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import RequestRefused
from bot.engine.registry import RULES
from bot.host import views
from bot.host.commands import DealNow, Join, OutboxKind, Play, Resume, Suspend
from bot.host.model import Table
from tests.discord_ui.fake_rest import ABOVE, CHANNEL, Evening, fails_once, lobby
from tests.host.world import GUEST, HOST, THIRD, bid

BAD_REQUEST = 50035


def names(here: Evening) -> list[str]:
    return [name for name in (f"<@{GUEST}>", f"<@{THIRD}>") if name in here.rest.newest(CHANNEL)]


async def test_changes_made_while_a_message_is_refused_are_still_shown(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:

        async def refuse() -> None:
            await here.tables.submit(here.id, Join(THIRD, "Cem"))
            raise RequestRefused(BAD_REQUEST, 400)

        here.rest.faults[CHANNEL] = refuse
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        assert names(here) == [f"<@{GUEST}>", f"<@{THIRD}>"]


async def test_a_thread_is_reopened_each_time_it_is_archived(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:

        async def archived() -> None:
            raise RequestRefused(error_codes.ARCHIVED, 400)

        for number, person in enumerate((GUEST, THIRD), 1):
            here.rest.faults[CHANNEL] = archived
            await here.tables.submit(here.id, Join(person, "Ben"))
            await here.wait_delivered()
            assert here.rest.unarchived == number
            assert len(names(here)) == number


async def test_delivery_survives_a_store_fault_after_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as here:

        async def refuse() -> None:
            fails_once(here, monkeypatch)
            raise RequestRefused(BAD_REQUEST, 400)

        here.rest.faults[CHANNEL] = refuse
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        assert names(here) == [f"<@{GUEST}>"]


async def test_a_table_message_that_could_not_be_noted_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        failed = fails_once(here, monkeypatch, lambda: here.tables.submit(here.id, Join(GUEST, "Ben")))
        here.publisher.move(here.id)
        await asyncio.wait_for(failed.wait(), 20)
        await here.wait_delivered()
        assert names(here) == [f"<@{GUEST}>"]


@pytest.mark.parametrize("kind", [OutboxKind.NOTICE, OutboxKind.RECORD, OutboxKind.TABLE, OutboxKind.PING])
async def test_an_unnoted_message_is_seen_once_even_if_discord_forgot_its_nonce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: OutboxKind
) -> None:
    async with lobby(tmp_path) as here:

        async def hours_pass() -> None:
            here.rest._nonces.clear()

        await a_round(here)
        failed = fails_once(here, monkeypatch, hours_pass, kind)
        await asyncio.wait_for(failed.wait(), 20)
        await here.wait_delivered()
        assert words_in_channel(here, LINE, REVEAL, TABLE) == [LINE, REVEAL, TABLE]
        assert words_in_channel(here, PING) in ([], [PING])  # the table message may ping instead


RECORD, LINE, REVEAL, TABLE = "\\u00b7 round 1\\n**5**", "On we go.", "calls Coyote on", "\\u00b7 round 2"
"""Texts in the record of the first round, in a notice, in the reveal and in the message of the next round."""
PING = "it's your turn"


async def a_round(here: Evening) -> Table:
    """Fill the outbox with a notice, the end of a round and the next round."""
    table = await here.start_game()
    await here.wait_delivered()
    with here.publisher.answering(here.id):
        await here.tables.submit(here.id, Suspend(OUTAGE))
        await here.tables.submit(here.id, Resume())
        table = await here.tables.submit(here.id, bid(table, 5))
        prompt = RULES["coyote"].prompts(table.match)[0]
        await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        return await here.tables.submit(here.id, DealNow(HOST))


def words_in_channel(here: Evening, *words: str) -> list[str]:
    """Return every occurrence of these words in the channel, in order."""
    return [word for written in here.rest.messages[CHANNEL].values() for word in words if word in written]


@pytest.mark.parametrize("refused_text", [RECORD, LINE, REVEAL, TABLE])
async def test_only_the_refused_message_is_given_up(tmp_path: Path, refused_text: str) -> None:
    async with lobby(tmp_path) as here:
        here.rest.refusal_code = lambda written: BAD_REQUEST if refused_text in written else None
        table = await a_round(here)
        await here.wait_delivered()
        told = [word for word in (RECORD, LINE, REVEAL, TABLE) if word != refused_text]
        if refused_text == REVEAL:  # then the message of the first round is edited to show the second
            told = [TABLE, LINE]
        assert words_in_channel(here, RECORD, LINE, REVEAL, TABLE) == told
        assert len(here.rest.refused) == 1
        await here.tables.submit(here.id, bid(table, 5))
        await here.wait_delivered()
        here.rest.refusal_code = lambda written: None
        here.publisher.move(here.id)
        await here.wait_publisher_idle()
        assert words_in_channel(here, LINE, REVEAL, TABLE) == [
            word for word in (LINE, REVEAL, TABLE) if word in (*told, TABLE)
        ]


async def test_if_a_ping_is_refused_only_the_ping_is_given_up(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        here.rest.refusal_code = lambda written: BAD_REQUEST if PING in written else None
        table = await a_round(here)
        await here.tables.submit(here.id, bid(table, 5))
        await here.wait_delivered()
        assert words_in_channel(here, RECORD, LINE, REVEAL, TABLE) == [RECORD, LINE, REVEAL, TABLE]
        assert "Bid to beat: **5**" in here.rest.newest(CHANNEL)
        assert here.rest.refused
        assert len(here.rest.refused) == len(set(here.rest.refused)), "each was tried once"


async def test_a_ping_that_cannot_be_deleted_delays_nothing(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        here.rest.refusal_code = lambda written: None if written else BAD_REQUEST
        table = await a_round(here)
        await here.wait_delivered()
        assert words_in_channel(here, RECORD, LINE, REVEAL, TABLE) == [RECORD, LINE, REVEAL, TABLE]
        await here.tables.submit(here.id, bid(table, 5))
        await here.wait_delivered()
        assert words_in_channel(here, "Bid to beat: **5**")


def take_first_cards(table: Table) -> Play:
    """Let the player in turn take the first cards of the offer."""
    game = RULES[table.game]
    (prompt,) = game.prompts(table.match)
    fields = {key: each for key, each in game.dump_action(prompt.timeout).items() if key not in ("do", "seat")}
    return Play(table.players[prompt.seat].user, "take", fields, prompt.id)


async def test_a_ping_goes_once_it_is_answered_even_if_the_same_player_is_asked_next(tmp_path: Path) -> None:
    async with lobby(tmp_path, game="plenty-coups") as here:
        table = await here.start_game()
        await here.wait_delivered()
        assert words_in_channel(here, PING) == [PING]
        table = await here.tables.submit(here.id, take_first_cards(table))
        await here.wait_delivered()
        assert words_in_channel(here, PING) == []


async def test_nobody_is_pinged_about_what_they_have_answered(tmp_path: Path) -> None:
    async with lobby(tmp_path, game="plenty-coups") as here:
        table = await here.start_game()
        await here.tables.submit(here.id, take_first_cards(table))
        await here.wait_delivered()
        assert words_in_channel(here, PING) == []


async def test_a_message_refused_because_of_its_channel_waits(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        here.rest.refusal_code = lambda written: error_codes.NO_PERMISSION if LINE in written else None
        await a_round(here)
        async with asyncio.timeout(20):
            while (pause := (await here.tables.get(here.id)).pause) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert pause.why == "send_messages"
        here.rest.refusal_code = lambda written: None
        await here.wait_delivered()
        assert words_in_channel(here, RECORD, LINE, REVEAL, TABLE)[:3] == [RECORD, LINE, REVEAL]


async def test_a_table_message_that_cannot_be_moved_is_edited_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:

        async def refuse(*_: Any) -> int:
            raise RequestRefused(BAD_REQUEST, 400)

        monkeypatch.setattr(here.rest, "post", refuse)
        here.publisher.move(here.id)
        await here.wait_publisher_idle()
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        assert names(here) == [f"<@{GUEST}>"]
        assert len(here.rest.messages[CHANNEL]) == 1


async def test_an_archived_thread_is_reopened_once_the_bot_is_woken_and_allowed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        table = await a_round(here)
        await here.wait_delivered()
        state, tried = {"archived": True, "allowed": False}, []

        async def unarchive(thread: int) -> None:
            tried.append(thread)
            if not state["allowed"]:
                raise RequestRefused(error_codes.NO_PERMISSION, 403)
            state["archived"] = False

        monkeypatch.setattr(here.rest, "unarchive", unarchive)
        here.rest.refusal_code = lambda written: (
            error_codes.ARCHIVED if state["archived"] and "<#" not in written else None
        )
        await here.tables.submit(here.id, bid(table, 5))
        async with asyncio.timeout(20):
            while len(here.rest.refused) < 5:  # noqa: ASYNC110 - the post is tried again and again
                await asyncio.sleep(0.01)
        assert tried == [CHANNEL], "reopening the thread is tried only once"
        assert [
            f"<#{CHANNEL}>" in line and "Manage Threads" in line for line in here.rest.messages[ABOVE].values()
        ] == [True]
        state["allowed"] = True
        here.publisher.wake(here.id)
        async with asyncio.timeout(20):
            while (await here.tables.get(here.id)).pause is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await here.wait_delivered()
        assert tried == [CHANNEL] * 2
        assert words_in_channel(here, "Bid to beat: **5**")


async def test_a_reveal_that_could_not_be_noted_loses_its_buttons_in_the_next_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        table = await here.start_game()
        await here.wait_delivered()
        with here.publisher.answering(here.id):
            table = await here.tables.submit(here.id, bid(table, 5))
            prompt = RULES["coyote"].prompts(table.match)[0]
            await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        failed = fails_once(here, monkeypatch, lambda: here.tables.submit(here.id, DealNow(HOST)), OutboxKind.RECORD)
        await asyncio.wait_for(failed.wait(), 20)
        await here.wait_delivered()
        await here.wait_publisher_idle()
        (reveal,) = [written for written in here.rest.messages[CHANNEL].values() if REVEAL in written]
        assert ":deal" not in reveal


async def test_a_damaged_reveal_is_given_up_and_delays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(*_: Any) -> None:
        raise ValueError("a pile that begins with 20")

    async with lobby(tmp_path) as here:
        monkeypatch.setattr(views, "record_of", damaged)
        await a_round(here)
        await here.wait_delivered()
        assert set(words_in_channel(here, LINE, REVEAL, TABLE)) == {LINE, TABLE}
    assert "is damaged and was given up" in caplog.text
    assert "begins with" not in caplog.text

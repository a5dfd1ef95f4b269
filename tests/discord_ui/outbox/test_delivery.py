"""The whole outbox is delivered, even if some messages are refused or cannot be noted as sent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.rest import RequestRefused
from bot.engine.registry import RULES
from bot.host import views
from bot.host.commands import DealNow, Join, OutboxKind, Play, Resume, Suspend
from bot.host.model import Table
from tests.discord_ui.fake_rest import ABOVE, CHANNEL, Evening, fails_once, lobby
from tests.host.world import GUEST, HOST, THIRD, bid

BAD_REQUEST = 50035


def names(held: Evening) -> list[str]:
    return [name for name in (f"<@{GUEST}>", f"<@{THIRD}>") if name in held.rest.newest(CHANNEL)]


async def test_changes_made_while_a_message_is_refused_are_still_shown(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:

        async def refuse() -> None:
            await held.tables.submit(held.id, Join(THIRD, "Cem"))
            raise RequestRefused(BAD_REQUEST, 400)

        held.rest.faults[CHANNEL] = refuse
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        assert names(held) == [f"<@{GUEST}>", f"<@{THIRD}>"]


async def test_a_thread_is_opened_as_often_as_it_is_archived(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:

        async def archived() -> None:
            raise RequestRefused(error_codes.ARCHIVED, 400)

        for number, person in enumerate((GUEST, THIRD), 1):
            held.rest.faults[CHANNEL] = archived
            await held.tables.submit(held.id, Join(person, "Ben"))
            await held.wait_delivered()
            assert held.rest.unarchived == number
            assert len(names(held)) == number


async def test_delivery_survives_a_store_fault_after_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as held:

        async def refuse() -> None:
            fails_once(held, monkeypatch)
            raise RequestRefused(BAD_REQUEST, 400)

        held.rest.faults[CHANNEL] = refuse
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        assert names(held) == [f"<@{GUEST}>"]


async def test_a_table_message_that_could_not_be_noted_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        failed = fails_once(held, monkeypatch, lambda: held.tables.submit(held.id, Join(GUEST, "Ben")))
        held.publisher.move(held.id)
        await asyncio.wait_for(failed.wait(), 20)
        await held.wait_delivered()
        assert names(held) == [f"<@{GUEST}>"]


@pytest.mark.parametrize("kind", [OutboxKind.NOTICE, OutboxKind.RECORD, OutboxKind.TABLE, OutboxKind.PING])
async def test_an_unnoted_message_is_seen_once_even_if_discord_forgot_its_nonce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: OutboxKind
) -> None:
    async with lobby(tmp_path) as held:

        async def hours_pass() -> None:
            held.rest._nonces.clear()

        await a_round(held)
        failed = fails_once(held, monkeypatch, hours_pass, kind)
        await asyncio.wait_for(failed.wait(), 20)
        await held.wait_delivered()
        assert words_in_channel(held, LINE, REVEAL, TABLE) == [LINE, REVEAL, TABLE]
        assert words_in_channel(held, PING) in ([], [PING])  # the table message may ping instead


RECORD, LINE, REVEAL, TABLE = "\\u00b7 round 1\\n**5**", "On we go.", "calls Coyote on", "\\u00b7 round 2"
"""Texts in the record of the first round, in a notice, in the reveal and in the message of the next round."""
PING = "it's your turn"


async def a_round(held: Evening) -> Table:
    """Fill the outbox with a notice, the end of a round and the next round."""
    table = await held.start_game()
    await held.wait_delivered()
    with held.publisher.answering(held.id):
        await held.tables.submit(held.id, Suspend(OUTAGE))
        await held.tables.submit(held.id, Resume())
        table = await held.tables.submit(held.id, bid(table, 5))
        prompt = RULES["coyote"].prompts(table.match)[0]
        await held.tables.submit(held.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        return await held.tables.submit(held.id, DealNow(HOST))


def words_in_channel(held: Evening, *words: str) -> list[str]:
    """Return every occurrence of these words in the channel, in order."""
    return [word for written in held.rest.messages[CHANNEL].values() for word in words if word in written]


@pytest.mark.parametrize("refused_text", [RECORD, LINE, REVEAL, TABLE])
async def test_only_what_was_refused_is_given_up(tmp_path: Path, refused_text: str) -> None:
    async with lobby(tmp_path) as held:
        held.rest.refusal_code = lambda written: BAD_REQUEST if refused_text in written else None
        table = await a_round(held)
        await held.wait_delivered()
        told = [word for word in (RECORD, LINE, REVEAL, TABLE) if word != refused_text]
        if refused_text == REVEAL:  # then the message of the first round is edited to show the second
            told = [TABLE, LINE]
        assert words_in_channel(held, RECORD, LINE, REVEAL, TABLE) == told
        assert len(held.rest.refused) == 1
        await held.tables.submit(held.id, bid(table, 5))
        await held.wait_delivered()
        held.rest.refusal_code = lambda written: None
        held.publisher.move(held.id)
        await held.wait_publisher_idle()
        assert words_in_channel(held, LINE, REVEAL, TABLE) == [
            word for word in (LINE, REVEAL, TABLE) if word in (*told, TABLE)
        ]


async def test_a_ping_that_is_refused_is_given_up_alone(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        held.rest.refusal_code = lambda written: BAD_REQUEST if PING in written else None
        table = await a_round(held)
        await held.tables.submit(held.id, bid(table, 5))
        await held.wait_delivered()
        assert words_in_channel(held, RECORD, LINE, REVEAL, TABLE) == [RECORD, LINE, REVEAL, TABLE]
        assert "Bid to beat: **5**" in held.rest.newest(CHANNEL)
        assert len(held.rest.refused) == 1, "it was tried once"


async def test_a_ping_that_cannot_be_deleted_holds_nothing_up(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        held.rest.refusal_code = lambda written: None if written else BAD_REQUEST
        table = await a_round(held)
        await held.wait_delivered()
        assert words_in_channel(held, RECORD, LINE, REVEAL, TABLE) == [RECORD, LINE, REVEAL, TABLE]
        await held.tables.submit(held.id, bid(table, 5))
        await held.wait_delivered()
        assert words_in_channel(held, "Bid to beat: **5**")


async def test_a_message_refused_because_of_its_channel_waits(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        held.rest.refusal_code = lambda written: error_codes.NO_PERMISSION if LINE in written else None
        await a_round(held)
        async with asyncio.timeout(20):
            while (pause := (await held.tables.get(held.id)).pause) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert pause.why == "send_messages"
        held.rest.refusal_code = lambda written: None
        await held.wait_delivered()
        assert words_in_channel(held, RECORD, LINE, REVEAL, TABLE)[:3] == [RECORD, LINE, REVEAL]


async def test_a_table_message_that_cannot_be_moved_is_edited_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:

        async def refuse(*_: Any) -> int:
            raise RequestRefused(BAD_REQUEST, 400)

        monkeypatch.setattr(held.rest, "post", refuse)
        held.publisher.move(held.id)
        await held.wait_publisher_idle()
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        assert names(held) == [f"<@{GUEST}>"]
        assert len(held.rest.messages[CHANNEL]) == 1


async def test_a_thread_that_may_be_opened_later_is_opened_when_somebody_comes_back_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        table = await a_round(held)
        await held.wait_delivered()
        state, tried = {"archived": True, "allowed": False}, []

        async def unarchive(thread: int) -> None:
            tried.append(thread)
            if not state["allowed"]:
                raise RequestRefused(error_codes.NO_PERMISSION, 403)
            state["archived"] = False

        monkeypatch.setattr(held.rest, "unarchive", unarchive)
        held.rest.refusal_code = lambda written: (
            error_codes.ARCHIVED if state["archived"] and "<#" not in written else None
        )
        await held.tables.submit(held.id, bid(table, 5))
        async with asyncio.timeout(20):
            while len(held.rest.refused) < 5:  # noqa: ASYNC110 - it is tried again and again
                await asyncio.sleep(0.01)
        assert tried == [CHANNEL], "but not to open it"
        assert [
            f"<#{CHANNEL}>" in line and "Manage Threads" in line for line in held.rest.messages[ABOVE].values()
        ] == [True]
        state["allowed"] = True
        held.publisher.wake(held.id)
        async with asyncio.timeout(20):
            while (await held.tables.get(held.id)).pause is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await held.wait_delivered()
        assert tried == [CHANNEL] * 2
        assert words_in_channel(held, "Bid to beat: **5**")


async def test_a_reveal_that_could_not_be_noted_loses_its_buttons_with_the_next_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        table = await held.start_game()
        await held.wait_delivered()
        with held.publisher.answering(held.id):
            table = await held.tables.submit(held.id, bid(table, 5))
            prompt = RULES["coyote"].prompts(table.match)[0]
            await held.tables.submit(held.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        failed = fails_once(held, monkeypatch, lambda: held.tables.submit(held.id, DealNow(HOST)), OutboxKind.RECORD)
        await asyncio.wait_for(failed.wait(), 20)
        await held.wait_delivered()
        await held.wait_publisher_idle()
        (reveal,) = [written for written in held.rest.messages[CHANNEL].values() if REVEAL in written]
        assert ":deal" not in reveal


async def test_a_damaged_reveal_is_given_up_and_holds_up_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(*_: Any) -> None:
        raise ValueError("a pile that begins with 20")

    async with lobby(tmp_path) as held:
        monkeypatch.setattr(views, "record_of", damaged)
        await a_round(held)
        await held.wait_delivered()
        assert set(words_in_channel(held, LINE, REVEAL, TABLE)) == {LINE, TABLE}
    assert "is damaged and given up" in caplog.text
    assert "begins with" not in caplog.text

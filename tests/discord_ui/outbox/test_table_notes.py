"""The publisher's notes on one table."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord_ui.outbox.sweep_schedule import SweepSchedule
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages, as_old
from bot.discord_ui.outbox.table_notes import BURIED_AFTER_MESSAGES, DueWork, TableNotes
from bot.discord_ui.wire.press_requests import LENT_SECONDS
from bot.discord_ui.wire.rest import Outgoing
from bot.host.model import TableId
from bot.host.ports import Message
from tests.discord_ui.fake_rest import CHANNEL, press_on
from tests.host.world import GUEST

TABLE = TableId("t1")


def message(kind: MessageKind, number: int, user: Any = None) -> Message:
    return Message(TABLE, kind, user, 1, number, 0)


def test_the_newer_of_table_message_and_reveal_shows_the_table() -> None:
    messages = TableMessages()
    messages.load([message(MessageKind.TABLE, 1), message(MessageKind.REVEAL, 2)])
    assert messages.current == message(MessageKind.REVEAL, 2)
    messages.placed([message(MessageKind.TABLE, 3)])
    assert messages.current == message(MessageKind.TABLE, 3)


def test_loading_does_not_overwrite_newer_notes() -> None:
    messages = TableMessages()
    messages.load([])
    messages.placed([message(MessageKind.TABLE, 2)])
    messages.load([message(MessageKind.TABLE, 1)])
    assert messages.current == message(MessageKind.TABLE, 2)


def test_a_replaced_dm_is_not_deleted_with_the_messages_in_the_channel() -> None:
    messages = TableMessages()
    ping, dm = message(MessageKind.PING, 1, GUEST), message(MessageKind.DM, 2, GUEST)
    messages.load([as_old(ping), as_old(dm)])
    assert messages.old_in_channel == [as_old(ping)]
    assert messages.old_dm_of(GUEST) == as_old(dm)
    assert messages.pings == []


def test_a_deleted_message_is_no_longer_known_by_its_nonce_or_content() -> None:
    messages, out = TableMessages(), Outgoing("the table")
    messages.load([message(MessageKind.TABLE, 1)])
    messages.posts.posted("nonce", 1)
    messages.drawn(1, out)
    assert messages.shows(1, out)
    messages.deleted(message(MessageKind.TABLE, 1))
    assert messages.current is None
    assert messages.posts.posted_with("nonce") is None
    assert not messages.shows(1, out)


def test_a_lost_post_is_settled_once_it_is_posted() -> None:
    messages = TableMessages()
    messages.posts.post_lost("nonce", Outgoing("the table"))
    assert [lost.nonce for lost in messages.posts.lost_posts] == ["nonce"]
    messages.posts.posted("nonce", 1)
    assert messages.posts.lost_posts == []


def test_a_press_is_used_for_its_message_until_its_token_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    presses, now = TableMessages().presses, [0.0]
    monkeypatch.setattr("bot.discord_ui.wire.press_requests.time.monotonic", lambda: now[0])
    older, newer = press_on(1), press_on(2)
    presses.lend(older)
    presses.lend(newer)
    assert presses.for_posts(CHANNEL) is newer
    presses.posted(3, newer)
    assert [presses.for_message(message) for message in (1, 2, 3, 4)] == [older, newer, newer, None]
    now[0] = LENT_SECONDS
    assert presses.for_posts(CHANNEL) is None
    assert [presses.for_message(message) for message in (1, 2, 3)] == [None] * 3


def test_a_press_on_a_public_message_comes_before_a_private_one() -> None:
    presses = TableMessages().presses
    public, private = press_on(1), press_on(None)
    presses.lend(private)
    assert presses.for_posts(CHANNEL) is private
    presses.lend(public)
    presses.lend(private)
    assert presses.for_posts(CHANNEL) is public
    presses.returned(public)
    assert presses.for_posts(CHANNEL) is private
    assert presses.for_message(1) is None, "Discord has refused the press"


def test_a_press_in_another_channel_posts_nothing_at_the_table() -> None:
    presses = TableMessages().presses
    presses.lend(press_on(1, CHANNEL + 1))
    assert presses.for_posts(CHANNEL) is None


def test_the_table_is_buried_by_messages_of_others() -> None:
    due = DueWork()
    for _ in range(BURIED_AFTER_MESSAGES):
        assert not due.is_buried
        due.message_seen_below()
    assert due.is_buried
    due.posted_last()
    assert not due.is_buried


def test_after_a_burst_sweeps_come_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_ui.outbox.sweep_schedule.time.monotonic", lambda: 100.0)
    schedule = SweepSchedule()
    assert [schedule.count_sweep(1.0) for _ in range(5)] == [0.0, 0.0, 0.0, 1.0, 2.0]


def test_a_sweep_waits_for_an_answer_and_for_the_end_of_a_pause() -> None:
    schedule = SweepSchedule()
    schedule.want_sweep()
    schedule.answer_started()
    assert not schedule.is_due
    assert not schedule.is_idle
    schedule.answer_ended()
    assert schedule.is_due
    schedule.back_off()
    assert not schedule.is_due


def test_a_suspended_table_tries_to_open_its_thread_again_when_it_is_woken() -> None:
    notes = TableNotes(TABLE)
    notes.reopening_tried()
    notes.woken()
    assert notes.tried_to_reopen, "it is not suspended, so nothing has changed"
    notes.suspended()
    notes.woken()
    assert not notes.tried_to_reopen


def test_notes_are_kept_while_a_dm_is_under_way() -> None:
    notes = TableNotes(TABLE)
    assert notes.is_idle
    notes.messages.dm_started()
    assert not notes.is_idle
    notes.messages.dm_ended()
    assert notes.is_idle

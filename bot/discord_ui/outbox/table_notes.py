"""Keeps the publisher's notes on one table: its messages, what is due, and when to sweep its outbox."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from bot.discord_ui.outbox.pings import WaitingPings
from bot.discord_ui.outbox.sweep_schedule import SweepSchedule
from bot.discord_ui.outbox.table_messages import TableMessages
from bot.host.model import TableId
from bot.host.reveal_beats import BEAT_MILLIS

BURIED_AFTER_MESSAGES: Final = 8
"""How many messages from others below the table message make it move down at its next change."""


class StagedReveal(NamedTuple):
    """A reveal that is shown in several beats, one after the other."""

    message: int
    beats: int
    began: float
    """By the monotonic clock."""

    def now(self, scale: float) -> tuple[int, float]:
        """Return the beat to show now, and the seconds until the next."""
        gap = BEAT_MILLIS / 1000 / scale
        elapsed = time.monotonic() - self.began
        beat = 1 + int(elapsed / gap)
        return beat, max(0.0, beat * gap - elapsed)


class DueWork:
    """What has to be done for a table beyond the rows of its outbox."""

    def __init__(self) -> None:
        self._messages_below = 0
        self._wants_move = False
        self._wants_redraw = False
        self._wants_restart_line = False
        self._staged_reveal: StagedReveal | None = None

    @property
    def staged_reveal(self) -> StagedReveal | None:
        """The reveal that is being shown beat by beat; until it ends, the table message waits."""
        return self._staged_reveal

    def staged_reveal_began(self, message: int, beats: int) -> None:
        """Record that the first beat of a reveal was posted."""
        self._staged_reveal = StagedReveal(message, beats, time.monotonic())

    def staged_reveal_ended(self) -> None:
        """Record that the reveal shows everything from now on."""
        self._staged_reveal = None

    @property
    def is_buried(self) -> bool:
        """Whether enough messages are below the table message that it should move down."""
        return self._messages_below >= BURIED_AFTER_MESSAGES

    @property
    def wants_move(self) -> bool:
        """Whether somebody asked to move the table message to the end of the channel."""
        return self._wants_move

    @property
    def wants_redraw(self) -> bool:
        """Whether the countdowns must be drawn again, because deadlines were postponed."""
        return self._wants_redraw

    @property
    def wants_restart_line(self) -> bool:
        """Whether to post a line that the table goes on, after the bot was away for a while."""
        return self._wants_restart_line

    def message_seen_below(self) -> None:
        """Count a message from somebody else in the channel."""
        self._messages_below += 1

    def want_move(self) -> None:
        """Ask to move the table message to the end of the channel."""
        self._wants_move = True

    def want_redraw(self, *, restart_line: bool) -> None:
        """Ask for new countdowns, and perhaps for a line saying that the table goes on."""
        self._wants_redraw = True
        self._wants_restart_line = self._wants_restart_line or restart_line

    def posted_last(self) -> None:
        """Record that the table's newest message is the last in the channel."""
        self._messages_below = 0

    def moved(self) -> None:
        """Record that the table message was moved, or that this was given up."""
        self._wants_move = False

    def redrawn(self) -> None:
        """Record that the table was drawn."""
        self._wants_redraw = False

    def restart_line_posted(self) -> None:
        """Record that the line was posted, or that this was given up."""
        self._wants_restart_line = False


class TableNotes:
    """Keeps all that the publisher knows about one table. May be dropped when `is_idle`: the store has what matters."""

    def __init__(self, table: TableId) -> None:
        self.table: Final = table
        self.messages: Final = TableMessages()
        self.due: Final = DueWork()
        self.pings: Final = WaitingPings()
        self.schedule: Final = SweepSchedule()
        self._tried_to_reopen = False
        self._is_suspended = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way that would be noted here."""
        return self.schedule.is_idle and self.pings.is_idle and not self.messages.has_dms_under_way

    @property
    def tried_to_reopen(self) -> bool:
        """Whether reopening the archived thread was tried, and nothing since then suggests that it might work now."""
        return self._tried_to_reopen

    def reopening_tried(self) -> None:
        """Record that the bot has tried to reopen the archived thread."""
        self._tried_to_reopen = True

    def suspended(self) -> None:
        """Record that the table is suspended because Discord does not let the bot write there."""
        self._is_suspended = True

    def woken(self) -> None:
        """Record that something happened: if the table is suspended, its thread is worth another try."""
        if self._is_suspended:
            self._is_suspended = self._tried_to_reopen = False
            self.pings.allow()

    def sweep_completed(self) -> None:
        """Record that a sweep was completed: everything that was due has been sent."""
        self.schedule.succeeded()
        self.messages.posts.completed()
        if not self.pings.is_refused:
            self._is_suspended = self._tried_to_reopen = False

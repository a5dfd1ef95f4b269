"""Keeps the publisher's notes on one table: its messages, what is due, and when to look at its outbox."""

from __future__ import annotations

from typing import Final

from bot.discord_ui.outbox.look_schedule import LookSchedule
from bot.discord_ui.outbox.table_messages import TableMessages
from bot.host.model import TableId

BURIED_AFTER_MESSAGES: Final = 8
"""How many messages from others below the table message make it move down at its next change."""


class DueWork:
    """What has to be done for a table beyond the rows of its outbox."""

    def __init__(self) -> None:
        self._messages_below = 0
        self._wants_move = False
        self._wants_redraw = False
        self._wants_restart_line = False

    @property
    def is_buried(self) -> bool:
        """Whether there are so many messages below the table message that it should move down."""
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
        """Note that the table's newest message is the last in the channel."""
        self._messages_below = 0

    def moved(self) -> None:
        """Note that the table message was moved, or that this was given up."""
        self._wants_move = False

    def redrawn(self) -> None:
        """Note that the table was drawn."""
        self._wants_redraw = False

    def restart_line_posted(self) -> None:
        """Note that the line was posted, or that this was given up."""
        self._wants_restart_line = False


class TableNotes:
    """Keeps all that the publisher knows about one table. May be dropped when `is_idle`: the store has what matters."""

    def __init__(self, table: TableId) -> None:
        self.table: Final = table
        self.messages: Final = TableMessages()
        self.due: Final = DueWork()
        self.schedule: Final = LookSchedule()
        self._tried_to_reopen = False
        self._is_suspended = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way that would be noted here."""
        return self.schedule.is_idle and not self.messages.has_dms_under_way

    @property
    def tried_to_reopen(self) -> bool:
        """Whether the bot has tried to reopen the archived thread since anything last suggested that it might work."""
        return self._tried_to_reopen

    def reopening_tried(self) -> None:
        """Note that the bot has tried to reopen the archived thread."""
        self._tried_to_reopen = True

    def suspended(self) -> None:
        """Note that the table is suspended because Discord does not let the bot write there."""
        self._is_suspended = True

    def woken(self) -> None:
        """Note that something happened: if the table is suspended, its thread is worth another try."""
        if self._is_suspended:
            self._is_suspended = self._tried_to_reopen = False

    def look_completed(self) -> None:
        """Note that a look was completed: everything that was due has been told."""
        self.schedule.succeeded()
        self.messages.completed()
        self._is_suspended = self._tried_to_reopen = False

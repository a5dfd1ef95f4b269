"""What the publisher knows of one table: the messages that stand for it, and what is under way."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

import discord

from bot.discord_ui.wire.rest import Outgoing
from bot.host.model import TableId, UserId
from bot.host.ports import Message, OutboxRow

TABLE: Final = "table"
REVEAL: Final = "reveal"
DM: Final = "dm"
PING: Final = "ping"
BACK: Final = "back"
"""The line that said, after a restart, that the table goes on; there is one at most."""
OLD: Final = {TABLE: "old", DM: "old dm", PING: "old ping", BACK: "old back"}
"""What a message is once another has taken its place; it is still to be deleted."""

EDITABLE_SECONDS: Final = 55 * 60
"""Discord hardly lets messages be edited that are older than an hour."""
LENT_SECONDS: Final = 14 * 60
"""The token of a press is good for fifteen minutes."""
BURIED: Final = 8
"""So many messages of others under the table message, and it moves down at its next change."""


def replaced(message: Message) -> Message:
    """Return how a message is noted whose place another has taken: no kill and no fault may leave it behind."""
    return message._replace(kind=OLD[message.kind])


def is_editable(message: int) -> bool:
    """Tell whether Discord lets a message be changed as often as we like: it is younger than an hour."""
    return time.time() - discord.utils.snowflake_time(message).timestamp() < EDITABLE_SECONDS


@dataclass(slots=True)
class Desk:
    """The publisher's notes on one table. What must survive is in the store; these come back from there."""

    id: TableId
    standing: dict[tuple[str, UserId | None], Message] | None = None
    marks: dict[int, int] = field(default_factory=dict)
    """What each message looked like when we last sent it: what looks the same is not sent again."""
    task: asyncio.Task[None] | None = None
    wanted: bool = False
    held: int = 0
    carried: int = 0
    """So many DMs are on their way, and will be noted here."""
    brought: dict[UserId, OutboxRow] = field(default_factory=dict)
    """The newest that was told to each by DM."""
    timer: asyncio.TimerHandle | None = None
    """Wakes the desk later: a ping that waits, a retry."""
    unsure: bool = True
    """Something may have been posted whose answer was lost, in this process or in the one before."""
    posted: dict[str, int] = field(default_factory=dict)
    """What was posted since the last look that came to its end, by its nonce: Discord forgets that after some minutes,
    and a database that takes no note may be full for hours."""
    doubtful: dict[str, tuple[Outgoing, float]] = field(default_factory=dict)
    """What may have been posted, the answer being lost, by its nonce, and when that was."""
    backing_off: bool = False
    """Nothing is tried until the timer says so."""
    failures: int = 0
    under: int = 0
    """Messages of others since the table message."""
    move: bool = False
    """Somebody wants the table down here."""
    refresh: bool = False
    """After an absence: the clocks were put off, so what counts down must be drawn again."""
    back_again: bool = False
    """After a longer absence: say once that the table goes on."""
    lent: tuple[discord.Interaction, int, float] | None = None
    """The newest press on the table message: its token can change that message for a while."""
    budget: float = 3.0
    spent_at: float = 0.0
    unarchived: bool = False
    """It has been tried to open the thread."""
    waits: bool = False
    """The table was suspended, because it cannot be reached."""
    stripped: int = 0
    """The last reveal whose buttons were taken away."""

    @property
    def is_quiet(self) -> bool:
        """Whether nobody would miss these notes: what matters comes back from the store."""
        return self.task is None and self.timer is None and not self.held and not self.carried

    def current(self) -> Message | None:
        """Return the message that stands for the table now: its own, or the reveal that came after it."""
        standing = [each for key in ((TABLE, None), (REVEAL, None)) if (each := (self.standing or {}).get(key))]
        return max(standing, key=lambda each: each.message, default=None)

    def stands(self, message: Message) -> None:
        """Note a message in place of the one before."""
        if self.standing is not None:
            self.standing[message.kind, message.user] = message

    def gone(self, message: Message) -> None:
        """Note that a message is gone."""
        if self.standing is not None and self.standing.get((message.kind, message.user)) == message:
            del self.standing[message.kind, message.user]
        self.marks.pop(message.message, None)
        self.posted = {nonce: posted for nonce, posted in self.posted.items() if posted != message.message}

    def borrowed(self, message: int) -> discord.Interaction | None:
        """Return a press that may still change this message."""
        if self.lent is None:
            return None
        press, pressed, at = self.lent
        if pressed != message or time.monotonic() - at > LENT_SECONDS:
            self.lent = None
            return None
        return press

    def pause(self, scale: float) -> float:
        """Return how long to wait before the next look: three at once, then one a second."""
        now = time.monotonic()
        self.budget = min(3.0, self.budget + (now - self.spent_at) * scale)
        self.spent_at = now
        self.budget -= 1.0
        return 0.0 if self.budget >= 0 else -self.budget / scale

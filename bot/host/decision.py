"""What a command comes to: the next table, what goes into the log, what must be told."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.engine.core import Game, Json, Seat
from bot.engine.frozen import Frozen
from bot.engine.registry import RULES
from bot.host.commands import Notice, Tell, Telling
from bot.host.model import Millis, Player, Table, UserId


class Actor(StrEnum):
    """Who did what the log says."""

    USER = "user"
    AI = "ai"
    CLOCK = "clock"
    """Played for somebody who did not answer in time, or done because its time had come."""
    DEALER = "dealer"


class LogEntry(Frozen, frozen=True):
    """One line of the log: an input, never a result, so that a match can be played again from its log.

    `action` is a game's action (`{"do": …}`, as `Game.dump_action` wrote it) or the host's own
    (`{"host": …}`). It names seats; who that is stands in the table, so that a person can be taken out of a game
    without touching its log. `user` is for whoever looks at a decision; the store does not keep it.
    """

    actor: Actor
    user: UserId | None
    action: Json
    thought: Millis | None = None
    """How long the player thought: without pauses and without the time that the bot was down."""


class Decision(Frozen, frozen=True):
    """What is to be committed in one transaction. If `table` is the very table that was asked, nothing is."""

    table: Table
    log: tuple[LogEntry, ...] = ()
    tell: tuple[Telling, ...] = ()


class Draft:
    """A decision in the making. The modules of the host write on it; `decide` hands out what it came to."""

    def __init__(self, table: Table, now: Millis, rng: Random) -> None:
        self.table = table
        self.now = now
        self.rng = rng
        self.game: Game[Any, Any, Any] = RULES[table.game]
        self._before = table
        self._seq = table.seq + 1
        self._log: list[LogEntry] = []
        self._tell: list[Telling] = []

    @property
    def clock(self) -> Millis:
        """The table's own time, which stands still while it is paused."""
        return self.now if self.table.pause is None else self.table.pause.since

    def change(self, **fields: Any) -> None:
        """Put other values into the table, which is then one step further."""
        self.table = replace(self.table, seq=self._seq, **fields)

    def change_player(self, seat: Seat, **fields: Any) -> Player:
        """Put other values into one player; return what came of it."""
        players = list(self.table.players)
        players[seat] = players[seat]._replace(**fields)
        self.change(players=tuple(players))
        return players[seat]

    def log(self, actor: Actor, user: UserId | None, action: Json, thought: Millis | None = None) -> None:
        """Write a line into the log."""
        self._log.append(LogEntry(actor, user, action, thought))

    def tell(self, kind: Tell, user: UserId | None = None, payload: dict[str, Any] | None = None) -> None:
        """Have something told; what has no payload of its own once, since it tells of the newest state anyway."""
        telling = Telling(kind, user, payload)
        if payload is not None or telling not in self._tell:
            self._tell.append(telling)

    def notice(self, key: Notice, **slots: Any) -> None:
        """Have one small line told."""
        self.tell(Tell.NOTICE, payload={"key": key, **slots})

    def decision(self) -> Decision:
        """Return what the draft came to, counted as one step of the table if anything has changed."""
        if self.table is self._before:
            if not self._log and not self._tell:
                return Decision(self._before)
            self.change()
        return Decision(self.table, tuple(self._log), tuple(self._tell))


Judge = Callable[[Draft, Any], None]
"""Writes what one kind of command comes to on the draft, or raises Rejected."""

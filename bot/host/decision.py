"""The result of a command: the next table, the lines for the log, and what must be sent."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.engine.core import Game, Json, Seat
from bot.engine.frozen import Frozen
from bot.engine.registry import RULES
from bot.host.commands import Notice, OutboxItem, OutboxKind
from bot.host.model import Millis, Player, Table, UserId


class Actor(StrEnum):
    """Who made the entry in the log."""

    USER = "user"
    AI = "ai"
    CLOCK = "clock"
    """Acts for a player who did not answer in time, or does what was due."""
    DEALER = "dealer"


class LogEntry(Frozen, frozen=True):
    """One line of the log: an input, never a result, so that a match can be replayed from its log.

    `action` is a game's action (`{"do": …}`, as `Game.dump_action` wrote it) or the host's own (`{"host": …}`). It
    names seats, and the table says who sat there, so that a user can be erased without touching the log. `user` is for
    readers of a decision; the store does not keep it.
    """

    actor: Actor
    user: UserId | None
    action: Json
    thought: Millis | None = None
    """How long the player thought, not counting pauses and downtime."""


class Decision(Frozen, frozen=True):
    """What must be committed in one transaction; nothing, if `table` is the same object as before."""

    table: Table
    log: tuple[LogEntry, ...] = ()
    outbox: tuple[OutboxItem, ...] = ()


class Draft:
    """A decision in the making, to which the host's modules write. `decide` returns the finished decision."""

    def __init__(self, table: Table, now: Millis, rng: Random) -> None:
        self.table = table
        self.now = now
        self.rng = rng
        self.game: Game[Any, Any, Any] = RULES[table.game]
        self._before = table
        self._seq = table.seq + 1
        self._log: list[LogEntry] = []
        self._outbox: list[OutboxItem] = []

    @property
    def clock(self) -> Millis:
        """The table's own time, which stands still during a pause."""
        return self.now if self.table.pause is None else self.table.pause.since

    def change(self, **fields: Any) -> None:
        """Set fields of the table, and count one step."""
        self.table = replace(self.table, seq=self._seq, **fields)

    def change_player(self, seat: Seat, **fields: Any) -> Player:
        """Set fields of one player; return the changed player."""
        players = list(self.table.players)
        players[seat] = players[seat]._replace(**fields)
        self.change(players=tuple(players))
        return players[seat]

    def log(self, actor: Actor, user: UserId | None, action: Json, thought: Millis | None = None) -> None:
        """Add a line to the log."""
        self._log.append(LogEntry(actor, user, action, thought))

    def send(self, kind: OutboxKind, user: UserId | None = None, payload: dict[str, Any] | None = None) -> None:
        """Add an item to the outbox. Items without a payload show the newest state, so one of each is enough."""
        item = OutboxItem(kind, user, payload)
        if payload is not None or item not in self._outbox:
            self._outbox.append(item)

    def notice(self, key: Notice, **slots: Any) -> None:
        """Send a notice."""
        self.send(OutboxKind.NOTICE, payload={"key": key, **slots})

    def decision(self) -> Decision:
        """Return the finished decision. If anything has changed, the table is one step further."""
        if self.table is self._before:
            if not self._log and not self._outbox:
                return Decision(self._before)
            self.change()
        return Decision(self.table, tuple(self._log), tuple(self._outbox))


Judge = Callable[[Draft, Any], None]
"""Carries out one kind of command on the draft, or raises Rejected."""

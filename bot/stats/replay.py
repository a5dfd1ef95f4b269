"""A finished match to step through: what any seat saw after every move, or everything. Gives views only."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.host.decision import Actor
from bot.host.model import Millis, UserId
from bot.stats.record import Log, opening


class Moment(NamedTuple):
    """The public facts of one step of a replay. What a seat saw is `Replay.view`."""

    at: Millis
    actor: Actor
    seat: Seat | None
    """Who moved; None: the dealer."""
    round: int
    """The round that the step belongs to, from 1."""
    events: tuple[Any, ...]
    """The public facts of the step, as the game tells them."""


class Replay:
    """The match, played again. `moments[0]` is the first deal."""

    def __init__(self, log: Log) -> None:
        begun, moves = opening(log.entries)
        self.game: Final[str] = begun.action["game"]
        self.players: Final[int] = begun.action["players"]
        self.users: Final[tuple[UserId | None, ...]] = tuple(log.users.get(Seat(seat)) for seat in range(self.players))
        self._game = RULES[self.game]
        state = self._game.setup(begun.action["options"], self.players, begun.action["starter"])
        self._states: list[Any] = []
        moments: list[Moment] = []
        for entry in moves:
            action = self._game.load_action(entry.action)
            round_ = self._game.ended(state) + 1
            state, events = self._game.apply(state, action)
            seat = None if action.seat == DEALER else Seat(action.seat)
            moments.append(Moment(entry.at, entry.actor, seat, round_, events))
            self._states.append(state)
        self.moments: Final = tuple(moments)

    def __len__(self) -> int:
        return len(self.moments)

    def view(self, step: int, seat: Seat | None) -> Any:
        """Return what this seat saw after a step; None is a bystander."""
        return self._game.view_for(self._states[step], seat)

    def open_view(self, step: int) -> Any:
        """Return a bystander's view after a step with everything that was hidden then laid open."""
        return self._game.open_view(self._states[step])

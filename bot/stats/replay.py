"""A finished match to step through: what any seat saw after every move, or everything. Gives views only."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.host.model import UserId
from bot.stats.figures import MOST_HIGHLIGHTS, figures_of
from bot.stats.moments import Highlight, Moment
from bot.stats.record import Log, opening


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
            round_ = self._game.rounds_ended(state) + 1
            state, events = self._game.apply(state, action)
            seat = None if action.seat == DEALER else Seat(action.seat)
            moments.append(Moment(entry.at, entry.actor, seat, round_, events))
            self._states.append(state)
        self.moments: Final = tuple(moments)

    def __len__(self) -> int:
        return len(self.moments)

    @cached_property
    def highlights(self) -> tuple[Highlight, ...]:
        """The best moments, as the game picks them; finding them takes some milliseconds."""
        return tuple(figures_of(self.game).highlights(self))[:MOST_HIGHLIGHTS]

    def view(self, step: int, seat: Seat | None) -> Any:
        """Return what this seat saw after a step; None is a bystander."""
        return self._game.view_for(self._states[step], seat)

    def open_view(self, step: int) -> Any:
        """Return a bystander's view after a step with everything that was hidden then laid open."""
        return self._game.open_view(self._states[step])

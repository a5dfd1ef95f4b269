"""Finds the players who left their seat to an AI player during a match, and their place when they left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from bot.engine.core import Game, Json, Leave, Seat
from bot.engine.standing import place_now
from bot.host.decision import Actor

_SIGNS_OF_LIFE: Final = ("back", "pause", "go_on", "deal_now")
"""Log lines of the host that show a player is back; each names the seat."""


class Absences:
    """Keeps, while the log is read, the place of each player who has gone: they can end no better.

    A player has gone when they leave for good, or, if an AI player moves for them, when the clock last moved for them
    before that. Their place counts as usual again once they are back and have made as many moves as the AI player made
    for them: otherwise one could let it climb, and be back for the last round.
    """

    def __init__(self, game: Game[Any, Any, Any], people: Collection[Seat]) -> None:
        self._game = game
        self._people = people
        self._timed_out: dict[Seat, int | None] = {}
        self._owed: Counter[Seat] = Counter()
        """How many more moves the AI player has made than the player, since they first went."""
        self.best: dict[Seat, int] = {}
        """The best place that each seat whose player has gone can still get."""

    def host_did(self, action: Json, state: Any) -> None:
        """Read a log line of the host's own, such as somebody leaving or coming back."""
        if action["host"] == "leave":  # if an AI player does not take over, the game's own Leave is logged instead
            self._went(Seat(action["seat"]), place_now(self._game, state, Seat(action["seat"])))
        elif action["host"] in _SIGNS_OF_LIFE and "seat" in action:
            self._timed_out.pop(Seat(action["seat"]), None)

    def before_move(self, actor: Actor, action: Any, state: Any) -> None:
        """Read a move, with the state before it."""
        if actor is Actor.AI:
            self._went(action.seat, self._timed_out.get(action.seat) or place_now(self._game, state, action.seat))
            self._owed[action.seat] += 1
        elif actor is Actor.USER and not isinstance(action, Leave):
            self._played(action.seat)

    def after_move(self, actor: Actor, action: Any, state: Any) -> None:
        """Read a move, with the state after it."""
        if actor is Actor.CLOCK:
            self._timed_out[action.seat] = place_now(self._game, state, action.seat)

    def _went(self, seat: Seat, place: int | None) -> None:
        if seat in self._people and place is not None:
            self.best.setdefault(seat, place)

    def _played(self, seat: Seat) -> None:
        self._timed_out.pop(seat, None)
        self._owed[seat] -= 1
        if self._owed[seat] <= 0:
            self.best.pop(seat, None)
            del self._owed[seat]

"""Follows through a match's log who has gone and left their seat to an AI player, and which place they had then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from bot.engine.core import Game, Json, Leave, Seat
from bot.engine.standing import place_now
from bot.host.decision import Actor

_SIGNS_OF_LIFE: Final = ("back", "pause", "go_on", "deal_now")
"""The host's lines of the log, each naming the seat that acted, by which a player takes their seat back."""


class Absences:
    """Knows at every step of the log the best place that is left to those who have gone.

    They went when the clock last moved for them before the AI player's first move, or when they left for good. The
    place is no longer held against them once they are back and have made as many moves as the AI player made for them:
    otherwise one could let it climb, and be back for the last round.
    """

    def __init__(self, game: Game[Any, Any, Any], people: Collection[Seat]) -> None:
        self._game = game
        self._people = people
        self._timed_out: dict[Seat, int | None] = {}
        self._owed: Counter[Seat] = Counter()
        """How many more moves the AI player has made than the player, since they first went."""
        self.best: dict[Seat, int] = {}
        """The best place left to each seat whose player has gone."""

    def host_did(self, action: Json, state: Any) -> None:
        """Take in a line of the host's own."""
        if action["host"] == "leave":  # if an AI player does not take over, the game's own Leave is logged instead
            self._went(Seat(action["seat"]), place_now(self._game, state, Seat(action["seat"])))
        elif action["host"] in _SIGNS_OF_LIFE and "seat" in action:
            self._timed_out.pop(Seat(action["seat"]), None)

    def before_move(self, actor: Actor, action: Any, state: Any) -> None:
        """Take in a move that is about to be made."""
        if actor is Actor.AI:
            self._went(action.seat, self._timed_out.get(action.seat) or place_now(self._game, state, action.seat))
            self._owed[action.seat] += 1
        elif actor is Actor.USER and not isinstance(action, Leave):
            self._played(action.seat)

    def after_move(self, actor: Actor, action: Any, state: Any) -> None:
        """Take in the state after a move."""
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

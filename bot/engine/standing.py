"""Places in a match: the one that a seat holds now, and the final ones if some people left before the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.core import Game, Seat


def place_now(game: Game[Any, Any, Any], state: Any, seat: Seat) -> int | None:
    """Return the place that a seat holds now, behind all that stand equally well; None if it is out of the match."""
    seated = game.seated(state)
    if seat not in seated:
        return None
    mine = game.standing(state, seat)
    return len([other for other in seated if game.standing(state, other) >= mine])


def capped_places(places: Sequence[int], best: Mapping[Seat, int]) -> tuple[int, ...]:
    """Return the places if some seats may get no better one than theirs in `best`; those behind them move up."""
    due = {seat: max(place, places[seat]) for seat, place in best.items()}
    waiting = sorted(due, key=lambda seat: (due[seat], places[seat]))
    others = sorted((Seat(seat) for seat in range(len(places)) if seat not in due), key=lambda seat: places[seat])
    found = [0] * len(places)
    position = 1
    while waiting or others:
        # A seat in `best` follows once its place is reached and all others who did at least as well have their places.
        if waiting and (not others or (due[waiting[0]] <= position and due[waiting[0]] < places[others[0]])):
            seat = waiting.pop(0)
            found[seat] = max(position, due[seat])
            position += 1
            continue
        level = [seat for seat in others if places[seat] == places[others[0]]]
        others = others[len(level) :]
        for seat in level:
            found[seat] = position
        position += len(level)
    return tuple(found)

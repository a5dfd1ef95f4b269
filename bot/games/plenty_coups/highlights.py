"""Picks the memorable moments of a finished match: the strongest raids, and when the lead was won for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.stats.figures import MOST_HIGHLIGHTS
from bot.stats.moments import Highlight, Replayed


class CameHome(NamedTuple):
    """The strongest raid that came home."""

    raid: RaidOut


class Repelled(NamedTuple):
    """The strongest raid that was driven away."""

    raid: RaidOut


class LeadTaken(NamedTuple):
    """From here on, the winner was ahead of everybody."""

    tribe: Tribe
    round: int


Memorable: TypeAlias = CameHome | Repelled | LeadTaken


def find_highlights(played: Replayed) -> tuple[Highlight, ...]:
    """Return the best moments of a match, each in a step of its own."""
    events = _events_that_stand(played)
    home = [Highlight(step, CameHome(event.raid)) for step, event in events if isinstance(event, e.RaidCameHome)]
    repelled = [Highlight(step, Repelled(event.raid)) for step, event in events if isinstance(event, e.RaidRepelled)]
    found: dict[int, Highlight] = {}
    for highlight in (_lead_taken(played), _strongest(home), _strongest(repelled)):
        if highlight is not None:
            found.setdefault(highlight.step, highlight)
    return tuple(found.values())[:MOST_HIGHLIGHTS]


def _events_that_stand(played: Replayed) -> list[tuple[int, e.Event]]:
    """Return all events with their steps, without those that were taken back."""
    kept: list[tuple[int, e.Event]] = []
    for step, moment in enumerate(played.moments):
        for event in moment.events:
            if isinstance(event, e.Undone):
                del kept[len(kept) - len(event.events) :]
            else:
                kept.append((step, event))
    return kept


def _strongest(raids: Sequence[Highlight]) -> Highlight | None:
    """Return the raid with the highest attack; of equals, the first."""
    return max(raids, key=lambda each: each.what.raid.value, default=None)


def _lead_taken(played: Replayed) -> Highlight | None:
    """Return the step that put the only winner ahead until the end; None if they never caught up with anybody."""
    last = len(played.moments) - 1
    final: PlentyCoupsView = played.view(last, None)
    if final.outcome is None or len(final.outcome.winners) != 1:
        return None
    (winner,) = final.outcome.winners
    # The last step counts the points of allies and empty herds, so who is ahead is seen before it.
    step = last
    while step and _leads(played.view(step - 1, None), winner):
        step -= 1
    if step in (0, last):
        return None
    view: PlentyCoupsView = played.view(step, None)
    return Highlight(step, LeadTaken(next(camp.tribe for camp in view.camps if camp.owner == winner), view.round))


def _leads(view: PlentyCoupsView, winner: Seat) -> bool:
    """Return whether a seat has more points than every other one; herds of up to five horses have none."""
    points = {camp.owner: camp.prestige + camp.herd_points for camp in view.camps if camp.owner is not None}
    return all(points[winner] > each for owner, each in points.items() if owner != winner)

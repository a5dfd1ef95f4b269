"""Prestige gained and lost, points for horses, and who wins in the end (sections 2 and 9)."""

from __future__ import annotations

from bot.engine.core import Outcome, Seat
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.events import Events, PrestigeChanged
from bot.games.plenty_coups.rules.state import MARKERS, Camp, State
from bot.games.plenty_coups.rules.view import Phase, Score


def raid_sides_at_home(state: State, camp: Camp) -> int:
    """Count the markers at home with the raid side up."""
    raids = state.raids_of(camp.tribe)
    prestige_at_home = camp.prestige - sum(raid.prestige_side for raid in raids)
    return MARKERS - len(raids) - prestige_at_home


def gain_prestige(state: State, tribe: Tribe, events: Events) -> State:
    """Turn a marker to its prestige side, at home or else on the oldest raid; nothing at four (section 2; R07)."""
    camp = state.camps[tribe]
    if camp.prestige == MARKERS:
        return state
    if not raid_sides_at_home(state, camp):
        state = _turn_oldest(state, tribe, prestige_side=True)
    events.append(PrestigeChanged(tribe, camp.prestige + 1))
    return state.with_camps(camp._replace(prestige=camp.prestige + 1))


def lose_prestige(state: State, tribe: Tribe, events: Events) -> State:
    """Turn a marker back to its raid side, at home or else on the oldest raid; nothing at 0 (R07, R08)."""
    camp = state.camps[tribe]
    if camp.prestige == 0:
        return state
    if camp.prestige == sum(raid.prestige_side for raid in state.raids_of(tribe)):
        state = _turn_oldest(state, tribe, prestige_side=False)
    events.append(PrestigeChanged(tribe, camp.prestige - 1))
    return state.with_camps(camp._replace(prestige=camp.prestige - 1))


def _turn_oldest(state: State, raider: Tribe, *, prestige_side: bool) -> State:
    """Turn the marker on the tribe's oldest raid that does not show this side yet."""
    oldest = next(raid for raid in state.raids_of(raider) if raid.prestige_side is not prestige_side)
    turned = oldest._replace(prestige_side=prestige_side)
    return state._replace(raids=tuple(turned if raid is oldest else raid for raid in state.raids))


def herd_points(camp: Camp) -> int:
    """Return the points of the herd: one for every horse beyond the fifth (section 2)."""
    return max(0, camp.horses - 5)


def _partner(state: State, camp: Camp) -> Camp | None:
    """Return the ally whose points are added: a tribe in play, if both have 2 prestige or more (section 9, step 4)."""
    ally = state.ally_of(camp)
    return ally if ally and camp.prestige >= 2 and ally.prestige >= 2 else None


def score_of(state: State, camp: Camp) -> Score:
    """Return what the tribe has scored, once the match is over."""
    partner = _partner(state, camp)
    pair = (camp, partner) if partner else (camp,)
    return Score(camp.prestige, herd_points(camp), sum(each.prestige + herd_points(each) for each in pair))


def _rank(state: State, camp: Camp) -> tuple[int, int, int]:
    """Return the sort key: total, prestige, horses; for a pair that adds points, the sums (section 9, step 5; R21)."""
    partner = _partner(state, camp)
    pair = (camp, partner) if partner else (camp,)
    return score_of(state, camp).total, sum(each.prestige for each in pair), sum(each.horses for each in pair)


def outcome(state: State) -> Outcome | None:
    """Return who has won. The third tribe is not ranked (R36), and players who left come after all others."""
    if state.turn.phase is not Phase.OVER:
        return None
    ranks = {camp.owner: _rank(state, camp) for camp in state.camps.values() if camp.owner is not None}
    stayed = [rank for seat, rank in ranks.items() if seat not in state.left]
    places = tuple(
        1 + (len(stayed) if seat in state.left else sum(rank > ranks[seat] for rank in stayed))
        for seat in map(Seat, range(state.players))
    )
    return Outcome(tuple(Seat(seat) for seat, place in enumerate(places) if place == 1), places)

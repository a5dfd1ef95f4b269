"""Prestige gained and lost, points for horses, and who wins in the end (sections 2 and 9)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.core import Outcome, Seat
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.events import Events, PrestigeChanged
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import MARKERS, Camp, State
from bot.games.plenty_coups.rules.view import NotAdded, Phase, Score


def raid_sides_at_home(state: State, camp: Camp) -> int:
    """Count the markers at home with the raid side up."""
    raids = state.raids_of(camp.tribe)
    prestige_at_home = camp.prestige - sum([raid.prestige_side for raid in raids])
    return MARKERS - len(raids) - prestige_at_home


def gain_prestige(state: State, tribe: Tribe, events: Events) -> State:
    """Turn a marker to its prestige side, at home or else on the oldest raid; nothing at four (section 2; R07)."""
    camp = state.camps[tribe]
    if camp.prestige == MARKERS:
        return state
    turned = None
    if not raid_sides_at_home(state, camp):
        state, turned = _turn_oldest(state, tribe, prestige_side=True)
    events.append(PrestigeChanged(tribe, camp.prestige + 1, turned))
    return state.with_camps(replace(camp, prestige=camp.prestige + 1))


def lose_prestige(state: State, tribe: Tribe, events: Events) -> State:
    """Turn a marker back to its raid side, at home or else on the oldest raid; nothing at 0 (R07, R08)."""
    camp = state.camps[tribe]
    if camp.prestige == 0:
        return state
    turned = None
    if camp.prestige == sum(raid.prestige_side for raid in state.raids_of(tribe)):
        state, turned = _turn_oldest(state, tribe, prestige_side=False)
    events.append(PrestigeChanged(tribe, camp.prestige - 1, turned))
    return state.with_camps(replace(camp, prestige=camp.prestige - 1))


def _turn_oldest(state: State, raider: Tribe, *, prestige_side: bool) -> tuple[State, RaidOut]:
    """Turn the marker on the tribe's oldest raid that does not show this side yet; return that raid as well."""
    oldest = next(raid for raid in state.raids_of(raider) if raid.prestige_side is not prestige_side)
    # Assigning to a key that is there keeps its place, and so the order of the raids.
    turned = replace(oldest, prestige_side=prestige_side)
    return replace(state, raids={**state.raids, oldest.target: turned}), turned


def herd_points(camp: Camp) -> int:
    """Return the points of the herd: one for every horse beyond the fifth (section 2)."""
    return max(0, camp.horses - 5)


def _why_not_added(state: State, camp: Camp) -> NotAdded | None:
    """Return why the ally's points are not added: both must be in play with 2 prestige or more (section 9, step 4)."""
    if not camp.bond:
        return NotAdded.NO_ALLY
    ally = state.ally_of(camp)
    if not ally:
        return NotAdded.NEUTRAL_ALLY
    if camp.prestige < 2:
        return NotAdded.LOW_PRESTIGE if ally.prestige >= 2 else NotAdded.BOTH_LOW_PRESTIGE
    return None if ally.prestige >= 2 else NotAdded.ALLY_LOW_PRESTIGE


def _pair(state: State, camp: Camp) -> tuple[Camp, ...]:
    """Return the camp, with its ally if their points are added."""
    ally = state.ally_of(camp)
    return (camp,) if not ally or _why_not_added(state, camp) else (camp, ally)


def _own(camp: Camp) -> int:
    return camp.prestige + herd_points(camp)


def score_of(state: State, camp: Camp) -> Score:
    """Return what the tribe has scored and how it adds up, once the match is over."""
    ended = outcome(state)
    assert ended  # noqa: S101 - scores are shown only then
    return Score(
        outside=camp.prestige,
        herd=herd_points(camp),
        total=sum(map(_own, _pair(state, camp))),
        before_penalty=_before_penalty(state, camp),
        own=_own(camp),
        ally=camp.bond.tribe if camp.bond else None,
        not_added=_why_not_added(state, camp),
        place=None if camp.owner is None else ended.places[camp.owner],
    )


def _before_penalty(state: State, camp: Camp) -> int:
    """Return the prestige before step 2 of the scoring; a match that ended early had no such step."""
    last = state.last_round
    if not last or last.round != state.turn.round:
        return camp.prestige
    return next(each.prestige for each in last.tribes if each.tribe == camp.tribe)


def _rank(state: State, camp: Camp) -> tuple[int, int, int]:
    """Return the sort key: total, prestige, horses; for a pair that adds points, the sums (section 9, step 5; R21)."""
    pair = _pair(state, camp)
    return sum(map(_own, pair)), sum(each.prestige for each in pair), sum(each.horses for each in pair)


def standing(state: State, seat: Seat) -> tuple[int, int, int]:
    """Return how well a player stands, as if the match were scored now; all of it is public."""
    return _rank(state, next(camp for camp in state.camps.values() if camp.owner == seat))


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

"""The end of a round and of the match (section 9)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.games.plenty_coups.rules.events import Events, MatchEnded
from bot.games.plenty_coups.rules.prestige import lose_prestige, outcome
from bot.games.plenty_coups.rules.raids import lose_raid
from bot.games.plenty_coups.rules.state import Camp, State, Tally, Turn
from bot.games.plenty_coups.rules.view import Phase, RoundSummary, TribeRound


def end_round(state: State) -> State:
    """Sum up the round, if one was played, and begin a new tally for each tribe."""
    camps = state.camps.values()
    if state.turn.round:
        state = replace(state, last_round=RoundSummary(state.turn.round, tuple(map(_summary, camps))))
    return state.with_camps(
        *[replace(camp, tally=Tally(prestige_before=camp.prestige, horses_before=camp.horses)) for camp in camps]
    )


def _summary(camp: Camp) -> TribeRound:
    tally = camp.tally
    return TribeRound(
        camp.tribe,
        tally.raids_home,
        tally.horses_won,
        tally.raids_repelled,
        tally.repelled,
        tally.coups,
        tally.prestige_before,
        camp.prestige,
        tally.horses_before,
        camp.horses,
    )


def finish(state: State, events: Events) -> State:
    """End the raids that are out, take prestige for empty herds, and close the match (section 9, steps 1 and 2)."""
    for lost in state.raids.values():
        state = lose_raid(state, lost, events)
    for camp in state.camps.values():
        if not camp.horses:
            state = lose_prestige(state, camp.tribe, events)
    return close(state, events)


def close(state: State, events: Events) -> State:
    """End the match; an unfinished gift goes back to the giver (section 12)."""
    if gift := state.gift:
        state = replace(state.with_camps(state.camps[gift.giver].pick_up(gift.card)), gift=None)
    turn = state.turn
    state = replace(state, turn=Turn(turn.round, turn.tribe, Phase.OVER, turn.tribe))
    ended = outcome(state)
    assert ended  # noqa: S101 - the phase says so
    events.append(MatchEnded(ended.winners))
    return state

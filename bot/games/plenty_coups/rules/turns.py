"""Spends actions, ends turns and drops proposals, for all other rules (section 4)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.events import Events, ProposalDropped, TurnEnded
from bot.games.plenty_coups.rules.state import State, Turn
from bot.games.plenty_coups.rules.view import Phase

_REFILL: Final = Phase.REFILL


def spent(turn: Turn) -> Turn:
    """Return the turn with one action spent; whatever it was, the chance of a coup has passed (section 4.3)."""
    return replace(turn, actions_left=turn.actions_left - 1, coups_open=0, defence_coup_open=False)


def end_turn(state: State, events: Events) -> State:
    """End the turn at once; the offer is filled next."""
    turn = state.turn
    events.append(TurnEnded(turn.tribe))
    return replace(state, turn=Turn(turn.round, turn.tribe, _REFILL, turn.tribe))


def drop_proposal(state: State, tribe: Tribe, events: Events) -> State:
    """Discard the tribe's proposal, if it has one."""
    camp = state.camps[tribe]
    if not camp.proposal:
        return state
    events.append(ProposalDropped(tribe, camp.proposal))
    return state.with_camps(replace(camp, proposal=None)).discard(camp.proposal)

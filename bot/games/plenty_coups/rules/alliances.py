"""Proposals, alliances with players and with neutral colours, and disdain (sections 5 and 6)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Accept, AllyNeutral, Decline, Disdain, Propose, Prove
from bot.games.plenty_coups.rules.cards import STICK, Tribe
from bot.games.plenty_coups.rules.events import (
    AllianceEnded,
    AllianceMade,
    AllianceProposed,
    Disdained,
    Events,
    NeutralAllianceMade,
    WorthNotProved,
    WorthProved,
)
from bot.games.plenty_coups.rules.prestige import gain_prestige, lose_prestige
from bot.games.plenty_coups.rules.raids import bring_home
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.turns import drop_proposal, spent
from bot.games.plenty_coups.rules.view import Phase


def propose(state: State, action: Propose, events: Events) -> State:
    """Lay down a warrior in the target's colour; this drops a lower proposal and buys off the target's raid (R25)."""
    legal.ensure(legal.why_no_proposal(state))
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_no_proposal_to(state, target) or legal.why_not_proposed_with(state, target, action.card))
    if outbid := state.suitor_of(action.target):
        state = drop_proposal(state, outbid.tribe, events)
    events.append(AllianceProposed(action.tribe, action.target, action.card))
    me = replace(state.me.drop(action.card), proposal=action.card)
    state = replace(state.with_camps(me), turn=spent(state.turn))
    raid = state.raids.get(action.tribe)
    if raid and raid.raider == action.target:
        state = bring_home(state, raid, events, bought_off=True)
    return state


def accept(state: State, action: Accept, events: Events) -> State:
    """Accept a proposal, giving up an older alliance at no loss; only the proposer gains prestige (R24).

    If the options say so, the tribe that accepts gains too.
    """
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_not_accepted_from(state, target) or legal.why_not_accepted_with(state, target, action.card))
    state = drop_proposal(_end_alliance(state, action.tribe, events), action.tribe, events)
    me, proposer = state.me, state.camps[action.target]
    assert proposer.proposal  # noqa: S101 - the check above found it
    events.append(AllianceMade(action.target, proposer.proposal, action.tribe, action.card))
    now = state.turn.round
    me = replace(me.drop(action.card), bond=action.card, best=replace(me.best, since=now))
    best = replace(proposer.best, since=now)
    proposer = replace(proposer, bond=proposer.proposal, proposal=None, best=best)
    state = replace(state.with_camps(me, proposer), turn=spent(state.turn))
    state = gain_prestige(state, action.target, events)
    return gain_prestige(state, action.tribe, events) if state.options.accepter_gains else state


def ally_neutral(state: State, action: AllyNeutral, events: Events) -> State:
    """Ally with a neutral colour, even one that another tribe is allied to; nobody gains or loses prestige."""
    legal.ensure(legal.why_no_neutral_ally(state) or legal.why_not_neutral(state, action.card))
    for camp in state.others():
        if camp.bond and camp.bond.tribe == action.card.tribe:
            state = _end_alliance(state, camp.tribe, events)
    state = drop_proposal(_end_alliance(state, action.tribe, events), action.tribe, events)
    events.append(NeutralAllianceMade(action.tribe, action.card))
    me = replace(state.me.drop(action.card), bond=action.card)
    return replace(state.with_camps(me), turn=spent(state.turn))


def _end_alliance(state: State, tribe: Tribe, events: Events) -> State:
    """Discard the cards of the tribe's alliance, if it has one: two with a player, one with a neutral colour."""
    camp = state.camps[tribe]
    if not camp.bond or camp.bond.tribe is None:
        return state
    ally = state.ally_of(camp)
    events.append(AllianceEnded(tribe, camp.bond.tribe))
    best = camp.best
    if ally and ally.bond:
        now = state.turn.round
        alone = replace(ally, bond=None, best=ally.best.without_ally(tribe, now))
        state = state.with_camps(alone).discard(ally.bond)
        best = best.without_ally(ally.tribe, now)
    return state.with_camps(replace(camp, bond=None, best=best)).discard(camp.bond)


def disdain(state: State, action: Disdain, events: Events) -> State:
    """Lay a stick on a tribe, which must answer; disdaining the ally ends the alliance and costs prestige."""
    legal.ensure(legal.why_no_disdain(state))
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_no_disdain_of(state, target))
    events.append(Disdained(action.tribe, action.target))
    ally = state.ally_of(state.me)
    turn = replace(spent(state.turn), phase=Phase.DISDAIN, actor=action.target)
    state = replace(state.with_camps(state.me.drop(STICK), replace(target, disdained=True)), turn=turn)
    if ally and ally.tribe is target.tribe:
        state = lose_prestige(_end_alliance(state, action.tribe, events), action.tribe, events)
    return state


def prove(state: State, action: Prove, events: Events) -> State:
    """Discard a card that shows the tribe's worth."""
    legal.ensure(legal.why_no_proof(state, action.card))
    events.append(WorthProved(action.tribe, action.card))
    return _resume_turn(state.with_camps(state.camps[action.tribe].drop(action.card)).discard(action.card))


def decline(state: State, action: Decline, events: Events) -> State:
    """Lose prestige, even if the tribe could have proved its worth, unless the options forbid that (R16)."""
    legal.ensure(legal.why_not_declined(state))
    events.append(WorthNotProved(action.tribe))
    return _resume_turn(lose_prestige(state, action.tribe, events))


def _resume_turn(state: State) -> State:
    """Let the tribe in turn go on; the stick stays until the disdained tribe's turn (section 4.1)."""
    return state.with_turn(phase=Phase.ACT, actor=state.turn.tribe)

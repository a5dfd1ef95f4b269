"""Raids, from launching to coming home, and the defence against them (sections 4.3 and 5)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Defend, DoubleDefend, DoubleRaid, Raid, StrikeCoup
from bot.games.plenty_coups.rules.cards import STICK, Cards, Tribe
from bot.games.plenty_coups.rules.events import CoupStruck, Events, RaidCameHome, RaidLaunched, RaidLost, RaidRepelled
from bot.games.plenty_coups.rules.prestige import gain_prestige, raid_sides_at_home
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.turns import end_turn, spent
from bot.games.plenty_coups.rules.view import Phase

_ACT: Final = Phase.ACT


def raid(state: State, action: Raid, events: Events) -> State:
    """Lay a warrior before another camp."""
    legal.ensure(legal.why_no_raid(state))
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_no_raid_on(state, target) or legal.why_not_warriors(state, target, (action.warrior,)))
    state = _launch(state, action.target, (action.warrior,), events)
    return replace(state, turn=spent(state.turn))


def double_raid(state: State, action: DoubleRaid, events: Events) -> State:
    """Lay two warriors before another camp, which ends the turn."""
    legal.ensure(legal.why_no_double_raid(state))
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_no_raid_on(state, target) or legal.why_not_two(action.warriors))
    legal.ensure(legal.why_not_warriors(state, target, action.warriors))
    return end_turn(_launch(state, action.target, action.warriors, events), events)


def _launch(state: State, target: Tribe, warriors: Cards, events: Events) -> State:
    """Displace a weaker raid and set the marker, raid side up if one is at home (section 5, Raid)."""
    me = state.me
    value = legal.attack_value(state, warriors)
    if displaced := state.raids.get(target):
        state = lose_raid(state, displaced, events)
    launched = RaidOut(me.tribe, target, warriors, value, prestige_side=not raid_sides_at_home(state, me))
    events.append(RaidLaunched(launched))
    raids = state.raids.copy()
    raids[target] = launched
    return replace(state.with_camps(me.drop(*warriors)), raids=raids)


def lose_raid(state: State, lost: RaidOut, events: Events) -> State:
    """End a raid that brings nothing home but its marker (R10)."""
    events.append(RaidLost(lost))
    return _end(state, lost)


def bring_home(state: State, home: RaidOut, events: Events, *, bought_off: bool = False) -> State:
    """End a raid that takes a horse from the target's herd, if there is one (section 4.3; R09)."""
    raider, target = state.camps[home.raider], state.camps[home.target]
    horse = target.horses > 0
    events.append(RaidCameHome(home, horse, bought_off))
    tally = raider.tally
    tally = replace(tally, raids_home=tally.raids_home + 1, horses_won=tally.horses_won + horse)
    raider = replace(raider, horses=raider.horses + horse, tally=tally, best=raider.best.with_raid(home))
    return _end(state.with_camps(raider, replace(target, horses=target.horses - horse)), home)


def _end(state: State, ended: RaidOut) -> State:
    """Discard the warriors and remove the raid, so that its marker counts as at home."""
    raids = {target: raid for target, raid in state.raids.items() if target is not ended.target}
    return replace(state, raids=raids, stock=state.stock.discard(*ended.warriors))


def come_home(state: State, events: Events) -> State:
    """Bring every raid of the tribe home; each marker with its raid side up allows a coup (section 4.3; R01, R23).

    Then the tribe may act.
    """
    raids = state.raids_of(state.turn.tribe)
    for home in raids:
        state = bring_home(state, home, events)
    coups = sum([not home.prestige_side for home in raids]) if raids else 0
    return replace(state, turn=replace(state.turn, phase=_ACT, coups_open=coups))


def defend(state: State, action: Defend, events: Events) -> State:
    """Repel the raid with one weapon; as the first action it may allow a coup (section 5; R03, R04)."""
    legal.ensure(legal.why_no_defence(state) or legal.why_not_weapons(state, (action.weapon,)))
    repelled = legal.raid_on_me(state)
    young = len(repelled.warriors) == 1 and repelled.warriors[0].value == 1
    first = state.turn.actions_left == 2
    occasion = first and not young and action.weapon.value > repelled.value
    state = _repel(state, repelled, (action.weapon,), events)
    return replace(state, turn=replace(spent(state.turn), defence_coup_open=occasion))


def double_defend(state: State, action: DoubleDefend, events: Events) -> State:
    """Repel the raid with two weapons, which ends the turn without a coup."""
    refusal = legal.why_no_double_defence(state) or legal.why_not_set(action.cards, 2)
    legal.ensure(refusal or legal.why_not_weapons(state, action.cards))
    return end_turn(_repel(state, legal.raid_on_me(state), action.cards, events), events)


def _repel(state: State, repelled: RaidOut, weapons: Cards, events: Events) -> State:
    """Discard the weapons and the warriors."""
    events.append(RaidRepelled(repelled, weapons))
    me = state.me.drop(*weapons)
    tally = replace(me.tally, raids_repelled=me.tally.raids_repelled + 1, repelled=repelled.raider)
    me = replace(me, tally=tally)
    return _end(state.with_camps(me).discard(*weapons), repelled)


def strike_coup(state: State, action: StrikeCoup, events: Events) -> State:
    """Discard a stick for prestige; other coups on return stay open (section 5; R23)."""
    legal.ensure(legal.why_no_coup(state))
    turn = state.turn
    on_return = turn.coups_open > 0
    events.append(CoupStruck(action.tribe, on_return))
    me = state.me.drop(STICK)
    tally, best = replace(me.tally, coups=me.tally.coups + 1), replace(me.best, coups=me.best.coups + 1)
    turn = replace(spent(turn), coups_open=turn.coups_open - on_return)
    state = state.with_camps(replace(me, tally=tally, best=best))
    state = replace(state, stock=state.stock.discard(STICK), turn=turn)
    return gain_prestige(state, action.tribe, events)

"""Raids, from launching to coming home, and the defence against them (sections 4.3 and 5)."""

from __future__ import annotations

from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Defend, DoubleDefend, DoubleRaid, Raid, StrikeCoup
from bot.games.plenty_coups.rules.cards import STICK, Cards, Tribe
from bot.games.plenty_coups.rules.events import CoupStruck, Events, RaidCameHome, RaidLaunched, RaidLost, RaidRepelled
from bot.games.plenty_coups.rules.prestige import gain_prestige, raid_sides_at_home
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.turns import end_turn, spend
from bot.games.plenty_coups.rules.view import RaidOut


def raid(state: State, action: Raid, events: Events) -> State:
    """Lay a warrior before another camp."""
    refusal = legal.why_no_raid(state) or legal.why_no_raid_on(state, action.target)
    if refusal := refusal or legal.why_not_warriors(state, action.target, (action.warrior,)):
        raise refusal
    return spend(_launch(state, action.target, (action.warrior,), events))


def double_raid(state: State, action: DoubleRaid, events: Events) -> State:
    """Lay two warriors before another camp, which ends the turn."""
    refusal = legal.why_no_double_raid(state) or legal.why_no_raid_on(state, action.target)
    refusal = refusal or legal.why_not_two(action.warriors)
    if refusal := refusal or legal.why_not_warriors(state, action.target, action.warriors):
        raise refusal
    return end_turn(_launch(state, action.target, action.warriors, events), events)


def _launch(state: State, target: Tribe, warriors: Cards, events: Events) -> State:
    """Displace a weaker raid and set the marker, raid side up if one is at home (section 5, Raid)."""
    me = state.me
    value = legal.attack_value(state, warriors)
    if displaced := state.raid_on(target):
        state = lose_raid(state, displaced, events)
    launched = RaidOut(me.tribe, target, warriors, value, prestige_side=not raid_sides_at_home(state, me))
    events.append(RaidLaunched(launched))
    return state.with_camps(me.drop(*warriors))._replace(raids=(*state.raids, launched))


def lose_raid(state: State, lost: RaidOut, events: Events) -> State:
    """End a raid that brings nothing home but its marker (R10)."""
    events.append(RaidLost(lost))
    return _end(state, lost)


def bring_home(state: State, home: RaidOut, events: Events, *, bought_off: bool = False) -> State:
    """End a raid that takes a horse from the target's herd, if there is one (section 4.3; R09)."""
    raider, target = state.camps[home.raider], state.camps[home.target]
    horse = target.horses > 0
    events.append(RaidCameHome(home, horse, bought_off))
    if horse:
        raider, target = raider._replace(horses=raider.horses + 1), target._replace(horses=target.horses - 1)
        state = state.with_camps(raider, target)
    return _end(state, home)


def _end(state: State, ended: RaidOut) -> State:
    """Discard the warriors and remove the raid, so that its marker counts as at home."""
    return state._replace(raids=tuple(raid for raid in state.raids if raid != ended)).discard(*ended.warriors)


def come_home(state: State, events: Events) -> State:
    """Bring every raid of the tribe home; each marker with its raid side up allows a coup (section 4.3; R01, R23)."""
    raids = state.raids_of(state.turn.tribe)
    for home in raids:
        state = bring_home(state, home, events)
    return state.with_turn(coups_open=sum(not home.prestige_side for home in raids))


def defend(state: State, action: Defend, events: Events) -> State:
    """Repel the raid with one weapon; as the first action it may allow a coup (section 5; R03, R04)."""
    if refusal := legal.why_no_defence(state) or legal.why_not_weapons(state, (action.weapon,)):
        raise refusal
    repelled = _raid_on_me(state)
    young = len(repelled.warriors) == 1 and repelled.warriors[0].value == 1
    first = state.turn.actions_left == 2
    occasion = first and not young and action.weapon.value > repelled.value
    return spend(_repel(state, repelled, (action.weapon,), events)).with_turn(defence_coup_open=occasion)


def double_defend(state: State, action: DoubleDefend, events: Events) -> State:
    """Repel the raid with two weapons, which ends the turn without a coup."""
    refusal = legal.why_no_double_defence(state) or legal.why_not_set(action.cards, 2)
    if refusal := refusal or legal.why_not_weapons(state, action.cards):
        raise refusal
    return end_turn(_repel(state, _raid_on_me(state), action.cards, events), events)


def _raid_on_me(state: State) -> RaidOut:
    """Return the raid on the camp of the tribe in turn; there must be one."""
    return next(raid for raid in state.raids if raid.target == state.turn.tribe)


def _repel(state: State, repelled: RaidOut, weapons: Cards, events: Events) -> State:
    """Discard the weapons and the warriors."""
    events.append(RaidRepelled(repelled, weapons))
    return _end(state.with_camps(state.me.drop(*weapons)).discard(*weapons), repelled)


def strike_coup(state: State, action: StrikeCoup, events: Events) -> State:
    """Discard a stick for prestige; other coups on return stay open (section 5; R23)."""
    if refusal := legal.why_no_coup(state):
        raise refusal
    on_return = state.turn.coups_open > 0
    still_open = state.turn.coups_open - on_return
    events.append(CoupStruck(action.tribe, on_return))
    state = spend(state.with_camps(state.me.drop(STICK)).discard(STICK)).with_turn(coups_open=still_open)
    return gain_prestige(state, action.tribe, events)

"""Breeding, gifts of cards and of horses, and the hunt (section 5)."""

from __future__ import annotations

from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Breed, DiscardAfterHunt, Donate, Give, Hunt, LayFreeGift, LayGift
from bot.games.plenty_coups.rules.cards import HORSE, Card, Tribe
from bot.games.plenty_coups.rules.events import Bred, Events, GiftLaid, GiftsExchanged, HorsesGiven, Hunted, HuntEnded
from bot.games.plenty_coups.rules.prestige import gain_prestige
from bot.games.plenty_coups.rules.state import Gift, State
from bot.games.plenty_coups.rules.turns import spend
from bot.games.plenty_coups.rules.view import Phase


def breed(state: State, action: Breed, events: Events) -> State:
    """Lead a horse from the plain to the herd."""
    if refusal := legal.why_no_breeding(state):
        raise refusal
    me = state.me.drop(HORSE)
    events.append(Bred(action.tribe))
    return spend(state.with_camps(me._replace(horses=me.horses + 1))._replace(plain=state.plain - 1).discard(HORSE))


def lay_gift(state: State, action: LayGift, events: Events) -> State:
    """Pay with a card and lay another down."""
    refusal = legal.why_no_gift(state) or legal.why_no_gift_to(state, action.target)
    if refusal := refusal or legal.why_not_held(state.me, action.discard, action.card):
        raise refusal
    events.append(GiftLaid(action.tribe, action.target, action.discard))
    state = spend(state.with_camps(state.me.drop(action.discard)).discard(action.discard))
    return _lay(state, action.target, action.card)


def lay_free_gift(state: State, action: LayFreeGift, events: Events) -> State:
    """Lay a card before the ally: this costs no action, but ends the chance of a coup on return (R31)."""
    if refusal := legal.why_no_free_gift(state) or legal.why_not_held(state.me, action.card):
        raise refusal
    ally = state.ally_of(state.me)
    assert ally  # noqa: S101 - the check above found one
    events.append(GiftLaid(action.tribe, ally.tribe, None))
    return _lay(state.with_turn(free_gift_used=True, coups_open=0), ally.tribe, action.card)


def _lay(state: State, target: Tribe, card: Card) -> State:
    """Put the card face down and ask the target for one of its own."""
    gift = Gift(state.turn.tribe, target, card)
    return state.with_camps(state.me.drop(card))._replace(gift=gift).with_turn(phase=Phase.GIFT, actor=target)


def give(state: State, action: Give, events: Events) -> State:
    """Give a card in return for the gift; each tribe takes the other's."""
    gift = state.gift
    assert gift  # noqa: S101 - the phase says so
    target = state.camps[gift.target]
    if refusal := legal.why_not_held(target, action.card):
        raise refusal
    events.append(GiftsExchanged(gift.giver, gift.target))
    target = target.drop(action.card).pick_up(gift.card)
    state = state.with_camps(state.me.pick_up(action.card), target)._replace(gift=None)
    return state.with_turn(phase=Phase.ACT, actor=gift.giver)


def donate(state: State, action: Donate, events: Events) -> State:
    """Give two horses away for prestige; with four prestige it brings nothing (R34)."""
    refusal = legal.why_no_donation(state) or legal.why_no_donation_to(state, action.target)
    if refusal := refusal or legal.why_not_held(state.me, action.discard):
        raise refusal
    me, target = state.me.drop(action.discard), state.camps[action.target]
    events.append(HorsesGiven(action.tribe, action.target, action.discard))
    state = state.with_camps(me._replace(horses=me.horses - 2), target._replace(horses=target.horses + 2))
    return gain_prestige(spend(state.discard(action.discard)), action.tribe, events)


def hunt(state: State, action: Hunt, events: Events) -> State:
    """Pay with a card for two from the pile; only the hunter sees them."""
    if refusal := legal.why_no_action(state) or legal.why_not_held(state.me, action.discard):
        raise refusal
    events.append(Hunted(action.tribe, action.discard))
    state = spend(state.with_camps(state.me.drop(action.discard)).discard(action.discard))
    return state.with_turn(phase=Phase.TRACK, draws=2)


def discard_after_hunt(state: State, action: DiscardAfterHunt, events: Events) -> State:
    """Discard any two cards from the hand."""
    if refusal := legal.why_not_hunted(state, action.cards):
        raise refusal
    events.append(HuntEnded(action.tribe, action.cards))
    return state.with_camps(state.me.drop(*action.cards)).discard(*action.cards).with_turn(phase=Phase.ACT)

"""Breeding, gifts of cards and of horses, and the hunt (section 5)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Breed, DiscardAfterHunt, Donate, Give, Hunt, LayFreeGift, LayGift
from bot.games.plenty_coups.rules.cards import HORSE
from bot.games.plenty_coups.rules.events import Bred, Events, GiftLaid, GiftsExchanged, HorsesGiven, Hunted, HuntEnded
from bot.games.plenty_coups.rules.prestige import gain_prestige
from bot.games.plenty_coups.rules.state import Gift, State
from bot.games.plenty_coups.rules.turns import spent
from bot.games.plenty_coups.rules.view import Phase

_ACT: Final = Phase.ACT
_GIFT: Final = Phase.GIFT
_TRACK: Final = Phase.TRACK


def breed(state: State, action: Breed, events: Events) -> State:
    """Lead a horse from the plain to the herd."""
    legal.ensure(legal.why_no_breeding(state))
    events.append(Bred(action.tribe))
    me = state.me.drop(HORSE)
    me = replace(me, horses=me.horses + 1)
    stock = state.stock.discard(HORSE)
    return replace(state.with_camps(me), plain=state.plain - 1, stock=stock, turn=spent(state.turn))


def lay_gift(state: State, action: LayGift, events: Events) -> State:
    """Pay with a card, lay another face down and ask the target for one of its own."""
    legal.ensure(legal.why_no_gift(state))
    target, me = legal.other_camp(state, action.target), state.me
    legal.ensure(legal.why_no_gift_to(state, target) or legal.why_not_held(me, action.discard, action.card))
    events.append(GiftLaid(action.tribe, action.target, action.discard))
    return replace(
        state.with_camps(me.drop(action.discard, action.card)),
        stock=state.stock.discard(action.discard),
        gift=Gift(me.tribe, target.tribe, action.card),
        turn=replace(spent(state.turn), phase=_GIFT, actor=target.tribe),
    )


def lay_free_gift(state: State, action: LayFreeGift, events: Events) -> State:
    """Lay a card before the ally: this costs no action, but ends the chance of a coup on return (R31)."""
    me = state.me
    legal.ensure(legal.why_no_free_gift(state) or legal.why_not_held(me, action.card))
    ally = state.ally_of(me)
    assert ally  # noqa: S101 - the check above found one
    events.append(GiftLaid(action.tribe, ally.tribe, None))
    turn = replace(state.turn, free_gift_used=True, coups_open=0, phase=_GIFT, actor=ally.tribe)
    gift = Gift(me.tribe, ally.tribe, action.card)
    return replace(state.with_camps(me.drop(action.card)), gift=gift, turn=turn)


def give(state: State, action: Give, events: Events) -> State:
    """Give a card in return for the gift; each tribe takes the other's."""
    gift = state.gift
    assert gift  # noqa: S101 - the phase says so
    target = state.camps[gift.target]
    legal.ensure(legal.why_not_held(target, action.card))
    events.append(GiftsExchanged(gift.giver, gift.target))
    giver = replace(state.me.pick_up(action.card), received=action.card, given=gift.card)
    target = replace(target.drop(action.card).pick_up(gift.card), received=gift.card, given=action.card)
    state = state.with_camps(giver, target)
    return replace(state, gift=None, turn=replace(state.turn, phase=_ACT, actor=gift.giver))


def donate(state: State, action: Donate, events: Events) -> State:
    """Give two horses away for prestige; with four prestige it brings nothing (R34)."""
    legal.ensure(legal.why_no_donation(state))
    target = legal.other_camp(state, action.target)
    legal.ensure(legal.why_no_donation_to(state, target) or legal.why_not_held(state.me, action.discard))
    events.append(HorsesGiven(action.tribe, action.target, action.discard))
    me = state.me.drop(action.discard)
    state = state.with_camps(replace(me, horses=me.horses - 2), replace(target, horses=target.horses + 2))
    state = replace(state, stock=state.stock.discard(action.discard), turn=spent(state.turn))
    return gain_prestige(state, action.tribe, events)


def hunt(state: State, action: Hunt, events: Events) -> State:
    """Pay with a card for two from the pile; only the hunter sees them."""
    me = state.me
    legal.ensure(legal.why_no_hunt(state) or legal.why_not_held(me, action.discard))
    events.append(Hunted(action.tribe, action.discard))
    stock, turn = state.stock.discard(action.discard), replace(spent(state.turn), phase=_TRACK, draws=2)
    return replace(state.with_camps(me.drop(action.discard)), stock=stock, turn=turn)


def discard_after_hunt(state: State, action: DiscardAfterHunt, events: Events) -> State:
    """Discard any two cards from the hand."""
    legal.ensure(legal.why_not_hunted(state, action.cards))
    events.append(HuntEnded(action.tribe, action.cards))
    stock, turn = state.stock.discard(*action.cards), replace(state.turn, phase=_ACT)
    return replace(state.with_camps(state.me.drop(*action.cards)), stock=stock, turn=turn)

"""Every answer that the present question allows, and the one that a time-out gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from bot.games.core import DEALER, Choice, Prompt, Seat
from bot.games.plenty_coups import legal
from bot.games.plenty_coups.actions import (
    Accept,
    AllyNeutral,
    Breed,
    Decline,
    Defend,
    DiscardAfterHunt,
    Disdain,
    Donate,
    DoubleDefend,
    DoubleRaid,
    End,
    Give,
    Hunt,
    LayFreeGift,
    LayGift,
    PlayerAction,
    Propose,
    Prove,
    Raid,
    StrikeCoup,
    Take,
)
from bot.games.plenty_coups.cards import PROOFS, Cards, Kind, faces_of, sets_of, without
from bot.games.plenty_coups.state import State
from bot.games.plenty_coups.view import Phase


def asked_seat(state: State) -> Seat | None:
    """Return who must answer now: a player, the dealer, or nobody when the match is over."""
    turn = state.turn
    if turn.phase is Phase.OVER:
        return None
    return DEALER if turn.phase is Phase.DEAL or legal.wants_shuffle(state) else state.controller(turn.actor)


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the one open question, if there is one; the dealer's needs no choices."""
    seat = asked_seat(state)
    if seat is None:
        return ()
    if seat == DEALER:
        return (Prompt(state.asked, DEALER, (), None),)
    return (Prompt(state.asked, seat, tuple(_choices(state)), default(state)),)


def default(state: State) -> PlayerAction:
    """Return what is done for a tribe whose player does not answer or has left (section 11)."""
    turn = state.turn
    tribe, seat, hand = turn.actor, state.controller(turn.actor), state.camps[turn.actor].hand
    match turn.phase:
        case Phase.TAKE:
            return Take(seat, tribe, state.stock.offer[: legal.to_take(state)])
        case Phase.HUNT:
            return DiscardAfterHunt(seat, tribe, hand[:2])
        case Phase.GIFT:
            return Give(seat, tribe, hand[0])
        case Phase.DISDAIN:
            proof = next((card for card in hand if card in PROOFS), None)
            return Prove(seat, tribe, proof) if proof and state.camps[tribe].prestige else Decline(seat, tribe)
        case _:
            return Hunt(seat, tribe, hand[0]) if legal.why_no_end(state) else End(seat, tribe)


def _choices(state: State) -> Iterator[Choice]:
    """Yield the answers to the question of the tribe that must decide."""
    turn = state.turn
    hand = faces_of(state.camps[turn.actor].hand)
    match turn.phase:
        case Phase.TAKE:
            yield _choice(state, Take, sets_of(state.stock.offer, legal.to_take(state)))
        case Phase.HUNT:
            yield _choice(state, DiscardAfterHunt, sets_of(state.me.hand, min(2, len(state.me.hand))))
        case Phase.GIFT:
            yield _choice(state, Give, hand)
        case Phase.DISDAIN:
            if proofs := tuple(card for card in hand if not legal.why_no_proof(state, card)):
                yield _choice(state, Prove, proofs)
            yield _choice(state, Decline)
        case _:
            if turn.actions_left:
                warriors = tuple(card for card in hand if card.kind is Kind.WARRIOR)
                yield from _raids(state, warriors)
                yield from _defences(state, hand)
                yield from _pacts(state, warriors)
                yield from _peaceful_deeds(state, hand)
            if not legal.why_no_free_gift(state):
                yield _choice(state, LayFreeGift, hand)
            if not legal.why_no_end(state):
                yield _choice(state, End)


def _choice(state: State, verb: Any, *fields: Any) -> Choice:
    """Every player's action begins with the seat and the tribe."""
    return Choice(verb, ((state.turn.actor,), *fields))


def _raids(state: State, warriors: Cards) -> Iterator[Choice]:
    """Raids and double attacks, target by target, since each may need another strength."""
    if not warriors or legal.why_no_raid(state):
        return
    pairs: tuple[Cards, ...] = ()
    if not legal.why_no_double_raid(state):
        pairs = tuple(pair for pair in permutations(warriors, 2) if pair[0].tribe == pair[1].tribe)
    for camp in state.others():
        target = camp.tribe
        if legal.why_no_raid_on(state, target):
            continue
        if single := tuple(card for card in warriors if not legal.why_not_warriors(state, target, (card,))):
            yield _choice(state, Raid, (target,), single)
        if double := tuple(pair for pair in pairs if not legal.why_not_warriors(state, target, pair)):
            yield _choice(state, DoubleRaid, (target,), double)


def _defences(state: State, hand: Cards) -> Iterator[Choice]:
    """Weapons against the raid before the camp, and coups."""
    if not legal.why_no_coup(state):
        yield _choice(state, StrikeCoup)
    if legal.why_no_defence(state):
        return
    if single := tuple(card for card in hand if not legal.why_not_weapons(state, (card,))):
        yield _choice(state, Defend, single)
    if legal.why_no_double_defence(state):
        return
    if double := tuple(pair for pair in sets_of(state.me.hand, 2) if not legal.why_not_weapons(state, pair)):
        yield _choice(state, DoubleDefend, double)


def _pacts(state: State, warriors: Cards) -> Iterator[Choice]:
    """Proposals and what can come of them, neutral alliances, disdain."""
    may_propose = not legal.why_no_proposal(state)
    others = tuple(camp.tribe for camp in state.others())
    for target in others:
        # Whoever has no warrior of the target's colour can neither propose to it nor accept.
        theirs = tuple(card for card in warriors if card.tribe == target)
        if theirs and may_propose and not legal.why_no_proposal_to(state, target):
            proposed = tuple(card for card in theirs if not legal.why_not_proposed_with(state, target, card))
            if proposed:
                yield _choice(state, Propose, (target,), proposed)
        if theirs and not legal.why_not_accepted_from(state, target):
            accepted = tuple(card for card in theirs if not legal.why_not_accepted_with(state, target, card))
            if accepted:
                yield _choice(state, Accept, (target,), accepted)
    if warriors and not legal.why_no_neutral_ally(state):
        neutral = tuple(card for card in warriors if not legal.why_not_neutral(state, card))
        if neutral:
            yield _choice(state, AllyNeutral, neutral)
    if not legal.why_no_disdain(state):
        targets = tuple(target for target in others if not legal.why_no_disdain_of(state, target))
        if targets:
            yield _choice(state, Disdain, targets)


def _peaceful_deeds(state: State, hand: Cards) -> Iterator[Choice]:
    """Breeding, gifts of cards and of horses, the hunt."""
    others = tuple(camp.tribe for camp in state.others())
    if not legal.why_no_breeding(state):
        yield _choice(state, Breed)
    if not legal.why_no_gift(state):
        targets = tuple(target for target in others if not legal.why_no_gift_to(state, target))
        for discard in hand if targets else ():
            yield _choice(state, LayGift, targets, (discard,), faces_of(without(state.me.hand, discard)))
    if not legal.why_no_donation(state):
        targets = tuple(target for target in others if not legal.why_no_donation_to(state, target))
        if targets and hand:
            yield _choice(state, Donate, targets, hand)
    if hand:
        yield _choice(state, Hunt, hand)

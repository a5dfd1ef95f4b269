"""The choices of the open prompt, and the action that is taken at a time-out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any, TypeAlias

from bot.engine.core import DEALER, Choice, Prompt, Questions, Seat
from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import (
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
from bot.games.plenty_coups.rules.cards import PROOFS, Cards, Kind, Tribe, faces_of, sets_of, without
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase

Tribes: TypeAlias = tuple[Tribe, ...]


def asked_seat(state: State) -> Seat | None:
    """Return who must answer now: a player, the dealer, or nobody when the match is over."""
    turn = state.turn
    if turn.phase is Phase.OVER:
        return None
    return DEALER if turn.phase is Phase.DEAL or legal.wants_shuffle(state) else state.controller(turn.actor)


def questions(state: State) -> Questions:
    """Return who is asked now, with the id of the question, if anybody is."""
    seat = asked_seat(state)
    return () if seat is None else ((seat, state.asked),)


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the one open question, if there is one; the dealer's needs no choices."""
    return tuple(
        Prompt(id_, seat, (), None) if seat == DEALER else Prompt(id_, seat, tuple(_choices(state)), default(state))
        for seat, id_ in questions(state)
    )


def default(state: State) -> PlayerAction:
    """Return the action taken for a tribe whose player does not answer or has left (section 11)."""
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
            yield from _offer(state, Take, sets_of(state.stock.offer, legal.to_take(state)))
        case Phase.HUNT:
            yield from _offer(state, DiscardAfterHunt, sets_of(state.me.hand, min(2, len(state.me.hand))))
        case Phase.GIFT:
            yield from _offer(state, Give, hand)
        case Phase.DISDAIN:
            yield from _offer(state, Prove, tuple(card for card in hand if not legal.why_no_proof(state, card)))
            yield from _offer(state, Decline)
        case _:
            if turn.actions_left:
                others = tuple(camp.tribe for camp in state.others())
                warriors = tuple(card for card in hand if card.kind is Kind.WARRIOR)
                yield from _raids(state, others, warriors)
                yield from _defences(state, hand)
                yield from _pacts(state, others, warriors)
                yield from _peaceful_deeds(state, others, hand)
            if not legal.why_no_free_gift(state):
                yield from _offer(state, LayFreeGift, hand)
            if not legal.why_no_end(state):
                yield from _offer(state, End)


def _offer(state: State, verb: Any, *fields: tuple[Any, ...]) -> Iterator[Choice]:
    """Yield the verb with the deciding tribe and these fields, unless one of them has nothing to choose from."""
    if all(fields):
        yield Choice(verb, ((state.turn.actor,), *fields))


def _raids(state: State, others: Tribes, warriors: Cards) -> Iterator[Choice]:
    """Yield raids and double attacks, target by target, since each may need a different strength."""
    if not warriors or legal.why_no_raid(state):
        return
    pairs: tuple[Cards, ...] = ()
    if not legal.why_no_double_raid(state):
        pairs = tuple(pair for pair in permutations(warriors, 2) if pair[0].tribe == pair[1].tribe)
    for target in others:
        if legal.why_no_raid_on(state, target):
            continue
        single = tuple(card for card in warriors if not legal.why_not_warriors(state, target, (card,)))
        double = tuple(pair for pair in pairs if not legal.why_not_warriors(state, target, pair))
        yield from _offer(state, Raid, (target,), single)
        yield from _offer(state, DoubleRaid, (target,), double)


def _defences(state: State, hand: Cards) -> Iterator[Choice]:
    """Yield coups, and defences against the raid on the camp."""
    if not legal.why_no_coup(state):
        yield from _offer(state, StrikeCoup)
    if legal.why_no_defence(state):
        return
    yield from _offer(state, Defend, tuple(card for card in hand if not legal.why_not_weapons(state, (card,))))
    if legal.why_no_double_defence(state):
        return
    pairs = sets_of(state.me.hand, 2)
    yield from _offer(state, DoubleDefend, tuple(pair for pair in pairs if not legal.why_not_weapons(state, pair)))


def _pacts(state: State, others: Tribes, warriors: Cards) -> Iterator[Choice]:
    """Yield proposals, acceptances, neutral alliances and disdain."""
    may_propose = not legal.why_no_proposal(state)
    for target in others:
        # Without a warrior of the target's colour a tribe can neither propose to it nor accept.
        theirs = tuple(card for card in warriors if card.tribe == target)
        if theirs and may_propose and not legal.why_no_proposal_to(state, target):
            proposed = tuple(card for card in theirs if not legal.why_not_proposed_with(state, target, card))
            yield from _offer(state, Propose, (target,), proposed)
        if theirs and not legal.why_not_accepted_from(state, target):
            accepted = tuple(card for card in theirs if not legal.why_not_accepted_with(state, target, card))
            yield from _offer(state, Accept, (target,), accepted)
    if not legal.why_no_neutral_ally(state):
        yield from _offer(
            state, AllyNeutral, tuple(card for card in warriors if not legal.why_not_neutral(state, card))
        )
    if not legal.why_no_disdain(state):
        yield from _offer(
            state, Disdain, tuple(target for target in others if not legal.why_no_disdain_of(state, target))
        )


def _peaceful_deeds(state: State, others: Tribes, hand: Cards) -> Iterator[Choice]:
    """Yield breeding, gifts of cards and of horses, and the hunt."""
    if not legal.why_no_breeding(state):
        yield from _offer(state, Breed)
    if not legal.why_no_gift(state):
        targets = tuple(target for target in others if not legal.why_no_gift_to(state, target))
        for discard in hand:
            yield from _offer(state, LayGift, targets, (discard,), faces_of(without(state.me.hand, discard)))
    if not legal.why_no_donation(state):
        targets = tuple(target for target in others if not legal.why_no_donation_to(state, target))
        yield from _offer(state, Donate, targets, hand)
    yield from _offer(state, Hunt, hand)

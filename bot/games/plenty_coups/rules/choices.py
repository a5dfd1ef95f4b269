"""The choices of the open prompt, and the action that is taken at a time-out.

The host, the table's screen and every brain ask for prompts after each action, so this module avoids what is slow in
Python (generators in generators, exceptions, enum members). All it asks of the rules is in `legal`.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Final

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
from bot.games.plenty_coups.rules.cards import PROOFS, Cards, Kind, faces_of, sets_of
from bot.games.plenty_coups.rules.state import Camp, State
from bot.games.plenty_coups.rules.view import Phase

_OVER: Final = Phase.OVER
_DEAL: Final = Phase.DEAL
_TAKE: Final = Phase.TAKE
_HUNT: Final = Phase.HUNT
_GIFT: Final = Phase.GIFT
_DISDAIN: Final = Phase.DISDAIN
_WEAPON: Final = Kind.WEAPON
_new: Final = tuple.__new__
"""Makes a named tuple in two thirds of the time of its constructor; a prompt has a dozen choices."""


def asked_seat(state: State) -> Seat | None:
    """Return who must answer now: a player, the dealer, or nobody when the match is over."""
    turn = state.turn
    if turn.phase is _OVER:
        return None
    return DEALER if turn.phase is _DEAL or legal.wants_shuffle(state) else state.controller(turn.actor)


def questions(state: State) -> Questions:
    """Return who is asked now, with the id of the question, if anybody is."""
    seat = asked_seat(state)
    return () if seat is None else ((seat, state.asked),)


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the one open question, if there is one; the dealer's needs no choices."""
    seat = asked_seat(state)
    if seat is None:
        return ()
    if seat == DEALER:
        return (Prompt(state.asked, DEALER, (), None),)
    return (_new(Prompt, (state.asked, seat, _choices(state), _default(state, seat))),)


def default(state: State) -> PlayerAction:
    """Return the action taken for a tribe whose player does not answer or has left (section 11)."""
    return _default(state, state.controller(state.turn.actor))


def _default(state: State, seat: Seat) -> PlayerAction:
    turn = state.turn
    phase, tribe, hand = turn.phase, turn.actor, state.camps[turn.actor].hand
    if phase is _TAKE:
        return Take(seat, tribe, state.stock.offer[: legal.to_take(state)])
    if phase is _HUNT:
        return DiscardAfterHunt(seat, tribe, hand[:2])
    if phase is _GIFT:
        return Give(seat, tribe, hand[0])
    if phase is _DISDAIN:
        proof = next((card for card in hand if card in PROOFS), None)
        wanted = state.camps[tribe].prestige or not state.options.decline_when_able
        return Prove(seat, tribe, proof) if proof and wanted else Decline(seat, tribe)
    return End(seat, tribe) if legal.why_no_end(state) is None else Hunt(seat, tribe, hand[0])


def _choices(state: State) -> tuple[Choice, ...]:
    """Return the answers to the question of the tribe that must decide."""
    turn = state.turn
    phase, own, hand = turn.phase, (turn.actor,), state.camps[turn.actor].hand
    if phase is _TAKE:
        return (_new(Choice, (Take, (own, sets_of(state.stock.offer, legal.to_take(state))))),)
    if phase is _HUNT:
        return (_new(Choice, (DiscardAfterHunt, (own, sets_of(hand, min(2, len(hand)))))),) if hand else ()
    faces = faces_of(hand)
    if phase is _GIFT:
        return (_new(Choice, (Give, (own, faces))),)
    found: list[Choice] = []
    if phase is _DISDAIN:
        if proofs := tuple([card for card in faces if card in PROOFS]):
            found.append(_new(Choice, (Prove, (own, proofs))))
        if legal.why_not_declined(state) is None:
            found.append(_new(Choice, (Decline, (own,))))
        return tuple(found)
    if legal.why_no_action(state) is None:
        others = state.others()
        warriors = tuple([card for card in faces if card.tribe is not None])
        if warriors and legal.why_no_raid(state) is None:
            _add_raids(found, state, others, warriors)
        if legal.why_no_coup(state) is None:
            found.append(_new(Choice, (StrikeCoup, (own,))))
        if legal.why_no_defence(state) is None:
            _add_defences(found, state, faces)
        if warriors:
            _add_alliances(found, state, others, warriors)
        if legal.why_no_disdain(state) is None:
            _add_disdain(found, state, others)
        if legal.why_no_breeding(state) is None:
            found.append(_new(Choice, (Breed, (own,))))
        _add_gifts(found, state, others, faces)
        if faces and legal.why_no_hunt(state) is None:
            found.append(_new(Choice, (Hunt, (own, faces))))
    if legal.why_no_free_gift(state) is None:
        found.append(_new(Choice, (LayFreeGift, (own, faces))))
    if legal.why_no_end(state) is None:
        found.append(_new(Choice, (End, (own,))))
    return tuple(found)


def _add_raids(found: list[Choice], state: State, others: list[Camp], warriors: Cards) -> None:
    """Add raids and double attacks, target by target, since each may need a different strength."""
    own = (state.turn.tribe,)
    singles = [(card, card.value + legal.bonus(state, card.tribe)) for card in warriors]
    doubles: list[tuple[Cards, int]] = []
    if len({card.tribe for card in warriors}) < len(warriors) and legal.why_no_double_raid(state) is None:
        pairs = [pair for pair in permutations(warriors, 2) if pair[0].tribe is pair[1].tribe]
        doubles = [(pair, legal.attack_value(state, pair)) for pair in pairs]
    for target in others:
        if legal.why_no_raid_on(state, target) is None:
            aim, above = (target.tribe,), legal.value_to_beat(state, target)
            strong = tuple([card for card, value in singles if value > above]) if above else warriors
            if strong:
                found.append(_new(Choice, (Raid, (own, aim, strong))))
            if doubles and (strongest := tuple([pair for pair, value in doubles if value > above])):
                found.append(_new(Choice, (DoubleRaid, (own, aim, strongest))))


def _add_defences(found: list[Choice], state: State, faces: Cards) -> None:
    """Add defences against the raid on the camp."""
    own, at_least = (state.turn.tribe,), legal.raid_on_me(state).value
    if strong := tuple([card for card in faces if card.kind is _WEAPON and card.value >= at_least]):
        found.append(_new(Choice, (Defend, (own, strong))))
    if legal.why_no_double_defence(state) is None:
        weapons = [card for card in state.me.hand if card.kind is _WEAPON]
        pairs = dict.fromkeys(combinations(weapons, 2))
        if strongest := tuple([pair for pair in pairs if pair[0].value + pair[1].value >= at_least]):
            found.append(_new(Choice, (DoubleDefend, (own, strongest))))


def _add_alliances(found: list[Choice], state: State, others: list[Camp], warriors: Cards) -> None:
    """Add proposals, acceptances and neutral alliances."""
    own = (state.turn.tribe,)
    may_propose = legal.why_no_proposal(state) is None
    colours = {card.tribe for card in warriors}
    for target in others:
        # Without a warrior of the target's colour a tribe can neither propose to it nor accept.
        if target.tribe not in colours:
            continue
        theirs = [card for card in warriors if card.tribe is target.tribe]
        if may_propose and legal.why_no_proposal_to(state, target) is None:
            above = legal.value_to_outbid(state, target)
            if proposed := tuple([card for card in theirs if card.value > above]):
                found.append(_new(Choice, (Propose, (own, (target.tribe,), proposed))))
        if legal.why_not_accepted_from(state, target) is None:
            accepted = tuple([card for card in theirs if legal.why_not_accepted_with(state, target, card) is None])
            if accepted:
                found.append(_new(Choice, (Accept, (own, (target.tribe,), accepted))))
    if not colours <= state.camps.keys() and legal.why_no_neutral_ally(state) is None:
        neutral = tuple([card for card in warriors if legal.why_not_neutral(state, card) is None])
        if neutral:
            found.append(_new(Choice, (AllyNeutral, (own, neutral))))


def _add_disdain(found: list[Choice], state: State, others: list[Camp]) -> None:
    """Add the tribes that can be disdained."""
    if targets := tuple([target.tribe for target in others if legal.why_no_disdain_of(state, target) is None]):
        found.append(_new(Choice, (Disdain, ((state.turn.tribe,), targets))))


def _add_gifts(found: list[Choice], state: State, others: list[Camp], faces: Cards) -> None:
    """Add gifts of cards, each with one of the cards that it may cost, and gifts of horses."""
    own, hand = (state.turn.tribe,), state.me.hand
    if legal.why_no_gift(state) is None:
        targets = tuple([target.tribe for target in others if legal.why_no_gift_to(state, target) is None])
        several = len(faces) < len(hand)
        for place, discard in enumerate(faces) if targets else ():
            rest = faces if several and hand.count(discard) > 1 else faces[:place] + faces[place + 1 :]
            found.append(_new(Choice, (LayGift, (own, targets, (discard,), rest))))
    if faces and legal.why_no_donation(state) is None:
        targets = tuple([target.tribe for target in others if legal.why_no_donation_to(state, target) is None])
        if targets:
            found.append(_new(Choice, (Donate, (own, targets, faces))))

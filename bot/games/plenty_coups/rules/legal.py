"""Which moves the rules allow the tribe that must decide: the checks that `apply` and the prompts share.

A check returns None if the rules allow the move, and the refusal otherwise. The checks of one verb run in the order of
this module: first the verb, then its target, then its cards. All others assume that `why_not_act` returned None.
"""

from __future__ import annotations

from typing import TypeAlias

from bot.engine.core import Rejected, Seat
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.cards import HORSE, PROOFS, STICK, Card, Cards, Kind, Tribe, holds, ordered
from bot.games.plenty_coups.rules.state import MARKERS, OFFER, Camp, State
from bot.games.plenty_coups.rules.view import Phase

Refusal: TypeAlias = Rejected | None


def why_not_act(state: State, seat: Seat, tribe: Tribe, phase: Phase) -> Refusal:
    """Each decision belongs to one tribe and is made by the player who controls it this round."""
    turn = state.turn
    if turn.phase is Phase.OVER:
        return Rejected(Reason.MATCH_OVER)
    if turn.phase is Phase.DEAL or wants_shuffle(state):
        return Rejected(Reason.DEALERS_MOVE)
    if tribe != turn.actor or seat != state.controller(turn.actor):
        return Rejected(Reason.NOT_YOUR_DECISION)
    return None if turn.phase is phase else Rejected(Reason.NOT_NOW)


def wants_shuffle(state: State) -> bool:
    """Tell whether a card is needed, the pile is empty and there are discards to shuffle (section 4, Pile; R33)."""
    stock = state.stock
    if stock.pile or not stock.discards:
        return False
    if state.turn.phase is Phase.REFILL:
        return len(stock.offer) < OFFER
    return state.turn.draws > 0


def to_take(state: State) -> int:
    """Return how many cards a turn begins by taking from the offer (section 4.2), at most all of them."""
    return min(1 if state.winter else 2, len(state.stock.offer))


def why_no_action(state: State) -> Refusal:
    """Nearly everything in the phase `act` costs an action."""
    return None if state.turn.actions_left else Rejected(Reason.NO_ACTION_LEFT)


def why_no_double(state: State) -> Refusal:
    """A double action needs both actions unspent (section 4.4)."""
    return why_no_action(state) or (None if state.turn.actions_left == 2 else Rejected(Reason.NEEDS_BOTH_ACTIONS))


def why_not_other(state: State, target: Tribe) -> Refusal:
    """The target must be another tribe in play."""
    return None if target in state.camps and target != state.turn.tribe else Rejected(Reason.NO_OTHER_TRIBE)


def why_not_held(camp: Camp, *cards: Card) -> Refusal:
    """Only cards in the hand can be played."""
    return None if holds(camp.hand, cards) else Rejected(Reason.NOT_HELD)


def why_not_set(cards: Cards, size: int) -> Refusal:
    """Cards whose order does not matter come in canonical order, so that each choice is written in only one way."""
    return None if len(cards) == size and cards == ordered(cards) else Rejected(Reason.WRONG_CARDS, needed=size)


def why_not_taken(state: State, cards: Cards) -> Refusal:
    """Section 4.2: the right number of cards, all from the offer."""
    if refusal := why_not_set(cards, to_take(state)):
        return refusal
    return None if holds(state.stock.offer, cards) else Rejected(Reason.NOT_OFFERED)


def why_no_breeding(state: State) -> Refusal:
    """Section 5, Breed: a horse card, and a horse in the plain."""
    if refusal := why_no_action(state) or why_not_held(state.me, HORSE):
        return refusal
    return None if state.plain else Rejected(Reason.EMPTY_PLAIN)


def attack_value(state: State, warriors: Cards) -> int:
    """Add the printed values, plus 1 if the warriors have the raider's own or its ally's colour (section 5, Raid)."""
    bond = state.me.bond
    colour = warriors[0].tribe
    own = colour == state.turn.tribe or (bond is not None and colour == bond.tribe)
    return sum(warrior.value for warrior in warriors) + own


def why_no_raid(state: State) -> Refusal:
    """Section 5, Raid: the raider needs a marker at home."""
    if refusal := why_no_action(state):
        return refusal
    return Rejected(Reason.NO_MARKER_AT_HOME) if len(state.raids_of(state.turn.tribe)) >= MARKERS else None


def why_no_double_raid(state: State) -> Refusal:
    """Section 5, Double attack: rounds 1 to 9 only."""
    return (Rejected(Reason.NOT_IN_WINTER) if state.winter else why_no_double(state)) or why_no_raid(state)


def why_no_raid_on(state: State, target: Tribe) -> Refusal:
    """Not on the ally, not on a tribe with a proposal to or from the raider (R12), not twice on one camp (R13)."""
    if refusal := why_not_other(state, target):
        return refusal
    me, camp = state.me, state.camps[target]
    if me.bond and me.bond.tribe == target:
        return Rejected(Reason.ALLY)
    if (me.proposal and me.proposal.tribe == target) or (camp.proposal and camp.proposal.tribe == me.tribe):
        return Rejected(Reason.PROPOSAL_BETWEEN)
    standing = state.raid_on(target)
    return Rejected(Reason.RAID_BETWEEN) if standing and standing.raider == me.tribe else None


def why_not_two(cards: Cards) -> Refusal:
    """Exactly two cards, in either order."""
    return None if len(cards) == 2 else Rejected(Reason.WRONG_CARDS, needed=2)


def why_not_warriors(state: State, target: Tribe, warriors: Cards) -> Refusal:
    """Warriors of one colour, stronger than a raid already on the target (section 5, Raid and Double attack; R03)."""
    if refusal := why_not_held(state.me, *warriors):
        return refusal
    if any(card.kind is not Kind.WARRIOR or card.tribe != warriors[0].tribe for card in warriors):
        return Rejected(Reason.WRONG_CARDS)
    standing = state.raid_on(target)
    if standing and attack_value(state, warriors) <= standing.value:
        return Rejected(Reason.TOO_WEAK, above=standing.value)
    return None


def why_no_defence(state: State) -> Refusal:
    """Section 5, Defend: the defender's camp must be under raid (R26)."""
    if refusal := why_no_action(state):
        return refusal
    return None if state.raid_on(state.turn.tribe) else Rejected(Reason.NOT_UNDER_RAID)


def why_no_double_defence(state: State) -> Refusal:
    """Section 5, Double defence: costs both actions in rounds 1 to 9, the only one in round 10; not allowed later."""
    if state.turn.round > 10:
        return Rejected(Reason.NOT_IN_WINTER)
    return (None if state.winter else why_no_double(state)) or why_no_defence(state)


def why_not_weapons(state: State, weapons: Cards) -> Refusal:
    """Weapons whose sum is at least the value of the raid on the camp (section 5, Defend)."""
    if refusal := why_not_held(state.me, *weapons):
        return refusal
    if any(card.kind is not Kind.WEAPON for card in weapons):
        return Rejected(Reason.WRONG_CARDS)
    raid = state.raid_on(state.turn.tribe)
    if raid and sum(weapon.value for weapon in weapons) < raid.value:
        return Rejected(Reason.TOO_WEAK, at_least=raid.value)
    return None


def why_no_coup(state: State) -> Refusal:
    """A stick, and either a raid just returned or a defence just won with a marker left to turn (section 5; R34)."""
    if refusal := why_no_action(state) or why_not_held(state.me, STICK):
        return refusal
    turn = state.turn
    if turn.coups_open or (turn.defence_coup_open and state.me.prestige < MARKERS):
        return None
    return Rejected(Reason.NO_OCCASION)


def why_no_gift(state: State) -> Refusal:
    """Section 5, Exchange gifts: one card to discard and one to give (R19)."""
    if refusal := why_no_action(state):
        return refusal
    return None if len(state.me.hand) >= 2 else Rejected(Reason.NEEDS_TWO_CARDS)


def why_no_gift_to(state: State, target: Tribe) -> Refusal:
    """The target needs a card to give back, and neither of the two may be raiding the other."""
    if refusal := why_not_other(state, target):
        return refusal
    if not state.camps[target].hand:
        return Rejected(Reason.EMPTY_HAND)
    return Rejected(Reason.RAID_BETWEEN) if state.raids_between(state.turn.tribe, target) else None


def why_no_free_gift(state: State) -> Refusal:
    """Section 5, Free gift: to an allied player, once in each own turn, if both hold a card (section 4.5; R31)."""
    me = state.me
    ally = state.ally_of(me)
    if not ally:
        return Rejected(Reason.NO_ALLY)
    if state.turn.free_gift_used:
        return Rejected(Reason.ALREADY_GIVEN)
    return None if me.hand and ally.hand else Rejected(Reason.EMPTY_HAND)


def why_no_proposal(state: State) -> Refusal:
    """Section 5, Propose: with four or more players, by a tribe without an alliance (R15) or open proposal (R14)."""
    if refusal := why_no_action(state):
        return refusal
    if len(state.camps) < 4:
        return Rejected(Reason.TOO_FEW_PLAYERS, lowest=4)
    if state.me.bond:
        return Rejected(Reason.ALLIED)
    return Rejected(Reason.PROPOSING) if state.me.proposal else None


def why_no_proposal_to(state: State, target: Tribe) -> Refusal:
    """Not to a tribe that the proposer raids; being raided by it does not matter."""
    if refusal := why_not_other(state, target):
        return refusal
    raid = state.raid_on(target)
    return Rejected(Reason.RAID_BETWEEN) if raid and raid.raider == state.turn.tribe else None


def why_not_proposed_with(state: State, target: Tribe, card: Card) -> Refusal:
    """A warrior in the target's colour, higher than an open proposal to it and than the card of its allied player."""
    if refusal := why_not_held(state.me, card):
        return refusal
    if card.tribe != target:
        return Rejected(Reason.WRONG_CARDS)
    suitor, ally = state.suitor_of(target), state.ally_of(state.camps[target])
    rivals = (suitor.proposal if suitor else None, ally.bond if ally else None)
    above = max(rival.value if rival else 0 for rival in rivals)
    return None if card.value > above else Rejected(Reason.TOO_LOW, above=above)


def why_not_accepted_from(state: State, target: Tribe) -> Refusal:
    """The target must be proposing to the tribe in turn, above the card of that tribe's ally (section 5; R29)."""
    if refusal := why_no_action(state) or why_not_other(state, target):
        return refusal
    proposal = state.camps[target].proposal
    if not proposal or proposal.tribe != state.turn.tribe:
        return Rejected(Reason.NO_PROPOSAL)
    ally = state.ally_of(state.me)
    if ally and ally.bond and proposal.value <= ally.bond.value:
        return Rejected(Reason.PROPOSAL_TOO_LOW, above=ally.bond.value)
    return None


def why_not_accepted_with(state: State, target: Tribe, card: Card) -> Refusal:
    """A warrior in the proposer's colour, at least as high as the card of an alliance given up for it."""
    if refusal := why_not_held(state.me, card):
        return refusal
    if card.tribe != target:
        return Rejected(Reason.WRONG_CARDS)
    bond = state.me.bond
    return Rejected(Reason.TOO_LOW, at_least=bond.value) if bond and card.value < bond.value else None


def why_no_neutral_ally(state: State) -> Refusal:
    """Section 5, Neutral alliance: not while allied to a player."""
    return why_no_action(state) or (Rejected(Reason.ALLIED) if state.ally_of(state.me) else None)


def why_not_neutral(state: State, card: Card) -> Refusal:
    """A warrior of a new neutral colour, no lower than the present ally's card and higher than a rival tribe's."""
    if refusal := why_not_held(state.me, card):
        return refusal
    bond = state.me.bond
    if card.tribe is None or card.tribe in state.camps or (bond and bond.tribe == card.tribe):
        return Rejected(Reason.WRONG_CARDS)
    if bond and card.value < bond.value:
        return Rejected(Reason.TOO_LOW, at_least=bond.value)
    rival = next((camp.bond for camp in state.others() if camp.bond and camp.bond.tribe == card.tribe), None)
    return Rejected(Reason.TOO_LOW, above=rival.value) if rival and card.value <= rival.value else None


def why_no_disdain(state: State) -> Refusal:
    """Section 5, Disdain: rounds 1 to 9, with a stick."""
    return (Rejected(Reason.NOT_IN_WINTER) if state.winter else why_no_action(state)) or why_not_held(state.me, STICK)


def why_no_disdain_of(state: State, target: Tribe) -> Refusal:
    """Another tribe that is not disdained already."""
    if refusal := why_not_other(state, target):
        return refusal
    return Rejected(Reason.ALREADY_DISDAINED) if state.camps[target].disdained else None


def why_not_hunted(state: State, cards: Cards) -> Refusal:
    """Section 5, Hunt: two cards from the hand, which may be those just drawn."""
    return why_not_set(cards, min(2, len(state.me.hand))) or why_not_held(state.me, *cards)


def why_no_proof(state: State, card: Card) -> Refusal:
    """A stick, a weapon 4 or a warrior 4 from the disdained tribe's hand."""
    if refusal := why_not_held(state.camps[state.turn.actor], card):
        return refusal
    return None if card in PROOFS else Rejected(Reason.PROVES_NOTHING)


def why_no_donation(state: State) -> Refusal:
    """Section 5, Give horses: at least two horses, and no raid on the giver's camp (R20)."""
    if refusal := why_no_action(state):
        return refusal
    if state.me.horses < 2:
        return Rejected(Reason.TOO_FEW_HORSES, lowest=2)
    return Rejected(Reason.UNDER_RAID) if state.raid_on(state.turn.tribe) else None


def why_no_donation_to(state: State, target: Tribe) -> Refusal:
    """A tribe that has no more horses than the giver, is not under raid and is not the giver's ally (R20)."""
    if refusal := why_not_other(state, target):
        return refusal
    me, camp = state.me, state.camps[target]
    if camp.horses > me.horses:
        return Rejected(Reason.TOO_MANY_HORSES, highest=me.horses)
    if state.raid_on(target):
        return Rejected(Reason.UNDER_RAID)
    return Rejected(Reason.ALLY) if me.bond and me.bond.tribe == target else None


def why_no_end(state: State) -> Refusal:
    """A turn may end at any time in winter, otherwise once the actions are spent (section 4.5; R17, R37).

    In rounds 1 to 9 a hand is empty only if all cards have run out. Then the turn may end: nothing else can be done.
    """
    if state.winter or not state.turn.actions_left or not state.me.hand:
        return None
    return Rejected(Reason.ACTIONS_LEFT, actions=state.turn.actions_left)

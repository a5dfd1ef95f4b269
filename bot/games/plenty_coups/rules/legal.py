"""Which moves the rules allow the tribe that must decide: the checks that `apply` and the prompts share.

A check returns None if the rules allow the move, and the refusal otherwise. The checks of one verb run in the order of
this module: first the verb, then its target, then its cards. All others assume that `why_not_act` returned None, those
of an action that `why_no_action` did, and those of a target that `other_camp` found it.
"""

from __future__ import annotations

from typing import Final

from bot.engine.core import Rejected, Seat
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.cards import HORSE, PROOFS, STICK, Card, Cards, Kind, Tribe, holds, ordered
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import MARKERS, MOST_UNDONE, OFFER, Camp, State
from bot.games.plenty_coups.rules.view import Phase

# In CPython 3.11, looking up an enum member takes longer than most of these checks.
_OVER: Final = Phase.OVER
_DEAL: Final = Phase.DEAL
_REFILL: Final = Phase.REFILL
_WARRIOR: Final = Kind.WARRIOR
_WEAPON: Final = Kind.WEAPON


class Refusal:
    """Why a move is not allowed. It is not an exception yet, because prompts make far more of these than players do."""

    __slots__ = ("details", "reason")

    def __init__(self, reason: Reason, **details: int) -> None:
        self.reason = reason
        self.details = details

    def rejected(self) -> Rejected:
        """Return the exception with which `apply` refuses the move."""
        return Rejected(self.reason, **self.details)


_NO_ACTION_LEFT: Final = Refusal(Reason.NO_ACTION_LEFT)
_NEEDS_BOTH_ACTIONS: Final = Refusal(Reason.NEEDS_BOTH_ACTIONS)
_NOT_IN_WINTER: Final = Refusal(Reason.NOT_IN_WINTER)
_NOT_HELD: Final = Refusal(Reason.NOT_HELD)
_WRONG_CARDS: Final = Refusal(Reason.WRONG_CARDS)
_EMPTY_PLAIN: Final = Refusal(Reason.EMPTY_PLAIN)
_NO_MARKER_AT_HOME: Final = Refusal(Reason.NO_MARKER_AT_HOME)
_ALLY: Final = Refusal(Reason.ALLY)
_PROPOSAL_BETWEEN: Final = Refusal(Reason.PROPOSAL_BETWEEN)
_RAID_BETWEEN: Final = Refusal(Reason.RAID_BETWEEN)
_NOT_UNDER_RAID: Final = Refusal(Reason.NOT_UNDER_RAID)
_NO_OCCASION: Final = Refusal(Reason.NO_OCCASION)
_NEEDS_TWO_CARDS: Final = Refusal(Reason.NEEDS_TWO_CARDS)
_EMPTY_HAND: Final = Refusal(Reason.EMPTY_HAND)
_NO_ALLY: Final = Refusal(Reason.NO_ALLY)
_ALREADY_GIVEN: Final = Refusal(Reason.ALREADY_GIVEN)
_TOO_FEW_PLAYERS: Final = Refusal(Reason.TOO_FEW_PLAYERS, lowest=4)
_ALLIED: Final = Refusal(Reason.ALLIED)
_PROPOSING: Final = Refusal(Reason.PROPOSING)
_NO_PROPOSAL: Final = Refusal(Reason.NO_PROPOSAL)
_ALREADY_DISDAINED: Final = Refusal(Reason.ALREADY_DISDAINED)
_TOO_FEW_HORSES: Final = Refusal(Reason.TOO_FEW_HORSES, lowest=2)
_UNDER_RAID: Final = Refusal(Reason.UNDER_RAID)
_ACTIONS_LEFT: Final = {left: Refusal(Reason.ACTIONS_LEFT, actions=left) for left in (1, 2)}
_NOTHING_TO_UNDO: Final = Refusal(Reason.NOTHING_TO_UNDO)


def ensure(refusal: Refusal | None) -> None:
    """Raise Rejected if there is a refusal."""
    if refusal is not None:
        raise refusal.rejected()


def why_not_act(state: State, seat: Seat, tribe: Tribe, phase: Phase) -> Refusal | None:
    """Each decision belongs to one tribe and is made by the player who controls it this round."""
    turn = state.turn
    if turn.phase is _OVER:
        return Refusal(Reason.MATCH_OVER)
    if turn.phase is _DEAL or wants_shuffle(state):
        return Refusal(Reason.DEALERS_MOVE)
    if tribe is not turn.actor or seat != state.controller(tribe):
        return Refusal(Reason.NOT_YOUR_DECISION)
    return None if turn.phase is phase else Refusal(Reason.NOT_NOW)


def wants_shuffle(state: State) -> bool:
    """Return whether a card is needed, the pile is empty and there are discards to shuffle (section 4, Pile; R33)."""
    stock = state.stock
    if stock.pile or not stock.discards:
        return False
    if state.turn.phase is _REFILL:
        return len(stock.offer) < OFFER
    return state.turn.draws > 0


def why_no_undo(state: State) -> Refusal | None:
    """What has brought nothing hidden to light can be taken back, but not over and over (section 15)."""
    if state.earlier is None:
        return _NOTHING_TO_UNDO
    return Refusal(Reason.UNDONE_TOO_OFTEN, highest=MOST_UNDONE) if state.undone >= MOST_UNDONE else None


def other_camp(state: State, target: Tribe) -> Camp:
    """Return the target's camp; raise Rejected unless it is another tribe in play."""
    camp = state.camps.get(target)
    if camp is None or target is state.turn.tribe:
        raise Rejected(Reason.NO_OTHER_TRIBE)
    return camp


def to_take(state: State) -> int:
    """Return how many cards a turn begins by taking from the offer (section 4.2), at most all of them."""
    taken = 2 if state.turn.round <= state.options.rounds else 1
    return min(taken, len(state.stock.offer))


def why_no_action(state: State) -> Refusal | None:
    """Everything in the phase `act` costs an action, except the free gift and the end of the turn."""
    return None if state.turn.actions_left else _NO_ACTION_LEFT


def why_no_double(state: State) -> Refusal | None:
    """A double action needs both actions unspent (section 4.4)."""
    return None if state.turn.actions_left == 2 else _NEEDS_BOTH_ACTIONS


def why_not_held(camp: Camp, *cards: Card) -> Refusal | None:
    """Only cards in the hand can be played."""
    return None if holds(camp.hand, cards) else _NOT_HELD


def why_not_set(cards: Cards, size: int) -> Refusal | None:
    """Cards whose order does not matter come in canonical order, so that each choice is written in only one way."""
    return None if len(cards) == size and cards == ordered(cards) else Refusal(Reason.WRONG_CARDS, needed=size)


def why_not_taken(state: State, cards: Cards) -> Refusal | None:
    """Section 4.2: the right number of cards, all from the offer."""
    if refusal := why_not_set(cards, to_take(state)):
        return refusal
    return None if holds(state.stock.offer, cards) else Refusal(Reason.NOT_OFFERED)


def why_no_breeding(state: State) -> Refusal | None:
    """Section 5, Breed: a horse card, and a horse in the plain."""
    if HORSE not in state.camps[state.turn.tribe].hand:
        return _NOT_HELD
    return None if state.plain else _EMPTY_PLAIN


def attack_value(state: State, warriors: Cards) -> int:
    """Add the printed values and the bonus for their colour (section 5, Raid)."""
    return sum([warrior.value for warrior in warriors]) + bonus(state, warriors[0].tribe)


def bonus(state: State, colour: Tribe | None) -> int:
    """Return what is added for warriors of this colour: 1 for the raider's own and its ally's (section 5, Raid)."""
    me = state.turn.tribe
    if colour is me:
        return 1
    bond = state.camps[me].bond
    return 1 if bond is not None and colour is bond.tribe else 0


def why_no_raid(state: State) -> Refusal | None:
    """Section 5, Raid: the raider needs a marker at home."""
    if len(state.raids) < MARKERS:
        return None
    return _NO_MARKER_AT_HOME if len(state.raids_of(state.turn.tribe)) >= MARKERS else None


def why_no_double_raid(state: State) -> Refusal | None:
    """Section 5, Double attack: not in winter."""
    return (_NOT_IN_WINTER if state.winter else why_no_double(state)) or why_no_raid(state)


def why_no_raid_on(state: State, target: Camp) -> Refusal | None:
    """Not on the ally, not on a tribe with a proposal to or from the raider (R12), not twice on one camp (R13)."""
    me = state.camps[state.turn.tribe]
    if me.bond is not None and me.bond.tribe is target.tribe:
        return _ALLY
    if me.proposal is not None and me.proposal.tribe is target.tribe:
        return _PROPOSAL_BETWEEN
    if target.proposal is not None and target.proposal.tribe is me.tribe:
        return _PROPOSAL_BETWEEN
    standing = state.raids.get(target.tribe)
    return _RAID_BETWEEN if standing is not None and standing.raider is me.tribe else None


def value_to_beat(state: State, target: Camp) -> int:
    """Return the value of the raid on the target, which another raid must beat; 0 if there is none."""
    standing = state.raids.get(target.tribe)
    return 0 if standing is None else standing.value


def why_not_two(cards: Cards) -> Refusal | None:
    """Exactly two cards, in either order."""
    return None if len(cards) == 2 else Refusal(Reason.WRONG_CARDS, needed=2)


def why_not_warriors(state: State, target: Camp, warriors: Cards) -> Refusal | None:
    """Warriors of one colour, stronger than a raid already on the target (section 5, Raid and Double attack; R03)."""
    if refusal := why_not_held(state.me, *warriors):
        return refusal
    if any(card.kind is not _WARRIOR or card.tribe is not warriors[0].tribe for card in warriors):
        return _WRONG_CARDS
    above = value_to_beat(state, target)
    return None if attack_value(state, warriors) > above else Refusal(Reason.TOO_WEAK, above=above)


def why_no_defence(state: State) -> Refusal | None:
    """Section 5, Defend: the defender's camp must be under raid (R26)."""
    return None if state.turn.tribe in state.raids else _NOT_UNDER_RAID


def why_no_double_defence(state: State) -> Refusal | None:
    """Double defence costs both actions; in the first round of winter, the only one; later it is not allowed."""
    if state.deep_winter:
        return _NOT_IN_WINTER
    return (None if state.winter else why_no_double(state)) or why_no_defence(state)


def raid_on_me(state: State) -> RaidOut:
    """Return the raid on the camp of the tribe in turn; `why_no_defence` has found one."""
    return state.raids[state.turn.tribe]


def why_not_weapons(state: State, weapons: Cards) -> Refusal | None:
    """Weapons whose sum is at least the value of the raid on the camp (section 5, Defend)."""
    if refusal := why_not_held(state.me, *weapons):
        return refusal
    if any(card.kind is not _WEAPON for card in weapons):
        return _WRONG_CARDS
    at_least = raid_on_me(state).value
    strong = sum([weapon.value for weapon in weapons]) >= at_least
    return None if strong else Refusal(Reason.TOO_WEAK, at_least=at_least)


def why_no_coup(state: State) -> Refusal | None:
    """A stick, and either a raid just returned or a defence just won with a marker left to turn (section 5; R34)."""
    turn = state.turn
    me = state.camps[turn.tribe]
    if STICK not in me.hand:
        return _NOT_HELD
    if turn.coups_open or (turn.defence_coup_open and me.prestige < MARKERS):
        return None
    return _NO_OCCASION


def why_no_gift(state: State) -> Refusal | None:
    """Section 5, Exchange gifts: one card to discard and one to give (R19)."""
    return None if len(state.camps[state.turn.tribe].hand) >= 2 else _NEEDS_TWO_CARDS


def why_no_gift_to(state: State, target: Camp) -> Refusal | None:
    """The target needs a card to give back, and neither of the two may be raiding the other."""
    if not target.hand:
        return _EMPTY_HAND
    raids, me = state.raids, state.turn.tribe
    on_me, on_them = raids.get(me), raids.get(target.tribe)
    if on_me is not None and on_me.raider is target.tribe:
        return _RAID_BETWEEN
    return _RAID_BETWEEN if on_them is not None and on_them.raider is me else None


def why_no_free_gift(state: State) -> Refusal | None:
    """Section 5, Free gift: to an allied player, once in each own turn, if both hold a card (section 4.5; R31)."""
    me = state.camps[state.turn.tribe]
    if me.bond is None or (ally := state.ally_of(me)) is None:
        return _NO_ALLY
    if state.turn.free_gift_used:
        return _ALREADY_GIVEN
    return None if me.hand and ally.hand else _EMPTY_HAND


def why_no_proposal(state: State) -> Refusal | None:
    """Section 5, Propose: with four or more players, by a tribe without an alliance (R15) or open proposal (R14)."""
    if len(state.camps) < 4:
        return _TOO_FEW_PLAYERS
    me = state.camps[state.turn.tribe]
    if me.bond is not None:
        return _ALLIED
    return _PROPOSING if me.proposal is not None else None


def why_no_proposal_to(state: State, target: Camp) -> Refusal | None:
    """Not to a tribe that the proposer raids; being raided by it does not matter."""
    raid = state.raids.get(target.tribe)
    return _RAID_BETWEEN if raid is not None and raid.raider is state.turn.tribe else None


def why_not_proposed_with(state: State, target: Camp, card: Card) -> Refusal | None:
    """A warrior in the target's colour, higher than an open proposal to it and than the card of its allied player."""
    if refusal := why_not_held(state.me, card):
        return refusal
    if card.tribe is not target.tribe:
        return _WRONG_CARDS
    above = value_to_outbid(state, target)
    return None if card.value > above else Refusal(Reason.TOO_LOW, above=above)


def value_to_outbid(state: State, target: Camp) -> int:
    """Return the highest card of those who propose to the target or, as a player, are allied to it; 0 if none is."""
    suitor = state.suitor_of(target.tribe)
    value = suitor.proposal.value if suitor and suitor.proposal else 0
    ally = state.ally_of(target)
    return max(value, ally.bond.value) if ally and ally.bond else value


def why_not_accepted_from(state: State, target: Camp) -> Refusal | None:
    """The target must be proposing to the tribe in turn, above the card of that tribe's ally (section 5; R29)."""
    proposal = target.proposal
    if proposal is None or proposal.tribe is not state.turn.tribe:
        return _NO_PROPOSAL
    ally = state.ally_of(state.me)
    if ally and ally.bond and proposal.value <= ally.bond.value:
        return Refusal(Reason.PROPOSAL_TOO_LOW, above=ally.bond.value)
    return None


def why_not_accepted_with(state: State, target: Camp, card: Card) -> Refusal | None:
    """A warrior in the proposer's colour, at least as high as the card of an alliance given up for it."""
    if refusal := why_not_held(state.me, card):
        return refusal
    if card.tribe is not target.tribe:
        return _WRONG_CARDS
    bond = state.me.bond
    return Refusal(Reason.TOO_LOW, at_least=bond.value) if bond and card.value < bond.value else None


def why_no_neutral_ally(state: State) -> Refusal | None:
    """Section 5, Neutral alliance: not while allied to a player."""
    return _ALLIED if state.ally_of(state.me) else None


def why_not_neutral(state: State, card: Card) -> Refusal | None:
    """A warrior of a new neutral colour, no lower than the present ally's card and higher than a rival tribe's."""
    if refusal := why_not_held(state.me, card):
        return refusal
    bond = state.me.bond
    if card.tribe is None or card.tribe in state.camps or (bond and bond.tribe is card.tribe):
        return _WRONG_CARDS
    if bond and card.value < bond.value:
        return Refusal(Reason.TOO_LOW, at_least=bond.value)
    rival = next((camp.bond for camp in state.others() if camp.bond and camp.bond.tribe is card.tribe), None)
    return Refusal(Reason.TOO_LOW, above=rival.value) if rival and card.value <= rival.value else None


def why_no_disdain(state: State) -> Refusal | None:
    """Section 5, Disdain: not in winter, and with a stick."""
    if state.winter:
        return _NOT_IN_WINTER
    return None if STICK in state.camps[state.turn.tribe].hand else _NOT_HELD


def why_no_disdain_of(state: State, target: Camp) -> Refusal | None:
    """A tribe that is not disdained already."""
    return _ALREADY_DISDAINED if target.disdained else None


def why_no_hunt(state: State) -> Refusal | None:
    """Section 5, Hunt: always, unless the options forbid it in winter (R18)."""
    return _NOT_IN_WINTER if not state.options.winter_hunting and state.winter else None


def why_not_hunted(state: State, cards: Cards) -> Refusal | None:
    """Section 5, Hunt: two cards from the hand, which may be those just drawn."""
    return why_not_set(cards, min(2, len(state.me.hand))) or why_not_held(state.me, *cards)


def why_no_proof(state: State, card: Card) -> Refusal | None:
    """A stick, a weapon 4 or a warrior 4 from the disdained tribe's hand."""
    if refusal := why_not_held(state.camps[state.turn.actor], card):
        return refusal
    return None if card in PROOFS else Refusal(Reason.PROVES_NOTHING)


def why_not_declined(state: State) -> Refusal | None:
    """Declining is always possible, unless the options forbid it to a tribe that can prove its worth (R16)."""
    able = not state.options.decline_when_able and any(card in PROOFS for card in state.camps[state.turn.actor].hand)
    return Refusal(Reason.MUST_PROVE) if able else None


def why_no_donation(state: State) -> Refusal | None:
    """Section 5, Give horses: at least two horses, and no raid on the giver's camp (R20)."""
    if state.camps[state.turn.tribe].horses < 2:
        return _TOO_FEW_HORSES
    return _UNDER_RAID if state.turn.tribe in state.raids else None


def why_no_donation_to(state: State, target: Camp) -> Refusal | None:
    """A tribe that has no more horses than the giver, is not under raid and is not the giver's ally (R20)."""
    me = state.camps[state.turn.tribe]
    if target.horses > me.horses:
        return Refusal(Reason.TOO_MANY_HORSES, highest=me.horses)
    if target.tribe in state.raids:
        return _UNDER_RAID
    return _ALLY if me.bond is not None and me.bond.tribe is target.tribe else None


def why_no_end(state: State) -> Refusal | None:
    """A turn may end at any time in winter, otherwise once the actions are spent (section 4.5; R17, R37).

    Before winter a hand is empty only if all cards have run out. Then the turn may end: nothing else can be done.
    """
    turn = state.turn
    if not turn.actions_left or turn.round > state.options.rounds or not state.camps[turn.tribe].hand:
        return None
    return _ACTIONS_LEFT[state.turn.actions_left]

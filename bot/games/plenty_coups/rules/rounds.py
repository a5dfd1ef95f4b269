"""What happens by itself: the deal, the start and end of turns, and drawing (sections 3 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from bot.engine.core import DEALER, Rejected, Seat
from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Deal, End, Reason, Shuffle, Take
from bot.games.plenty_coups.rules.cards import DECK, STICK, Tribe, is_void, ordered, without
from bot.games.plenty_coups.rules.ending import end_round, finish
from bot.games.plenty_coups.rules.events import (
    Dealt,
    Events,
    OfferOpened,
    OfferVoided,
    PileRenewed,
    StickLifted,
    Taken,
    TurnBegan,
)
from bot.games.plenty_coups.rules.raids import come_home
from bot.games.plenty_coups.rules.state import HAND, OFFER, Camp, State, Turn
from bot.games.plenty_coups.rules.turns import drop_proposal, end_turn
from bot.games.plenty_coups.rules.view import Phase

_START: Final = Phase.START
_REPLACE: Final = Phase.REPLACE
_TAKE: Final = Phase.TAKE
_HUNT: Final = Phase.HUNT
_DECK: Final = Counter(DECK)
MOST_VOIDED: Final = 10
"""How many offers in a row may be replaced (R28)."""


def in_turn_order(camps: Mapping[Tribe, Camp], elder: Seat, players: int) -> dict[Tribe, Camp]:
    """Return the camps from the elder's on; the third tribe of two players sits to the elder's right (section 8)."""
    by_owner = {camp.owner: camp for camp in camps.values()}
    owners: list[Seat | None] = [Seat((elder + place) % players) for place in range(players)]
    if players == 2:
        owners.insert(1, None)
    return {by_owner[owner].tribe: by_owner[owner] for owner in owners}


def deal(state: State, action: Deal, events: Events) -> State:
    """Give three cards to each tribe in turn order and open the offer (section 3)."""
    if action.seat != DEALER or state.turn.phase is not Phase.DEAL:
        raise Rejected(Reason.NOT_NOW)
    if Counter(action.order) != _DECK:
        raise Rejected(Reason.WRONG_ORDER)
    elder = action.starter if state.starter is None else state.starter
    if elder is None or elder not in range(state.players) or None not in (state.starter, action.starter):
        raise Rejected(Reason.WRONG_STARTER)
    seated = in_turn_order(state.camps, elder, state.players)
    camps = {
        tribe: replace(camp, hand=ordered(action.order[HAND * place : HAND * (place + 1)]))
        for place, (tribe, camp) in enumerate(seated.items())
    }
    events.append(Dealt(tuple(camps), tuple(camp.owner for camp in camps.values())))
    stock = replace(state.stock, pile=action.order[HAND * len(camps) :])
    # The match begins as if the last tribe's turn had ended: the offer is filled, then it is the elder's turn.
    last = tuple(camps)[-1]
    return replace(state, starter=elder, camps=camps, stock=stock, turn=Turn(0, last, Phase.REFILL, last))


def shuffle(state: State, action: Shuffle, events: Events) -> State:
    """Turn the discards into a new pile (section 4, Pile)."""
    if action.seat != DEALER or not legal.wants_shuffle(state):
        raise Rejected(Reason.NOT_NOW)
    if Counter(action.order) != Counter(state.stock.discards):
        raise Rejected(Reason.WRONG_ORDER)
    events.append(PileRenewed(len(action.order)))
    return replace(state, stock=replace(state.stock, pile=action.order, discards=()))


def draw_owed(state: State) -> State:
    """Let the tribe in turn draw the cards it still must from the top of the pile, or as many as there are."""
    owed, pile = state.turn.draws, state.stock.pile
    drawn = pile[:owed]
    state = replace(state, stock=replace(state.stock, pile=pile[owed:]))
    return state.with_camps(state.me.pick_up(*drawn)).with_turn(draws=owed - len(drawn))


def begin_turn(state: State, events: Events) -> State:
    """Lift a stick of disdain, and owe the tribe a card if the disdain cost one (section 4.1 a; R35)."""
    me = state.me
    events.append(TurnBegan(state.turn.round, me.tribe))
    if not me.disdained:
        return make_up(state, events)
    draws = int(len(me.hand) < HAND)
    events.append(StickLifted(me.tribe, draws))
    state = state.with_camps(replace(me, disdained=False)).discard(STICK)
    return state.with_turn(phase=_REPLACE, draws=draws)


def make_up(state: State, events: Events) -> State:
    """Draw the card that is owed and drop the tribe's proposal; then it takes cards, or its raids come home (R32)."""
    if state.turn.draws:
        state = draw_owed(state)
    if state.me.proposal is not None:
        state = drop_proposal(state, state.turn.tribe, events)
    if state.deep_winter or not state.stock.offer:
        return come_home(state, events)
    return replace(state, turn=replace(state.turn, phase=_TAKE))


def take(state: State, action: Take, events: Events) -> State:
    """Take cards from the offer, which stays open; then the raids come home (sections 4.2 and 4.3; R02)."""
    legal.ensure(legal.why_not_taken(state, action.cards))
    events.append(Taken(action.tribe, action.cards))
    stock = replace(state.stock, offer=without(state.stock.offer, *action.cards))
    return come_home(replace(state.with_camps(state.me.pick_up(*action.cards)), stock=stock), events)


def track(state: State, events: Events) -> State:
    """Draw what the hunt brings; then the hunter chooses what to discard."""
    state = draw_owed(state)
    return state if legal.wants_shuffle(state) else state.with_turn(phase=_HUNT, draws=0)


def act(state: State, events: Events) -> State:
    """End the turn if nothing is left to do in it (section 4.5)."""
    if state.turn.actions_left or legal.why_no_free_gift(state) is None:
        return state
    return end_turn(state, events)


def end(state: State, action: End, events: Events) -> State:
    """End the turn because the tribe says so."""
    legal.ensure(legal.why_no_end(state))
    return end_turn(state, events)


def refill(state: State, events: Events) -> State:
    """Fill the offer; if three cards are then alike, replace all four, ten times at most (section 3; R28)."""
    stock = state.stock
    missing = OFFER - len(stock.offer)
    if missing:
        cards = stock.pile[:missing]
        offer = ordered(stock.offer + cards)
        state = replace(state, stock=replace(stock, offer=offer, pile=stock.pile[missing:]))
        if cards:
            events.append(OfferOpened(ordered(cards)))
        if legal.wants_shuffle(state):
            return state
        if len(offer) == OFFER and is_void(offer) and state.turn.voided < MOST_VOIDED:
            events.append(OfferVoided(offer))
            state = replace(state, stock=replace(state.stock, offer=())).discard(*offer)
            return state.with_turn(voided=state.turn.voided + 1)
    return _next_turn(state, events)


def _next_turn(state: State, events: Events) -> State:
    """Go on to the next tribe; before the elder's turn the round number goes up (section 4.5)."""
    tribes = tuple(state.camps)
    place = (tribes.index(state.turn.tribe) + 1) % len(tribes)
    number = state.turn.round
    if place == 0:
        state = end_round(state)
        number += 1
    if number > state.options.last_round:
        return finish(state, events)
    actions = 1 if number > state.options.rounds else 2
    return replace(state, turn=Turn(number, tribes[place], _START, tribes[place], actions))


BY_ITSELF: Final[Mapping[Phase, Callable[[State, Events], State]]] = {
    Phase.START: begin_turn,
    Phase.REPLACE: make_up,
    Phase.TRACK: track,
    Phase.REFILL: refill,
    Phase.ACT: act,
}

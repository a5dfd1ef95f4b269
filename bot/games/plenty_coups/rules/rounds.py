"""What happens by itself: the deal, the start and end of turns, drawing, the end of the match (sections 3, 4, 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.core import DEALER, Rejected, Seat
from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.actions import Deal, End, Reason, Shuffle, Take
from bot.games.plenty_coups.rules.cards import DECK, STICK, Cards, Tribe, is_void, ordered, without
from bot.games.plenty_coups.rules.events import (
    Dealt,
    Events,
    MatchEnded,
    OfferOpened,
    OfferVoided,
    PileRenewed,
    StickLifted,
    Taken,
    TurnBegan,
)
from bot.games.plenty_coups.rules.prestige import lose_prestige, outcome
from bot.games.plenty_coups.rules.raids import come_home, lose_raid
from bot.games.plenty_coups.rules.state import HAND, LAST_NORMAL_ROUND, LAST_ROUND, OFFER, Camp, State, Turn
from bot.games.plenty_coups.rules.turns import drop_proposal, end_turn
from bot.games.plenty_coups.rules.view import Phase

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
    if ordered(action.order) != DECK:
        raise Rejected(Reason.WRONG_ORDER)
    elder = action.starter if state.starter is None else state.starter
    if elder is None or elder not in range(state.players) or None not in (state.starter, action.starter):
        raise Rejected(Reason.WRONG_STARTER)
    seated = in_turn_order(state.camps, elder, state.players)
    camps = {
        tribe: camp._replace(hand=ordered(action.order[HAND * place : HAND * (place + 1)]))
        for place, (tribe, camp) in enumerate(seated.items())
    }
    events.append(Dealt(tuple(camps)))
    stock = state.stock._replace(pile=action.order[HAND * len(camps) :])
    # The match begins as if the last tribe's turn had ended: the offer is filled, then it is the elder's turn.
    last = tuple(camps)[-1]
    return state._replace(starter=elder, camps=camps, stock=stock, turn=Turn(0, last, Phase.REFILL, last))


def shuffle(state: State, action: Shuffle, events: Events) -> State:
    """Turn the discards into a new pile (section 4, Pile)."""
    if action.seat != DEALER or not legal.wants_shuffle(state):
        raise Rejected(Reason.NOT_NOW)
    if ordered(action.order) != ordered(state.stock.discards):
        raise Rejected(Reason.WRONG_ORDER)
    events.append(PileRenewed(len(action.order)))
    return state._replace(stock=state.stock._replace(pile=action.order, discards=()))


def draw(state: State, count: int) -> tuple[State, Cards]:
    """Take cards from the top of the pile, fewer if it has fewer."""
    pile = state.stock.pile
    return state._replace(stock=state.stock._replace(pile=pile[count:])), pile[:count]


def draw_owed(state: State) -> State:
    """Let the tribe in turn draw the cards it still must, or as many as the pile has."""
    state, cards = draw(state, state.turn.draws)
    return state.with_camps(state.me.pick_up(*cards)).with_turn(draws=state.turn.draws - len(cards))


def begin_turn(state: State, events: Events) -> State:
    """Lift a stick of disdain, and owe the tribe a card if the disdain cost one (section 4.1 a; R35)."""
    me = state.me
    events.append(TurnBegan(state.turn.round, me.tribe))
    draws = 0
    if me.disdained:
        draws = int(len(me.hand) < HAND)
        events.append(StickLifted(me.tribe, draws))
        state = state.with_camps(me._replace(disdained=False)).discard(STICK)
    return state.with_turn(phase=Phase.REPLACE, draws=draws)


def replace(state: State, events: Events) -> State:
    """Draw the card that is owed and drop the tribe's proposal; then it takes cards, or its raids come home (R32)."""
    if state.turn.draws:
        state = draw_owed(state)
    state = drop_proposal(state, state.turn.tribe, events).with_turn(phase=Phase.TAKE)
    if state.turn.round > LAST_NORMAL_ROUND + 1 or not state.stock.offer:
        state = come_home(state, events).with_turn(phase=Phase.ACT)
    return state


def take(state: State, action: Take, events: Events) -> State:
    """Take cards from the offer, which stays open; then the raids come home (sections 4.2 and 4.3; R02)."""
    if refusal := legal.why_not_taken(state, action.cards):
        raise refusal
    events.append(Taken(action.tribe, action.cards))
    stock = state.stock._replace(offer=without(state.stock.offer, *action.cards))
    state = state.with_camps(state.me.pick_up(*action.cards))._replace(stock=stock)
    return come_home(state, events).with_turn(phase=Phase.ACT)


def track(state: State, events: Events) -> State:
    """Draw what the hunt brings; then the hunter chooses what to discard."""
    state = draw_owed(state)
    return state if legal.wants_shuffle(state) else state.with_turn(phase=Phase.HUNT, draws=0)


def act(state: State, events: Events) -> State:
    """End the turn if nothing is left to do in it (section 4.5)."""
    spent = not state.turn.actions_left and legal.why_no_free_gift(state)
    return end_turn(state, events) if spent else state


def end(state: State, action: End, events: Events) -> State:
    """End the turn because the tribe says so."""
    if refusal := legal.why_no_end(state):
        raise refusal
    return end_turn(state, events)


def refill(state: State, events: Events) -> State:
    """Fill the offer; if three cards are then alike, replace all four, ten times at most (section 3; R28)."""
    missing = OFFER - len(state.stock.offer)
    if missing:
        state, cards = draw(state, missing)
        offer = ordered(state.stock.offer + cards)
        state = state._replace(stock=state.stock._replace(offer=offer))
        if cards:
            events.append(OfferOpened(ordered(cards)))
        if legal.wants_shuffle(state):
            return state
        if len(offer) == OFFER and is_void(offer) and state.turn.voided < MOST_VOIDED:
            events.append(OfferVoided(offer))
            state = state._replace(stock=state.stock._replace(offer=())).discard(*offer)
            return state.with_turn(voided=state.turn.voided + 1)
    return _next_turn(state, events)


def _next_turn(state: State, events: Events) -> State:
    """Go on to the next tribe; before the elder's turn the round number goes up (section 4.5)."""
    tribes = tuple(state.camps)
    place = (tribes.index(state.turn.tribe) + 1) % len(tribes)
    number = state.turn.round + (place == 0)
    if number > LAST_ROUND:
        return _finish(state, events)
    actions = 1 if number > LAST_NORMAL_ROUND else 2
    return state._replace(turn=Turn(number, tribes[place], Phase.START, tribes[place], actions))


def _finish(state: State, events: Events) -> State:
    """End the raids that are out, take prestige for empty herds, and close the match (section 9, steps 1 and 2)."""
    for lost in state.raids:
        state = lose_raid(state, lost, events)
    for camp in state.camps.values():
        if not camp.horses:
            state = lose_prestige(state, camp.tribe, events)
    return close(state, events)


def close(state: State, events: Events) -> State:
    """End the match; an unfinished gift goes back to the giver (section 12)."""
    if gift := state.gift:
        state = state.with_camps(state.camps[gift.giver].pick_up(gift.card))._replace(gift=None)
    turn = state.turn
    state = state._replace(turn=Turn(turn.round, turn.tribe, Phase.OVER, turn.tribe))
    ended = outcome(state)
    assert ended  # noqa: S101 - the phase says so
    events.append(MatchEnded(ended.winners))
    return state


BY_ITSELF: Final[Mapping[Phase, Callable[[State, Events], State]]] = {
    Phase.START: begin_turn,
    Phase.REPLACE: replace,
    Phase.TRACK: track,
    Phase.REFILL: refill,
    Phase.ACT: act,
}

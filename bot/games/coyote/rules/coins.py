"""Applies what a player may do before bidding: picture coins (`feathers`), peeking and the Coyote card (`peek`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bot.engine.core import DEALER, Rejected, Seat, Step
from bot.games.coyote.rules import legal
from bot.games.coyote.rules.actions import (
    CoinFlipped,
    CoyoteUsed,
    Event,
    Flip,
    Guessed,
    Peek,
    Peeked,
    Reason,
    UseCoyote,
    Withdraw,
    Withdrew,
)
from bot.games.coyote.rules.bidding import check
from bot.games.coyote.rules.cards import Card, face
from bot.games.coyote.rules.editions import COINS
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.rounds import Verdict, await_shuffle, draw, end_round
from bot.games.coyote.rules.state import Round, State
from bot.games.coyote.rules.view import Duty


def flip(state: State, action: Flip) -> Step[State]:
    """Flip a picture coin, which cannot be used again until the next round (section 4)."""
    seat, coin, value = action
    check(state, seat, legal.why_not_flip(state, coin))
    left = list(state.round.coins)
    left[COINS.index(coin)] -= 1
    used = (*state.bidding.used, (seat, coin))
    flipped = state._replace(round=state.round._replace(coins=tuple(left)), bidding=state.bidding._replace(used=used))
    if coin == "guess":
        if value is None or value not in legal.faces(state.rules):
            raise Rejected(Reason.NEEDS_GUESS, allowed=legal.faces(state.rules))
        return _guess(flipped, seat, value)
    if value is not None:
        raise Rejected(Reason.NEEDS_NO_GUESS)
    if coin in ("extra", "replace") and not state.match.pile:
        return await_shuffle(state, action)
    return _EFFECTS[coin](flipped, seat)


def _extra(state: State, seat: Seat) -> Step[State]:
    card, match, played = draw(state, unseen_by=DEALER)
    opened = _with_card(state.round.cards.opened, seat, card)
    after = _owing(state)._replace(match=match, round=_laid(played, opened=opened))
    return Step(after, (CoinFlipped(seat, "extra", card),))


def _reverse(state: State, seat: Seat) -> Step[State]:
    after = _owing(state)
    bidding = after.bidding._replace(direction=-after.bidding.direction)
    return Step(after._replace(bidding=bidding), (CoinFlipped(seat, "reverse", None),))


def _skip(state: State, seat: Seat) -> Step[State]:
    bidding = state.bidding._replace(turn=legal.following(state))
    return Step(state._replace(asked=state.asked + 1, bidding=bidding), (CoinFlipped(seat, "skip", None),))


def _replace(state: State, seat: Seat) -> Step[State]:
    """Put a new feather in front; the old one has no effect, except that a night still causes a shuffle (R12)."""
    card, match, played = draw(state, unseen_by=seat)
    worn = list(state.round.cards.worn)
    (old,) = worn[seat]
    worn[seat] = (card,)
    covered = _with_card(state.round.cards.covered, seat, old)
    shown = tuple(other for other in played.shown if other != seat)
    laid = _laid(played, worn=tuple(worn), covered=covered)._replace(shown=shown)
    after = _owing(state)._replace(match=match, round=laid)
    return Step(after, (CoinFlipped(seat, "replace", None),))


def _guess(state: State, seat: Seat, value: Card) -> Step[State]:
    """Guess one's own feather. If right, sit out the round or choose; if wrong, take a coin and end it (R43, R45)."""
    (card,) = state.round.cards.worn[seat]
    right = value == face(card)
    guessed = (CoinFlipped(seat, "guess", None), Guessed(seat, value, card, right))
    if not right:
        verdict = Verdict(Ending.GUESS, starter=seat, loser=seat, penalty=1, named=value)
        return end_round(state, verdict, guessed)
    if state.rules.right_guess == "leave":
        return _sit_out(state, seat, guessed)
    played = state.round._replace(shown=(*state.round.shown, seat))
    bidding = state.bidding._replace(duty=Duty.CHOOSE)
    guessed = (guessed[0], guessed[1]._replace(may_stay=True))
    return Step(state._replace(asked=state.asked + 1, round=played, bidding=bidding), guessed)


def withdraw(state: State, action: Withdraw) -> Step[State]:
    """Sit out the round after a right guess, where the house leaves the choice (R43)."""
    check(state, action.seat, legal.why_not_withdraw(state))
    return _sit_out(state, action.seat, (Withdrew(action.seat),))


def _sit_out(state: State, seat: Seat, events: tuple[Event, ...]) -> Step[State]:
    """Take a player out of the round, unharmed; it is void if only one is left (R47)."""
    following = legal.following(state)
    active = tuple(other for other in state.round.active if other != seat)
    after = state._replace(
        round=state.round._replace(active=active),
        bidding=state.bidding._replace(turn=following, duty=None),
    )
    if len(active) > 1:
        return Step(after._replace(asked=state.asked + 1), events)
    return end_round(after, Verdict(Ending.VOID, starter=following), events)


_EFFECTS: Final[dict[str, Callable[[State, Seat], Step[State]]]] = {
    "extra": _extra,
    "reverse": _reverse,
    "skip": _skip,
    "replace": _replace,
}


def peek(state: State, action: Peek) -> Step[State]:
    """Close an eye and look at the centre card; the player must raise next (section 5)."""
    seat = action.seat
    check(state, seat, legal.why_not_peek(state))
    eyes = list(state.match.eyes)
    eyes[seat] = (eyes[seat][0] - 1, eyes[seat][1] + 1)
    peeked = state.round.peeked if seat in state.round.peeked else (*state.round.peeked, seat)
    after = _owing(state)
    after = after._replace(
        match=state.match._replace(eyes=tuple(eyes)),
        round=state.round._replace(peeked=peeked),
        bidding=after.bidding._replace(looked=True),
    )
    return Step(after, (Peeked(seat),))


def use_coyote(state: State, action: UseCoyote) -> Step[State]:
    """Draw a card, look at it and lay it beside the centre; the player must raise next (section 5)."""
    seat = action.seat
    check(state, seat, legal.why_not_use_coyote(state))
    if not state.match.pile:
        return await_shuffle(state, action)
    card, match, played = draw(state, unseen_by=None)
    after = _owing(state)._replace(match=match, round=_laid(played, beside=card))
    return Step(after, (CoyoteUsed(seat),))


def _owing(state: State) -> State:
    """Keep the turn with the same player, who must raise now."""
    return state._replace(asked=state.asked + 1, bidding=state.bidding._replace(duty=Duty.RAISE))


def _with_card(by_seat: tuple[tuple[Card, ...], ...], seat: Seat, card: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple((*cards, card) if index == seat else cards for index, cards in enumerate(by_seat))


def _laid(played: Round, **cards: Any) -> Round:
    return played._replace(cards=played.cards._replace(**cards))

"""Decides which moves are legal now. Each verb has one check here, which both `apply` and the prompts use.

A check returns None if the player in turn may use the verb, else the reason why not. It assumes that `why_not_act`
returned None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from bot.engine.core import DEALER, Choice, GuessQuestion, Prompt, Questions, Seat
from bot.games.coyote.rules.actions import (
    Announce,
    Approve,
    Bet,
    Bid,
    Call,
    Flip,
    Peek,
    Reason,
    Redo,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.cards import Card, face
from bot.games.coyote.rules.editions import COINS, HIGHEST_BID, LOWEST_BID, Rules
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import Duty, Phase

# In CPython 3.11, looking up an enum member takes longer than all the rest of a plain bid.
BIDDING: Final = Phase.BIDDING
OTHER: Final = Duty.OTHER
_BETS: Final = Phase.BETS
_OVER: Final = Phase.OVER

_REFUSAL_BY_DUTY: Final = {
    Duty.RAISE: Reason.MUST_RAISE,
    Duty.AGAIN: Reason.MUST_RAISE,
    Duty.OTHER: Reason.MUST_NAME_ANOTHER,
    Duty.ANSWER: Reason.MUST_RAISE_OR_CALL,
    Duty.ANNOUNCED: Reason.MUST_RAISE,
    Duty.CHOOSE: Reason.MUST_BID_OR_WITHDRAW,
}
_BEFORE_PLUS: Final = (None, Duty.AGAIN, Duty.ANNOUNCED)
"""The duties that leave room for an announcement with the bid."""


def why_not_act(state: State, seat: Seat) -> Reason | None:
    """Return why this seat cannot act at all now."""
    if type(seat) is not int:
        return Reason.MALFORMED
    if state.phase is BIDDING and seat == state.bidding.turn:
        return None
    if state.phase is Phase.OVER:
        return Reason.MATCH_OVER
    if seat not in state.match.living:
        return Reason.NOT_PLAYING
    if state.phase is Phase.BIDDING:
        return Reason.NOT_YOUR_TURN
    return Reason.NOT_NOW if state.phase in (Phase.BETS, Phase.CALLED) else Reason.DEALERS_MOVE


def neighbour(seats: tuple[Seat, ...], seat: Seat, direction: int) -> Seat:
    """Return the next of `seats` after `seat`, which must be one of them; `direction` is 1 or -1."""
    return seats[(seats.index(seat) + direction) % len(seats)]


def lowest(state: State) -> int:
    """Return the lowest bid open to the player in turn; after "start again", the refused bid does not count."""
    bidding = state.bidding
    beat = bidding.above if bidding.duty is OTHER else bidding.bid
    if beat is not None:
        return beat + 1
    return LOWEST_BID if state.rules.min_bid is None else state.rules.min_bid


def why_not_bid(state: State, number: int) -> Reason | None:
    """A bid must beat the standing one and stay within the limits (R03, R04, R33)."""
    if state.bidding.duty is OTHER and number == state.bidding.bid:
        return Reason.SAME_NUMBER
    if number < lowest(state):
        return Reason.BID_TOO_LOW
    return Reason.BID_TOO_HIGH if number > HIGHEST_BID else None


def why_not_call(state: State) -> Reason | None:
    """Only the standing bid of another player can be called, and not if a raise is owed (R05 to R07)."""
    bidding = state.bidding
    if bidding.duty is not None and bidding.duty is not Duty.ANSWER:
        return _REFUSAL_BY_DUTY[bidding.duty]
    if bidding.bid is None:
        return Reason.NOTHING_TO_ANSWER
    return Reason.OWN_BID if bidding.bidder == bidding.turn else None


def _why_not_answer(state: State, announcement: str) -> Reason | None:
    """Check what approving, changing direction and "start again" have in common: each answers another player's bid."""
    bidding = state.bidding
    if announcement not in state.rules.announcements:
        return _why_unavailable(announcement, state)
    if bidding.duty is not None:
        return _REFUSAL_BY_DUTY[bidding.duty]
    if bidding.bid is None:
        return Reason.NOTHING_TO_ANSWER
    return Reason.ALREADY_USED if _is_used_up(state, announcement) else None


def why_not_approve(state: State) -> Reason | None:
    """Approving is not allowed twice in a row (R30)."""
    refusal = _why_not_answer(state, "approve")
    return Reason.JUST_APPROVED if refusal is None and state.bidding.approved else refusal


def why_not_turn(state: State) -> Reason | None:
    """A change of direction instead of a bid: the bidder must be able to raise (R36)."""
    if not state.rules.turns_without_bid:
        return Reason.NOT_IN_THIS_GAME
    refusal = _why_not_answer(state, "reverse")
    if refusal is not None:
        return refusal
    return Reason.NO_HIGHER_NUMBER if state.bidding.bid == HIGHEST_BID else None


def why_not_redo(state: State) -> Reason | None:
    """After "start again" there must be another number to bid (R03)."""
    refusal = _why_not_answer(state, "redo")
    if refusal is not None:
        return refusal
    bidding = state.bidding
    first = lowest(state._replace(bidding=bidding._replace(duty=OTHER)))
    others = range(first, HIGHEST_BID + 1)
    return None if len(others) > (bidding.bid in others) else Reason.NO_OTHER_NUMBER


def why_not_plus(state: State, plus: str) -> Reason | None:
    """An announcement may come with an ordinary bid, or with one made again after a change of direction (R35, R36)."""
    rules, duty = state.rules, state.bidding.duty
    if plus not in rules.pluses:
        return _why_unavailable(plus, state)
    if duty not in _BEFORE_PLUS:
        return _REFUSAL_BY_DUTY[duty]
    if _is_used_up(state, plus):
        return Reason.ALREADY_USED
    return Reason.NO_CARD_LEFT if plus == "extra" and not _card_left(state) else None


def targets(state: State, plus: str) -> tuple[Seat, ...]:
    """Return whom an announcement may name: any other player; for an extra feather, only players who wear just one."""
    worn = state.round.cards.worn
    return tuple(
        seat
        for seat in state.match.living
        if seat != state.bidding.turn and (plus == "next" or (plus == "extra" and len(worn[seat]) < 2))
    )


def why_not_flip(state: State, coin: str) -> Reason | None:
    """One coin may be flipped a turn, before declaring, and none with two players left in the game (section 4)."""
    bidding = state.bidding
    if coin not in COINS or not any(state.rules.supply):
        return Reason.NOT_IN_THIS_GAME
    if coin in state.rules.actions_off:
        return Reason.SWITCHED_OFF
    if len(state.match.living) == 2:
        return Reason.TWO_LEFT
    if bidding.duty is not None:
        return _REFUSAL_BY_DUTY[bidding.duty]
    if not state.round.coins[COINS.index(coin)]:
        return Reason.NO_COIN_LEFT
    if coin in ("skip", "guess"):
        if bidding.bidder == bidding.turn:
            return Reason.OWN_BID
        stuck = bidding.bid == HIGHEST_BID and following(state) == bidding.bidder
        return Reason.BIDDER_WOULD_BE_STUCK if stuck else None
    if bidding.bid == HIGHEST_BID:
        return Reason.NO_HIGHER_NUMBER
    return None if coin == "reverse" or _card_left(state) else Reason.NO_CARD_LEFT


def why_not_withdraw(state: State) -> Reason | None:
    """Only a right guess allows a player to sit out the round (R43)."""
    return None if state.bidding.duty is Duty.CHOOSE else Reason.NOTHING_TO_LEAVE


def following(state: State) -> Seat:
    """Return who comes after the player in turn."""
    return neighbour(state.round.active, state.bidding.turn, state.bidding.direction)


def faces(rules: Rules) -> tuple[Card, ...]:
    """Return what a guess may name: every face in the deck, once (R43)."""
    return tuple(dict.fromkeys(face(card) for card, _ in rules.deck))


def why_not_peek(state: State) -> Reason | None:
    """Peeking takes an open eye and is allowed once a turn, but not to the opener on their first turn (R53)."""
    bidding = state.bidding
    if not state.rules.has_centre:
        return Reason.NOT_IN_THIS_GAME
    if bidding.bid is None:
        return Reason.FIRST_TURN
    if bidding.looked:
        return Reason.MUST_RAISE
    if not state.match.eyes[bidding.turn][0]:
        return Reason.NO_OPEN_EYE
    return Reason.NO_HIGHER_NUMBER if bidding.bid == HIGHEST_BID else None


def why_not_use_coyote(state: State) -> Reason | None:
    """Only the holder may use the Coyote card, once a round, not on their own first turn (section 5; R54, R55)."""
    bidding = state.bidding
    if "coyote_card" not in state.rules.tricks:
        return _why_unavailable("coyote_card", state)
    if state.match.coyote_holder != bidding.turn:
        return Reason.NOT_THE_HOLDER
    if all(rung.seat != bidding.turn for rung in bidding.ladder):
        return Reason.FIRST_TURN
    if state.round.cards.beside is not None:
        return Reason.ALREADY_USED
    if bidding.bid == HIGHEST_BID:
        return Reason.NO_HIGHER_NUMBER
    return None if _card_left(state) else Reason.NO_CARD_LEFT


def bettors(state: State) -> tuple[Seat, ...]:
    """Return who still has to bet."""
    duellists = (state.bidding.turn, state.bidding.bidder)
    placed = {seat for seat, _ in state.bets}
    return tuple(seat for seat in state.match.living if seat not in duellists and seat not in placed)


def guess_question(state: State) -> GuessQuestion | None:
    """Return what people who watch may guess at: after a call, whether the bidder or the caller is right."""
    if not state.rules.guess_along or state.phase not in (Phase.BETS, Phase.CALLED):
        return None
    answers = (state.bidding.bidder, state.bidding.turn)
    return GuessQuestion(state.match.rounds, answers, state.phase is Phase.CALLED)


def _why_unavailable(action: str, state: State) -> Reason:
    return Reason.SWITCHED_OFF if action in state.rules.actions_off else Reason.NOT_IN_THIS_GAME


def _is_used_up(state: State, announcement: str) -> bool:
    """Return whether an announcement can no longer be used in this round (R64)."""
    used, seat = state.bidding.used, state.bidding.turn
    match state.rules.repeat_scope:
        case "one_each":
            return any(user == seat or "extra" == name == announcement for user, name in used)
        case "player":
            return (seat, announcement) in used
        case _:
            return any(name == announcement for _, name in used)


def _card_left(state: State) -> bool:
    return bool(state.match.pile or state.match.discard)


_ANSWERS: Final[tuple[tuple[Choice, Callable[[State], Reason | None]], ...]] = (
    (Choice(Approve), why_not_approve),
    (Choice(Turnabout), why_not_turn),
    (Choice(Redo), why_not_redo),
)
_PEEKING: Final[tuple[tuple[Choice, Callable[[State], Reason | None]], ...]] = (
    (Choice(Peek), why_not_peek),
    (Choice(UseCoyote), why_not_use_coyote),
)
_NOTHING: Final = (None,)


def questions(state: State) -> Questions:
    """Return which seats are asked now, with the ids of their questions but without the choices."""
    if state.phase is BIDDING:
        return ((state.bidding.turn, state.asked),)
    if state.phase is _BETS:
        return tuple([(seat, state.asked) for seat in bettors(state)])
    return () if state.phase is _OVER else ((DEALER, state.asked),)


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the open questions with their choices."""
    if state.phase is BIDDING:
        return (Prompt(state.asked, state.bidding.turn, _choices(state), _timeout(state)),)
    if state.phase is _BETS:
        on = (state.bidding.bidder, state.bidding.turn, None)
        return tuple([Prompt(id_, seat, (Choice(Bet, (on,)),), Bet(seat, None)) for seat, id_ in questions(state)])
    return tuple([Prompt(id_, seat, (), None) for seat, id_ in questions(state)])


def _choices(state: State) -> tuple[Choice, ...]:
    bidding, rules = state.bidding, state.rules
    first = lowest(state)
    if bidding.duty is OTHER and bidding.bid is not None:
        spans = (range(first, bidding.bid), range(max(bidding.bid + 1, first), HIGHEST_BID + 1))
        return tuple(Choice(Bid, (span, _NOTHING, _NOTHING)) for span in spans if span)
    if bidding.duty is Duty.CHOOSE:
        return (*_plain_choices(first, False), Choice(Withdraw))
    plain = _plain_choices(first, why_not_call(state) is None)
    if not rules.has_more:
        return plain
    return (*plain, *_more_choices(state, first))


@lru_cache(maxsize=4096)
def _plain_choices(first: int, may_call: bool) -> tuple[Choice, ...]:
    span = range(first, HIGHEST_BID + 1)
    bid = (Choice(Bid, (span, _NOTHING, _NOTHING)),) if span else ()
    return (*bid, Choice(Call)) if may_call else bid


def _more_choices(state: State, first: int) -> Iterator[Choice]:
    """Yield what the edition's actions add to bidding and calling."""
    rules = state.rules
    if rules.announcements:
        yield from (choice for choice, why_not in _ANSWERS if why_not(state) is None)
        yield from _pluses(state, range(first, HIGHEST_BID + 1))
    elif rules.has_centre:
        yield from (choice for choice, why_not in _PEEKING if why_not(state) is None)
    else:
        for coin in COINS:
            if why_not_flip(state, coin) is None:
                yield Choice(Flip, ((coin,), faces(rules) if coin == "guess" else _NOTHING))


def _pluses(state: State, span: range) -> Iterator[Choice]:
    several = state.rules.announces_first
    for plus in state.rules.pluses if span else ():
        if why_not_plus(state, plus) is None:
            named = targets(state, plus) if plus in ("extra", "next") else _NOTHING
            if named:
                yield Choice(Announce, ((plus,), named)) if several else Choice(Bid, (span, (plus,), named))


def _timeout(state: State) -> Bid | Call | Withdraw:
    """Return the move made for a player who does not answer in time; it never depends on what they see (R60)."""
    bidding, rules = state.bidding, state.rules
    seat = bidding.turn
    if bidding.duty is Duty.CHOOSE:
        return Withdraw(seat)
    if why_not_call(state) is None:
        return Call(seat)
    if bidding.bid is None:
        return Bid(seat, 1 if rules.min_bid is None else rules.min_bid)
    if bidding.bid < HIGHEST_BID:
        return Bid(seat, bidding.bid + 1)
    return Bid(seat, lowest(state))

"""Applies bids, calls and bets, and the announcements of `scout` and `tomahawk`."""

from __future__ import annotations

from types import NoneType
from typing import Final

from bot.engine.core import Rejected, Seat, Step
from bot.games.coyote.rules import legal
from bot.games.coyote.rules.actions import (
    Announce,
    Announced,
    AnnouncementAdded,
    Approve,
    Bet,
    BetPlaced,
    Bid,
    Call,
    Called,
    DirectionChanged,
    Reason,
    Redo,
    RedoDemanded,
    Turnabout,
)
from bot.games.coyote.rules.editions import HIGHEST_BID
from bot.games.coyote.rules.rounds import await_reveal, await_shuffle, draw, settle_showdown
from bot.games.coyote.rules.state import Bidding, Match, Round, State
from bot.games.coyote.rules.view import Duty, Phase

_PLUS_TYPES: Final = (str, NoneType)
_TARGET_TYPES: Final = (int, NoneType)


def refuse(state: State, reason: Reason) -> Rejected:
    """Return a refusal with the details that a helpful message may need."""
    bidding = state.bidding
    if state.phase is not Phase.BIDDING:
        return Rejected(reason)
    return Rejected(
        reason,
        turn=bidding.turn,
        after=bidding.asker if bidding.duty is legal.OTHER else legal.following(state),
        bid=bidding.bid,
        lowest=legal.lowest(state),
        highest=HIGHEST_BID,
        may_call=legal.why_not_call(state) is None,
    )


def check(state: State, seat: Seat, why_not: Reason | None) -> None:
    """Raise a refusal if the seat may not act at all, or else if there is a reason against this action."""
    reason = legal.why_not_act(state, seat) or why_not
    if reason is not None:
        raise refuse(state, reason)


def bid(state: State, action: Bid) -> Step[State]:
    """Name a number; the turn passes on, or back to the player who said "start again"."""
    seat, number, plus, target = action
    if type(number) is not int:
        raise Rejected(Reason.MALFORMED)
    reason = legal.why_not_act(state, seat) or legal.why_not_bid(state, number)
    if reason is None and (plus is not None or target is not None):
        reason = _why_not_bid_with(state, plus, target)
    if reason is not None:
        raise refuse(state, reason)

    before, played, match = state.bidding, state.round, state.match
    direction, asker = before.direction, before.asker
    if plus == "reverse":
        direction = -direction
    answered = before.duty is legal.OTHER
    turn = asker if answered else legal.neighbour(played.active, seat, direction)
    doubled = plus == "double"
    for announced_before, named in before.collected:
        doubled = doubled or announced_before == "double"
        turn = turn if announced_before != "next" or named is None else named
    if target is not None:
        if plus == "next":
            turn = target
        elif not match.pile:
            return await_shuffle(state, action)
        else:
            match, played = _with_feather(state, target)
    announced = Announced(seat, number, plus, target)
    after = Bidding(
        direction,
        turn,
        number,
        seat,
        before.above if answered else before.bid,
        Duty.ANSWER if answered else None,
        doubled,
        False,
        False,
        asker,
        before.used if plus is None else (*before.used, (seat, plus)),
        (*before.ladder, announced),
    )
    return Step(State(state.rules, legal.BIDDING, state.asked + 1, match, played, after), (announced,))


def _with_feather(state: State, target: Seat) -> tuple[Match, Round]:
    """Draw a second feather for a player, who wears it unseen."""
    card, match, played = draw(state, unseen_by=target)
    worn = list(played.cards.worn)
    worn[target] = (*worn[target], card)
    return match, played._replace(cards=played.cards._replace(worn=tuple(worn)))


def announce(state: State, action: Announce) -> Step[State]:
    """`tomahawk`: make an announcement for one's next bid; the same player goes on, and must bid (R34)."""
    seat, plus, target = action
    reason = legal.why_not_act(state, seat) or why_not_announce(state, plus)
    check(state, seat, reason or _why_not_with(state, plus, target))
    if plus == "extra" and not state.match.pile:
        return await_shuffle(state, action)
    before = state.bidding
    after = before._replace(
        duty=before.duty or Duty.ANNOUNCED,
        used=(*before.used, (seat, plus)),
        collected=(*before.collected, (plus, target)),
    )
    announced = state._replace(asked=state.asked + 1, bidding=after)
    if plus == "extra" and target is not None:
        match, played = _with_feather(state, target)
        announced = announced._replace(match=match, round=played)
    return Step(announced, (AnnouncementAdded(seat, plus, target),))


def why_not_announce(state: State, plus: str) -> Reason | None:
    """Return why the player in turn may not make an announcement before naming a number."""
    if not state.rules.announces_first or legal.lowest(state) > HIGHEST_BID:
        return Reason.NO_HIGHER_NUMBER if state.rules.announces_first else Reason.NOT_IN_THIS_GAME
    return legal.why_not_plus(state, plus)


def why_not_any_bid(state: State, plus: str | None, target: Seat | None) -> Reason | None:
    """Return why the player in turn may not bid with this announcement and target, whatever the number."""
    if legal.lowest(state) > HIGHEST_BID:
        return Reason.BID_TOO_LOW
    return None if plus is None and target is None else _why_not_bid_with(state, plus, target)


def _why_not_bid_with(state: State, plus: str | None, target: Seat | None) -> Reason | None:
    reason = _why_not_with(state, plus, target)
    return Reason.ANNOUNCE_FIRST if reason is None and state.rules.announces_first else reason


def _why_not_with(state: State, plus: str | None, target: Seat | None) -> Reason | None:
    if type(plus) not in _PLUS_TYPES or type(target) not in _TARGET_TYPES:
        return Reason.MALFORMED
    if plus is None:
        return Reason.NEEDS_NO_TARGET
    reason = legal.why_not_plus(state, plus)
    if reason is not None:
        return reason
    if plus in ("double", "reverse"):
        return None if target is None else Reason.NEEDS_NO_TARGET
    if target is None:
        return Reason.NEEDS_TARGET
    return None if target in legal.targets(state, plus) else Reason.NO_SUCH_TARGET


def approve(state: State, action: Approve) -> Step[State]:
    """Take over the standing number; the next player may do anything but approve (R30)."""
    seat = action.seat
    check(state, seat, legal.why_not_approve(state))
    before = state.bidding
    announced = Announced(seat, before.bid or 0, "approve", None)
    after = before._replace(
        turn=legal.following(state),
        bidder=seat,
        above=before.bid,
        doubled=False,
        approved=True,
        used=(*before.used, (seat, "approve")),
        ladder=(*before.ladder, announced),
    )
    return Step(state._replace(asked=state.asked + 1, bidding=after), (announced,))


def turn_about(state: State, action: Turnabout) -> Step[State]:
    """`tomahawk`: flip the direction and hand the turn back to the bidder, who must go higher (R36)."""
    seat = action.seat
    check(state, seat, legal.why_not_turn(state))
    before = state.bidding
    after = before._replace(
        direction=-before.direction,
        turn=before.bidder,
        duty=Duty.AGAIN,
        doubled=False,
        used=(*before.used, (seat, "reverse")),
    )
    return Step(state._replace(asked=state.asked + 1, bidding=after), (DirectionChanged(seat, before.bidder),))


def redo(state: State, action: Redo) -> Step[State]:
    """Cancel the standing announcement: its bidder must name another number (R31 to R33)."""
    seat = action.seat
    check(state, seat, legal.why_not_redo(state))
    before = state.bidding
    *below, refused = before.ladder
    after = before._replace(
        turn=before.bidder,
        duty=Duty.OTHER,
        doubled=False,
        asker=seat,
        used=(*before.used, (seat, "redo")),
        ladder=(*below, refused._replace(refused=True)),
    )
    return Step(state._replace(asked=state.asked + 1, bidding=after), (RedoDemanded(seat, before.bidder),))


def call(state: State, action: Call) -> Step[State]:
    """Say "Coyote!": the reveal follows. In the trickster variant, the other players bet first."""
    seat = action.seat
    check(state, seat, legal.why_not_call(state))
    bidding = state.bidding
    called = Called(seat, bidding.bidder, bidding.bid or 0)
    if "bet" in state.rules.tricks and len(state.match.living) > 2:
        return Step(state._replace(phase=Phase.BETS, asked=state.asked + 1), (called,))
    if state.rules.guess_along:
        return await_reveal(state, called)
    return settle_showdown(state, called) or await_shuffle(state, action)


def why_not_bet(state: State, seat: Seat) -> Rejected | None:
    """Return why a seat may not bet now."""
    if state.phase is Phase.OVER:
        return Rejected(Reason.MATCH_OVER)
    if seat not in state.match.living:
        return Rejected(Reason.NOT_PLAYING)
    if state.phase is not Phase.BETS:
        return refuse(state, Reason.NOT_NOW)
    if seat in legal.bettors(state):
        return None
    duellist = seat in (state.bidding.turn, state.bidding.bidder)
    return Rejected(Reason.NOT_A_BETTOR if duellist else Reason.ALREADY_BET)


def bet(state: State, action: Bet) -> Step[State]:
    """Bet on a duellist, in secret; the reveal follows the last bet (R57)."""
    seat, on = action
    refused = why_not_bet(state, seat)
    if refused is not None:
        raise refused
    if on not in (state.bidding.turn, state.bidding.bidder, None):
        raise Rejected(Reason.NO_SUCH_TARGET)
    placed = state._replace(bets=(*state.bets, (seat, on)))
    if len(legal.bettors(state)) > 1:
        return Step(placed, (BetPlaced(seat),))
    if state.rules.guess_along:
        return await_reveal(placed, BetPlaced(seat))
    return settle_showdown(placed, BetPlaced(seat)) or await_shuffle(state, action)

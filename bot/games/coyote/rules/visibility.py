"""Builds from scratch what each viewer may know of a match (section 7): hidden cards leave the rules only here."""

from __future__ import annotations

from bot.engine.core import DEALER, Seat
from bot.games.coyote.rules import legal
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import COINS
from bot.games.coyote.rules.state import Round, State
from bot.games.coyote.rules.view import CoyoteView, Phase, SeatView


def view_for(state: State, viewer: Seat | None) -> CoyoteView:
    """Return everything that `viewer` may know at this moment (section 7)."""
    match, played, standing = state.match, state.round, state.bidding
    playing = viewer is not None and viewer in match.living and state.phase is not Phase.OVER
    betting = state.phase is Phase.BETS
    called = betting or state.phase is Phase.CALLED
    return CoyoteView(
        viewer=viewer,
        rules=state.rules,
        phase=state.phase,
        number=match.rounds,
        starter=match.starter,
        shuffled=played.shuffled,
        seats=tuple(_seat_view(state, Seat(seat), viewer if playing else None) for seat in range(len(match.tokens))),
        turn=standing.turn if state.phase is Phase.BIDDING else None,
        direction=standing.direction,
        bid=standing.bid,
        bidder=None if standing.bid is None else standing.bidder,
        duty=standing.duty,
        doubled=standing.doubled,
        collected=standing.collected,
        ladder=standing.ladder,
        used=standing.used,
        coins=tuple(zip(COINS, played.coins, strict=True)),
        centre=played.cards.centre if playing and viewer in played.peeked else None,
        peeked=played.peeked,
        coyote_holder=match.coyote_holder,
        coyote_used=played.cards.beside is not None,
        coyote_card=played.cards.beside if playing and viewer == match.coyote_holder else None,
        caller=standing.turn if called else None,
        bettors=legal.bettors(state) if betting else (),
        own_bet=next(((on,) for seat, on in state.bets if seat == viewer), None),
        pile=len(match.pile),
        discard=match.discard,
        returned=_returned(played, viewer if playing else None),
        last=match.last,
        out=match.out,
        winner=match.living[0] if state.phase is Phase.OVER else None,
        prompt=next((prompt for prompt in legal.prompts(state) if prompt.seat == viewer), None),
    )


def open_view(state: State) -> CoyoteView:
    """Return a bystander's view with all feathers and cards laid open."""
    cards, view = state.round.cards, view_for(state, None)
    return view._replace(
        seats=tuple(seat._replace(worn=cards.worn[seat.seat], covered=cards.covered[seat.seat]) for seat in view.seats),
        centre=cards.centre,
        coyote_card=cards.beside,
    )


def _returned(played: Round, viewer: Seat | None) -> tuple[Card, ...]:
    """Return the cards of the renewed pile that the viewer has not seen drawn; a bystander sees only open ones."""
    left = list(played.returned)
    for hidden_from, card in played.drawn:
        if hidden_from == DEALER or viewer not in (None, hidden_from):
            left.remove(card)
    return tuple(left)


def _seat_view(state: State, seat: Seat, viewer: Seat | None) -> SeatView:
    """Return one seat as a living viewer sees it, or as a bystander does if `viewer` is None."""
    match, played = state.match, state.round
    living = seat in match.living
    withdrawn = living and bool(played.active) and seat not in played.active
    is_open = withdrawn or seat in played.shown
    others_see = viewer is not None and viewer != seat
    return SeatView(
        seat=seat,
        living=living,
        withdrawn=withdrawn,
        tokens=match.tokens[seat],
        eyes=match.eyes[seat],
        feathers=len(played.cards.worn[seat]) + len(played.cards.covered[seat]),
        worn=played.cards.worn[seat] if others_see or is_open else None,
        opened=played.cards.opened[seat],
        covered=played.cards.covered[seat] if others_see else None,
    )


def private_news(before: State, after: State) -> tuple[Seat, ...]:
    """Return the seats whose private view has changed: all if a card has moved, else those that just peeked."""
    old, new = before.round, after.round
    if old is new or not new.active:
        return ()
    if (old.number, old.cards) != (new.number, new.cards):
        return after.match.living
    return tuple(seat for seat in new.peeked if seat not in old.peeked)

"""The rules of Coyote: `apply` is the only way in, `view_for` the only way out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.engine.core import DEALER, Game, Json, Leave, Outcome, Rejected, Seat, Step
from bot.games.coyote.rules import bidding as talk
from bot.games.coyote.rules import codec, coins, legal, rounds
from bot.games.coyote.rules.actions import (
    Action,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Reason,
    Redo,
    Shuffle,
    Turnabout,
    UseCoyote,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import COINS, Rules, check_table, rules_from
from bot.games.coyote.rules.state import Bidding, Match, Round, State, no_round
from bot.games.coyote.rules.view import CoyoteView, Phase, SeatView

prompts = legal.prompts
questions = legal.questions
deal = rounds.propose


def setup(options: Mapping[str, Json], players: int, starter: Seat | None = None) -> State:
    """Open a match; the dealer's first deal comes next. Raises Rejected if the table cannot be."""
    rules = rules_from(options)
    check_table(rules, players)
    if starter is not None and not 0 <= starter < players:
        raise Rejected(Reason.WRONG_STARTER)
    return position(rules, players, starter=starter)


def position(
    rules: Rules,
    players: int,
    *,
    starter: Seat | None = None,
    out: tuple[Seat, ...] = (),
    tokens: Mapping[Seat, int] | None = None,
    eyes: Mapping[Seat, tuple[int, int]] | None = None,
    coyote_holder: Seat | None = None,
    piles: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None,
) -> State:
    """Return a match before a deal, from any point on. `piles` are pile and discard; None: all to be shuffled."""
    seats = [Seat(seat) for seat in range(players)]
    pile, discard = piles or ((), ())
    match = Match(
        living=tuple(seat for seat in seats if seat not in out),
        out=out,
        tokens=tuple((tokens or {}).get(seat, 0) for seat in seats),
        eyes=tuple((eyes or {}).get(seat, rules.eyes if rules.has_centre else (0, 0)) for seat in seats),
        coyote_holder=coyote_holder,
        starter=starter,
        rounds=0,
        pile=pile,
        discard=discard,
        shuffle_due=piles is None,
        last=None,
    )
    return State(rules, Phase.DEAL, 0, match, no_round(players), Bidding())


def apply(state: State, action: Action) -> Step[State]:
    """Judge one action; raise Rejected and change nothing if it breaks a rule."""
    return _JUDGES[type(action)](state, action)


def _shuffle(state: State, action: Shuffle) -> Step[State]:
    """Renew the pile, then judge the action that waited for it."""
    renewed, pending, event = rounds.shuffle(state, action)
    judged = apply(renewed, pending)
    return Step(judged.state, (event, *judged.events))


_JUDGES: Final[dict[type, Callable[[State, Any], Step[State]]]] = {
    Bid: talk.bid,
    Call: talk.call,
    Approve: talk.approve,
    Turnabout: talk.turn_about,
    Redo: talk.redo,
    Flip: coins.flip,
    Peek: coins.peek,
    UseCoyote: coins.use_coyote,
    Bet: talk.bet,
    Leave: rounds.leave,
    Deal: rounds.deal,
    Shuffle: _shuffle,
}


def seated(state: State) -> tuple[Seat, ...]:
    """Return the seats that may leave: the living, while the match runs."""
    return () if state.phase is Phase.OVER else state.match.living


def outcome(state: State) -> Outcome | None:
    """Return the places once one player is left: the later one went out, the better."""
    if state.phase is not Phase.OVER:
        return None
    order = (*state.match.out, *state.match.living)
    places = tuple(len(order) - order.index(Seat(seat)) for seat in range(len(order)))
    return Outcome(state.match.living, places)


def view_for(state: State, viewer: Seat | None) -> CoyoteView:
    """Return everything that `viewer` may know at this moment (section 7)."""
    match, played, bidding = state.match, state.round, state.bidding
    playing = viewer is not None and viewer in match.living and state.phase is not Phase.OVER
    betting = state.phase is Phase.BETS
    return CoyoteView(
        viewer=viewer,
        rules=state.rules,
        phase=state.phase,
        number=match.rounds,
        starter=match.starter,
        shuffled=played.shuffled,
        seats=tuple(_seat_view(state, Seat(seat), viewer if playing else None) for seat in range(len(match.tokens))),
        turn=bidding.turn if state.phase is Phase.BIDDING else None,
        direction=bidding.direction,
        bid=bidding.bid,
        bidder=None if bidding.bid is None else bidding.bidder,
        duty=bidding.duty,
        doubled=bidding.doubled,
        ladder=bidding.ladder,
        used=bidding.used,
        coins=tuple(zip(COINS, played.coins, strict=True)),
        centre=played.cards.centre if playing and viewer in played.peeked else None,
        peeked=played.peeked,
        coyote_holder=match.coyote_holder,
        coyote_used=played.cards.beside is not None,
        coyote_card=played.cards.beside if playing and viewer == match.coyote_holder else None,
        caller=bidding.turn if betting else None,
        bettors=legal.bettors(state) if betting else (),
        own_bet=next(((on,) for seat, on in state.bets if seat == viewer), None),
        pile=len(match.pile),
        discard=match.discard,
        returned=_returned(played, viewer if playing else None),
        last=match.last,
        best=match.best,
        out=match.out,
        winner=match.living[0] if state.phase is Phase.OVER else None,
        prompt=next((prompt for prompt in legal.prompts(state) if prompt.seat == viewer), None),
    )


def _returned(played: Round, viewer: Seat | None) -> tuple[Card, ...]:
    """Return what of the renewed pile the viewer has not seen again; a bystander sees only what lies open."""
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
    others_see = viewer is not None and viewer != seat
    return SeatView(
        seat=seat,
        living=living,
        withdrawn=withdrawn,
        tokens=match.tokens[seat],
        eyes=match.eyes[seat],
        feathers=len(played.cards.worn[seat]) + len(played.cards.covered[seat]),
        worn=played.cards.worn[seat] if others_see or withdrawn else None,
        opened=played.cards.opened[seat],
        covered=played.cards.covered[seat] if others_see else None,
    )


def why_not_asked(state: State, seat: Seat) -> Rejected | None:
    """Return why a seat may not speak now; None if it is in turn."""
    reason = legal.gate(state, seat)
    return None if reason is None else talk.refuse(state, reason)


def ended(state: State) -> int:
    """Return the number of the last round that came to its end, whatever ended it."""
    last = state.match.last
    return 0 if last is None else last.number


def private_news(before: State, after: State) -> tuple[Seat, ...]:
    """Return who sees other feathers: all who play, if any card has moved; else who has just peeked."""
    old, new = before.round, after.round
    if old is new or not new.active:
        return ()
    if (old.number, old.cards) != (new.number, new.cards):
        return after.match.living
    return tuple(seat for seat in new.peeked if seat not in old.peeked)


GAME: Final = Game(
    name="coyote",
    setup=setup,
    apply=apply,
    view_for=view_for,
    prompts=prompts,
    questions=questions,
    deal=deal,
    seated=seated,
    outcome=outcome,
    dump=codec.dump,
    load=codec.load,
    dump_action=codec.dump_action,
    load_action=codec.load_action,
    ended=ended,
    why_not_asked=why_not_asked,
    private_news=private_news,
)

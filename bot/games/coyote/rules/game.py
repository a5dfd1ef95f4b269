"""The rules of Coyote: `apply` is the only way in, `view_for` the only way out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from bot.engine.core import DEALER, Game, Json, Leave, Outcome, Rejected, Seat, Step, all_choices
from bot.engine.shapes import shape_of
from bot.games.coyote.rules import bidding, codec, coins, legal, rounds, version_1
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
from bot.games.coyote.rules.editions import COINS, NAME, Rules, check_table, rules_from
from bot.games.coyote.rules.state import Bidding, Match, Round, State, no_round
from bot.games.coyote.rules.view import CoyoteView, Phase, SeatView

prompts = legal.prompts
questions = legal.questions
deal = rounds.propose


def setup(options: Mapping[str, Json], players: int, starter: Seat | None = None) -> State:
    """Open a match; the dealer's first deal comes next. Raises Rejected if the table cannot be."""
    rules = rules_from(options)
    check_table(rules, players)
    if starter is not None and (type(starter) is not int or not 0 <= starter < players):
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
        eyes=tuple((eyes or {}).get(seat, rules.eyes) for seat in seats),
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
    try:
        judge = _JUDGES[type(action)]
    except KeyError:
        raise Rejected(Reason.MALFORMED) from None
    return judge(state, action)


def _shuffle(state: State, action: Shuffle) -> Step[State]:
    """Renew the pile, then judge the action that waited for it."""
    renewed, pending, event = rounds.shuffle(state, action)
    judged = apply(renewed, pending)
    return Step(judged.state, (event, *judged.events))


Judge: TypeAlias = Callable[[State, Any], Step[State]]


def _checked(verb: type, judge: Judge) -> Judge:
    """Return a judge that refuses fields of a wrong type first."""
    is_well_formed = shape_of(verb)

    def judge_well_formed(state: State, action: Any) -> Step[State]:
        if not is_well_formed(action):
            raise Rejected(Reason.MALFORMED)
        return judge(state, action)

    return judge_well_formed


_JUDGES: Final[dict[type, Judge]] = {
    # A seat in turn is checked by `legal.why_not_act`, and a bid checks its own fields: these are what players do most.
    Bid: bidding.bid,
    Call: bidding.call,
    Approve: bidding.approve,
    Turnabout: bidding.turn_about,
    Redo: bidding.redo,
    Flip: _checked(Flip, coins.flip),
    Peek: coins.peek,
    UseCoyote: coins.use_coyote,
    Bet: _checked(Bet, bidding.bet),
    Leave: _checked(Leave, rounds.leave),
    Deal: _checked(Deal, rounds.deal),
    Shuffle: _checked(Shuffle, _shuffle),
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
    match, played, standing = state.match, state.round, state.bidding
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
        turn=standing.turn if state.phase is Phase.BIDDING else None,
        direction=standing.direction,
        bid=standing.bid,
        bidder=None if standing.bid is None else standing.bidder,
        duty=standing.duty,
        doubled=standing.doubled,
        ladder=standing.ladder,
        used=standing.used,
        coins=tuple(zip(COINS, played.coins, strict=True)),
        centre=played.cards.centre if playing and viewer in played.peeked else None,
        peeked=played.peeked,
        coyote_holder=match.coyote_holder,
        coyote_used=played.cards.beside is not None,
        coyote_card=played.cards.beside if playing and viewer == match.coyote_holder else None,
        caller=standing.turn if betting else None,
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


def open_view(state: State) -> CoyoteView:
    """Return a bystander's view with all feathers and cards laid open."""
    cards, view = state.round.cards, view_for(state, None)
    return view._replace(
        seats=tuple(seat._replace(worn=cards.worn[seat.seat], covered=cards.covered[seat.seat]) for seat in view.seats),
        centre=cards.centre,
        coyote_card=cards.beside,
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
    reason = legal.why_not_act(state, seat)
    return None if reason is None else bidding.refuse(state, reason)


def ended(state: State) -> int:
    """Return the number of the last round that has ended."""
    last = state.match.last
    return 0 if last is None else last.number


def private_news(before: State, after: State) -> tuple[Seat, ...]:
    """Return who sees other feathers: all players if a card has moved, else those who have just peeked."""
    old, new = before.round, after.round
    if old is new or not new.active:
        return ()
    if (old.number, old.cards) != (new.number, new.cards):
        return after.match.living
    return tuple(seat for seat in new.peeked if seat not in old.peeked)


GAME: Final = Game(
    name=NAME,
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
    public_choices=all_choices,
    open_view=open_view,
    upgrade=version_1.upgrade,
)

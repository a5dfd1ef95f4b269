"""Assembles the rules of Coyote: only `apply` changes a match, and only `view_for` shows it to a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from bot.engine.core import Game, Json, Leave, Outcome, Rejected, Seat, Step, all_choices
from bot.engine.shapes import shape_of
from bot.games.coyote.rules import bidding, codec, coins, legal, rounds, version_1, visibility
from bot.games.coyote.rules.actions import (
    Action,
    Announce,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Reason,
    Redo,
    Reveal,
    Shuffle,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import NAME, Rules, check_table, rules_from
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.state import Bidding, Match, State, no_round
from bot.games.coyote.rules.view import Phase

prompts = legal.prompts
questions = legal.questions
deal = rounds.propose
view_for = visibility.view_for
open_view = visibility.open_view
private_news = visibility.private_news


def setup(options: Mapping[str, Json], players: int, starter: Seat | None = None) -> State:
    """Open a match, ready for the first deal; raise Rejected if the options or the number of players do not fit."""
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
    """Return a match in any position before a deal. `piles` are pile and discard; None means that a shuffle is due."""
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
    """Apply one action; raise Rejected and change nothing if it breaks a rule."""
    try:
        judge = _JUDGES[type(action)]
    except KeyError:
        raise Rejected(Reason.MALFORMED) from None
    return judge(state, action)


def _shuffle(state: State, action: Shuffle) -> Step[State]:
    """Renew the pile, then apply the action that waited for it."""
    renewed, pending, event = rounds.shuffle(state, action)
    judged = apply(renewed, pending)
    return Step(judged.state, (event, *judged.events))


Judge: TypeAlias = Callable[[State, Any], Step[State]]


def _checked(verb: type, judge: Judge) -> Judge:
    """Return a judge that first refuses fields of the wrong type."""
    is_well_formed = shape_of(verb)

    def judge_well_formed(state: State, action: Any) -> Step[State]:
        if not is_well_formed(action):
            raise Rejected(Reason.MALFORMED)
        return judge(state, action)

    return judge_well_formed


_JUDGES: Final[dict[type, Judge]] = {
    # Not all need `_checked`: `legal.why_not_act` checks the seat, and `bid`, the most frequent, checks its own fields.
    Bid: bidding.bid,
    Call: bidding.call,
    Approve: bidding.approve,
    Turnabout: bidding.turn_about,
    Redo: bidding.redo,
    Announce: _checked(Announce, bidding.announce),
    Flip: _checked(Flip, coins.flip),
    Withdraw: coins.withdraw,
    Peek: coins.peek,
    UseCoyote: coins.use_coyote,
    Bet: _checked(Bet, bidding.bet),
    Leave: _checked(Leave, rounds.leave),
    Deal: _checked(Deal, rounds.deal),
    Shuffle: _checked(Shuffle, _shuffle),
    Reveal: _checked(Reveal, rounds.reveal),
}


def seated(state: State) -> tuple[Seat, ...]:
    """Return the seats that may leave: the living, while the match runs."""
    return () if state.phase is Phase.OVER else state.match.living


def outcome(state: State) -> Outcome | None:
    """Return the places once one player is left: the later a player went out, the better."""
    if state.phase is not Phase.OVER:
        return None
    order = (*state.match.out, *state.match.living)
    places = tuple(len(order) - order.index(Seat(seat)) for seat in range(len(order)))
    return Outcome(state.match.living, places)


def standing(state: State, seat: Seat) -> int:
    """Return how well a seat stands: by the peek cards that it has left, or by its coins, which count against it."""
    return sum(state.match.eyes[seat]) - state.match.tokens[seat]


def why_not_asked(state: State, seat: Seat) -> Rejected | None:
    """Return why a seat may not act now; None if it is its turn."""
    reason = legal.why_not_act(state, seat)
    return None if reason is None else bidding.refuse(state, reason)


def why_not_verb(state: State, seat: Seat, do: str, known: Mapping[str, Json]) -> Rejected | None:
    """Return why a seat may not bid, flip a coin or bet now, whatever number, feather or player it goes on to name."""
    if do == "bet":
        return bidding.why_not_bet(state, seat)
    reason = legal.why_not_act(state, seat)
    if reason is None and do == "bid":
        reason = bidding.why_not_any_bid(state, known.get("plus"), known.get("target"))
    if reason is None and do == "coin":
        reason = legal.why_not_flip(state, known["coin"])
    return None if reason is None else bidding.refuse(state, reason)


def rounds_ended(state: State) -> int:
    """Return the number of the last round that ended; 0 before that."""
    last = state.match.last
    return 0 if last is None else last.number


def concerned(state: State) -> tuple[Seat, ...]:
    """Return the two duellists of the last round, or the player who ended it by a wrong guess."""
    last = state.match.last
    if last is None:
        return ()
    found = (last.caller, last.bidder) if last.ending is Ending.SHOWDOWN else (last.loser,)
    return tuple([seat for seat in found if seat is not None])


def guess_answer(state: State) -> Seat | None:
    """Return which duellist was right in the last round; None if it ended without a call."""
    last = state.match.last
    if last is None or last.ending is not Ending.SHOWDOWN:
        return None
    return last.caller if last.loser == last.bidder else last.bidder


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
    standing=standing,
    dump=codec.dump,
    load=codec.load,
    dump_action=codec.dump_action,
    load_action=codec.load_action,
    rounds_ended=rounds_ended,
    why_not_asked=why_not_asked,
    why_not_verb=why_not_verb,
    private_news=private_news,
    public_choices=all_choices,
    open_view=open_view,
    concerned=concerned,
    guess_seconds=lambda state: state.rules.guess_along,
    guess_question=legal.guess_question,
    guess_answer=guess_answer,
    upgrade=version_1.upgrade,
)

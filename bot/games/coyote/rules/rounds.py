"""Applies everything but bids and special actions: dealing, drawing, the reveal, paying, leaving."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random
from typing import Final, TypeAlias

from bot.engine.core import DEALER, Leave, Rejected, Seat, Step
from bot.engine.frozen import Frozen
from bot.games.coyote.rules.actions import (
    Bet,
    Deal,
    Dealt,
    Event,
    MatchWon,
    PileRenewed,
    PlayerAction,
    Reason,
    Reveal,
    RoundEnded,
    SeatLeft,
    Shuffle,
)
from bot.games.coyote.rules.cards import NIGHT, Card
from bot.games.coyote.rules.counting import Count, count, turn_questions
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.legal import BIDDING, neighbour
from bot.games.coyote.rules.results import Ending, Result, SettledBet, Spread
from bot.games.coyote.rules.state import Bidding, Match, Round, State, no_round
from bot.games.coyote.rules.view import Phase

Tokens: TypeAlias = tuple[int, ...]
Eyes: TypeAlias = tuple[tuple[int, int], ...]

_DEAL: Final = Phase.DEAL
_SHUFFLE: Final = Phase.SHUFFLE
_SHOWDOWN: Final = Ending.SHOWDOWN
_NO_BIDS: Final = Bidding()
_BEFORE_SHUFFLE: Final[dict[type, Phase]] = {Bet: Phase.BETS, Reveal: Phase.CALLED}
"""In which phase an action came that waits for a shuffle, if not during the bidding."""


class Verdict(Frozen, frozen=True):
    """Who pays for a round and who opens the next, before anybody has paid."""

    ending: Ending
    starter: Seat
    loser: Seat | None = None
    penalty: int = 0
    if_out: Seat | None = None
    """Who opens if the starter is out; if None, the next living seat to the starter's left."""
    gone: Seat | None = None
    """Who left."""
    named: Card | None = None
    """The face that a wrong guess named."""


def needs_shuffle(state: State) -> bool:
    """Return whether all cards are shuffled before the next deal: first deal, night, `peek`, short pile (R13)."""
    match = state.match
    return match.shuffle_due or len(match.pile) < len(match.living) + state.rules.has_centre


def propose(state: State, rng: Random) -> Deal | Shuffle | Reveal:
    """Return what the dealer does now, drawn with `rng`."""
    if state.phase is Phase.CALLED:
        return Reveal(DEALER)
    if state.phase is _SHUFFLE:
        return Shuffle(DEALER, _shuffled(state.match.discard, rng))
    match = state.match
    order = _shuffled(state.rules.cards, rng) if needs_shuffle(state) else ()
    starter = None if match.starter is not None else rng.choice(match.living)
    return Deal(DEALER, order, starter)


def _shuffled(cards: tuple[Card, ...], rng: Random) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda _: rng.random()))


def deal(state: State, action: Deal) -> Step[State]:
    """Begin a round: one feather to every living seat in seat order, then the centre card (R63)."""
    if state.phase is not _DEAL or action.seat != DEALER:
        raise Rejected(Reason.MATCH_OVER if state.phase is Phase.OVER else Reason.NOT_NOW)
    rules, shuffled = state.rules, needs_shuffle(state)
    # Compared as plain dicts, which is faster: Counter compares in Python code, where a missing card counts as 0.
    if shuffled != bool(action.order) or (shuffled and not dict.__eq__(Counter(action.order), rules.census)):
        raise Rejected(Reason.WRONG_ORDER)
    before, bare = state.match, state.round.cards.worn
    starter, living = _first_starter(before, action.starter), before.living
    pile = action.order if shuffled else before.pile
    worn = list(bare)
    for seat, card in zip(living, pile, strict=False):
        worn[seat] = (card,)
    taken = len(living)
    centre = None
    if rules.has_centre:
        centre = pile[taken]
        taken += 1
    number = before.rounds + 1
    match = Match(
        living,
        before.tokens,
        before.eyes,
        number,
        pile[taken:],
        () if shuffled else before.discard,
        before.out,
        before.coyote_holder,
        starter,
        False,
        before.last,
    )
    cards = Spread(tuple(worn), bare, bare, centre)
    dealt = Round(number, starter, living, cards, rules.supply, shuffled)
    return Step(
        State(rules, BIDDING, state.asked + 1, match, dealt, Bidding(1, starter)),
        (Dealt(number, starter, shuffled),),
    )


def _first_starter(match: Match, named: Seat | None) -> Seat:
    """Return who opens; chance names them for the first deal only, and only if nobody was chosen (R01)."""
    if match.starter is None:
        if named is None or named not in match.living:
            raise Rejected(Reason.WRONG_STARTER)
        return named
    if named is not None:
        raise Rejected(Reason.WRONG_STARTER)
    return match.starter


def await_shuffle(state: State, action: PlayerAction | Reveal) -> Step[State]:
    """Let `action` wait until the dealer has shuffled the discard under the pile (R10, R49)."""
    return Step(state._replace(phase=Phase.SHUFFLE, asked=state.asked + 1, pending=action), ())


def shuffle(state: State, action: Shuffle) -> tuple[State, PlayerAction | Reveal, PileRenewed]:
    """Return the state with the pile renewed, and the action that waited for it and can now be judged."""
    pending = state.pending
    if pending is None or action.seat != DEALER:
        raise Rejected(Reason.MATCH_OVER if state.phase is Phase.OVER else Reason.NOT_NOW)
    if Counter(action.order) != Counter(state.match.discard):
        raise Rejected(Reason.WRONG_ORDER)
    match = state.match._replace(pile=state.match.pile + action.order, discard=())
    played = state.round._replace(returned=state.match.discard)
    phase = _BEFORE_SHUFFLE.get(type(pending), Phase.BIDDING)
    renewed = state._replace(phase=phase, match=match, round=played, pending=None)
    return renewed, pending, PileRenewed(len(action.order))


def draw(state: State, *, unseen_by: Seat | None) -> tuple[Card, Match, Round]:
    """Take the top card of the pile, which must not be empty.

    If the discard was shuffled in during this round, everybody has seen the card before, so note who cannot see it now.
    `unseen_by` is that seat, DEALER for a card that lies open, or None for one that only the drawing player sees.
    """
    match, played = state.match, state.round
    card = match.pile[0]
    if played.returned and unseen_by is not None:
        played = played._replace(drawn=(*played.drawn, (unseen_by, card)))
    return card, match._replace(pile=match.pile[1:]), played


def await_reveal(state: State, cause: Event) -> Step[State]:
    """Let the dealer reveal the feathers later, after `cause`, so that people who watch can guess who is right."""
    return Step(state._replace(phase=Phase.CALLED, asked=state.asked + 1), (cause,))


def reveal(state: State, action: Reveal) -> Step[State]:
    """Reveal the feathers after a call that had to wait."""
    if state.phase is not Phase.CALLED or action.seat != DEALER:
        raise Rejected(Reason.MATCH_OVER if state.phase is Phase.OVER else Reason.NOT_NOW)
    return settle_showdown(state) or await_shuffle(state, action)


def settle_showdown(state: State, *causes: Event) -> Step[State] | None:
    """Count the cards and make the player who was wrong pay (section 1, R08); the cause is the call or the last bet.

    Return None if the "?" feathers need more cards than the pile has: then the discard must be shuffled first (R10).
    """
    match, bidding, rules = state.match, state.bidding, state.rules
    cards = state.round.cards.counting()
    turned = turn_questions(cards, match.pile)
    if not turned.enough and match.discard:
        return None
    counted = count(cards, turned, rules)
    caller, bidder, bid = bidding.turn, bidding.bidder, bidding.bid
    held = bid is not None and counted.total >= bid
    loser, winner = (caller, bidder) if held else (bidder, caller)
    starter, other = (loser, winner) if rules.next_starter == "loser" else (winner, loser)
    verdict = Verdict(
        _SHOWDOWN,
        starter,
        loser,
        2 if bidding.doubled else 1,
        other if rules.if_starter_is_out == "duellist" else None,
    )
    bets = tuple([SettledBet(seat, on, on == winner) for seat, on in state.bets])
    return end_round(state, verdict, causes, counted=counted, turned=turned.cards, bets=bets)


def end_round(
    state: State,
    verdict: Verdict,
    events: tuple[Event, ...] = (),
    *,
    counted: Count | None = None,
    turned: tuple[Card, ...] = (),
    bets: tuple[SettledBet, ...] = (),
) -> Step[State]:
    """Show everything, let the loser pay, and ask for the next deal or name the winner; `events` are what led to it."""
    cards, before, rules, bidding = state.round.cards, state.match, state.rules, state.bidding
    counting = cards.counting() if counted is None or turned else counted.cards  # the same, already gathered
    spent = (*counting, *chain.from_iterable(cards.covered), *turned)
    night = NIGHT in spent
    tokens, eyes = _pay(state, verdict, bets)
    out = _eliminated(rules, tokens, eyes, verdict)
    living, gone = before.living, before.out
    if out is not None:
        living, gone = tuple([seat for seat in living if seat != out]), (*gone, out)
    over = len(living) == 1
    starter = None if over else _next_starter(before.living, living, verdict)
    opened: tuple[Seat, ...] = ()
    closed: tuple[Seat, ...] = ()
    if rules.has_eyes:
        opened = tuple([seat for seat in before.living if eyes[seat][0] > before.eyes[seat][0]])
        closed = tuple([bet.seat for bet in bets if eyes[bet.seat][0] < before.eyes[bet.seat][0]])
    # Both get their fields by position: keyword arguments would take twice as long.
    result = Result(
        state.round.number,
        verdict.ending,
        cards,
        bidding.turn if verdict.ending is _SHOWDOWN else None,
        None if bidding.bid is None else bidding.bidder,
        bidding.bid,
        counted,
        verdict.loser,
        verdict.penalty,
        out,
        starter,
        bets,
        night,
        opened,
        closed,
        verdict.named,
    )
    match = Match(
        living,
        tokens,
        eyes,
        before.rounds,
        before.pile[len(turned) :],
        before.discard + spent,
        gone,
        _next_holder(before.coyote_holder, verdict, out) if "coyote_card" in rules.tricks else None,
        starter,
        night or rules.shuffles_each_round,
        result,
    )
    if verdict.gone is not None:
        events = (*events, SeatLeft(verdict.gone))
    return _deal_next_or_end(state, match, (*events, RoundEnded(result)))


def _deal_next_or_end(state: State, match: Match, events: tuple[Event, ...]) -> Step[State]:
    """Go on to the next deal, or end the match with one player left (R26)."""
    phase = _DEAL
    if len(match.living) == 1:
        phase = Phase.OVER
        events = (*events, MatchWon(match.living[0]))
    idle = no_round(len(match.tokens))
    return Step(State(state.rules, phase, state.asked + 1, match, idle, _NO_BIDS), events)


def _pay(state: State, verdict: Verdict, bets: tuple[SettledBet, ...]) -> tuple[Tokens, Eyes]:
    """Return the tokens and eyes after paying: the loser takes coins.

    In `peek`, the winner opens an eye instead, the loser gives up a card, and bets open or close an eye.
    """
    match, loser = state.match, verdict.loser
    if loser is None:
        return match.tokens, match.eyes
    if not state.rules.has_eyes:
        tokens = list(match.tokens)
        tokens[loser] += verdict.penalty
        return tuple(tokens), match.eyes
    eyes = list(match.eyes)
    winner = state.bidding.turn if loser == state.bidding.bidder else state.bidding.bidder
    eyes[winner] = _open(eyes[winner])
    for bet in bets:
        eyes[bet.seat] = _open(eyes[bet.seat]) if bet.right else _close(eyes[bet.seat])
    opened, closed = eyes[loser]
    eyes[loser] = (opened, closed - 1) if closed else (opened - 1, 0)  # R44: a closed one first
    return match.tokens, tuple(eyes)


def _open(eyes: tuple[int, int]) -> tuple[int, int]:
    return (eyes[0] + 1, eyes[1] - 1) if eyes[1] else eyes


def _close(eyes: tuple[int, int]) -> tuple[int, int]:
    return (eyes[0] - 1, eyes[1] + 1) if eyes[0] else eyes


def _eliminated(rules: Rules, tokens: Tokens, eyes: Eyes, verdict: Verdict) -> Seat | None:
    if verdict.loser is None:
        return verdict.gone
    is_out = eyes[verdict.loser] == (0, 0) if rules.has_eyes else tokens[verdict.loser] >= rules.threshold
    return verdict.loser if is_out else None


def _next_starter(before: tuple[Seat, ...], living: tuple[Seat, ...], verdict: Verdict) -> Seat:
    starter = verdict.starter
    if starter in living:
        return starter
    return neighbour(before, starter, 1) if verdict.if_out is None else verdict.if_out


def _next_holder(holder: Seat | None, verdict: Verdict, out: Seat | None) -> Seat | None:
    """Return who holds the Coyote card next: the loser, but never a player who is out (R55, R59)."""
    heir = holder if verdict.loser is None else verdict.loser
    return None if heir == out else heir


def leave(state: State, action: Leave) -> Step[State]:
    """Leave for good: the player is out, and a round under way is void without a penalty (R59)."""
    seat, match = action.seat, state.match
    if state.phase is Phase.OVER:
        raise Rejected(Reason.MATCH_OVER)
    if seat not in match.living:
        raise Rejected(Reason.NOT_PLAYING)
    if state.phase is not Phase.DEAL:
        return end_round(state, Verdict(Ending.LEFT, starter=state.round.starter, gone=seat))
    living = tuple(other for other in match.living if other != seat)
    starter = neighbour(match.living, seat, 1) if seat == match.starter else match.starter
    left = match._replace(
        living=living,
        out=(*match.out, seat),
        starter=None if len(living) == 1 else starter,
        coyote_holder=None if match.coyote_holder == seat else match.coyote_holder,
    )
    return _deal_next_or_end(state, left, (SeatLeft(seat),))

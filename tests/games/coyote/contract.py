"""Coyote's part of the contract tests: openings, invariants, twins and random actions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from bot.engine.core import DEALER, Prompt, Seat
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
    Redo,
    Reveal,
    Shuffle,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.cards import SPECIALS, Card
from bot.games.coyote.rules.editions import COINS, EDITIONS, MOST_PLAYERS
from bot.games.coyote.rules.game import view_for
from bot.games.coyote.rules.results import Spread
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import CoyoteView, Phase

SMALL_DECK = {"?": 3, "max0": 1, "max-": 1, "x2": 1, "night": 1, "0": 1, "3": 2, "-4": 1, "7": 2}
"""A deck so small that piles run short in the middle of a round."""


def _openings() -> tuple[tuple[dict[str, Any], int], ...]:
    sizes: tuple[tuple[dict[str, Any], int], ...] = tuple(
        ({"edition": edition, "variant": variant, "min_players": 2, "max_players": MOST_PLAYERS}, players)
        for edition in EDITIONS
        for variant in (False, True)
        for players in range(2, MOST_PLAYERS + 1)
    )
    few = {"min_players": 2, "deck": SMALL_DECK}
    odd: tuple[tuple[dict[str, Any], int], ...] = (
        ({"edition": "tomahawk", "variant": True, "actions_per": "player"}, 4),
        ({"edition": "tomahawk", "variant": True, "actions_per_turn": "several"}, 5),
        ({"edition": "tomahawk", "variant": True, "actions_per_turn": "several", "actions_per": "player", **few}, 4),
        ({"variant": True, "right_guess": "choose", "coins": dict.fromkeys(COINS, 3), **few}, 6),
        ({"edition": "peek", "variant": True, "actions_off": ["bet"], "open_eyes": 2}, 4),
        ({"edition": "tomahawk", "variant": True, "actions_off": ["double", "redo"], "threshold": 5}, 3),
        ({"edition": "scout", "variant": True, "x2_doubles": "all", "min_bid": None, "next_starter": "winner"}, 5),
        ({"edition": "scout", "variant": True, "max_players": 12, **few}, 12),
        ({"edition": "tomahawk", "variant": True, "max_players": 12, "min_bid": 990, **few}, 11),
        ({"variant": True, "next_starter": "loser", "coins": dict.fromkeys(COINS, 3), **few}, 7),
        ({"variant": True, "min_bid": 995, "coins": dict.fromkeys(COINS, 9), "deck": SMALL_DECK}, 12),
        ({"variant": True, "actions_off": list(COINS)}, 3),
        ({"edition": "peek", "variant": True, "max_players": 12, **few}, 12),
        ({"edition": "peek", "variant": True, "actions_off": ["bet"], "min_bid": 994}, 4),
        ({"edition": "peek", "variant": True, "actions_off": ["coyote_card"], "threshold": 5}, 4),
        ({"edition": "peek", "variant": True, "guess_along": 5}, 5),
        ({"edition": "scout", "variant": True, "guess_along": 15, **few}, 6),
    )
    return sizes + odd


OPENINGS = _openings()


def check(state: State) -> None:
    """Check that no card is lost or added, and that every prompt goes to a living player."""
    match, spread = state.match, state.round.cards
    assert sorted((*match.living, *match.out)) == list(range(len(match.tokens)))
    held = Counter(match.pile) + Counter(match.discard) + Counter(_all_cards(spread))
    assert held == state.rules.census or (not held and match.rounds == 0)
    for seat in match.living:
        if state.rules.has_centre:
            assert 1 <= sum(match.eyes[seat]) <= state.rules.threshold
            assert min(match.eyes[seat]) >= 0
        else:
            assert match.tokens[seat] < state.rules.threshold
    if state.phase is Phase.BIDDING:
        assert state.bidding.turn in state.round.active
        assert set(state.round.active) <= set(match.living)
        assert {seat for seat, cards in enumerate(spread.worn) if cards} == set(match.living)
        assert state.bidding.bid is None or state.bidding.bidder in state.round.active
    if state.phase in (Phase.DEAL, Phase.OVER):
        assert not _all_cards(spread)
    assert (len(match.living) == 1) == (state.phase is Phase.OVER)


def _all_cards(spread: Spread) -> list[Card]:
    return [*spread.counting(), *(card for cards in spread.covered for card in cards)]


def twin(state: State, viewer: Seat | None, rng: Random) -> State:
    """Replace every card that section 7 of the rules hides from the viewer, and change secret bets."""
    match, spread = state.match, state.round.cards
    playing = viewer in match.living and state.phase is not Phase.OVER
    withdrawn = set(match.living) - set(state.round.active) if state.round.active else set()
    known_to_all = withdrawn | set(state.round.shown)
    hidden_worn = [seat for seat in match.living if seat not in known_to_all and (not playing or seat == viewer)]
    hidden_covered = [seat for seat in match.living if not playing or seat == viewer]
    faces: list[Card] = [card for card, _ in state.rules.deck]

    def other(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(rng.choice(faces) for _ in cards)

    worn = tuple(other(cards) if seat in hidden_worn else cards for seat, cards in enumerate(spread.worn))
    covered = tuple(other(cards) if seat in hidden_covered else cards for seat, cards in enumerate(spread.covered))
    centre, beside = spread.centre, spread.beside
    if centre is not None and not (playing and viewer in state.round.peeked):
        centre = rng.choice(faces)
    if beside is not None and not (playing and viewer == match.coyote_holder):
        beside = rng.choice(faces)
    drawn = tuple(
        (seat, rng.choice(faces) if seat != DEALER and (not playing or seat == viewer) else card)
        for seat, card in state.round.drawn
    )
    duellists = (state.bidding.turn, state.bidding.bidder, None)
    bets = tuple((seat, on if playing and seat == viewer else rng.choice(duellists)) for seat, on in state.bets)
    pending = state.pending
    if isinstance(pending, Bet) and pending.seat != viewer:
        pending = pending._replace(on=rng.choice(duellists))
    return state._replace(
        match=match._replace(pile=other(match.pile)),
        round=state.round._replace(cards=Spread(worn, spread.opened, covered, centre, beside), drawn=drawn),
        bets=bets,
        pending=pending,
    )


def check_view(state: State, view: CoyoteView) -> None:
    """Check that the view shows exactly what the table in section 7 of the rules allows."""
    match, spread = state.match, state.round.cards
    viewer = view.viewer
    playing = viewer in match.living and state.phase is not Phase.OVER
    for seat in view.seats:
        withdrawn = bool(state.round.active) and seat.seat in match.living and seat.seat not in state.round.active
        visible = (playing and seat.seat != viewer) or withdrawn or seat.seat in state.round.shown
        assert seat.worn == (spread.worn[seat.seat] if visible else None)
        assert seat.opened == spread.opened[seat.seat]
        assert seat.covered == (spread.covered[seat.seat] if playing and seat.seat != viewer else None)
        assert (seat.tokens, seat.eyes) == (match.tokens[seat.seat], match.eyes[seat.seat])
    assert view.centre == (spread.centre if playing and viewer in state.round.peeked else None)
    assert view.coyote_card == (spread.beside if playing and viewer == match.coyote_holder else None)
    own = dict(state.bets).get(viewer, "none") if playing and viewer is not None else "none"
    assert view.own_bet == (None if own == "none" else (own,))
    assert view.pile == len(match.pile)
    assert view.discard == match.discard


def answer(prompt: Prompt, rng: Random) -> Any:
    """Return a random answer; bids mostly stay low, so that rounds are long enough for everything to happen."""
    action = prompt.pick(rng)
    if isinstance(action, Bid) and rng.random() < 0.8:
        numbers: Any = next(choice.fields[0] for choice in prompt.choices if choice.verb is Bid)
        return action._replace(number=numbers[min(rng.randrange(4), len(numbers) - 1)])
    return action


def candidate(state: State, rng: Random) -> Action:
    """Return a random well-formed action, legal or not, mostly one that is almost legal."""
    players = len(state.match.tokens)
    anyone = Seat(rng.randrange(-1, players + 1))
    seat = state.bidding.turn if rng.random() < 0.7 else anyone
    target = rng.choice([None, Seat(rng.randrange(players)), Seat(rng.randrange(players)), anyone])
    near = (state.bidding.bid if state.bidding.bid is not None else state.rules.min_bid or 0) + rng.randrange(-3, 4)
    with_fields = [Bid, Bid, Bid, Announce, Flip, Flip, Bet, Deal, Shuffle]
    verb = rng.choice([*with_fields, Call, Approve, Turnabout, Redo, Withdraw, Peek, UseCoyote, Reveal])
    plus = rng.choice([None, None, "double", "extra", "next", "reverse", "approve", "nonsense"])
    if verb is Announce:
        return Announce(seat, plus or "double", target if plus in ("extra", "next") or rng.random() < 0.1 else None)
    if verb is Bid:
        number = rng.choice([near, near, near, 0, 1, 998, 999, 1000, -999, -1000])
        return Bid(seat, number, plus, target if plus in ("extra", "next") or rng.random() < 0.1 else None)
    if verb is Flip:
        value: Any = rng.choice([None, *SPECIALS, 0, 3, 7, 50])
        coin = rng.choice([*COINS, "nonsense"])
        return Flip(seat, coin, value if coin == "guess" or rng.random() < 0.1 else None)
    if verb is Bet:
        return Bet(anyone, target)
    if verb is Deal:
        return Deal(anyone, rng.choice([(), state.rules.cards, state.rules.cards[1:]]), target)
    if verb is Shuffle:
        return Shuffle(anyone, rng.choice([state.match.discard, state.match.discard[1:], state.rules.cards]))
    action: Action = verb(seat)
    return action


def check_open_view(state: State, view: CoyoteView) -> None:
    """Check that the open view equals a bystander's view with all cards open."""
    spread, closed = state.round.cards, view_for(state, None)
    for seat in view.seats:
        assert (seat.worn, seat.covered) == (spread.worn[seat.seat], spread.covered[seat.seat])
    assert (view.centre, view.coyote_card) == (spread.centre, spread.beside)
    assert closed == view._replace(
        seats=tuple(
            seat._replace(worn=hidden.worn, covered=hidden.covered)
            for seat, hidden in zip(view.seats, closed.seats, strict=True)
        ),
        centre=None,
        coyote_card=None,
    )

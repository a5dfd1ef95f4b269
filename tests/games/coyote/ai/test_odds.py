"""The odds match every deal of small decks and many random deals of whole decks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Seat
from bot.games.coyote.ai.bidding import judge
from bot.games.coyote.ai.odds import Sight, odds, odds_of, see, unseen, weights
from bot.games.coyote.rules import game as coyote
from bot.games.coyote.rules.actions import Bid, Deal, Flip, Shuffle
from bot.games.coyote.rules.cards import SPECIALS, Card
from bot.games.coyote.rules.counting import Turned, count, turn_questions
from bot.games.coyote.rules.editions import Rules, rules_from
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import Phase
from tests.games.coyote.contract import OPENINGS, answer

EVERY_RULE = [
    {"edition": "feathers"},
    {"edition": "tomahawk"},
    {"edition": "scout"},
    {"edition": "scout", "x2_doubles": "all"},
    {"edition": "peek"},
]


def brute(sight: Sight) -> dict[int, Fraction]:
    """Count the totals over every order of the unseen cards and of the discard."""
    rest = [card for card, copies in sight.pool.items() for _ in range(copies)]
    found: Counter[int] = Counter()
    for order in permutations(rest):
        cards = (*sight.seen, *order[: sight.hidden])
        pile = order[len(order) - sight.pile :]
        turned = turn_questions(cards, pile)
        if turned.enough or not sight.discard:
            found[_total(cards, turned, sight.rules)] += len([*permutations(sight.discard)])
            continue
        for beneath in permutations(sight.discard):
            found[_total(cards, turn_questions(cards, (*pile, *beneath)), sight.rules)] += 1
    everything = sum(found.values())
    return {total: Fraction(ways, everything) for total, ways in found.items()}


def _total(cards: tuple[Card, ...], turned: Turned, rules: Rules) -> int:
    return count(cards, turned, rules).total


def shares(sight: Sight) -> dict[int, Fraction]:
    found = weights(sight)
    everything = sum(found.values())
    return {total: Fraction(ways, everything) for total, ways in found.items() if ways}


@pytest.mark.parametrize("seed", range(120))
def test_small_decks_match_every_deal(seed: int) -> None:
    rng = Random(seed)
    faces: list[Card] = [*SPECIALS, "?", -7, -1, 0, 1, 3, 3, 8, 8, 12]
    rules = rules_from({"max_players": 3, "min_players": 2, "deck": {"1": 30}, **EVERY_RULE[seed % len(EVERY_RULE)]})
    seen = tuple(rng.choice(faces) for _ in range(rng.randrange(4)))
    pool = Counter(rng.choice(faces) for _ in range(rng.randrange(1, 7)))
    hidden = rng.randrange(min(4, pool.total()) + 1)
    if not seen and not hidden:
        return
    under = rng.randrange(2) if pool.total() > hidden else 0
    discard = tuple(rng.choice(faces) for _ in range(rng.randrange(4)))
    sight = Sight(rules, seen, dict(pool), hidden, pool.total() - hidden - under, discard)
    assert shares(sight) == brute(sight)


@pytest.mark.parametrize("options", EVERY_RULE)
def test_several_of_each_special_match_every_deal(options: dict[str, Any]) -> None:
    rules = rules_from(options)
    pool: dict[Card, int] = {"max0": 2, "max-": 1, "x2": 1, 20: 1, 5: 2}
    sight = Sight(rules, (10, 4, "max-", -5), pool, 3, 4, ())
    assert shares(sight) == brute(sight)


@pytest.mark.parametrize("options", EVERY_RULE)
@pytest.mark.parametrize(
    "seen", [(7, 3, 10, -5, 1), (7, 3, 10, "?", 1), ("max0", "max-", 10, 6, "x2"), ("night", -5, 8)]
)
@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_whole_decks_match_many_deals(options: dict[str, Any], seen: tuple[Card, ...], hidden: int) -> None:
    rules = rules_from(options)
    seen = tuple(card for card in seen if card in rules.census)
    pool = unseen(rules, seen)
    sight = Sight(rules, seen, pool, hidden, sum(pool.values()) - hidden, ())
    exact = odds_of(sight)
    rng, deals = Random(hidden), 4000
    rest = [card for card, copies in pool.items() for _ in range(copies)]
    found: Counter[int] = Counter()
    for _ in range(deals):
        order = rng.sample(rest, len(rest))
        cards = (*seen, *order[:hidden])
        found[_total(cards, turn_questions(cards, order[hidden:]), rules)] += 1
    assert set(found) <= set(exact.totals)
    for bid in range(exact.totals[0], exact.totals[-1] + 1, 3):
        sampled = sum(times for total, times in found.items() if total >= bid) / deals
        assert abs(sampled - exact.at_least(bid)) < 0.04  # five standard errors


def test_odds_fall_from_one_to_zero() -> None:
    rules = rules_from({})
    pool = unseen(rules, (10, 5))
    chances = odds_of(Sight(rules, (10, 5), pool, 1, sum(pool.values()) - 1, ()))
    assert chances.at_least(-999) == 1
    assert chances.at_least(36) == 0
    assert chances.at_least(35) > 0
    assert chances.highest(0.2) == max(n for n in range(-50, 60) if chances.at_least(n) >= 0.2)
    assert chances.highest(1.1) == chances.totals[0]


@pytest.mark.parametrize(("options", "players"), OPENINGS)
def test_the_pool_of_a_view_has_exactly_the_hidden_cards(options: dict[str, Any], players: int) -> None:
    """The true total is also always among the possible ones."""
    rng = Random(players)
    state = coyote.setup(options, players, Seat(0))
    for _ in range(150):
        prompts = coyote.prompts(state)
        if not prompts:
            break
        prompt = prompts[0]
        if state.phase in (Phase.BIDDING, Phase.BETS):
            spread, match = state.round.cards, state.match
            for viewer in match.living:
                view = coyote.view_for(state, viewer)
                sight = see(view)
                truth = Counter(match.pile)
                if view.seats[viewer].worn is None:
                    truth += Counter(spread.worn[viewer])
                truth += Counter(spread.covered[viewer])
                if spread.centre is not None and viewer not in state.round.peeked:
                    truth[spread.centre] += 1
                if spread.beside is not None and viewer != match.coyote_holder:
                    truth[spread.beside] += 1
                assert sight.pool == dict(truth) or view.returned, "a reshuffled pile is tested below"
                counting = Counter(spread.counting()) - Counter(sight.seen)
                assert counting.total() == sight.hidden
                turned = turn_questions(spread.counting(), match.pile)
                if turned.enough:
                    total = count(spread.counting(), turned, state.rules).total
                    assert total in odds(view).totals
        action = coyote.deal(state, rng) if prompt.seat == DEALER else answer(prompt, rng)
        state = coyote.apply(state, action).state


def worlds(looking: State, viewer: Seat, before: State, moves: list[Any]) -> dict[int, Fraction]:
    """Play the moves in every world that looks the same to the viewer; return the share of each total."""
    hidden = [*before.round.cards.worn[viewer], *before.match.pile]
    seen = coyote.view_for(looking, viewer)
    found: Counter[int] = Counter()
    for own, *pile in permutations(hidden):
        worn = tuple((own,) if seat == viewer else cards for seat, cards in enumerate(before.round.cards.worn))
        for order in permutations(before.match.discard):
            state = before._replace(
                match=before.match._replace(pile=tuple(pile)),
                round=before.round._replace(cards=before.round.cards._replace(worn=worn)),
            )
            for move in moves:
                state = coyote.apply(state, move).state
                if state.phase is Phase.SHUFFLE:
                    state = coyote.apply(state, Shuffle(DEALER, order)).state
            if coyote.view_for(state, viewer) == seen:
                cards = state.round.cards.counting()
                found[_total(cards, turn_questions(cards, state.match.pile), state.rules)] += 1
    everything = sum(found.values())
    return {total: Fraction(ways, everything) for total, ways in found.items()}


FEATHERS = {"edition": "feathers", "variant": True, "max_players": 3}
TOMAHAWK = {"edition": "tomahawk", "variant": True, "max_players": 3}
MINE, YOURS = Seat(1), Seat(0)


@pytest.mark.parametrize("top", range(6))
@pytest.mark.parametrize(
    ("options", "pile", "discard", "moves"),
    [
        (FEATHERS, (4, 7, "?"), (1, 7, "?", -5), [Flip(YOURS, "extra"), Bid(YOURS, 3)]),
        (FEATHERS, (4, 7, 2), (1, 7, "x2", -5), [Flip(YOURS, "replace"), Bid(YOURS, 3), Flip(MINE, "replace")]),
        (FEATHERS, (4, 7, 2), (1, 7, "x2", "?"), [Bid(YOURS, 3), Flip(MINE, "replace")]),
        (
            FEATHERS,
            (4, 7, "?", 6),
            (1, "max0", "?", -5),
            [Bid(YOURS, 3), Flip(MINE, "replace"), Bid(MINE, 4), Flip(Seat(2), "extra"), Bid(Seat(2), 5)],
        ),
        (TOMAHAWK, (4, 7, "?"), (1, 7, "x2", -5), [Bid(YOURS, 3, "extra", MINE)]),
        (TOMAHAWK, (4, 7, 2), ("?", 7, "max-", -5), [Bid(YOURS, 3, "extra", Seat(2))]),
    ],
)
def test_a_renewed_pile_matches_every_world(
    options: dict[str, Any], pile: tuple[Card, ...], discard: tuple[Card, ...], moves: list[Any], top: int
) -> None:
    """Cards that went back under the pile during a round cannot be feathers that were dealt before."""
    deck = Counter([*pile, *discard])
    rules = rules_from({**options, "deck": {str(card): copies for card, copies in deck.items()}})
    before = coyote.apply(coyote.position(rules, 3, starter=YOURS, piles=(pile, discard)), Deal(DEALER, (), None)).state
    order = [*permutations(discard)][top * 4]
    state = before
    for move in moves:
        state = coyote.apply(state, move).state
        if state.phase is Phase.SHUFFLE:
            state = coyote.apply(state, Shuffle(DEALER, order)).state
    assert state.round.returned
    sight = see(coyote.view_for(state, MINE))
    assert shares(sight) == worlds(state, MINE, before, moves)
    judge(coyote.view_for(state, MINE), 6, 1.0)

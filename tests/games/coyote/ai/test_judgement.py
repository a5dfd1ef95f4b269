"""The brain in rare situations: feathers that flip the total, absurd bids, decks full of "?"."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import TEMPERAMENTS, Character
from bot.engine.core import DEALER, Prompt, Seat
from bot.games.coyote.ai.bidding import Judgement, judge
from bot.games.coyote.ai.brain import think
from bot.games.coyote.ai.odds import Sight, odds_of
from bot.games.coyote.ai.remarks import of_move
from bot.games.coyote.ai.special_actions import ideas
from bot.games.coyote.rules import game as coyote
from bot.games.coyote.rules.actions import Bid, Call, Deal, Flip, Redo
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import count, turn_questions
from bot.games.coyote.rules.editions import EDITIONS, MOST_PLAYERS, rules_from
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import CoyoteView

ME = Seat(0)


def dealt(first: tuple[Card, ...], players: int, **options: Any) -> State:
    """Deal these feathers to the first seats, and random ones to the others."""
    state = coyote.setup({"min_players": 2, "max_players": MOST_PLAYERS, **options}, players, ME)
    rest = list(state.rules.cards)
    for card in first:
        rest.remove(card)
    Random(players).shuffle(rest)
    return coyote.apply(state, Deal(DEALER, (*first, *rest))).state


def view_and_prompt(state: State) -> tuple[CoyoteView, Prompt]:
    (prompt,) = coyote.prompts(state)
    return coyote.view_for(state, prompt.seat), prompt


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [3, 6, MOST_PLAYERS])
def test_before_the_first_bid_the_exact_odds_are_used(edition: str, players: int) -> None:
    doubled: tuple[Card, ...] = (1, 20) if edition == "peek" else (1, 20, "x2")
    view, _ = view_and_prompt(dealt(doubled, players, edition=edition))
    judged = judge(view, -999, 1.0)
    for bid in range(judged.plain.totals[0] - 1, judged.plain.totals[-1] + 2):
        assert judged.holds(bid) == pytest.approx(judged.plain.at_least(bid))


@pytest.mark.parametrize("edition", ["feathers", "tomahawk"])
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_a_safe_bid_is_not_called_because_of_one_unlikely_feather(edition: str, temperament: str) -> None:
    """With 20 and ×2 in sight a bid of 16 is safe, unless I wear one of a few special feathers."""
    state = dealt((3, 20, "x2"), 3, edition=edition)
    for seat, number in ((0, 1), (1, 2), (2, 16)):
        state = coyote.apply(state, Bid(Seat(seat), number)).state
    view, prompt = view_and_prompt(state)
    assert judge(view, 17, 0.0).plain.at_least(16) > 0.8
    for seed in range(6):
        assert not isinstance(think(view, prompt, Character("x", temperament, 3), seed).action, Call)


@pytest.mark.parametrize("edition", ["scout", "tomahawk"])
@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("number", [30, 251, 998, 999])
def test_an_absurd_bid_can_be_replaced_by_another_number(edition: str, strength: int, number: int) -> None:
    """A stand-in AI may have to name another number for an absurd bid by the person."""
    state = dealt((3, 5, 4), 3, edition=edition, variant=True)
    state = coyote.apply(state, Bid(ME, number)).state
    view, prompt = view_and_prompt(coyote.apply(state, Redo(Seat(1))).state)
    assert prompt.seat == ME
    assert prompt.allows(think(view, prompt, Character("x", "steady", strength), 1).action)


def moments(edition: str, seed: int) -> list[tuple[CoyoteView, Prompt, Judgement]]:
    """Play with careless bids; return the prompts and the judgements."""
    rng = Random(seed)
    found: list[tuple[CoyoteView, Prompt, Judgement]] = []
    state = coyote.setup({"edition": edition, "variant": True}, 4, ME)
    while (prompts := coyote.prompts(state)) and len(found) < 40:
        prompt = prompts[0]
        if prompt.seat == DEALER:
            state = coyote.apply(state, coyote.deal(state, rng)).state
            continue
        view = coyote.view_for(state, prompt.seat)
        lowest = 1 if view.bid is None else view.bid + 1
        found.append((view, prompt, judge(view, lowest, 1.0)))
        call = view.bid is not None and view.bid > 20
        state = coyote.apply(state, Call(prompt.seat) if call else Bid(prompt.seat, lowest + rng.randrange(6))).state
    return found


@pytest.mark.parametrize("edition", ["scout", "tomahawk", "feathers"])
def test_special_actions_are_valued_as_documented(edition: str) -> None:
    had: Counter[str] = Counter()
    for view, prompt, judged in moments(edition, 3):
        plain = max(judged.outlook.bids)
        for idea in ideas(view, prompt, judged):
            had[idea.name] += 1
            if idea.name == "next":
                assert idea.action.target != judged.order[0], "naming the next player anyway is pointless"
            if idea.name == "extra" and isinstance(idea.action, Bid):
                bid, sight = idea.action.number, judged.sight
                more = odds_of(sight._replace(hidden=sight.hidden + 1, pile=sight.pile - 1))
                assert more.at_least(bid) > judged.plain.at_least(bid), "one more feather helps"
            if idea.name in ("extra", "replace") and isinstance(idea.action, Flip) and view.bid is None:
                assert idea.worth > plain
                _, slots = of_move(Character("x"), view, judged, idea.action, idea.name, may_call=False)
                assert slots["bid"] == str(judged.outlook.first + judged.outlook.best()), "nobody said 0"
    assert had["extra"]
    assert had["next" if edition != "feathers" else "replace"]


def test_a_guess_by_counting_cards_does_not_credit_the_bids() -> None:
    """Only one kind of feather is left, so the bids of others told the player nothing."""
    deck = {"8": 3, "1": 1, "2": 1, "3": 1}
    state = dealt((8, 1, 2, 3), 4, variant=True, max_players=6, deck=deck)
    for seat, number in ((0, 3), (1, 4), (2, 5), (3, 6)):
        state = coyote.apply(state, Bid(Seat(seat), number)).state
    view, prompt = view_and_prompt(state)
    judged = judge(view, 7, 1.0)
    guess = next(idea for idea in ideas(view, prompt, judged) if idea.name == "guess")
    assert guess.action.value == 8
    key, _ = of_move(Character("x"), view, judged, guess.action, "guess", may_call=True)
    assert key == "ai.trick.guess_counted"


def test_a_deck_full_of_question_marks_is_judged_quickly() -> None:
    """With six "?" in sight and one card on the pile, following every draw would take forever."""
    rules = rules_from({"deck": {"?": 8, **{str(card): 2 for card in range(-2, 14)}}})
    seen: tuple[Card, ...] = ("?",) * 6
    pool: dict[Card, int] = {5: 1, "?": 1, 9: 1}
    discard = tuple(card for card in range(-2, 14) for _ in range(2) if card not in (5, 9))
    exact = odds_of(Sight(rules, seen, pool, 1, 2, discard))
    rng, deals, found = Random(4), 4000, Counter[int]()
    rest: list[Card] = list(pool)
    for _ in range(deals):
        own, *pile = rng.sample(rest, len(rest))
        cards = (*seen, own)
        turned = turn_questions(cards, (*pile, *rng.sample(discard, len(discard))))
        found[count(cards, turned, rules).total] += 1
    assert set(found) <= set(exact.totals)
    for bid in range(exact.totals[0], exact.totals[-1] + 1, 3):
        sampled = sum(times for total, times in found.items() if total >= bid) / deals
        assert abs(sampled - exact.at_least(bid)) < 0.04  # five standard errors

"""No deal exceeds `highest_total`, and the published decks can reach it."""

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import Turned, count
from bot.games.coyote.rules.editions import COINS, rules_from
from bot.games.coyote.rules.highest import cards_counted, highest_total
from tests.games.coyote.contract import OPENINGS, answer


@pytest.mark.parametrize(("edition", "highest"), [("scout", 160), ("tomahawk", 146), ("feathers", 162), ("peek", 80)])
def test_the_highest_totals_match_section_7(edition: str, highest: int) -> None:
    assert highest_total(rules_from({"edition": edition, "variant": True}), 6) == highest


@pytest.mark.parametrize(
    ("options", "players", "cards"),
    [
        ({"edition": "feathers"}, 6, 6),
        ({"edition": "feathers", "variant": True}, 6, 8),
        ({"edition": "feathers", "variant": True}, 2, 2),
        ({"edition": "feathers", "variant": True}, 3, 5),
        ({"edition": "feathers", "variant": True, "actions_off": ["extra"]}, 6, 6),
        ({"edition": "feathers", "variant": True, "coins": dict.fromkeys(COINS, 5)}, 6, 11),
        ({"edition": "scout"}, 4, 4),
        ({"edition": "scout", "variant": True}, 4, 5),
        ({"edition": "tomahawk", "variant": True}, 2, 3),
        ({"edition": "tomahawk", "variant": True, "actions_per": "player"}, 4, 8),
        ({"edition": "peek"}, 4, 5),
        ({"edition": "peek", "variant": True}, 4, 6),
    ],
)
def test_how_many_cards_may_count(options: dict[str, Any], players: int, cards: int) -> None:
    assert cards_counted(rules_from(options), players) == cards


def test_the_highest_deal_counts_to_the_highest_total() -> None:
    chosen = rules_from({"edition": "feathers", "variant": True})
    best: tuple[Card, ...] = (20, 15, 10, 10, 9, 9, 8, "x2")
    assert count(best, Turned((), enough=True), chosen).total == highest_total(chosen, 6)


def test_the_highest_total_of_unusual_decks() -> None:
    few = rules_from({"edition": "scout", "deck": {"5": 2, "-3": 1, "max0": 1}, "max_players": 4})
    assert highest_total(few, 4) == 10
    many = rules_from({"edition": "scout", "deck": {"5": 3, "x2": 3}, "max_players": 3})
    assert highest_total(many, 3) == 5 << 2


@pytest.mark.parametrize(("options", "players"), OPENINGS[::2], ids=str)
def test_no_count_exceeds_the_highest_total(options: dict[str, Any], players: int) -> None:
    rng = Random(f"{options}{players}")
    state = rules.setup(options, players)
    while questions := rules.prompts(state):
        most = highest_total(state.rules, len(state.match.living))
        question = questions[0]
        action = rules.deal(state, rng) if question.seat == DEALER else answer(question, rng)
        last = state.match.last
        state = rules.apply(state, action).state
        result = state.match.last
        if result is not last and result is not None and result.counted is not None:
            assert result.counted.total <= most

"""What a look adds up: the sum in sight, what is not seen yet, and what the special feathers do."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.look_hints import special_lines, sum_line, unseen, unseen_line
from bot.games.coyote.ui.views import PrivateView
from bot.games.coyote.ui.words import tallied
from bot.text.catalogue import catalogue
from tests.games.coyote.contract import OPENINGS, answer
from tests.games.coyote.rules.cases import Table, table

SAY = catalogue().for_game("coyote")


def seen_by(game: Table, name: str) -> PrivateView:
    return PrivateView(game.view(name))


@pytest.mark.parametrize(
    ("game", "viewer", "expected"),
    [
        (table("7 3 10"), "A", "Sum of what you see: **13**"),
        (table("7 3 x2 -5", players=4), "A", "Sum of what you see: **1**"),
        (table("7 3 x2 -5", "tomahawk", players=4), "A", "Sum of what you see: **−4**"),
        (table("7 max0 10"), "A", "Sum of what you see: **0**"),
        (table("7 ? 10"), "A", "Sum of what you see: **10**, and then what ? turns up"),
        (table("7 ? 10"), "B", "Sum of what you see: **17**"),
        (table("7 3 10 15", "peek"), "A", "Sum of what you see: **13**"),
        (table("7 3 10 15", "peek").play("A bid 1", "B peek"), "B", "Sum of what you see: **32**"),
        (table("7 3 10 4 9", variant=True).play("A coin extra"), "A", "Sum of what you see: **17**"),
        (table("7 3 10 4 9", variant=True).play("A coin replace"), "B", "Sum of what you see: **14**"),
        (table("7 3 10 4 9", variant=True).play("A coin guess 7"), "A", "Sum of what you see: **20**"),
    ],
)
def test_the_sum_counts_what_is_in_sight_by_the_table_s_rules(game: Table, viewer: str, expected: str) -> None:
    assert sum_line(SAY, seen_by(game, viewer)) == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ({6: 2, 7: 2}, "6 (2) · 7 (2)"),
        ({5: 1, 6: 1, 7: 2}, "5 · 6 · 7 (2)"),
        ({5: 2, 6: 2, 7: 2, 8: 1}, "5 to 7 (2 each) · 8"),
        ({-1: 3, 0: 3, "?": 2}, "−1 (3) · 0 (3) · ? (2)"),
    ],
)
def test_every_number_says_how_many_there_are(cards: dict[Card, int], expected: str) -> None:
    assert tallied(SAY, cards).replace("\u00a0", " ") == expected


def test_what_is_not_seen_yet_is_listed_by_kind() -> None:
    game = table("7 3 10", "feathers", deck={"3": 1, "7": 2, "10": 1, "x2": 1, "4": 2, "5": 2, "6": 2}, max_players=3)
    line = unseen_line(SAY, seen_by(game, "A")).replace("\u00a0", " ")
    assert line == "Still hidden (9, yours is one of them): 4 to 7 (2 each) · ×2"
    few = table("7 3 10", "feathers", deck={"3": 1, "7": 1, "10": 1}, max_players=3)
    assert unseen_line(SAY, seen_by(few, "A")) == "Still hidden (1, so it's yours): 7"
    safe = table("7 3 10 4", variant=True).play("A coin guess 7")
    assert unseen_line(SAY, seen_by(safe, "A")).startswith("Still hidden (27): ")


def test_the_centre_card_is_among_those_not_seen_yet_until_one_peeks() -> None:
    game = table("7 3 10 15", "peek").play("A bid 1", "B peek")
    assert "yours and the centre card are among them)" in unseen_line(SAY, seen_by(game, "A"))
    assert "yours is one of them)" in unseen_line(SAY, seen_by(game, "B"))


def test_a_special_feather_is_explained_until_it_has_been_seen() -> None:
    game = table("7 x2 10 4 night 9").play("A bid 1", "B call", "deal")
    assert special_lines(SAY, seen_by(game, "A")) == ["**🌙0** counts 0; after the round, all is shuffled again"]
    assert special_lines(SAY, seen_by(game, "B")) == []


def test_in_the_first_round_every_special_feather_is_explained_for_it_may_be_one_s_own() -> None:
    game = table("7 x2 10 4 night 9")
    explained = special_lines(SAY, seen_by(game, "A"))
    assert explained == special_lines(SAY, seen_by(game, "B"))
    assert [line.split("**")[1] for line in explained] == ["?", "Max→0", "Max→−", "×2", "🌙0"]


@pytest.mark.parametrize(("options", "players"), OPENINGS)
def test_every_feather_is_seen_or_not_seen_yet(options: dict[str, Any], players: int) -> None:
    """The list always has the viewer's own feathers, as many as the pile and hidden cards together."""
    rng = Random(f"{options} {players}")
    state = rules.setup(options, players)
    for _ in range(150):
        prompts = rules.prompts(state)
        if not prompts:
            break
        prompt = rng.choice(prompts)
        state = rules.apply(state, rules.deal(state, rng) if prompt.seat < 0 else answer(prompt, rng)).state
        if state.phase not in (Phase.BIDDING, Phase.BETS):
            continue
        for seat in state.match.living:
            view = PrivateView(rules.view_for(state, seat))
            cards = state.round.cards
            own = [*cards.covered[seat], *(() if view.seats[seat].worn else cards.worn[seat])]
            centre = [
                card for card, seen in ((cards.centre, view.centre), (cards.beside, view.coyote_card)) if seen is None
            ]
            hidden = Counter([*own, *[card for card in centre if card is not None], *state.match.pile])
            assert unseen(view) == hidden

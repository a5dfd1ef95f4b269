"""The rules of each edition, every house rule, and every combination that is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.games.coyote.rules.editions import (
    CHOICES,
    COINS,
    EDITIONS,
    RANGES,
    TRAITS,
    Problem,
    book_players,
    book_threshold,
    check_table,
    optional_actions,
    options_of,
    rules_from,
)
from tests.games.coyote.rules.cases import cards

SIX = ("approve", "reverse", "redo", "double", "extra", "next")
SUPPLY = {"extra": 2, "reverse": 1, "skip": 2, "replace": 2, "guess": 1}


@pytest.mark.parametrize(
    ("edition", "size", "limits", "min_bid", "starter", "if_out", "doubles", "strikes"),
    [
        ("scout", 36, (2, 6), 1, "loser", "duellist", "positives", "positive"),
        ("tomahawk", 30, (2, 6), 1, "loser", "duellist", "all", "positive"),
        ("feathers", 30, (3, 12), None, "winner", "left", "positives", "positive"),
        ("peek", 17, (3, 6), None, "loser", "left", "positives", "any"),
    ],
)
def test_an_edition_without_options_follows_the_book(  # noqa: PLR0917 - one column each
    edition: str,
    size: int,
    limits: tuple[int, int],
    min_bid: int | None,
    starter: str,
    if_out: str,
    doubles: str,
    strikes: str,
) -> None:
    rules = rules_from({"edition": edition})
    assert rules == EDITIONS[edition]
    assert len(rules.cards) == size
    assert (rules.min_players, rules.max_players) == limits
    assert rules.threshold == 3
    assert (rules.min_bid, rules.next_starter, rules.if_starter_is_out) == (min_bid, starter, if_out)
    assert (rules.x2_doubles, rules.max_zero_hits, rules.actions_per) == (doubles, strikes, "table")
    assert not rules.variant
    assert not rules.announcements
    assert not rules.tricks
    assert not any(rules.supply)


def test_the_default_is_feathers() -> None:
    assert rules_from({}).edition == "feathers"


@pytest.mark.parametrize(
    ("edition", "deck"),
    [
        (
            "scout",
            "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 10 10 10 15 15 20 0 0 0 -5 -5 -10 ? max0 x2 night",
        ),
        ("tomahawk", "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 15 20 -5 -5 -10 ? max0 max- x2 night"),
        ("feathers", "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 15 20 -5 -5 -10 ? max0 max- x2 night"),
        ("peek", "-10 -5 0 1 2 3 4 5 6 7 8 9 10 15 20 ? max0"),
    ],
)
def test_a_deck_has_the_cards_that_the_book_lists(edition: str, deck: str) -> None:
    assert EDITIONS[edition].cards == cards(deck)


@pytest.mark.parametrize(
    ("edition", "actions"), [("scout", SIX), ("tomahawk", SIX), ("feathers", COINS), ("peek", ("bet", "coyote_card"))]
)
def test_the_variant_adds_the_editions_actions(edition: str, actions: tuple[str, ...]) -> None:
    assert optional_actions(edition) == actions
    rules = rules_from({"edition": edition, "variant": True})
    assert rules.announcements == (set(SIX) if edition in ("scout", "tomahawk") else set())
    assert rules.tricks == (set(actions) if edition == "peek" else set())
    assert dict(zip(COINS, rules.supply, strict=True)) == (SUPPLY if edition == "feathers" else dict.fromkeys(COINS, 0))


@pytest.mark.parametrize(("edition", "variant", "eyes"), [("peek", False, (2, 1)), ("peek", True, (1, 2))])
def test_how_many_eyes_players_start_with(edition: str, variant: bool, eyes: tuple[int, int]) -> None:
    assert rules_from({"edition": edition, "variant": variant}).eyes == eyes


def test_only_scout_reverses_the_direction_with_a_bid() -> None:
    assert rules_from({"edition": "scout", "variant": True}).pluses == ("double", "extra", "next", "reverse")
    assert rules_from({"edition": "tomahawk", "variant": True}).pluses == ("double", "extra", "next")


HOUSE_RULES: list[tuple[dict[str, Any], str, Any]] = [
    ({"variant": True}, "variant", True),
    ({"threshold": 2}, "threshold", 2),
    ({"threshold": 5}, "threshold", 5),
    ({"min_bid": -999}, "min_bid", -999),
    ({"min_bid": 998}, "min_bid", 998),
    ({"edition": "scout", "min_bid": None}, "min_bid", None),
    ({"edition": "tomahawk", "actions_per": "player"}, "actions_per", "player"),
    ({"edition": "scout", "actions_per": "table"}, "actions_per", "table"),
    ({"edition": "scout", "actions_off": ["double", "next"]}, "actions_off", ("double", "next")),
    ({"edition": "tomahawk", "actions_off": ("redo",)}, "actions_off", ("redo",)),
    ({"actions_off": ["guess"]}, "actions_off", ("guess",)),
    ({"edition": "peek", "actions_off": ["bet"]}, "actions_off", ("bet",)),
    ({"edition": "scout", "x2_doubles": "all"}, "x2_doubles", "all"),
    ({"edition": "tomahawk", "x2_doubles": "positives"}, "x2_doubles", "positives"),
    ({"edition": "peek", "max_zero_hits": "positive"}, "max_zero_hits", "positive"),
    ({"max_zero_hits": "any"}, "max_zero_hits", "any"),
    ({"next_starter": "loser"}, "next_starter", "loser"),
    ({"edition": "peek", "next_starter": "winner"}, "next_starter", "winner"),
    ({"if_starter_is_out": "duellist"}, "if_starter_is_out", "duellist"),
    ({"edition": "scout", "if_starter_is_out": "left"}, "if_starter_is_out", "left"),
    ({"min_players": 2}, "min_players", 2),
    ({"edition": "peek", "max_players": 12}, "max_players", 12),
    ({"min_players": 4, "max_players": 4}, "max_players", 4),
    (
        {"coins": {"guess": 0, "skip": 9, "extra": 1, "reverse": 2, "replace": 3}},
        "coins",
        (("extra", 1), ("reverse", 2), ("skip", 9), ("replace", 3), ("guess", 0)),
    ),
    ({"deck": {"1": 6, "?": 6, "-99": 1, "99": 1, "0": 1}}, "deck", ((1, 6), ("?", 6), (-99, 1), (99, 1), (0, 1))),
    ({"deck": [[5, 12], ["night", 1]]}, "deck", ((5, 12), ("night", 1))),
    ({"deck": ((5, 199), ("x2", 1))}, "deck", ((5, 199), ("x2", 1))),
    ({"deck": {7: 200}}, "deck", ((7, 200),)),
    ({"deck": {7: 12}}, "deck", ((7, 12),)),
    ({"edition": "peek", "deck": {7: 7}}, "deck", ((7, 7),)),
]


@pytest.mark.parametrize(("options", "name", "value"), HOUSE_RULES)
def test_a_house_rule_is_applied(options: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(rules_from(options), name) == value


@pytest.mark.parametrize("options", [options for options, _, _ in HOUSE_RULES])
def test_options_survive_being_written_down(options: dict[str, Any]) -> None:
    rules = rules_from(options)
    written = options_of(rules)
    assert rules_from(json.loads(json.dumps(written))) == rules
    assert next(iter(written)) == "edition"


def test_only_values_that_differ_from_the_edition_are_written() -> None:
    house = {"edition": "scout", "variant": True, "threshold": 3, "actions_off": ("next",), "deck": {3: 20}}
    assert options_of(rules_from(house)) == {
        "edition": "scout",
        "variant": True,
        "actions_off": ["next"],
        "deck": [[3, 20]],
    }
    coins = dict.fromkeys(COINS, 3)
    assert options_of(rules_from({"coins": coins, "min_bid": 0})) == {
        "edition": "feathers",
        "min_bid": 0,
        "coins": coins,
    }
    assert options_of(rules_from({"edition": "peek"})) == {"edition": "peek"}


def test_switched_off_coins_do_not_lie_on_the_table() -> None:
    rules = rules_from({"variant": True, "actions_off": ["extra", "guess"]})
    assert dict(zip(COINS, rules.supply, strict=True)) == {**SUPPLY, "extra": 0, "guess": 0}
    assert not rules_from({"variant": True, "actions_off": list(COINS)}).has_more


_CARD_LIMITS = {"highest": 99, "specials": ("?", "max0", "max-", "x2", "night")}
_NOT_A_SUPPLY: dict[str, Any] = {"extra": 1}


@pytest.mark.parametrize(
    ("options", "problem", "details"),
    [
        ({"edition": "uno"}, "unknown_edition", {"value": "uno", "allowed": tuple(EDITIONS)}),
        ({"edition": ["peek"]}, "unknown_edition", {"value": ["peek"], "allowed": tuple(EDITIONS)}),
        ({"edition": None}, "unknown_edition", {"value": None, "allowed": tuple(EDITIONS)}),
        ({"variant": 1}, "not_allowed", {"option": "variant", "value": 1, "allowed": (False, True)}),
        ({"variant": "yes"}, "not_allowed", {"option": "variant", "value": "yes", "allowed": (False, True)}),
        ({"threshold": 1}, "out_of_range", {"option": "threshold", "value": 1, "lowest": 2, "highest": 5}),
        ({"threshold": 6}, "out_of_range", {"option": "threshold", "value": 6, "lowest": 2, "highest": 5}),
        ({"threshold": "3"}, "out_of_range", {"option": "threshold", "value": "3", "lowest": 2, "highest": 5}),
        ({"threshold": None}, "out_of_range", {"option": "threshold", "value": None, "lowest": 2, "highest": 5}),
        ({"min_bid": -1000}, "out_of_range", {"option": "min_bid", "value": -1000, "lowest": -999, "highest": 998}),
        ({"min_bid": 999}, "out_of_range", {"option": "min_bid", "value": 999, "lowest": -999, "highest": 998}),
        ({"min_bid": True}, "out_of_range", {"option": "min_bid", "value": True, "lowest": -999, "highest": 998}),
        ({"min_players": 1}, "out_of_range", {"option": "min_players", "value": 1, "lowest": 2, "highest": 12}),
        ({"max_players": 13}, "out_of_range", {"option": "max_players", "value": 13, "lowest": 2, "highest": 12}),
        ({"min_players": 5, "max_players": 4}, "limits_crossed", {"lowest": 5, "highest": 4}),
        (
            {"actions_off": ["double"]},
            "not_allowed",
            {"option": "actions_off", "value": "double", "allowed": COINS},
        ),
        (
            {"edition": "peek", "actions_off": "bet"},
            "not_allowed",
            {"option": "actions_off", "value": "bet", "allowed": ("bet", "coyote_card")},
        ),
        (
            {"edition": "scout", "actions_per": "player"},
            "not_allowed",
            {"option": "actions_per", "value": "player", "allowed": ("table",)},
        ),
        (
            {"edition": "tomahawk", "actions_per": "round"},
            "not_allowed",
            {"option": "actions_per", "value": "round", "allowed": ("table", "player")},
        ),
        (
            {"x2_doubles": "some"},
            "not_allowed",
            {"option": "x2_doubles", "value": "some", "allowed": ("positives", "all")},
        ),
        (
            {"max_zero_hits": "none"},
            "not_allowed",
            {"option": "max_zero_hits", "value": "none", "allowed": ("positive", "any")},
        ),
        (
            {"next_starter": None},
            "not_allowed",
            {"option": "next_starter", "value": None, "allowed": ("loser", "winner")},
        ),
        (
            {"if_starter_is_out": "right"},
            "not_allowed",
            {"option": "if_starter_is_out", "value": "right", "allowed": ("duellist", "left")},
        ),
        ({"open_eyes": 2}, "not_allowed", {"option": "open_eyes", "value": 2, "allowed": ()}),
        (
            {"edition": "scout", "coins": SUPPLY},
            "not_allowed",
            {"option": "coins", "value": SUPPLY, "allowed": ()},
        ),
        ({"coins": _NOT_A_SUPPLY}, "not_allowed", {"option": "coins", "value": _NOT_A_SUPPLY, "allowed": COINS}),
        ({"coins": 8}, "not_allowed", {"option": "coins", "value": 8, "allowed": COINS}),
        (
            {"coins": {**SUPPLY, "skip": 10}},
            "out_of_range",
            {"option": "coins", "value": 10, "lowest": 0, "highest": 9},
        ),
        (
            {"coins": {**SUPPLY, "skip": -1}},
            "out_of_range",
            {"option": "coins", "value": -1, "lowest": 0, "highest": 9},
        ),
        (
            {"coins": {**SUPPLY, "skip": True}},
            "out_of_range",
            {"option": "coins", "value": True, "lowest": 0, "highest": 9},
        ),
        ({"deck": 5}, "not_a_deck", {"value": 5}),
        ({"deck": [1, 2]}, "not_a_deck", {"value": [1, 2]}),
        ({"deck": [[1, 2, 3]]}, "not_a_deck", {"value": [[1, 2, 3]]}),
        ({"deck": {"100": 20}}, "not_a_deck", {"value": "100", **_CARD_LIMITS}),
        ({"deck": {-100: 20}}, "not_a_deck", {"value": -100, **_CARD_LIMITS}),
        ({"deck": {"ace": 20}}, "not_a_deck", {"value": "ace", **_CARD_LIMITS}),
        ({"deck": [[True, 20]]}, "not_a_deck", {"value": True, **_CARD_LIMITS}),
        ({"deck": [[[1], 20]]}, "not_a_deck", {"value": [1], **_CARD_LIMITS}),
        ({"deck": {1: 0, 2: 20}}, "not_a_deck", {"value": 1, **_CARD_LIMITS}),
        ({"deck": {1: 201}}, "not_a_deck", {"value": 1, **_CARD_LIMITS}),
        ({"deck": {1: "20"}}, "not_a_deck", {"value": 1, **_CARD_LIMITS}),
        ({"deck": {1: 20, "1": 1}}, "not_a_deck", {"value": "1", **_CARD_LIMITS}),
        ({"deck": {1: 200, 2: 1}}, "deck_too_large", {"cards": 201, "highest": 200}),
        ({"deck": {1: 11}}, "deck_too_small", {"cards": 11, "needed": 12}),
        ({"edition": "peek", "deck": {1: 6}}, "deck_too_small", {"cards": 6, "needed": 7}),
        ({"deck": {}}, "deck_too_small", {"cards": 0, "needed": 12}),
    ],
)
def test_impossible_options_are_refused_with_a_reason(
    options: dict[str, Any], problem: str, details: dict[str, Any]
) -> None:
    with pytest.raises(Rejected) as refusal:
        rules_from(options)
    assert refusal.value.reason is Problem(problem)
    assert refusal.value.details == details


def test_an_unknown_option_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(Rejected) as refusal:
        rules_from({"thresold": 3})
    assert refusal.value.reason is Problem.UNKNOWN_OPTION
    assert refusal.value.details["option"] == "thresold"
    assert set(refusal.value.details["allowed"]) > {"edition", "threshold", "deck"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("edition", "players", "thresholds"),
    [
        ("scout", 2, [3]),
        ("scout", 3, [3, 4, 5]),
        ("scout", 4, [3, 4]),
        ("scout", 5, [3]),
        ("tomahawk", 2, [2, 3, 4, 5]),
        ("tomahawk", 6, [2, 3, 4, 5]),
        ("feathers", 3, [3, 4, 5]),
        ("feathers", 4, [3, 4, 5]),
        ("feathers", 5, [3]),
        ("peek", 3, [3]),
    ],
)
def test_the_books_thresholds_depend_on_the_number_of_players(
    edition: str, players: int, thresholds: list[int]
) -> None:
    assert list(book_threshold(edition, players)) == thresholds


@pytest.mark.parametrize(("edition", "first"), [("scout", 2), ("tomahawk", 2), ("feathers", 3), ("peek", 3)])
def test_the_books_are_for_at_most_six_players(edition: str, first: int) -> None:
    assert list(book_players(edition)) == list(range(first, 7))


def test_the_table_must_have_the_right_size() -> None:
    rules = rules_from({"edition": "peek"})
    check_table(rules, 3)
    check_table(rules, 6)
    with pytest.raises(Rejected) as few:
        check_table(rules, 2)
    assert (few.value.reason, few.value.details) == (Problem.TOO_FEW_PLAYERS, {"players": 2, "lowest": 3})
    with pytest.raises(Rejected) as many:
        check_table(rules, 7)
    assert (many.value.reason, many.value.details) == (Problem.TOO_MANY_PLAYERS, {"players": 7, "highest": 6})


def test_every_edition_has_an_entry_of_traits() -> None:
    assert TRAITS.keys() == EDITIONS.keys()
    for edition, traits in TRAITS.items():
        assert optional_actions(edition) == traits.optional_actions
        assert set(traits.actions_per) <= set(CHOICES["actions_per"])


@pytest.mark.parametrize(
    ("options", "scope"),
    [
        ({"edition": "scout"}, "one_each"),
        ({"edition": "tomahawk"}, "table"),
        ({"edition": "tomahawk", "actions_per": "player"}, "player"),
    ],
)
def test_how_often_an_announcement_can_be_used(options: dict[str, Any], scope: str) -> None:
    assert rules_from(options).repeat_scope == scope


def test_values_outside_the_published_ranges_are_refused() -> None:
    for name, allowed in RANGES.items():
        for value in (allowed[0] - 1, allowed[-1] + 1):
            wanted: Any = dict.fromkeys(COINS, value) if name == "coins" else value
            with pytest.raises(Rejected) as refused:
                rules_from({"edition": "peek" if name == "open_eyes" else "feathers", name: wanted})
            assert refused.value.reason is Problem.OUT_OF_RANGE
            assert (refused.value.details["lowest"], refused.value.details["highest"]) == (allowed[0], allowed[-1])


def test_which_editions_have_which_capabilities() -> None:
    played = {edition: rules_from({"edition": edition}) for edition in EDITIONS}
    assert [edition for edition, rules in played.items() if rules.covers_feathers] == ["feathers"]
    assert [edition for edition, rules in played.items() if rules.turns_without_bid] == ["tomahawk"]
    for capability in ("has_centre", "has_eyes", "shuffles_each_round"):
        assert [edition for edition, rules in played.items() if getattr(rules, capability)] == ["peek"]
    assert [edition for edition, rules in played.items() if rules.eyes != (0, 0)] == ["peek"]

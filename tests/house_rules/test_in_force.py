"""Which rules a table plays by, and which of them are not in the book."""

from typing import Any

import pytest

from bot.house_rules.in_force import Origin, plays_saved, rules_in_force


def in_force(options: dict[str, Any], players: int = 3) -> dict[str, Any]:
    return {rule.setting.key: rule.value for rule in rules_in_force("coyote", options, players)}


def of_origin(origin: Origin, options: dict[str, Any], players: int = 3, game: str = "coyote") -> dict[str, Any]:
    """Return what the rules of an origin are compared with, by their keys."""
    rules = rules_in_force(game, options, players)
    return {rule.setting.key: rule.compared for rule in rules if rule.origin is origin}


def differing(options: dict[str, Any], players: int = 3, game: str = "coyote") -> set[str]:
    return set(of_origin(Origin.CHANGED, options, players, game))


def test_rules_that_mean_nothing_at_a_table_are_left_out() -> None:
    assert {"coins", "actions_off", "actions_per"}.isdisjoint(in_force({}))
    assert in_force({"variant": True})["coins"]["extra"] == 2
    assert "actions_per" not in in_force({"variant": True})
    assert in_force({"edition": "tomahawk", "variant": True})["actions_per"] == "table"
    assert "x2_doubles" not in in_force({"edition": "peek"})
    assert "deck" not in in_force({"deck": {"1": 30}})


@pytest.mark.parametrize(
    ("options", "players", "expected"),
    [
        ({}, 3, set()),
        ({"variant": True}, 3, set()),
        ({"edition": "tomahawk", "variant": True, "actions_off": ["redo"]}, 3, set()),
        ({"threshold": 4}, 3, set()),
        ({"threshold": 4}, 5, {"threshold"}),
        ({"threshold": 2}, 3, {"threshold"}),
        ({"edition": "scout", "threshold": 5}, 3, set()),
        ({"edition": "scout", "threshold": 5}, 4, {"threshold"}),
        ({"edition": "tomahawk", "threshold": 2}, 6, set()),
        ({"max_players": 5}, 3, set()),
        ({"min_bid": 1, "next_starter": "loser", "x2_doubles": "all"}, 3, {"min_bid", "next_starter", "x2_doubles"}),
    ],
)
def test_a_rule_differs_only_if_the_books_do_not_offer_it(
    options: dict[str, Any], players: int, expected: set[str]
) -> None:
    assert differing(options, players) == expected


def test_only_changed_rules_differ_in_plenty_coups() -> None:
    assert differing({"rounds": 5, "max_players": 4}, game="plenty-coups") == {"rounds"}


def test_the_numbers_of_coins_and_the_time_for_guesses_are_ours() -> None:
    assert set(of_origin(Origin.OURS, {"variant": True})) == {"coins", "guess_along"}
    coins = {"extra": 3, "reverse": 1, "skip": 2, "replace": 2, "guess": 1}
    changed = of_origin(Origin.OURS_CHANGED, {"variant": True, "coins": coins, "guess_along": 0})
    assert changed == {"coins": coins | {"extra": 2}, "guess_along": 5}
    assert differing({"variant": True, "coins": coins}) == set()


@pytest.mark.parametrize(("most", "players"), [(12, 8), (8, 3), (8, 8)])
def test_more_players_than_the_book_has_are_told(most: int, players: int) -> None:
    assert of_origin(Origin.CHANGED, {"max_players": most}, players) == {"max_players": 6}


def test_room_for_more_players_than_the_book_has_is_nothing_to_tell_until_they_come() -> None:
    assert of_origin(Origin.UNFELT, {}, 6) == {"max_players": 6}
    assert differing({}, 6) == set()
    assert differing({}, 7) == {"max_players"}
    assert differing({"min_players": 2}, 2) == {"min_players"}


@pytest.mark.parametrize(
    ("options", "origin", "compared"),
    [
        ({}, Origin.BOOK, None),
        ({"variant": True}, Origin.BOOK, None),
        ({"open_eyes": 2}, Origin.BOOK, 2),
        ({"variant": True, "open_eyes": 1}, Origin.BOOK, 1),
        ({"variant": True, "open_eyes": 2}, Origin.CHANGED, 1),
        ({"variant": True, "actions_off": ["bet"], "open_eyes": 2}, Origin.OURS_CHANGED, None),
        ({"variant": True, "actions_off": ["bet"]}, Origin.OURS, None),
    ],
)
def test_the_book_counts_eyes_for_all_tricks_or_none(options: dict[str, Any], origin: Origin, compared: Any) -> None:
    assert of_origin(origin, {"edition": "peek"} | options)["open_eyes"] == compared


@pytest.mark.parametrize(
    "options",
    [
        {"right_guess": "choose"},
        {"edition": "tomahawk", "actions_per": "player", "actions_per_turn": "several"},
        {"edition": "tomahawk", "actions_off": ["redo"]},
        {"threshold": 4},
        {"max_players": 5},
    ],
)
def test_what_was_chosen_where_the_book_leaves_a_choice_is_known(options: dict[str, Any]) -> None:
    chosen = set(options) - {"edition"} | {"variant"}
    assert set(of_origin(Origin.OFFERED, {"variant": True} | options)) == chosen


def test_a_deck_of_the_servers_own_is_known() -> None:
    assert plays_saved("coyote", {"deck": {"1": 30}})
    assert not plays_saved("coyote", {})
    assert not plays_saved("plenty-coups", {})

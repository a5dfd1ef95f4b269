"""Which rules a table plays by, and which of them are not in the book."""

from typing import Any

import pytest

from bot.house_rules.in_force import rules_in_force


def in_force(options: dict[str, Any], players: int = 3) -> dict[str, Any]:
    return {rule.setting.key: rule.value for rule in rules_in_force("coyote", options, players)}


def differing(options: dict[str, Any], players: int = 3, game: str = "coyote") -> set[str]:
    return {rule.setting.key for rule in rules_in_force(game, options, players) if rule.differs}


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

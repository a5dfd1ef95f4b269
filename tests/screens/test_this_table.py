"""Below a page of the rules: what this table plays differently, what it chose, and which rules are ours."""

from typing import Any

import pytest

from bot.host.model import Stage
from bot.screens.rules_pages import rules_screen
from bot.screens.this_table import this_table_screen
from bot.text.catalogue import catalogue
from tests.screens.rendering import rendered
from tests.screens.scenes import a_table

SAY = catalogue("en")


def page(topic: str, options: dict[str, Any], players: int = 3) -> str:
    """Return a page of the rules, opened at a lobby with these options."""
    table = a_table(players, options, stage=Stage.LOBBY, match=None, deadlines=())
    return rendered(rules_screen(SAY, topic, table))


def all_rules(options: dict[str, Any], players: int = 3) -> str:
    """Return everything that a table with these options plays by."""
    return rendered(this_table_screen(SAY, a_table(players, options, match=None), None)).replace("~", " ")


def test_a_table_without_changes_says_so_but_not_that_it_plays_by_the_book() -> None:
    shown = page("specials", {})
    assert "At this table, no rule is changed" in shown
    assert "by the book" not in shown, "its list of all rules names the book's six players, and rules of the bot's own"


@pytest.mark.parametrize(
    ("topic", "options", "line"),
    [
        (
            "feathers",
            {"variant": True, "right_guess": "choose"},
            "**After a right guess:** they choose (default: they sit out the round)",
        ),
        (
            "tomahawk",
            {"edition": "tomahawk", "variant": True, "actions_per": "player", "actions_per_turn": "several"},
            "**Announcements with one bid:** several (default: one at most)",
        ),
    ],
)
def test_what_was_chosen_within_the_book_is_told(topic: str, options: dict[str, Any], line: str) -> None:
    shown = page(topic, options)
    assert "Chosen here; the book allows it" in shown
    assert line in shown
    assert "no rule is changed" not in shown


def test_more_players_than_the_book_has_are_not_by_the_book() -> None:
    assert "✎ **Most players:** 12 (the book: 6)" in page("specials", {}, players=8)
    assert "**Most players:** 12 (the book: 6)" in all_rules({})
    assert "✎" not in all_rules({})


def test_a_deck_of_the_servers_own_is_not_by_the_book() -> None:
    shown = page("specials", {"deck": {"1": 40}})
    assert "unlike the book" in shown
    assert "this server's own" in shown


def test_coins_are_ours_and_never_the_books() -> None:
    assert "**Picture coins:** extra 2 · " in all_rules({"variant": True})
    assert "guess 1 (the bot's own rule)" in all_rules({"variant": True})
    coins = {"extra": 3, "reverse": 1, "skip": 2, "replace": 2, "guess": 1}
    changed = all_rules({"variant": True, "coins": coins})
    assert "(default: extra 2 · reverse 1 · skip 2 · replace 2 · guess 1; the bot's own rule)" in changed
    assert "the book: extra" not in changed


def test_the_book_says_nothing_about_eyes_with_half_of_the_tricks() -> None:
    peek = {"edition": "peek", "variant": True, "open_eyes": 2}
    assert "✎ **Open eyes at the start:** 2 (the book: 1)" in all_rules(peek)
    assert "**Open eyes at the start:** 2 (default: 1; the bot's own rule)" in all_rules(
        peek | {"actions_off": ["bet"]}
    )


def test_the_first_page_at_a_peek_table_speaks_of_peek() -> None:
    shown = page("basics", {"edition": "peek"})
    assert "in the centre" in shown
    assert "loses a peek card" in shown
    told = shown.partition("At this table")[0]
    assert "coin" not in told
    assert "feather" not in told


def test_the_first_page_elsewhere_speaks_of_coins_and_names_no_wrong_threshold() -> None:
    for edition in ("feathers", "scout", "tomahawk"):
        shown = page("basics", {"edition": edition}, players=4)
        assert "takes a coyote coin" in shown
        assert "fifth coin" not in shown


@pytest.mark.parametrize(("edition", "word"), [("peek", "cards"), ("scout", "cards"), ("tomahawk", "feathers")])
def test_the_deck_is_named_as_in_the_book_of_the_edition(edition: str, word: str) -> None:
    assert f" {word}: " in next(
        line for line in all_rules({"edition": edition}).splitlines() if "**The deck** has" in line
    )

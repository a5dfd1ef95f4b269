"""What the rules pages teach is right: the example of a round, a count per edition, and when players are out."""

import re

import pytest

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import Turned, count
from bot.games.coyote.rules.editions import EDITIONS, book_threshold
from bot.games.coyote.ui.words import face
from bot.screens.words import number
from bot.text.catalogue import catalogue

SAY = catalogue()
EXAMPLES: dict[str, tuple[tuple[Card, ...], tuple[Card, ...]]] = {
    "feathers": ((10, 7, -5, "x2", "max-"), ()),
    "scout": ((10, 4, 3, -5, "x2", "max0"), ()),
    "tomahawk": ((10, 6, -5, "x2", "?"), ("max0",)),
    "peek": ((10, 4, -5, "max0", 8), ()),
}
"""The cards of each edition's example, and what a "?" among them turns up."""


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_count_on_each_editions_page_is_right(edition: str) -> None:
    cards, turned = EXAMPLES[edition]
    (example,) = re.findall(r"^\*\*A count:\*\* (.+)$", SAY(f"rules.topic.{edition}.body"), re.M)
    for card in (*cards, *turned):
        assert face(card) in example
    total = count(cards, Turned((turned,) if turned else (), enough=True), EDITIONS[edition]).total
    assert example.endswith(f"**{number(total)}**.")


def test_the_round_of_the_first_page_is_right() -> None:
    (example,) = re.findall(r"^\*\*A round\.\*\* (.+)$", SAY("rules.topic.basics.body"), re.M)
    bids = [int(bid) for bid in re.findall(r"\b(8|13|14|16)\b", example.split(".")[0])]
    assert bids == [8, 13, 14, 16]
    total = count((7, 5, 4, 3, -5), Turned((), enough=True), EDITIONS["feathers"]).total
    assert f"**{total}**" in example
    assert total < bids[-1], "the last bidder pays"


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("feathers", "Three or four players may agree on the fourth or fifth."),
        ("scout", "Four players may agree on the fourth, three on the fourth or fifth."),
    ],
)
def test_the_pages_tell_how_long_small_tables_may_play(edition: str, expected: str) -> None:
    assert expected in SAY(f"rules.topic.{edition}.body")
    allowed = {players: list(book_threshold(edition, players)) for players in (3, 4, 5)}
    assert allowed == {3: [3, 4, 5], 4: [3, 4, 5] if edition == "feathers" else [3, 4], 5: [3]}


def test_the_round_of_the_first_page_at_a_peek_table_is_right() -> None:
    (example,) = re.findall(r"^\*\*A round\.\*\* (.+)$", SAY("rules.topic.basics.body_peek"), re.M)
    total = count((7, 5, 4, 3, -5, 1), Turned((), enough=True), EDITIONS["peek"]).total
    assert f"**{total}**" in example
    assert total < 16, "the last bidder pays"


def test_start_again_takes_a_double_back() -> None:  # R31
    assert "takes back the number and a double" in SAY("rules.topic.actions.body")

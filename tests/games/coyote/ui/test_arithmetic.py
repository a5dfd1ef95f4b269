"""Counts in words, for every edition."""

from collections.abc import Sequence

import pytest

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import Turned, count
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.ui.arithmetic import explain_count
from bot.games.coyote.ui.words import face, faces, in_order
from bot.screens.words import number
from bot.text.catalogue import catalogue

SAY = catalogue()


@pytest.mark.parametrize(
    ("edition", "cards", "turned", "expected"),
    [
        ("feathers", (7, 3, -5, "x2", 10), (), "7 + 3 + 10 = 20 · doubled: 40 · minus 5: **35**"),
        ("tomahawk", (7, 3, -5, "x2", 10), (), "7 + 3 + 10 = 20 · minus 5 · all of it doubled: **30**"),
        ("scout", (7, 3, -5, "x2", 10), (), "7 + 3 + 10 = 20 · doubled: 40 · minus 5: **35**"),
        ("feathers", (7, 3, 10), (), "7 + 3 + 10 = **20**"),
        ("feathers", (7,), (), "7 = **7**"),
        ("feathers", (7, "x2"), (), "7 · doubled: **14**"),
        ("feathers", (-5, -10), (), "No positive feather · minus 5 and 10: **−15**"),
        ("feathers", ("night", 4), (), "4 = **4**"),
        ("feathers", ("?", 4), ((9,),), "? turns up 9 · plus: 4 + 9 = **13**"),
        ("feathers", ("?", 4), (("?", 9),), "? turns up ? → 9 · plus: 4 + 9 = **13**"),
        ("feathers", ("?", 4), ((),), "? finds no feather left and counts 0 · plus: 4 = **4**"),
        ("feathers", ("max0", 20, 4), (), "Max→0 strikes out 20: **4**"),
        ("feathers", ("max0", -5), (), "Max→0 finds nothing to strike · minus 5: **−5**"),
        ("feathers", ("max-", 20, 4), (), "Max→− makes 20 negative · plus: 4 · minus 20: **−16**"),
        ("feathers", ("max-", 6), (), "Max→− makes 6 negative · minus 6: **−6**"),
        (
            *("feathers", ("max-", 6, "x2"), ()),
            "Max→− makes 6 negative · no positive feather · doubled: 0 · minus 6: **−6**",
        ),
        ("peek", ("max0", 20, 15, 0), (), "Max→0 strikes out 20: **15**"),
        ("feathers", ("max-", "max0", 7), (), "Max→0 strikes out 7 · Max→− finds no positive feather: **0**"),
        ("peek", ("?", 15, 1, -10), ((20,),), "? turns up 20 · plus: 15 + 1 + 20 = 36 · minus 10: **26**"),
        ("peek", ("?", 15), ((1,),), "? turns up 1 · plus: 15 + 1 = **16**"),
        ("peek", ("max0", 10, 6, -5), (), "Max→0 strikes out 10 · plus: 6 · minus 5: **1**"),
        ("peek", ("max0", -5, -10), (), "Max→0 strikes out −5 · minus 10: **−10**"),
    ],
)
def test_a_count_is_explained_in_words(
    edition: str, cards: Sequence[Card], turned: tuple[tuple[Card, ...], ...], expected: str
) -> None:
    rules = rules_from({"edition": edition})
    counted = count(cards, Turned(turned, enough=True), rules)
    assert explain_count(SAY, counted).replace("\u00a0", " ") == expected


def test_faces_are_listed_in_order() -> None:
    everything: tuple[Card, ...] = (20, -5, "night", "x2", "?", 0, "max-", "max0")
    told = faces(in_order(everything)).replace("\u00a0", " ")
    assert told == "−5 · 0 · 20 · ? · Max→0 · Max→− · ×2 · 🌙0"
    assert face(-10) == number(-10) == "−10"

"""Counting step by step, with the special feathers in the order and meaning of each edition."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.coyote.rules.cards import face
from bot.games.coyote.rules.counting import CountStep, StepKind, Turned, count, turn_questions
from bot.games.coyote.rules.editions import rules_from
from tests.games.coyote.rules.cases import cards

NO_FLIP = {"edition": "scout"}
SCOUT_ALL = {"edition": "scout", "x2_doubles": "all"}
TOMAHAWK = {"edition": "tomahawk"}
FEATHERS = {"edition": "feathers"}
PEEK = {"edition": "peek"}


def read_step(words: str) -> CountStep:
    """Read a step such as "strike 10 = 0"."""
    left, value = words.split(" = ")
    kinds = sorted((kind for kind in StepKind if left.startswith(kind)), key=len)
    return CountStep(kinds[-1], cards(left[len(kinds[-1]) :]), int(value))


@pytest.mark.parametrize(
    ("title", "rules", "worn", "pile", "steps"),
    [
        ("plain feathers are added", FEATHERS, "3 4 15", "", ["add 3 4 15 = 22"]),
        ("a zero is no positive card", NO_FLIP, "0 4", "", ["add 4 = 4"]),
        ("only zeros", NO_FLIP, "0 0", "", ["add = 0"]),
        ("red is subtracted", FEATHERS, "3 -5 -10", "", ["add 3 = 3", "subtract -5 -10 = -12"]),
        ("a zero beside red", NO_FLIP, "0 -5", "", ["add = 0", "subtract -5 = -5"]),
        ("? turns the top", FEATHERS, "? 3", "7 9", ["turn 7 = 0", "add 3 7 = 10"]),
        (
            "? turns a special, which acts (R09)",
            NO_FLIP,
            "? 3",
            "x2",
            ["turn x2 = 0", "add 3 = 3", "double positives = 6"],
        ),
        ("? turns night (R09)", FEATHERS, "? 3", "night", ["turn night = 0", "add 3 = 3", "night = 3"]),
        ("? finds nothing (R10)", FEATHERS, "? 3", "", ["turn = 0", "add 3 = 3"]),
        ("? turns ? and again (R11)", FEATHERS, "? 3", "? ? 8 9", ["turn ? ? 8 = 0", "add 3 8 = 11"]),
        ("two ? turn one after the other", FEATHERS, "? ?", "? 8 9", ["turn ? 8 = 0", "turn 9 = 0", "add 8 9 = 17"]),
        ("the second ? finds nothing", FEATHERS, "? ?", "8", ["turn 8 = 0", "turn = 0", "add 8 = 8"]),
        ("max0 strikes the highest", FEATHERS, "max0 3 9", "", ["strike 9 = 0", "add 3 = 3"]),
        ("max0 strikes a lonely one", FEATHERS, "max0 1 -5", "", ["strike 1 = 0", "add = 0", "subtract -5 = -5"]),
        ("max0 hits one of equals (R16)", FEATHERS, "max0 9 9", "", ["strike 9 = 0", "add 9 = 9"]),
        ("max0 without green (R14)", FEATHERS, "max0 -5", "", ["strike = 0", "add = 0", "subtract -5 = -5"]),
        ("max0 does not hit a zero (R14)", NO_FLIP, "max0 0", "", ["strike = 0", "add = 0"]),
        ("max- turns the highest", FEATHERS, "max- 3 9", "", ["flip 9 = 0", "add 3 = 3", "subtract -9 = -6"]),
        ("max- without green (R14)", FEATHERS, "max- -5", "", ["flip = 0", "add = 0", "subtract -5 = -5"]),
        (
            "max0 before max- (R17)",
            TOMAHAWK,
            "max- max0 3 9 2",
            "",
            ["strike 9 = 0", "flip 3 = 0", "add 2 = 2", "subtract -3 = -1"],
        ),
        ("one green for both (R17)", FEATHERS, "max- max0 9", "", ["strike 9 = 0", "flip = 0", "add = 0"]),
        (
            "two max- in a custom deck",
            FEATHERS,
            "max- max- 9 4",
            "",
            ["flip 9 = 0", "flip 4 = 0", "add = 0", "subtract -9 -4 = -13"],
        ),
        ("two max0 in a custom deck", FEATHERS, "max0 max0 9 4 1", "", ["strike 9 = 0", "strike 4 = 0", "add 1 = 1"]),
        ("x2 doubles green", FEATHERS, "x2 3 -5", "", ["add 3 = 3", "double positives = 6", "subtract -5 = 1"]),
        (
            "x2 does not double what was turned red",
            FEATHERS,
            "x2 max- 3 9 -5",
            "",
            ["flip 9 = 0", "add 3 = 3", "double positives = 6", "subtract -5 -9 = -8"],
        ),
        ("x2 after max0", NO_FLIP, "x2 max0 3 9", "", ["strike 9 = 0", "add 3 = 3", "double positives = 6"]),
        (
            "two x2 in a custom deck",
            NO_FLIP,
            "x2 x2 3",
            "",
            ["add 3 = 3", "double positives = 6", "double positives = 12"],
        ),
        ("x2 doubles all", SCOUT_ALL, "x2 3 -5", "", ["add 3 = 3", "subtract -5 = -2", "double all = -4"]),
        ("two x2 double all", TOMAHAWK, "x2 x2 3", "", ["add 3 = 3", "double all = 6", "double all = 12"]),
        (
            "x2 doubles a negative total",
            TOMAHAWK,
            "x2 max- 3 20 -5",
            "",
            ["flip 20 = 0", "add 3 = 3", "subtract -5 -20 = -22", "double all = -44"],
        ),
        ("night counts nothing", FEATHERS, "night 3", "", ["add 3 = 3", "night = 3"]),
        (
            "night comes last",
            TOMAHAWK,
            "night x2 3 -5",
            "",
            ["add 3 = 3", "subtract -5 = -2", "double all = -4", "night = -4"],
        ),
        ("peek: max0 hits the highest", PEEK, "max0 3 9 -5", "", ["strike 9 = 0", "add 3 = 3", "subtract -5 = -2"]),
        (
            "peek: max0 hits a negative (R15)",
            PEEK,
            "max0 -5 -10",
            "",
            ["strike -5 = 0", "add = 0", "subtract -10 = -10"],
        ),
        ("peek: max0 hits a zero", PEEK, "max0 0 -10", "", ["strike 0 = 0", "add = 0", "subtract -10 = -10"]),
        ("peek: max0 and no number at all", PEEK, "max0 ?", "", ["turn = 0", "strike = 0", "add = 0"]),
        ("peek: ? turns max0", PEEK, "? 4 6", "max0", ["turn max0 = 0", "strike 6 = 0", "add 4 = 4"]),
    ],
)
def test_every_step_of_the_count_is_listed(
    title: str, rules: dict[str, Any], worn: str, pile: str, steps: list[str]
) -> None:
    feathers = cards(worn)
    turned = turn_questions(feathers, cards(pile))
    counted = count(feathers, turned, rules_from(rules))
    assert counted.steps == tuple(read_step(step) for step in steps), title
    assert counted.total == counted.steps[-1].value
    assert counted.cards == feathers + turned.cards


@pytest.mark.parametrize(
    ("worn", "pile", "groups", "enough"),
    [
        ("3 4", "5", (), True),
        ("? 4", "5 6", ("5",), True),
        ("? 4", "? 6 7", ("? 6",), True),
        ("? 4", "? ?", ("? ?",), False),
        ("? 4", "", ("",), False),
        ("? ?", "5", ("5", ""), False),
        ("? ?", "5 6 7", ("5", "6"), True),
    ],
)
def test_question_marks_turn_cards_while_there_are_any(
    worn: str, pile: str, groups: tuple[str, ...], enough: bool
) -> None:
    turned = turn_questions(cards(worn), cards(pile))
    assert turned == Turned(tuple(cards(group) for group in groups), enough)
    assert turned.cards == cards(" ".join(groups))


@pytest.mark.parametrize(("written", "named"), [("night", 0), ("0", 0), ("-5", -5), ("max0", "max0"), ("?", "?")])
def test_the_face_of_night_is_zero_and_of_other_cards_themselves(written: str, named: Any) -> None:
    assert face(cards(written)[0]) == named

"""Reading plain data by annotations: everything is checked, nothing is guessed."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal, NamedTuple, NewType, Optional

import pytest

from bot.engine.frozen import Frozen
from bot.engine.packing import reader

Number = NewType("Number", int)


class Colour(StrEnum):
    RED = "red"


class Inner(Frozen, frozen=True):
    number: Number
    colour: Colour


class Outer(Frozen, frozen=True):
    inner: Inner
    many: tuple[Inner, ...]
    pair: tuple[int, str]
    choice: int | Literal["?"] | None
    either: Optional[bool] = None  # noqa: UP045 - the older spelling must work too


GOOD: list[tuple[Any, Any, Any]] = [
    (int, 5, 5),
    (str, "a", "a"),
    (bool, True, True),
    (Number, 5, 5),
    (Colour, "red", Colour.RED),
    (Literal["a", "b"], "b", "b"),
    (int | None, None, None),
    (int | str, "a", "a"),
    (tuple[int, ...], [], ()),
    (tuple[int, ...], [1, 2], (1, 2)),
    (tuple[int, ...], (1, 2), (1, 2)),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[int], [1], (1,)),
    (tuple[int | None, ...], [None, 1], (None, 1)),
    (Inner, {"number": 1, "colour": "red"}, Inner(Number(1), Colour.RED)),
    (
        Outer,
        {
            "inner": {"number": 1, "colour": "red"},
            "many": [{"colour": "red", "number": 2}],
            "pair": [3, "x"],
            "choice": "?",
            "either": None,
        },
        Outer(Inner(Number(1), Colour.RED), (Inner(Number(2), Colour.RED),), (3, "x"), "?", None),
    ),
    (
        Outer,
        {"inner": {"number": 1, "colour": "red"}, "many": [], "pair": [3, "x"], "choice": 7, "either": True},
        Outer(Inner(Number(1), Colour.RED), (), (3, "x"), 7, True),
    ),
    (
        Outer,
        {"inner": {"number": 1, "colour": "red"}, "many": [], "pair": [3, "x"], "choice": None},
        Outer(Inner(Number(1), Colour.RED), (), (3, "x"), None),
    ),
]


@pytest.mark.parametrize(("kind", "written", "value"), GOOD)
def test_matching_data_is_read(kind: Any, written: Any, value: Any) -> None:
    read = reader(kind)(written)
    assert read == value
    assert type(read) is type(value)


BAD: list[tuple[Any, Any, str]] = [
    (int, "5", "'5' is not of type int"),
    (int, True, "True is not of type int"),
    (int, 5.0, "5.0 is not of type int"),
    (int, None, "None is not of type int"),
    (str, 5, "5 is not of type str"),
    (bool, 1, "1 is not of type bool"),
    (Number, "5", "'5' is not of type int"),
    (Colour, "blue", "'blue' is not a valid Colour"),
    (Literal["a", "b"], "c", r"'c' is none of \('a', 'b'\)"),
    (Literal["a", "b"], ["a"], r"\['a'\] is none of"),
    (int | None, "x", r"'x' is not int \| None"),
    (tuple[int, ...], 5, "5 is not a list"),
    (tuple[int, ...], "12", "'12' is not a list"),
    (tuple[int, ...], {"a": 1}, "is not a list"),
    (tuple[int, ...], [1, "2"], "'2' is not of type int"),
    (tuple[int, str], [1], "1 values where 2 belong"),
    (tuple[int, str], [1, "a", 2], "3 values where 2 belong"),
    (Inner, {"number": 1}, "Inner lacks colour"),
    (Inner, {"number": 1, "colour": "blue"}, "'blue' is not a valid Colour"),
    (Inner, {"number": 1, "colour": "red", "size": 2, "age": 3}, "Inner has no age, size"),
    (Inner, {"number": None, "colour": "red"}, "None is not of type int"),
    (Inner, [1, "red"], r"\[1, 'red'\] is not an object"),
    (Inner, None, "None is not an object"),
]


@pytest.mark.parametrize(("kind", "written", "complaint"), BAD)
def test_data_that_does_not_match_is_refused(kind: Any, written: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        reader(kind)(written)


class Pair(NamedTuple):
    one: int


def test_records_written_by_position_are_not_read() -> None:
    with pytest.raises(TypeError, match="Pair would be written by position; make it a Frozen record"):
        reader(tuple[Pair, ...])

"""Actions need fields of the exact types, even where Python treats other values as equal."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal, NamedTuple, NewType, Optional

import pytest

from bot.engine.frozen import Frozen
from bot.engine.shapes import shape_of

Place = NewType("Place", int)


class Suit(IntEnum):
    SPADES = 0


class Face(NamedTuple):
    suit: Suit
    value: int


class Move(NamedTuple):
    place: Place
    word: int | Literal["?"]
    target: Place | None
    face: Face | None
    order: tuple[Face, ...]
    numbers: tuple[int | Literal["?"], ...]
    older: Optional[bool] = None  # noqa: UP045 - the older spelling must work too


FACE = Face(Suit.SPADES, 2)
MOVE = Move(Place(1), 5, None, FACE, (FACE,), (1, "?"))


@pytest.mark.parametrize(
    "changes",
    [{}, {"word": "?"}, {"target": 2}, {"face": None}, {"order": ()}, {"numbers": ("?",)}, {"older": True}],
)
def test_values_of_the_annotated_types_fit(changes: dict[str, Any]) -> None:
    assert shape_of(Move)(MOVE._replace(**changes))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("place", True),
        ("place", 1.0),
        ("place", None),
        ("word", None),
        ("word", []),
        ("target", "1"),
        ("face", (Suit.SPADES, 2)),
        ("face", Face(0, 2)),  # type: ignore[arg-type]
        ("face", Face(Suit.SPADES, 2.0)),  # type: ignore[arg-type]
        ("order", [FACE]),
        ("order", (FACE, None)),
        ("order", (Face(Suit.SPADES, True),)),
        ("numbers", [1]),
        ("numbers", (1, True)),
        ("numbers", ([],)),
        ("older", 1),
    ],
)
def test_values_of_other_types_do_not_fit(field: str, value: Any) -> None:
    assert not shape_of(Move)(MOVE._replace(**{field: value}))


@pytest.mark.parametrize("value", [None, 5, tuple(MOVE), FACE, tuple.__new__(Move, MOVE[:-1])])
def test_only_the_exact_record_type_fits(value: Any) -> None:
    assert not shape_of(Move)(value)


class Stone(Frozen, frozen=True):
    suit: Suit
    value: int


class Throw(NamedTuple):
    stone: Stone
    others: tuple[Stone, ...] = ()


STONE = Stone(Suit.SPADES, 2)


def test_frozen_records_are_looked_into_as_well() -> None:
    fits = shape_of(Throw)
    assert fits(Throw(STONE, (STONE,)))
    assert not fits(Throw(Stone(0, 2)))  # type: ignore[arg-type]
    assert not fits(Throw(FACE))  # type: ignore[arg-type]
    assert not fits(Throw(STONE, (Stone(Suit.SPADES, True),)))


def test_a_copy_of_a_listed_value_fits_too() -> None:
    fits = shape_of(Throw, {Stone: {STONE}})
    copy = Stone(Suit.SPADES, 2)
    assert copy is not STONE
    assert fits(Throw(STONE, (STONE, STONE)))
    assert fits(Throw(copy, (STONE, copy)))
    assert not fits(Throw(Stone(Suit.SPADES, 3)))
    assert not fits(Throw(STONE, (STONE, Stone(Suit.SPADES, 3))))
    assert not fits(Throw(Stone(0, 2)))  # type: ignore[arg-type]


def test_only_the_listed_values_fit() -> None:
    fits = shape_of(Move, {Face: {FACE}})
    assert fits(MOVE)
    assert not fits(MOVE._replace(face=FACE._replace(value=3)))
    assert not fits(MOVE._replace(order=(FACE, FACE._replace(value=3))))
    assert not fits(MOVE._replace(face=Face(Suit.SPADES, [])))  # type: ignore[arg-type]

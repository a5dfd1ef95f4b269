"""Feathers: one drawing for each face, and one for a face that the viewer may not see.

A kind can be told by its outline alone: positive feathers are smooth, negative ones jagged, zero is an egg; "?" curls,
Max→0 is crowned, Max→− points down, ×2 is two feathers, night has a scalloped edge, and a hidden one leans the other
way and is striped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card
from bot.pictures.brush import Brush, Shape, mirrored, moved, oval, path, round_box, star, turned
from bot.pictures.lettering import letter
from bot.pictures.palette import CLAY, GOLD, GREEN, GREY, INK, PANEL, PURPLE, RED, SAND, TEAL, WHITE, Colour
from bot.pictures.palette import NIGHT as NIGHT_BLUE

WIDTH: Final = 100
HEIGHT: Final = 124
"""The size of a feather in units; its quill ends at the bottom in the middle."""
VANE_HEIGHT: Final = 112
"""The height of a feather without its quill, in units."""
_LINE: Final = 4.6
"""The width of outlines, in units."""

Seen: TypeAlias = Card | None
"""A face, or None for one that the viewer may not see."""

_SMOOTH: Final = path(
    "M46 95 C33 93 23 86 18 76 C13 67 11 58 12 49 L29 53 L15 38 C19 27 27 18 37 12 C52 4 72 1 93 1 C97 18 98 34 94 48 "
    "C91 62 85 75 76 86 L63 79 L66 91 C60 94 53 96 46 95 Z"
)
_HIDDEN: Final = mirrored(_SMOOTH)
_JAGGED: Final = path(
    "M50 111 L34 104 L36 96 L14 94 L20 83 L3 76 L14 65 L1 54 L14 46 L6 29 L24 29 L24 12 L42 19 L56 4 L66 14 L95 1 "
    "L92 22 L99 36 L87 47 L98 60 L85 68 L94 82 L76 85 L78 97 L62 98 L62 106 Z"
)
_EGG: Final = path("M50 107 C19 107 5 84 8 59 C11 31 29 12 50 12 C71 12 89 31 92 59 C95 84 81 107 50 107 Z")
_CURL: Final = path(
    "M50 107 C20 104 3 82 6 55 C8 27 30 3 60 3 C84 3 99 18 97 34 C95 46 82 50 75 43 C86 48 95 62 93 75 "
    "C90 94 74 106 50 107 Z"
)
_CROWNED: Final = path("M50 108 C20 108 8 98 8 78 L3 14 L27 29 L50 2 L73 29 L97 14 L92 78 C92 98 80 108 50 108 Z")
_FALLING: Final = path("M50 111 L8 74 L6 18 C6 8 16 4 26 8 L50 18 L74 8 C84 4 94 8 94 18 L92 74 Z")
_CROWN: Final = path("M-20 11 L-23 -11 L-10 -2 L0 -14 L10 -2 L23 -11 L20 11 Z")
"""The sign of the highest number, around a point."""
_HALF: Final = path("M52 106 C24 104 -1 88 3 50 C5 30 16 14 33 7 C48 16 58 34 58 62 Z")
_DOWN: Final = path(
    "M50 100 C46 108 36 107 36 102 C29 101 29 94 34 92 C36 87 41 87 43 90 C46 86 54 86 57 90 C59 87 64 87 66 92 "
    "C71 94 71 101 64 102 C64 107 54 108 50 100 Z"
)
"""The soft tuft at the foot of every feather."""
_SCALLOPED: Final = path(
    "M50 107 C38 114 23 109 21 98 C7 95 3 81 10 72 C0 62 4 48 13 45 C9 30 19 19 31 22 C36 7 60 3 68 17 "
    "C81 14 91 25 88 39 C99 45 101 61 91 70 C98 82 91 95 79 97 C77 109 62 114 50 107 Z"
)


def draw_feather(brush: Brush, seen: Seen, *, faded: bool = False) -> None:
    """Draw a feather into a box of `WIDTH` by `HEIGHT` units; `faded` if it neither counts nor acts any more."""
    _quill(brush)
    _draw_face(brush, seen)
    _down(brush)
    if faded:
        _strike(brush)


def draw_vane(brush: Brush, seen: Seen) -> None:
    """Draw a feather with little of its quill, into a box of `WIDTH` by `VANE_HEIGHT`: its face is larger that way."""
    if seen is None or (isinstance(seen, int) and seen > 0):
        way = -1 if seen is None else 1
        quill = [(50 - way * 2, 90), (50 - way * 6, 107)]
        brush.line(quill, 13)
        brush.line(quill, 5, PANEL)
    _draw_face(brush, seen)


def _draw_face(brush: Brush, seen: Seen) -> None:
    if seen is None:
        _draw_back(brush)
    elif isinstance(seen, int):
        _draw_number(brush, seen)
    else:
        _SPECIALS[seen](brush)


def _quill(brush: Brush) -> None:
    brush.line([(50, 96), (49, 120)], 10)
    brush.line([(50, 96), (49, 120)], 4, PANEL)


def _vane(brush: Brush, outline: Shape, colour: Colour, *, tip: bool = False) -> None:
    """Fill the outline, with a light left side, barbs and a shaft; with a dark `tip`, as eagles have them."""
    brush.fill(outline, colour)
    with brush.inside(outline):
        brush.fill(oval(22, 30, 40, 66, turn=-20), colour.mixed(WHITE, 0.24))
        dark = colour.mixed(INK, 0.26)
        brush.fill(path("M100 30 C98 70 82 100 40 124 L100 124 Z"), colour.mixed(INK, 0.14))
        if tip:
            brush.fill(path("M104 42 C92 28 74 16 48 13 L44 -6 L104 -6 Z"), colour.mixed(INK, 0.65))
        for y in range(4, 124, 13):
            brush.line(path(f"M52 {y + 12} Q28 {y + 6} -4 {y - 16}"), 2.2, dark)
            brush.line(path(f"M52 {y + 12} Q76 {y + 6} 104 {y - 16}"), 2.2, dark)
        shaft = path("M50 112 C48 76 62 34 94 0" if tip else "M50 112 C50 80 52 40 62 0")
        brush.line(shaft, 6.6, colour.mixed(INK, 0.48))
        brush.line(shaft, 2.6, colour.mixed(WHITE, 0.35))
        if tip:
            _fluff(brush, colour)
    brush.line(outline, _LINE, closed=True)


def _fluff(brush: Brush, colour: Colour) -> None:
    """Lighten the foot of a vane, where the barbs are soft."""
    soft = path("M-4 82 Q10 70 20 81 Q32 70 42 82 Q52 72 60 82 Q72 70 84 80 Q96 72 104 82 L104 124 L-4 124 Z")
    brush.fill(soft, colour.mixed(WHITE, 0.7))
    for x in (20, 42, 60, 84):
        brush.line([(x, 86), (x + (50 - x) * 0.2, 100)], 2.2, colour.mixed(INK, 0.26))


def _down(brush: Brush) -> None:
    brush.shape(_DOWN, PANEL, 3.6)
    brush.line([(50, 95), (50, 103)], 2.6, SAND.mixed(INK, 0.3))


def _draw_number(brush: Brush, number: int) -> None:
    if number > 0:
        _vane(brush, _SMOOTH, GREEN, tip=True)
    elif number < 0:
        _vane(brush, _JAGGED, RED, tip=True)
    else:
        _vane(brush, _EGG, GREY)
    digits = str(abs(number))
    height = 58 if len(digits) == 1 else 50
    if number >= 0:
        letter(brush, digits, (51, 47) if number else (50, 58), height, WHITE, width=90, outline=5.4)
        return
    # The font's minus is broad: a short bar leaves more room for the digits.
    letter(brush, digits, (61, 52), height, WHITE, width=76, outline=5.4)
    bar = [(8, 52), (21, 52)] if len(digits) > 1 else [(15, 52), (33, 52)]
    brush.line(bar, 20)
    brush.line(bar, 9.2, WHITE)


def _draw_question(brush: Brush) -> None:
    _vane(brush, _CURL, PURPLE)
    brush.line(path("M77 44 C69 38 70 27 79 25 C86 24 88 31 84 33"), _LINE)
    letter(brush, "?", (46, 52), 58, WHITE, outline=5.6)


def _draw_max_zero(brush: Brush) -> None:
    """Draw a crown, for the highest number, and the zero that it becomes."""
    _vane(brush, _CROWNED, GOLD)
    brush.shape(moved(_CROWN, 50, 33), WHITE, 4)
    letter(brush, "0", (50, 73), 48, WHITE, outline=5.6)


def _draw_max_minus(brush: Brush) -> None:
    """Draw a crown that topples, and the minus that the highest number gets."""
    _vane(brush, _FALLING, CLAY.mixed(INK, 0.15))
    brush.shape(turned(moved(_CROWN, 55, 33), 24, 55, 33), GOLD, 4.6)
    brush.shape(round_box(19, 59, 81, 82, 4), WHITE, 5.6)


def _draw_times_two(brush: Brush) -> None:
    for half in (_HALF, mirrored(_HALF)):
        _vane(brush, half, TEAL)
    letter(brush, "×2", (50, 56), 45, WHITE, width=94, outline=5.6)


def _draw_night(brush: Brush) -> None:
    _vane(brush, _SCALLOPED, NIGHT_BLUE)
    moon = path("M58 22 C28 22 14 44 20 66 C26 88 54 96 74 82 C52 84 38 72 38 54 C38 40 46 28 58 22 Z")
    brush.shape(moon, GOLD.mixed(WHITE, 0.35), 4)
    for x, y, size in ((78, 34, 7), (62, 18, 4.5)):
        brush.fill(star(x, y, size, size * 0.45, 5), GOLD.mixed(WHITE, 0.6))
    letter(brush, "0", (66, 60), 36, WHITE, outline=5.2)


def _draw_back(brush: Brush) -> None:
    """Draw stripes and a shut eye: nothing that could be taken for a face."""
    brush.fill(_HIDDEN, SAND)
    with brush.inside(_HIDDEN):
        for y in range(-10, 130, 26):
            stripe = path(f"M-4 {y + 20} L50 {y} L104 {y + 20} L104 {y + 32} L50 {y + 12} L-4 {y + 32} Z")
            brush.fill(stripe, CLAY.mixed(WHITE, 0.15))
        brush.fill(path("M0 96 Q50 78 100 92 L100 124 L0 124 Z"), CLAY.mixed(INK, 0.25))
    brush.line(_HIDDEN, _LINE, closed=True)
    brush.shape(oval(49, 50, 35, 29), PANEL, 4.4)
    brush.line(path("M25 43 Q49 70 73 43"), 6.4)
    for angle in (-46, -16, 16, 46):
        lash = turned([(49, 57), (49, 69)], angle, 49, 28)
        brush.line(lash, 5.4)


def _strike(brush: Brush) -> None:
    """Strike a feather out, without crossing its number."""
    for part in ([(2, 104), (26, 79)], [(74, 30), (98, 6)]):
        brush.line(part, 15, PANEL)
        brush.line(part, 8)


_SPECIALS: Final[Mapping[Card, Callable[[Brush], None]]] = {
    QUESTION: _draw_question,
    MAX_ZERO: _draw_max_zero,
    MAX_MINUS: _draw_max_minus,
    TIMES_TWO: _draw_times_two,
    NIGHT: _draw_night,
}

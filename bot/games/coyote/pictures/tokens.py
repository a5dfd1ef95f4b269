"""Coins, picture coins, eyes and the Coyote card. Coyote coins are round, picture coins have eight corners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.pictures.animals import draw_head
from bot.pictures.brush import Brush, Shape, moved, oval, path, round_box, star
from bot.pictures.lettering import letter
from bot.pictures.palette import BLUE, CLAY, GOLD, GREY, INK, LINEN, PANEL, SAND, TEAL, WHITE, Colour

SIZE: Final = 100
"""Tokens are drawn into a square of this many units."""
_LINE: Final = 6
"""The width of outlines, in units."""
_EIGHT: Final = star(50, 50, 48, 48 * 0.9239, 8, turn=-90 + 22.5)
_SNOUT: Final = path(
    "M22 34 L24 12 L40 26 L60 26 L76 12 L78 34 C82 48 76 58 66 66 C62 76 56 82 50 82 "
    "C44 82 38 76 34 66 C24 58 18 48 22 34 Z"
)
"""A coyote's face, from the front."""


def draw_coin(brush: Brush) -> None:
    """Draw a coyote coin that somebody has taken."""
    brush.shape(oval(50, 50, 46), GOLD, _LINE)
    brush.line(oval(50, 50, 37), 3.4, GOLD.mixed(INK, 0.35), closed=True)
    brush.fill(oval(32, 26, 13, 7, turn=-38), GOLD.mixed(WHITE, 0.65))
    brush.fill(moved(_SNOUT, 0, 1), INK)
    for x in (39, 61):
        brush.fill(oval(x, 46, 4.6), GOLD.mixed(WHITE, 0.4))
    brush.fill(path("M43 66 L57 66 L50 75 Z"), GOLD.mixed(WHITE, 0.4))


def draw_free_coin(brush: Brush, colour: Colour = GREY) -> None:
    """Draw the place for a coyote coin that is still empty."""
    brush.fill(oval(50, 50, 44), LINEN)
    draw_empty_ring(brush, colour)


def draw_empty_ring(brush: Brush, colour: Colour = GREY) -> None:
    """Draw the same as an emoji: hollow, or it would outshine a coin on a dark screen."""
    dark = colour.mixed(INK, 0.25)
    for step in range(8):
        arc = oval(50, 50, 43)
        first = step * 6
        brush.line([arc[(first + place) % 48] for place in range(4)], 7, dark)


def draw_open_eye(brush: Brush) -> None:
    """Draw an open eye: a peek card that can still be used."""
    brush.shape(path("M3 52 C22 18 78 18 97 52 C78 86 22 86 3 52 Z"), WHITE, _LINE + 1)
    brush.shape(oval(50, 52, 21), BLUE, 5)
    brush.fill(oval(50, 52, 10), INK)
    brush.fill(oval(43, 44, 5.4), WHITE)
    for start, end in (((18, 28), (10, 17)), ((50, 17), (50, 4)), ((82, 28), (90, 17))):
        brush.line([start, end], 6)


def draw_closed_eye(brush: Brush) -> None:
    """Draw a closed eye: a peek card that has been used."""
    for start, end in (((12, 58), (4, 74)), ((34, 68), (28, 86)), ((66, 68), (72, 86)), ((88, 58), (96, 74))):
        brush.line([start, end], 6)
    lid = path("M3 46 C20 8 80 8 97 46 C78 76 22 76 3 46 Z")
    brush.shape(lid, SAND.mixed(CLAY, 0.35), _LINE)
    with brush.inside(lid):
        brush.line(path("M14 36 C30 16 70 16 86 36"), 4, CLAY.mixed(INK, 0.3))
    brush.line(path("M3 46 C22 76 78 76 97 46"), _LINE + 3)


def _arrow(brush: Brush, line: Shape, tip: Shape) -> None:
    for width, colour in ((17, INK), (9, WHITE)):
        brush.line(line, width, colour)
        if colour == INK:
            brush.line(tip, 8, INK, closed=True)
        brush.fill(tip, colour)


def _extra(brush: Brush) -> None:
    vane = path("M36 78 C20 72 16 44 26 22 C44 26 54 50 48 72 Z")
    brush.line([(38, 72), (34, 88)], 7)
    brush.shape(vane, WHITE, 5)
    brush.line(path("M36 78 C36 60 34 44 30 34"), 3.6)
    letter(brush, "+", (69, 50), 30, WHITE, outline=5)


def _reverse(brush: Brush) -> None:
    _arrow(brush, path("M30 66 C22 40 46 24 64 36"), path("M58 22 L82 42 L54 52 Z"))
    brush.line(path("M70 60 C66 76 48 80 36 72"), 17)
    brush.line(path("M70 60 C66 76 48 80 36 72"), 9, WHITE)


def _skip(brush: Brush) -> None:
    for left in (24, 50):
        brush.shape(path(f"M{left} 26 L{left + 28} 50 L{left} 74 Z"), WHITE, 6)


def _replace(brush: Brush) -> None:
    _arrow(brush, [(28, 39), (58, 39)], path("M56 24 L80 39 L56 54 Z"))
    _arrow(brush, [(72, 65), (44, 65)], path("M46 50 L22 65 L46 80 Z"))


def _guess(brush: Brush) -> None:
    brush.line([(58, 60), (76, 80)], 17)
    brush.line([(58, 60), (76, 80)], 8, WHITE)
    brush.shape(oval(44, 43, 22), WHITE, 7)
    brush.fill(oval(44, 43, 8), INK)


_PICTURES: Final[Mapping[str, tuple[Colour, Callable[[Brush], None]]]] = {
    "extra": (TEAL, _extra),
    "reverse": (CLAY, _reverse),
    "skip": (TEAL, _skip),
    "replace": (CLAY, _replace),
    "guess": (TEAL, _guess),
}


def draw_picture_coin(brush: Brush, kind: str) -> None:
    """Draw one of the picture coins of the edition with feathers."""
    colour, draw = _PICTURES[kind]
    brush.shape(_EIGHT, colour, _LINE)
    with brush.inside(_EIGHT):
        brush.fill(path("M0 0 L70 0 L0 80 Z"), colour.mixed(WHITE, 0.2))
    brush.line(_EIGHT, _LINE, closed=True)
    draw(brush)


def draw_used_coin(brush: Brush) -> None:
    """Draw a picture coin that has been turned over."""
    brush.shape(_EIGHT, GREY, _LINE)
    brush.line(star(50, 50, 34, 34 * 0.9239, 8, turn=-67.5), 4, GREY.mixed(INK, 0.4), closed=True)
    brush.line([(36, 64), (64, 36)], 7, GREY.mixed(INK, 0.5))


def draw_coyote_card(brush: Brush) -> None:
    """Draw the trickster's Coyote card."""
    brush.shape(round_box(14, 3, 86, 97, 12), PANEL, _LINE)
    brush.shape(round_box(22, 11, 78, 89, 7), CLAY, 3)
    inner = Brush(100, 92, 0.56 * brush.scale / 4)
    draw_head(inner, 0)
    brush.image(inner.finished(), 22, 26)

"""Twelve animal heads with headbands: one for each seat, so that players differ by shape and not by colour alone."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from bot.pictures.brush import Brush, Shape, mirrored, oval, path, star
from bot.pictures.canvas import Piece, piece
from bot.pictures.palette import (
    BLUE,
    CLAY,
    FUR,
    GOLD,
    GREEN,
    INK,
    NIGHT,
    PANEL,
    PINK,
    PURPLE,
    RED,
    SNOW,
    TEAL,
    WHITE,
    Colour,
)

WIDTH: Final = 100
HEIGHT: Final = 92
"""The size of a head in units."""
BAND_TOP: Final = 25
"""Where the upper edge of the headband is: feathers stand behind it."""
SPACE: Final = 4
"""How far outlines reach beyond the box of a head, in units."""
_LINE: Final = 4
"""The width of outlines, in units."""

_HEAD: Final = path("M50 14 C76 14 90 32 90 52 C90 76 72 89 50 89 C28 89 10 76 10 52 C10 32 24 14 50 14 Z")
_POINTED: Final = path(
    "M50 14 C76 14 92 30 93 50 C90 62 76 68 66 82 C60 93 40 93 34 82 C24 68 10 62 7 50 C8 30 24 14 50 14 Z"
)
"""A head with a narrow muzzle."""
_BAND: Final = path("M2 38 Q50 18 98 38 L98 52 Q50 33 2 52 Z")
_BANDS: Final = (RED, TEAL, GOLD, NIGHT, GREEN, CLAY, BLUE, PURPLE, RED, TEAL, GOLD, GREEN)


class Mood(Enum):
    """How a head feels about things."""

    CALM = "calm"
    CURIOUS = "curious"
    """Looks up at its own feather."""
    GLAD = "glad"
    SORRY = "sorry"
    OUT = "out"
    """Fast asleep."""


def draw_head(brush: Brush, seat: int, mood: Mood = Mood.CALM) -> None:
    """Draw the head of a seat into a box of `WIDTH` by `HEIGHT` units."""
    number = seat % len(_ANIMALS)
    _ANIMALS[number](brush, FUR[number], _BANDS[number], mood)


def head_piece(seat: int, mood: Mood, scale: float, background: Colour = PANEL) -> Piece:
    """Return the head of a seat; `scale` is pixels per unit."""
    return piece(
        ("head", seat, mood),
        (WIDTH + 2 * SPACE, HEIGHT + 2 * SPACE),
        lambda brush: draw_head(brush, seat, mood),
        scale=scale,
        background=background,
        origin=(SPACE, SPACE),
    )


def _pair(brush: Brush, shape: Shape, colour: Colour, line: float = _LINE) -> None:
    """Draw a shape and its mirror image."""
    brush.shape(shape, colour, line)
    brush.shape(mirrored(shape), colour, line)


def _pair_fill(brush: Brush, shape: Shape, colour: Colour) -> None:
    brush.fill(shape, colour)
    brush.fill(mirrored(shape), colour)


def _skull(brush: Brush, fur: Colour, band: Colour, patches: Callable[[], None], head: Shape = _HEAD) -> None:
    """Draw the head with its patches and the headband around it."""
    brush.fill(head, fur)
    with brush.inside(head):
        brush.fill(oval(30, 34, 30, 30), fur.mixed(WHITE, 0.14))
        patches()
        brush.fill(path("M86 30 C88 62 76 84 46 92 L100 96 L100 30 Z"), INK, 0.1)
        brush.shape(_BAND, band, 3.4)
        brush.line(path("M2 45 Q50 25.5 98 45"), 3.2, band.mixed(WHITE, 0.6))
    brush.line(head, _LINE, closed=True)


def _eyes(brush: Brush, mood: Mood, y: float = 58, apart: float = 17, size: float = 5.2) -> None:
    for side in (-1, 1):
        x = 50 + side * apart
        match mood:
            case Mood.GLAD:
                brush.line(path(f"M{x - 6} {y + 2} Q{x} {y - 7} {x + 6} {y + 2}"), 3.6)
            case Mood.OUT:
                brush.line(path(f"M{x - 6} {y - 1} Q{x} {y + 5} {x + 6} {y - 1}"), 3.4)
            case Mood.SORRY:
                brush.fill(oval(x, y + 1, size * 0.95), INK)
                brush.fill(oval(x - 1, y + 3, size * 0.36), WHITE)
                brush.line([(x - side * 7, y - 10), (x + side * 6, y - 6)], 3)
            case Mood.CURIOUS:
                brush.shape(oval(x, y, size + 2.2), WHITE, 2.8)
                brush.fill(oval(x - side * 1.2, y - 2.6, size * 0.72), INK)
            case _:
                brush.fill(oval(x, y, size, size * 1.12), INK)
                brush.fill(oval(x - 1.6, y - 2, size * 0.36), WHITE)


def _mouth(brush: Brush, mood: Mood, y: float = 76) -> None:
    match mood:
        case Mood.GLAD:
            brush.shape(path(f"M41 {y - 1} Q50 {y + 13} 59 {y - 1} Z"), RED.mixed(INK, 0.3), 2.8)
        case Mood.SORRY:
            brush.line(path(f"M44 {y + 4} Q50 {y - 2} 56 {y + 4}"), 2.8)
        case Mood.CURIOUS:
            brush.shape(oval(50, y + 2, 3, 3.4), RED.mixed(INK, 0.4), 2.4)
        case Mood.OUT:
            brush.line([(46, y + 1), (54, y + 1)], 2.8)
        case _:
            brush.line(path(f"M42 {y - 1} Q46 {y + 4} 50 {y - 1} Q54 {y + 4} 58 {y - 1}"), 2.8)


def _nose(brush: Brush, y: float = 69, size: float = 6, colour: Colour = INK) -> None:
    brush.fill(
        path(
            f"M{50 - size} {y - 3} Q50 {y - 6} {50 + size} {y - 3} Q{50 + size * 0.6} {y + 4} 50 {y + 4} "
            f"Q{50 - size * 0.6} {y + 4} {50 - size} {y - 3} Z"
        ),
        colour,
    )
    brush.fill(oval(50 - size * 0.3, y - 2.2, 1.6, 1.1), WHITE)


def _canine(
    brush: Brush, fur: Colour, band: Colour, mood: Mood, *, light: Colour, tips: Colour, head: Shape = _HEAD
) -> None:
    """Draw a coyote or a fox: tall ears, light cheeks."""
    ear = path("M14 44 C8 26 8 10 14 1 C28 6 38 14 44 24 Z")
    _pair(brush, ear, fur)
    _pair_fill(brush, path("M17 28 C15 20 15 14 17 9 C25 13 31 18 34 23 Z"), tips)

    def patches() -> None:
        _pair_fill(brush, path("M6 62 C20 58 34 62 44 72 L50 92 L10 92 Z"), light)
        brush.fill(path("M50 40 C42 52 38 62 38 74 C38 90 62 90 62 74 C62 62 58 52 50 40 Z"), light)

    _skull(brush, fur, band, patches, head)
    _eyes(brush, mood)
    _mouth(brush, mood, 78)
    _nose(brush, 71)


def _coyote(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _canine(brush, fur, band, mood, light=PANEL, tips=fur.mixed(INK, 0.45))


def _fox(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _canine(brush, fur, band, mood, light=WHITE, tips=INK.mixed(fur, 0.2), head=_POINTED)


def _round_ears(brush: Brush, fur: Colour, inner: Colour, size: float = 14, at: tuple[float, float] = (19, 22)) -> None:
    _pair(brush, oval(*at, size), fur)
    _pair_fill(brush, oval(at[0] + 0.5, at[1] + 1, size * 0.52), inner)


def _bear(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    light = fur.mixed(WHITE, 0.5)
    _round_ears(brush, fur, light)
    _skull(brush, fur, band, lambda: brush.shape(oval(50, 75, 19, 15), light))
    _eyes(brush, mood)
    _mouth(brush, mood, 77)
    _nose(brush, 69, 7)


def _rabbit(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _pair(brush, path("M30 34 C14 26 4 10 9 1 C19 -3 34 10 40 28 Z"), fur)
    _pair_fill(brush, path("M29 27 C20 22 13 12 14 6 C21 6 30 15 34 24 Z"), PINK)
    _skull(brush, fur, band, lambda: _pair_fill(brush, oval(41, 76, 12, 10), WHITE))
    _pair_fill(brush, oval(22, 70, 6, 4), PINK)
    _eyes(brush, mood)
    if mood not in (Mood.SORRY, Mood.OUT):
        brush.shape(path("M46 76 L54 76 L54 85 Q50 87 46 85 Z"), WHITE, 2.4)
        brush.line([(50, 76), (50, 84)], 1.6)
    _mouth(brush, mood if mood is not Mood.GLAD else Mood.CALM, 76)
    _nose(brush, 70, 5, PINK.mixed(RED, 0.4))


def _owl(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _pair(brush, path("M14 40 C8 26 8 12 10 4 C22 8 36 14 42 22 Z"), fur)

    def patches() -> None:
        _pair_fill(brush, oval(33, 62, 19), fur.mixed(WHITE, 0.55))
        for x, y in ((40, 86), (50, 90), (60, 86)):
            brush.line(path(f"M{x - 4} {y} Q{x} {y + 5} {x + 4} {y}"), 2, fur.mixed(INK, 0.4))

    _skull(brush, fur, band, patches)
    _pair(brush, oval(33, 61, 12.5), WHITE, 3)
    if mood in (Mood.GLAD, Mood.OUT):
        _eyes(brush, mood, 61)
    else:
        look = {Mood.CURIOUS: -4, Mood.SORRY: 4}.get(mood, 0)
        _pair_fill(brush, oval(35, 61 + look, 6.4), INK)
        for x in (33, 63):
            brush.fill(oval(x, 58.6 + look, 2), WHITE)
        if mood is Mood.SORRY:
            for side in (-1, 1):
                brush.line([(50 + side * 10, 47), (50 + side * 26, 52)], 3)
    brush.shape(path("M44 68 Q50 65 56 68 L50 80 Z"), GOLD, 3)


def _raccoon(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _round_ears(brush, fur, INK.mixed(fur, 0.3), 13)

    def patches() -> None:
        brush.fill(
            path("M4 66 C20 42 40 50 50 60 C60 50 80 42 96 66 C82 78 64 70 50 66 C36 70 18 78 4 66 Z"),
            INK.mixed(fur, 0.28),
        )
        brush.fill(oval(50, 80, 17, 14), WHITE)

    _skull(brush, fur, band, patches)
    for x in (33, 67):
        brush.fill(oval(x, 59, 8), SNOW)
    _eyes(brush, mood, 59, 17, 4.6)
    _mouth(brush, mood, 79)
    _nose(brush, 72)


def _deer(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    for shape in (path("M30 22 C24 14 24 8 26 1"), path("M26 12 C20 10 16 7 14 2")):
        for line in (shape, mirrored(shape)):
            brush.line(line, 7)
            brush.line(line, 2.6, fur.mixed(WHITE, 0.6))
    ear = path("M18 42 C4 40 -1 30 0 22 C12 20 26 24 32 32 Z")
    _pair(brush, ear, fur)
    _pair_fill(brush, path("M17 37 C9 36 6 31 5 27 C13 26 22 28 26 32 Z"), PINK)

    def patches() -> None:
        brush.fill(oval(50, 78, 19, 15), fur.mixed(WHITE, 0.7))
        for x, y in ((20, 66), (80, 66), (26, 74), (74, 74)):
            brush.fill(oval(x, y, 2.6), fur.mixed(WHITE, 0.7))

    _skull(brush, fur, band, patches)
    _eyes(brush, mood, 58, 19, 5.6)
    _mouth(brush, mood, 80)
    _nose(brush, 72, 7)


def _frog(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _skull(brush, fur, band, lambda: brush.fill(oval(50, 88, 30, 18), fur.mixed(WHITE, 0.5)))
    for x in (24, 76):
        brush.shape(oval(x, 56, 13.5), fur.mixed(WHITE, 0.15), 3.4)
    if mood in (Mood.CALM, Mood.CURIOUS):
        for x in (24, 76):
            brush.shape(oval(x, 56, 8.6), WHITE, 2.6)
            brush.fill(oval(x, 53 if mood is Mood.CURIOUS else 56.5, 4.6), INK)
    else:
        _eyes(brush, mood, 56, 26)
    match mood:
        case Mood.GLAD:
            brush.shape(path("M30 72 Q50 92 70 72 Z"), RED.mixed(INK, 0.3), 3)
        case Mood.SORRY:
            brush.line(path("M34 80 Q50 70 66 80"), 3)
        case Mood.CURIOUS:
            brush.shape(oval(50, 76, 5, 4.4), RED.mixed(INK, 0.4), 2.6)
        case _:
            brush.line(path("M30 73 Q50 84 70 73"), 3)
    _pair_fill(brush, oval(47, 66, 1.4), INK)


def _badger(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _round_ears(brush, fur, WHITE, 11, (18, 26))

    def patches() -> None:
        brush.fill(path("M0 0 L100 0 L100 96 L0 96 Z"), WHITE)
        stripe = path("M22 10 C38 24 44 46 40 66 C36 84 22 92 14 84 C18 60 16 34 10 20 Z")
        _pair_fill(brush, stripe, fur)

    _skull(brush, fur, band, patches)
    for x in (31, 69):
        brush.fill(oval(x, 58, 8), WHITE)
    _eyes(brush, mood, 58, 19, 4.8)
    _mouth(brush, mood, 79)
    _nose(brush, 71, 7)


def _beaver(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _round_ears(brush, fur, fur.mixed(WHITE, 0.35), 10, (16, 28))
    _skull(brush, fur, band, lambda: _pair_fill(brush, oval(39, 74, 15, 12), fur.mixed(WHITE, 0.42)))
    _eyes(brush, mood, 57, 18, 4.8)
    brush.shape(path("M43 78 L57 78 L57 90 Q50 92 43 90 Z"), WHITE, 2.8)
    brush.line([(50, 79), (50, 90)], 2)
    _mouth(brush, Mood.SORRY if mood is Mood.SORRY else Mood.CALM, 76)
    _nose(brush, 68, 8)


def _hedgehog(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    spikes = star(50, 48, 49, 40, 22)
    brush.shape(spikes, fur.mixed(INK, 0.4), _LINE)
    face = path("M50 22 C72 22 84 38 84 56 C84 78 68 90 50 90 C32 90 16 78 16 56 C16 38 28 22 50 22 Z")
    light = FUR[0].mixed(WHITE, 0.6)
    _skull(brush, light, band, lambda: None, face)
    _pair_fill(brush, oval(28, 70, 5.5, 4), PINK)
    _eyes(brush, mood, 60, 15)
    _mouth(brush, mood, 79)
    _nose(brush, 71, 6.5)


def _puma(brush: Brush, fur: Colour, band: Colour, mood: Mood) -> None:
    _round_ears(brush, fur, PINK, 13, (20, 21))

    def patches() -> None:
        _pair_fill(brush, oval(40, 77, 13, 11), WHITE)
        _pair_fill(brush, path("M24 88 C20 80 22 72 28 68 C28 76 32 84 38 90 Z"), fur.mixed(INK, 0.35))

    _skull(brush, fur, band, patches)
    for y in (74, 79):
        for side in (-1, 1):
            brush.line([(50 + side * 20, y), (50 + side * 38, y + (y - 77) * 1.4)], 2)
    _eyes(brush, mood)
    _mouth(brush, mood, 77)
    _nose(brush, 70, 6, PINK.mixed(RED, 0.4))


_ANIMALS: Final = (
    _coyote,
    _bear,
    _rabbit,
    _fox,
    _owl,
    _raccoon,
    _deer,
    _frog,
    _badger,
    _beaver,
    _hedgehog,
    _puma,
)

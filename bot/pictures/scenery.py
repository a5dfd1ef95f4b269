"""What all pictures share: the strip of landscape with the title, and panels that lie on the paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.pictures.brush import Brush, moved, oval, path, round_box
from bot.pictures.canvas import Canvas, Piece, piece, stretched
from bot.pictures.fonts import width_of
from bot.pictures.palette import CLAY, DUSK, GOLD, GREEN, INK, NIGHT, PANEL, PAPER, SHADOW, SNOW, WHITE, Colour
from bot.pictures.picture import with_short_names

WIDTH: Final = 700
"""The width of every picture: twice a phone's nominal width, to look sharp on its dense screen."""
MARGIN: Final = 20
"""The space left and right of the panels, in pixels."""
HEADER: Final = 92
"""The height of the strip with the title."""
_PANEL_SPACE: Final = 8
"""How far a panel's shadow and outline reach beyond it."""
_PANEL_CORNER: Final = 36
"""The size of a panel's corners, which are not stretched with the rest."""
_PILL_LETTERS: Final = 22
"""The size of the letters in a pill, in pixels."""
_TITLE_WIDTH: Final = 500
"""How wide a title may be, in pixels."""
_TITLE_SIZE: Final = 38
"""The size of a title's letters, in pixels."""
_SMALLEST_TITLE: Final = 26
"""The same for a title that would be too wide otherwise."""
_COYOTE: Final = path(
    "M4 46 C2 38 6 30 12 26 C16 22 17 16 18 10 C16 6 15 3 17 1 L22 4 C24 2 26 -1 29 -5 L34 -15 C36 -17 38 -15 37 -13 "
    "L34 -3 C33 3 31 6 29 9 C31 17 30 24 29 30 C30 36 31 41 35 43 L35 46 L24 46 C24 40 23 36 21 34 C18 38 18 42 19 46 Z"
)
"""A coyote that sits on a hill and howls."""
_TAIL: Final = path("M8 46 C-2 46 -10 43 -14 36 C-8 40 2 39 8 36 Z")


def begin(title: str | Callable[[int], str], height: int, *, winter: bool = False) -> Canvas:
    """Start a picture with a strip of landscape and its title at the top.

    A title with names in it is a function of how many letters they may have at most.
    """
    canvas = Canvas(WIDTH, height)
    canvas.lay(
        piece(
            ("header", winter), (WIDTH, HEADER), lambda brush: _landscape(brush, winter), background=PAPER, masked=False
        ),
        0,
        0,
    )
    written = (
        title
        if isinstance(title, str)
        else with_short_names(title, lambda line: width_of(line, _SMALLEST_TITLE, "bold") <= _TITLE_WIDTH)
    )
    canvas.text(
        written,
        MARGIN + 4,
        40,
        _TITLE_SIZE,
        weight="bold",
        background=_sky(winter),
        width=_TITLE_WIDTH,
        smallest=_SMALLEST_TITLE,
    )
    return canvas


def _sky(winter: bool) -> Colour:
    return SNOW.mixed(WHITE, 0.35) if winter else DUSK.mixed(WHITE, 0.35)


def _landscape(brush: Brush, winter: bool) -> None:
    brush.fill([(0, 0), (WIDTH, 0), (WIDTH, 80), (0, 80)], _sky(winter))
    brush.fill(oval(566, 40, 25), GOLD.mixed(WHITE, 0.7 if winter else 0.35))
    far, near = (SNOW.mixed(NIGHT, 0.18), WHITE) if winter else (CLAY.mixed(WHITE, 0.35), CLAY)
    brush.fill(path("M390 80 C440 66 470 62 500 64 L520 44 L590 44 L604 60 L640 52 L700 50 L700 80 Z"), far)
    brush.fill(path("M0 80 L0 70 C120 60 240 76 380 74 C480 72 540 56 600 58 C650 60 680 66 700 64 L700 80 Z"), near)
    for part in (_COYOTE, _TAIL):
        brush.fill(moved(part, 634, 17), INK)
    brush.fill([(0, 77), (WIDTH, 77), (WIDTH, 81), (0, 81)], INK)


def lay_panel(
    canvas: Canvas, left: int, top: int, width: int, height: int, *, marked: bool = False, colour: Colour = PANEL
) -> None:
    """Lay a panel with its upper left corner at a point and a soft shadow; a `marked` one has a golden rim."""
    size = (width + 2 * _PANEL_SPACE, height + 2 * _PANEL_SPACE + 4)
    panel = stretched(("panel", marked, colour), lambda: _small_panel(marked, colour), _PANEL_CORNER, *size)
    canvas.lay(panel, left - _PANEL_SPACE, top - _PANEL_SPACE)


def _small_panel(marked: bool, colour: Colour) -> Piece:
    side = 2 * (_PANEL_CORNER - _PANEL_SPACE) + 8

    def draw(brush: Brush) -> None:
        left, top = _PANEL_SPACE, _PANEL_SPACE
        brush.fill(round_box(left + 2, top + 5, left + side - 2, top + side + 3, 18), SHADOW.mixed(INK, 0.12))
        brush.soften(2.6)
        brush.shape(round_box(left, top, left + side, top + side, 18), colour, 3)
        if marked:
            brush.line(round_box(left + 5, top + 5, left + side - 5, top + side - 5, 14), 5, GOLD, closed=True)

    size = (side + 2 * _PANEL_SPACE, side + 2 * _PANEL_SPACE + 4)
    return piece(("panel", marked, colour), size, draw, background=PAPER, masked=False)


def lay_pill(canvas: Canvas, written: str, left: int, top: int, colour: Colour = GREEN) -> None:
    """Lay a small label with round ends at a point."""
    width = width_of(written, _PILL_LETTERS, "bold") + 26

    def draw(brush: Brush) -> None:
        brush.shape(round_box(2, 2, width - 2, 28, 13), colour, 2.6)

    canvas.lay(piece(("pill", width, colour), (width, 30), draw), left, top)
    canvas.text(written, left + 13, top + 15, _PILL_LETTERS, weight="bold", colour=WHITE, background=colour)

"""Winners before a rising sun, and the badges of the places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.pictures.brush import Brush, oval, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.fonts import width_of
from bot.pictures.lettering import letter
from bot.pictures.palette import CLAY, GOLD, GREY, HONEY, INK, MUTED, PAPER, RED, TEAL, WHITE
from bot.pictures.picture import cut, with_short_names
from bot.pictures.scenery import MARGIN, WIDTH, lay_panel

HEIGHT: Final = 150
"""The height of the podium, in pixels."""
_HEAD_STEP: Final = 132
"""How far apart the heads of winners are, in pixels."""
_MOST_HEADS: Final = 3
"""Cap on the winners whose heads are drawn; the names of all are written."""
_MOST_NAME_LINES: Final = 3
"""How many lines there are for the names of winners."""
_SMALLEST_NAME: Final = 24
"""The smallest size of a name, in pixels."""
_MEDALS: Final = {1: GOLD, 2: GREY.mixed(WHITE, 0.25), 3: CLAY}


class Winner(NamedTuple):
    """How a winner is shown; both pieces are made on a background of HONEY."""

    head: Piece
    sign: Piece | None = None


def lay_winners(canvas: Canvas, top: int, winners: Sequence[Winner], names: Sequence[str], note: str) -> None:
    """Draw the winners with their names and a note."""
    lay_panel(canvas, MARGIN, top, WIDTH - 2 * MARGIN, HEIGHT, colour=HONEY)
    shown = winners[:_MOST_HEADS]
    for place in range(len(shown)):
        canvas.lay_middle(_rays_piece(), MARGIN + 92 + place * _HEAD_STEP, top + HEIGHT / 2)
    for place, winner in enumerate(shown):
        x = MARGIN + 92 + place * _HEAD_STEP
        canvas.lay_middle(winner.head, x, top + HEIGHT / 2 + 4)
        if winner.sign is not None:
            canvas.lay_middle(winner.sign, x + 46, top + HEIGHT / 2 + 42)
    left = MARGIN + 56 + len(shown) * _HEAD_STEP
    room = WIDTH - MARGIN - 20 - left
    lines = _in_lines(names, room)
    step, size = {1: (44, 44), 2: (36, 34)}.get(len(lines), (31, 27))
    middle = top + HEIGHT / 2 - step * len(lines) / 2
    for place, line in enumerate(lines):
        canvas.text(
            line,
            left,
            middle + step * place,
            size,
            weight="bold",
            background=HONEY,
            width=room,
            smallest=_SMALLEST_NAME,
        )
    canvas.text(note, left, middle + step * len(lines), 26, colour=MUTED, background=HONEY, width=room, smallest=20)


def _in_lines(names: Sequence[str], room: int) -> list[str]:
    """Write the winners' names below each other, several to a line if there are many; none is left out."""
    each = -(-len(names) // _MOST_NAME_LINES)
    groups = [names[first : first + each] for first in range(0, len(names), each)]
    return [
        with_short_names(
            lambda most, group=group: " · ".join(cut(name, most) for name in group),  # type: ignore[misc]
            lambda line: width_of(line, _SMALLEST_NAME, "bold") <= room,
        )
        for group in groups
    ]


def _rays_piece() -> Piece:
    def draw(brush: Brush) -> None:
        for step in range(12):
            angle = math.radians(30 * step)
            ends = [(70 + 66 * math.cos(angle + side), 70 + 66 * math.sin(angle + side)) for side in (-0.11, 0.11)]
            brush.fill([(70, 70), *ends], GOLD.mixed(HONEY, 0.35))
        for x, y, colour in ((16, 30, RED), (122, 26, TEAL), (10, 92, TEAL), (130, 96, RED), (70, 4, RED)):
            brush.fill(oval(x, y, 4.4), colour)

    return piece("rays", (140, 140), draw, background=HONEY)


def place_piece(place: int) -> Piece:
    """Return the badge of a place: a medal with a ribbon for the first three, a plain ring for the others."""

    def draw(brush: Brush) -> None:
        colour = _MEDALS.get(place)
        if colour is None:
            brush.shape(oval(21, 22, 17), PAPER, 2.4, GREY)
            letter(brush, str(place), (21, 22), 22, MUTED, width=28)
            return
        brush.shape(path("M9 24 L5 43 L14 39 L20 44 L22 28 Z"), RED, 2.4)
        brush.shape(path("M33 24 L37 43 L28 39 L22 44 L20 28 Z"), RED, 2.4)
        brush.shape(oval(21, 20, 17), colour, 3.2)
        letter(brush, str(place), (21, 20), 22, WHITE, outline=2.6, ink=INK)

    return piece(("place", place), (42, 46), draw)

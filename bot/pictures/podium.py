"""Winners before a rising sun, and the badges of the places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.pictures.brush import Brush, oval, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.lettering import letter
from bot.pictures.palette import CLAY, GOLD, GREY, HONEY, INK, MUTED, PAPER, RED, TEAL, WHITE
from bot.pictures.scenery import MARGIN, WIDTH, lay_panel

HEIGHT: Final = 150
"""The height of the podium, in pixels."""
_MEDALS: Final = {1: GOLD, 2: GREY.mixed(WHITE, 0.25), 3: CLAY}


class Winner(NamedTuple):
    """How a winner is shown; both pieces are made on a background of HONEY."""

    head: Piece
    sign: Piece | None = None


def lay_winners(canvas: Canvas, top: int, winners: Sequence[Winner], names: Sequence[str], note: str) -> None:
    """Draw the winners with their names and a note."""
    lay_panel(canvas, MARGIN, top, WIDTH - 2 * MARGIN, HEIGHT, colour=HONEY)
    shown = winners[:3]
    for place in range(len(shown)):
        canvas.lay_middle(_rays_piece(), MARGIN + 100 + place * 116, top + HEIGHT / 2)
    for place, winner in enumerate(shown):
        x = MARGIN + 100 + place * 116
        canvas.lay_middle(winner.head, x, top + HEIGHT / 2 + 4)
        if winner.sign is not None:
            canvas.lay_middle(winner.sign, x + 46, top + HEIGHT / 2 + 42)
    left = MARGIN + 84 + len(shown) * 116
    written = " · ".join(names)
    canvas.text(
        written, left, top + 60, 44, weight="bold", background=HONEY, width=WIDTH - MARGIN - 24 - left, smallest=22
    )
    canvas.text(note, left, top + 104, 27, colour=MUTED, background=HONEY)


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
            brush.shape(oval(21, 22, 15), PAPER, 2.4, GREY)
            letter(brush, str(place), (21, 22), 15, MUTED)
            return
        brush.shape(path("M9 24 L5 43 L14 39 L20 44 L22 28 Z"), RED, 2.4)
        brush.shape(path("M33 24 L37 43 L28 39 L22 44 L20 28 Z"), RED, 2.4)
        brush.shape(oval(21, 20, 17), colour, 3.2)
        letter(brush, str(place), (21, 20), 18, WHITE, outline=2.6, ink=INK)

    return piece(("place", place), (42, 46), draw)

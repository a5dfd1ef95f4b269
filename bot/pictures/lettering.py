"""Letters as part of a drawing: numbers on feathers, coins and cards, with an ink outline."""

from __future__ import annotations

from typing import Final

from bot.pictures.brush import Brush
from bot.pictures.fonts import Weight, font
from bot.pictures.palette import INK, Colour
from bot.pictures.pillow import ImageDraw

_SMALLEST: Final = 6
"""The smallest size of letters, in pixels."""


def letter(
    brush: Brush,
    text: str,
    middle: tuple[float, float],
    height: float,
    colour: Colour,
    *,
    width: float | None = None,
    outline: float = 0,
    ink: Colour = INK,
    weight: Weight = "bold",
) -> None:
    """Draw a text around a point, its digits `height` units high and all of it at most `width` units wide."""
    size = round(height * brush.scale / 0.72)  # digits take up this part of the font's size
    thick = round(outline * brush.scale)
    if width is not None:
        room = width * brush.scale - 2 * thick
        taken = font(size, weight).getlength(text)
        size = max(_SMALLEST, round(size * min(1, room / max(1, taken))))
    chosen = font(size, weight)
    left, top, right, bottom = chosen.getbbox(text, stroke_width=0)
    ((x, y),) = brush.pixels([middle])
    at = (x - (left + right) / 2, y - (top + bottom) / 2)

    def outlined(draw: ImageDraw.ImageDraw) -> None:
        draw.text(at, text, fill=255, font=chosen, stroke_width=thick, stroke_fill=255)

    def plain(draw: ImageDraw.ImageDraw) -> None:
        draw.text(at, text, fill=255, font=chosen)

    if thick:
        brush.coat(outlined, ink)
    brush.coat(plain, colour)

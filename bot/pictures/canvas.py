"""A picture in the making: palette numbers, onto which finished pieces are copied.

Nothing is blended here. A piece is drawn once, flattened onto its background colour, turned into palette numbers and
cached; to lay it on a canvas is to copy bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.pictures.brush import Brush
from bot.pictures.cache import PieceCache
from bot.pictures.fonts import Weight, fitted, font, width_of
from bot.pictures.palette import FLAT_PALETTE, INK, PALETTE, PANEL, PAPER, Colour, nearest, ramp
from bot.pictures.pillow import Image, ImageDraw

Align: TypeAlias = Literal["left", "middle", "right"]

_COMPRESSION: Final = 4
"""How hard zlib tries: more costs time and saves little."""
_MASK_FROM: Final = 40
"""How opaque a pixel must be to belong to a piece."""


class Piece(NamedTuple):
    """Something drawn, as palette numbers, and which of its pixels belong to it."""

    image: Image.Image
    mask: Image.Image | None

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.image.height


def _size_of(piece: Piece) -> int:
    pixels = piece.width * piece.height
    return pixels if piece.mask is None else 2 * pixels


_PIECES: Final = PieceCache[Piece]("pieces", 12 << 20, _size_of)
_TEXTS: Final = PieceCache[Piece]("texts", 4 << 20, _size_of)


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(FLAT_PALETTE + PALETTE[0] * (256 - len(PALETTE)))
    return image


def flattened(image: Image.Image, background: Colour, *, masked: bool = True) -> Piece:
    """Turn a drawing into a piece that lies on a background of one colour."""
    below = Image.new("RGBA", image.size, (*background, 255))
    below.alpha_composite(image)
    numbers = below.convert("RGB").quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    if not masked:
        return Piece(numbers, None)
    return Piece(numbers, image.getchannel("A").point(lambda level: 255 if level >= _MASK_FROM else 0).convert("1"))


def piece(
    key: Hashable,
    size: tuple[float, float],
    draw: Callable[[Brush], None],
    *,
    scale: float = 1,
    background: Colour = PANEL,
    origin: tuple[float, float] = (0, 0),
    masked: bool = True,
) -> Piece:
    """Return a drawing as a piece; it is drawn if it is not kept. The key must name everything that it depends on."""

    def make() -> Piece:
        brush = Brush(*size, scale, origin)
        draw(brush)
        return flattened(brush.finished(), background, masked=masked)

    return _PIECES.get((key, size, scale, background, origin), make)


def stretched(key: Hashable, small: Callable[[], Piece], corner: int, width: int, height: int) -> Piece:
    """Return a piece in another size: its corners stay, its edges and its middle are drawn out."""

    def make() -> Piece:
        source = small().image
        image = Image.new("P", (width, height))
        for left, right, to_left, to_right in _thirds(corner, source.width, width):
            for top, bottom, to_top, to_bottom in _thirds(corner, source.height, height):
                part = source.crop((left, top, right, bottom))
                size = (to_right - to_left, to_bottom - to_top)
                image.paste(part.resize(size, Image.Resampling.NEAREST), (to_left, to_top))
        return Piece(image, None)

    return _PIECES.get(("stretched", key, width, height), make)


def _thirds(corner: int, old: int, new: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return from where to where the first corner, the middle and the last corner go."""
    return (0, corner, 0, corner), (corner, old - corner, corner, new - corner), (old - corner, old, new - corner, new)


class Canvas:
    """A picture of a size, on which pieces and texts are laid."""

    def __init__(self, width: int, height: int, background: Colour = PAPER) -> None:
        self.width, self.height = width, height
        self._image = Image.new("P", (width, height), nearest(background))

    def lay(self, laid: Piece, x: float, y: float) -> None:
        """Lay a piece down with its upper left corner at a point."""
        at = (round(x), round(y))
        if laid.mask is None:
            self._image.paste(laid.image, at)
        else:
            self._image.paste(laid.image, at, laid.mask)

    def lay_middle(self, laid: Piece, x: float, y: float) -> None:
        """Lay a piece down around a point."""
        self.lay(laid, x - laid.width / 2, y - laid.height / 2)

    def box(self, left: int, top: int, right: int, bottom: int, colour: Colour) -> None:
        """Fill a box with hard edges; right and bottom are outside."""
        self._image.paste(nearest(colour), (left, top, right, bottom))

    def text(
        self,
        written: str,
        x: float,
        y: float,
        size: int,
        *,
        weight: Weight = "text",
        colour: Colour = INK,
        background: Colour = PANEL,
        align: Align = "left",
        width: int | None = None,
        smallest: int | None = None,
    ) -> int:
        """Write a line around the height `y`; return how wide it is. If it is wider than `width`, it is cut."""
        if width is not None:
            written, size = fitted(written, size, width, weight, smallest=smallest)
        laid = _TEXTS.get(
            (written, size, weight, colour, background), lambda: _lettered(written, size, weight, colour, background)
        )
        taken = width_of(written, size, weight)
        left = x - {"left": 0, "middle": taken / 2, "right": taken}[align]
        self.lay(laid, left - _MARGIN, y - laid.height / 2)
        return taken

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        self._image.putpalette(FLAT_PALETTE)
        file = io.BytesIO()
        self._image.save(file, "PNG", compress_level=_COMPRESSION)
        return file.getvalue()


_MARGIN: Final = 2
"""The space left and right of the letters, in pixels."""


def _lettered(written: str, size: int, weight: Weight, colour: Colour, background: Colour) -> Piece:
    """Draw a line of text; the middle of its small letters' height is the middle of the piece."""
    chosen = font(size, weight)
    ascent, descent = chosen.getmetrics()
    width = width_of(written, size, weight) + 2 * _MARGIN
    height = ascent + descent
    mask = Image.new("L", (max(1, width), height))
    # Capital letters are 0.72 of the size high: shift them so that they stand around the middle.
    middle = ascent - round(0.36 * size)
    ImageDraw.Draw(mask).text((_MARGIN, height // 2 - middle), written, fill=255, font=chosen)
    numbers = mask.point(list(ramp(background, colour)))
    image = Image.frombytes("P", numbers.size, numbers.tobytes())
    return Piece(image, mask.point(lambda level: 255 if level > 8 else 0).convert("1"))

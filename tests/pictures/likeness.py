"""Compares drawings so that nothing that means something can change unnoticed.

Another version of the font library may draw letters a little differently: it moves their edges by up to a pixel. So a
pixel may have any colour that the other drawing has next to it. Whatever is still different is counted tile by tile: a
single digit, coin or sign changes much of its tile, however little that is of the whole picture.
"""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageChops, ImageFilter

TILE: Final = 32
"""The width and height of a tile in pixels."""
_FAR: Final = 40
"""How far a channel may be outside of the colours nearby, 0 to 255."""
MOST_PIXELS: Final = 12
"""How many pixels of a tile, of 1,024, may be far off."""


def _outside(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return in white where a drawing has a colour that the other has nowhere nearby."""
    above = ImageChops.subtract(one, other.filter(ImageFilter.MaxFilter(3)))
    below = ImageChops.subtract(other.filter(ImageFilter.MinFilter(3)), one)
    most = Image.new("L", one.size)
    for channel in (*above.split(), *below.split()):
        most = ImageChops.lighter(most, channel)
    return most.point(lambda level: 255 if level > _FAR else 0)


def changed_tiles(one: Image.Image, other: Image.Image) -> list[tuple[int, int]]:
    """Return the tiles, by column and row, in which two drawings of the same size differ."""
    one, other = one.convert("RGB"), other.convert("RGB")
    different = ImageChops.lighter(_outside(one, other), _outside(other, one))
    found = []
    for row in range(-(-one.height // TILE)):
        for column in range(-(-one.width // TILE)):
            tile = different.crop((column * TILE, row * TILE, (column + 1) * TILE, (row + 1) * TILE))
            if tile.histogram()[255] > MOST_PIXELS:
                found.append((column, row))
    return found

"""A brush for soft-edged shapes: everything is drawn several times too large and then reduced."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from bot.pictures.palette import INK, Colour
from bot.pictures.pillow import Image, ImageChops, ImageDraw, ImageFilter

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = Sequence[Point]

_OVERSIZE: Final = 4
"""How many times too large shapes are drawn."""
_CURVE_STEPS: Final = 14
"""How many straight lines a curve is drawn with."""
_COMMAND: Final = re.compile(r"([MLCQZ])([^MLCQZ]*)")
_NUMBER: Final = re.compile(r"-?[0-9.]+")


@lru_cache(maxsize=512)
def path(written: str) -> tuple[Point, ...]:
    """Read a shape written as an SVG path with the absolute commands M, L, C, Q and Z."""
    points: list[Point] = []
    for command, written_numbers in _COMMAND.findall(written):
        numbers = [float(each) for each in _NUMBER.findall(written_numbers)]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        match command:
            case "M" | "L":
                points += pairs
            case "C":
                for place in range(0, len(pairs), 3):
                    points += _bend([points[-1], *pairs[place : place + 3]])
            case "Q":
                for place in range(0, len(pairs), 2):
                    points += _bend([points[-1], *pairs[place : place + 2]])
    return tuple(points)


def along(curve: Sequence[Point], part: float) -> Point:
    """Return the point of a Bézier curve at a part of its way, 0 to 1."""
    left = list(curve)
    while len(left) > 1:
        left = [(ax + (bx - ax) * part, ay + (by - ay) * part) for (ax, ay), (bx, by) in pairwise(left)]
    return left[0]


def _bend(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the points of a Bézier curve after its first one."""
    for step in range(1, _CURVE_STEPS + 1):
        yield along(points, step / _CURVE_STEPS)


def oval(x: float, y: float, across: float, down: float | None = None, *, turn: float = 0) -> tuple[Point, ...]:
    """Return an ellipse around a point, given by its radii and turned by degrees."""
    down = across if down is None else down
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    points = []
    for step in range(48):
        angle = 2 * math.pi * step / 48
        dx, dy = across * math.cos(angle), down * math.sin(angle)
        points.append((x + dx * cosine - dy * sine, y + dx * sine + dy * cosine))
    return tuple(points)


def star(x: float, y: float, outer: float, inner: float, points: int, *, turn: float = -90) -> tuple[Point, ...]:
    """Return a star around a point."""
    corners = []
    for step in range(2 * points):
        angle, radius = math.radians(turn + 180 * step / points), inner if step % 2 else outer
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(corners)


def round_box(left: float, top: float, right: float, bottom: float, radius: float) -> tuple[Point, ...]:
    """Return a box with round corners."""
    points: list[Point] = []
    corners = ((right, top, -90), (right, bottom, 0), (left, bottom, 90), (left, top, 180))
    for x, y, start in corners:
        middle_x = x - radius if x == right else x + radius
        middle_y = y + radius if y == top else y - radius
        for step in range(9):
            angle = math.radians(start + 90 * step / 8)
            points.append((middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)))
    return tuple(points)


def mirrored(shape: Shape, axis: float = 50) -> tuple[Point, ...]:
    """Return the shape mirrored at a vertical axis."""
    return tuple((2 * axis - x, y) for x, y in shape)


def moved(shape: Shape, dx: float, dy: float) -> tuple[Point, ...]:
    """Return the shape at another place."""
    return tuple((x + dx, y + dy) for x, y in shape)


def turned(shape: Shape, degrees: float, x: float, y: float) -> tuple[Point, ...]:
    """Return the shape turned around a point."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple((x + (px - x) * cosine - (py - y) * sine, y + (px - x) * sine + (py - y) * cosine) for px, py in shape)


class Brush:
    """Draws shapes on a transparent sheet. Lengths are in units of which `scale` pixels make one."""

    def __init__(self, width: float, height: float, scale: float = 1, origin: Point = (0, 0)) -> None:
        self.scale = scale * _OVERSIZE
        self.origin = origin
        """Where on the sheet the point (0, 0) of all drawings is."""
        self.size = (round(width * scale), round(height * scale))
        large = (self.size[0] * _OVERSIZE, self.size[1] * _OVERSIZE)
        self._sheet = Image.new("RGBA", large, (*INK, 0))
        self._draw = ImageDraw.Draw(self._sheet)

    def finished(self) -> Image.Image:
        """Return the sheet in its real size."""
        return self._sheet.convert("RGBa").reduce(_OVERSIZE).convert("RGBA")

    def fill(self, shape: Shape, colour: Colour, opacity: float = 1) -> None:
        """Fill a shape; a thin coat if `opacity` is below 1."""
        if opacity < 1:
            self._coat(lambda draw: draw.polygon(self.pixels(shape), fill=255), colour, opacity)
        else:
            self._draw.polygon(self.pixels(shape), fill=(*colour, 255))

    def line(self, points: Shape, width: float, colour: Colour = INK, *, closed: bool = False) -> None:
        """Draw a line with round corners and ends."""
        along = self.pixels([*points, *points[:2]] if closed else points)
        thick = max(1, round(width * self.scale))
        self._draw.line(along, fill=(*colour, 255), width=thick, joint="curve")
        if not closed:
            half = thick / 2
            for x, y in (along[0], along[-1]):
                self._draw.ellipse((x - half, y - half, x + half, y + half), fill=(*colour, 255))

    def shape(self, shape: Shape, colour: Colour, outline: float = 0, ink: Colour = INK) -> None:
        """Fill a shape and draw its outline."""
        self.fill(shape, colour)
        if outline:
            self.line(shape, outline, ink, closed=True)

    def erase(self, shape: Shape) -> None:
        """Make a shape transparent again."""
        self._draw.polygon(self.pixels(shape), fill=(*INK, 0))

    def image(self, image: Image.Image, x: float, y: float) -> None:
        """Lay another picture, in its real size, on the sheet; `x` and `y` are its corner."""
        large = image.resize((image.width * _OVERSIZE, image.height * _OVERSIZE), Image.Resampling.BICUBIC)
        (at,) = self.pixels([(x, y)])
        self._sheet.alpha_composite(large, (max(0, round(at[0])), max(0, round(at[1]))))

    def coat(self, mask: Callable[[ImageDraw.ImageDraw], None], colour: Colour, opacity: float = 1) -> None:
        """Lay a colour on whatever `mask` draws in white, in large pixels."""
        self._coat(mask, colour, opacity)

    @contextmanager
    def inside(self, shape: Shape) -> Iterator[None]:
        """Draw only inside a shape, until the block ends."""
        below, self._sheet = self._sheet, Image.new("RGBA", self._sheet.size, (*INK, 0))
        self._draw = ImageDraw.Draw(self._sheet)
        try:
            yield
        finally:
            mask = Image.new("L", below.size)
            ImageDraw.Draw(mask).polygon(self.pixels(shape), fill=255)
            layer = self._sheet
            layer.putalpha(ImageChops.multiply(layer.getchannel("A"), mask))
            below.alpha_composite(layer)
            self._sheet = below
            self._draw = ImageDraw.Draw(below)

    def soften(self, radius: float) -> None:
        """Blur everything drawn so far, for shadows."""
        self._sheet = self._sheet.convert("RGBa").filter(ImageFilter.GaussianBlur(radius * self.scale)).convert("RGBA")
        self._draw = ImageDraw.Draw(self._sheet)

    def rim(self, width: float, colour: Colour) -> None:
        """Put a rim around everything drawn so far, like that of a sticker."""
        alpha = self._sheet.getchannel("A").point(lambda level: 255 if level > 127 else 0)
        reach = max(1, round(width * self.scale))
        grown = alpha.reduce(2).filter(ImageFilter.GaussianBlur(reach / 4)).point(lambda level: 255 if level > 6 else 0)
        for _ in range(2):
            grown = grown.filter(ImageFilter.MedianFilter(5))
        below = Image.new("RGBA", self._sheet.size, (*colour, 0))
        below.putalpha(grown.resize(self._sheet.size, Image.Resampling.BILINEAR))
        below.alpha_composite(self._sheet)
        self._sheet = below
        self._draw = ImageDraw.Draw(below)

    def _coat(self, mask: Callable[[ImageDraw.ImageDraw], None], colour: Colour, opacity: float) -> None:
        drawn = Image.new("L", self._sheet.size)
        mask(ImageDraw.Draw(drawn))
        layer = Image.new("RGBA", self._sheet.size, (*colour, 0))
        layer.putalpha(drawn.point(lambda level: round(level * opacity)))
        self._sheet.alpha_composite(layer)

    def pixels(self, shape: Shape) -> list[Point]:
        """Return where the points of a shape are on the large sheet."""
        left, top = self.origin
        return [((x + left) * self.scale, (y + top) * self.scale) for x, y in shape]

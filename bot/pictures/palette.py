"""The colours of all pictures: a warm set by name, and the fixed palette of 256 that canvases are drawn with.

Every picture uses the same palette, so a drawn piece can be kept as palette numbers and copied without any computation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple


class Colour(NamedTuple):
    """A colour as red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int

    def mixed(self, other: Colour, part: float) -> Colour:
        """Return this colour with `part` (0 to 1) of another in it."""
        return Colour(*(round(own + (theirs - own) * part) for own, theirs in zip(self, other, strict=True)))


def _colour(written: str) -> Colour:
    return Colour(*bytes.fromhex(written))


INK: Final = _colour("3b2a20")
WHITE: Final = _colour("ffffff")
PAPER: Final = _colour("f5e6ca")
"""The background of every picture."""
PANEL: Final = _colour("fffaf0")
"""Cards and boxes that lie on the paper."""
SHADOW: Final = _colour("dcc7a1")
SAND: Final = _colour("ecd2a0")
DUSK: Final = _colour("e9ac69")
CLAY: Final = _colour("c9784a")
MUTED: Final = _colour("7b6656")
"""Small print, still dark enough on paper."""
GREEN: Final = _colour("4a9a68")
RED: Final = _colour("d2553f")
GOLD: Final = _colour("efb53c")
BLUE: Final = _colour("4671b0")
NIGHT: Final = _colour("3a477d")
PURPLE: Final = _colour("8d5fae")
TEAL: Final = _colour("3d9aa1")
GREY: Final = _colour("b4a999")
COAL: Final = _colour("38383f")
SNOW: Final = _colour("dfe9f0")
PINK: Final = _colour("eea59a")
HONEY: Final = _colour("fbe6b4")
"""The background of whatever deserves attention."""
LINEN: Final = _colour("f3e4c6")
"""Places that are still empty."""
FUR: Final = tuple(
    map(
        _colour,
        (
            "cf9d63",  # coyote
            "8f5f3e",  # bear
            "c3b8ad",  # rabbit
            "e0793a",  # fox
            "a27f56",  # owl
            "8a8f95",  # raccoon
            "c48951",  # deer
            "7fb55c",  # frog
            "655d58",  # badger
            "7b4a2d",  # beaver
            "a9845f",  # hedgehog
            "d9b27c",  # puma
        ),
    )
)
"""The furs of the animals, in the order of `bot.pictures.animals`."""

_BASES: Final = (
    *(CLAY, MUTED, GREEN, RED, GOLD, BLUE, NIGHT, PURPLE, TEAL, GREY, PINK, DUSK, SAND, SNOW, SHADOW, COAL),
    *FUR,
)


def _steps(start: Colour, end: Colour, count: int) -> Iterator[Colour]:
    for step in range(1, count + 1):
        yield start.mixed(end, step / (count + 1))


def _palette() -> tuple[Colour, ...]:
    """Return the named colours and the shades between each of them and its usual neighbours."""
    colours = [INK, WHITE, PAPER, PANEL, HONEY, LINEN, *_BASES]
    for background in (PAPER, PANEL):
        colours += _steps(INK, background, 10)
    for background in (HONEY, DUSK.mixed(WHITE, 0.35), WHITE):
        colours += _steps(INK, background, 7)
    colours += _steps(PAPER, SHADOW, 5)
    for base in _BASES:
        colours += [base.mixed(INK, 0.3), base.mixed(INK, 0.65), base.mixed(WHITE, 0.35), base.mixed(WHITE, 0.7)]
    for base in (GREEN, RED, GOLD, BLUE, NIGHT, PURPLE, TEAL, CLAY, MUTED):
        colours += [base.mixed(PAPER, 0.25), base.mixed(PAPER, 0.6), base.mixed(INK, 0.15), base.mixed(INK, 0.48)]
    return tuple(dict.fromkeys(colours))[:256]


PALETTE: Final = _palette()
FLAT_PALETTE: Final = tuple(channel for colour in PALETTE for channel in colour)


@lru_cache(maxsize=4096)
def nearest(colour: Colour) -> int:
    """Return the palette number of the colour that looks most like this one."""

    def distance(number: int) -> int:
        red, green, blue = (own - theirs for own, theirs in zip(PALETTE[number], colour, strict=True))
        return 3 * red * red + 5 * green * green + 2 * blue * blue

    return min(range(len(PALETTE)), key=distance)


@lru_cache(maxsize=256)
def ramp(background: Colour, colour: Colour) -> bytes:
    """Return palette numbers for 256 steps from one colour to another, for the soft edges of text."""
    steps = [nearest(background.mixed(colour, round(step / 15, 3))) for step in range(16)]
    return bytes(steps[(level * 15 + 127) // 255] for level in range(256))

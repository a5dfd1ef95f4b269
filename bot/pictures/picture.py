"""A finished picture: a file, and the words that say the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from bot.pictures.fonts import drawable
from bot.text.catalogue import Catalogue

MAX_DESCRIPTION: Final = 1024
"""How long Discord lets the description of a file be, in characters."""
_LONGEST_NAME: Final = 100
"""Cap on the characters of a name before it is drawn."""
_NAME_LENGTHS: Final = (32, 20, 12, 8)
"""How much of each name a description keeps, if it would be too long otherwise."""


class Picture(NamedTuple):
    """A picture as it is sent."""

    name: str
    """The file's name: it depends on the kind of picture alone."""
    data: bytes
    """A PNG file."""
    description: str
    """Says all that the picture says, for those who do not see it; at most `MAX_DESCRIPTION` characters."""
    width: int
    height: int


class Sketch(NamedTuple):
    """A picture that is not drawn yet. Drawing takes some milliseconds: that is done in the studio."""

    shows: Hashable
    """All that is in it: sketches that show the same make the same picture, for the same names and language."""
    draw: Callable[[Catalogue, Sequence[str]], Picture]


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


class Names:
    """The players' names as a picture writes them, and as its description does."""

    def __init__(self, say: Catalogue, names: Sequence[str]) -> None:
        self._say = say
        self._names = tuple(names)

    def drawn(self, seat: int, most: int = _LONGEST_NAME) -> str:
        """Return a name that the font can draw, cut if need be; without one, the number of the seat stands in."""
        return _cut(drawable(self._names[seat]) or self._say("pictures.seat", number=seat + 1), most)

    def spoken(self, most: int) -> tuple[str, ...]:
        """Return all names for a description, each cut to at most `most` characters."""
        return tuple(_cut(name, most) for name in self._names)

    def described(self, describe: Callable[[tuple[str, ...]], str]) -> str:
        """Return a description that is short enough: `describe` makes it from the names, which are cut if need be."""
        for most in _NAME_LENGTHS:
            written = describe(self.spoken(most))
            if len(written) <= MAX_DESCRIPTION:
                return written
        return f"{written[: MAX_DESCRIPTION - 1].rstrip()}…"

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
_LINE_NAME_LENGTHS: Final = (_LONGEST_NAME, *range(24, 3, -1))
"""How many letters of each name a line of a picture keeps, if it would be too wide otherwise."""


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


def cut(name: str, most: int) -> str:
    """Return a name with at most `most` letters."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def with_short_names(write: Callable[[int], str], fits: Callable[[str], bool]) -> str:
    """Return the line that `write` makes from names of a number of letters: the largest that fits.

    So a name is cut, and never the end of the line, which says what happened.
    """
    line = ""
    for most in _LINE_NAME_LENGTHS:
        line = write(most)
        if fits(line):
            break
    return line


class Names:
    """The players' names as a picture writes them, and as its description does."""

    def __init__(self, say: Catalogue, names: Sequence[str]) -> None:
        self._say = say
        self._names = tuple(names)

    def drawn(self, seat: int, most: int = _LONGEST_NAME) -> str:
        """Return a name that the font can draw, cut if need be; without one, the number of the seat stands in."""
        return cut(drawable(self._names[seat]) or self._say("pictures.seat", number=seat + 1), most)

    def spoken(self, most: int) -> tuple[str, ...]:
        """Return all names for a description, each cut to at most `most` characters."""
        return tuple(cut(name, most) for name in self._names)

    def described(
        self, describe: Callable[[tuple[str, ...]], str], tersely: Callable[[tuple[str, ...]], str] | None = None
    ) -> str:
        """Return a description that is short enough: `describe` makes it from the names, which are cut if need be.

        If even that is too long, `tersely` says the same in fewer words.
        """
        written = ""
        for say in (describe, tersely or describe):
            for most in _NAME_LENGTHS:
                written = say(self.spoken(most))
                if len(written) <= MAX_DESCRIPTION:
                    return written
        return cut(written, MAX_DESCRIPTION)

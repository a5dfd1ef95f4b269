"""Declares the pictures that a game can draw, and holds those of every game by its name.

`bot.games.registry` fills `DRAWINGS` from the games' kits. All functions are pure and take some milliseconds: call them
through `bot.pictures.studio`, never on the event loop. `names` are the players' names by seat, as labels have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol

from bot.engine.core import Outcome
from bot.engine.views import Open, Private, Public, V
from bot.pictures.emojis import NO_EMOJIS, Emoji, EmojiSheet
from bot.pictures.picture import Picture, Sketch
from bot.text.catalogue import Catalogue


class LookPicture(Protocol[V]):
    """Sketches what a player sees."""

    def __call__(self, seen: Private[V] | Open[V], *, lasting: bool) -> Sketch | None:
        """Return the sketch, None at a moment when there is nothing to see.

        With `lasting`, it leaves out what every move changes, so that the picture can stay for a whole deal.
        """


class RevealPicture(Protocol[V]):
    """Sketches how the last round ended."""

    def __call__(self, seen: Public[V], *, beat: int) -> Sketch:
        """Return the sketch up to a beat, from 1 to `GameDrawings.beats`; all beats have the same size."""


class FinalPicture(Protocol[V]):
    """Draws the end of a match."""

    def __call__(
        self, say: Catalogue, names: Sequence[str], seen: Public[V], outcome: Outcome, events: Sequence[object], /
    ) -> Picture:
        """Draw it; `events` are all public events of the match, in order."""


@dataclass(frozen=True, kw_only=True)
class GameDrawings(Generic[V]):
    """The pictures and emojis of one game; None: there is no such picture."""

    look: LookPicture[V] | None = None
    reveal: RevealPicture[V] | None = None
    beats: int = 1
    """In how many beats a reveal can be shown."""
    final: FinalPicture[V] | None = None
    emojis: EmojiSheet = NO_EMOJIS


DRAWINGS: Final[dict[str, GameDrawings[Any]]] = {}


def emoji_names() -> tuple[str, ...]:
    """Return the names of all emojis of all games."""
    return tuple(name for drawings in DRAWINGS.values() for name in drawings.emojis.names)


def draw_emoji(name: str) -> Emoji:
    """Return one of the emojis; raise KeyError if no game has it."""
    for drawings in DRAWINGS.values():
        if name in drawings.emojis:
            return drawings.emojis.draw(name)
    raise KeyError(name)

"""The bot's own emojis: small square drawings with a rim, so that they stand out on light and dark themes."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from bot.pictures.brush import Brush
from bot.pictures.cache import PieceCache
from bot.pictures.palette import WHITE
from bot.pictures.pillow import Image

SIZE: Final = 128
"""The width and height in pixels at which Discord keeps an emoji."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,31}")
_DIGEST_LETTERS: Final = 16
"""How many letters of a digest are kept."""
_RIM: Final = 2.6
"""The width of the pale rim around an emoji, in units."""
_SPACE: Final = 5.6
"""The room that a rim and half an outline take, in units."""


class EmojiSketch(NamedTuple):
    """How an emoji is drawn: a function, and the box of units that it draws into."""

    draw: Callable[[Brush], None]
    width: float = 100
    height: float = 100
    spoken_name: str = "emoji"
    """What a screen reader says for it: short, because the text next to it says the rest, and messages have limits."""


class Emoji(NamedTuple):
    """An emoji as it is uploaded."""

    name: str
    """Unique among the bot's emojis."""
    data: bytes
    """A PNG file of `SIZE` by `SIZE` pixels."""


_DRAWN: Final = PieceCache[Emoji]("emojis", 2 << 20, lambda emoji: len(emoji.data))


def digest_of(emoji: Emoji) -> str:
    """Return a short digest of an emoji's pixels."""
    return hashlib.sha256(Image.open(io.BytesIO(emoji.data)).convert("RGBA").tobytes()).hexdigest()[:_DIGEST_LETTERS]


def read_digests(file: Path) -> dict[str, str]:
    """Read the digest of each emoji as it was last reviewed: a name and a digest on each line."""
    return dict(line.split() for line in file.read_text(encoding="utf-8").splitlines())


class EmojiSheet:
    """The emojis of a game by name. Each is drawn when it is first asked for."""

    def __init__(self, sketches: Mapping[str, EmojiSketch], digests: Mapping[str, str] | None = None) -> None:
        """Use `digests` to know the pixels of each emoji as they were last reviewed; `make golden` writes them."""
        wrong = [
            each
            for name, sketch in sketches.items()
            for each in (name, sketch.spoken_name)
            if not _NAME.fullmatch(each)
        ]
        if wrong:
            raise ValueError(f"Discord takes no emojis with these names: {', '.join(wrong)}")
        self._sketches = dict(sketches)
        self._digests = dict(digests or {})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all emojis."""
        return tuple(self._sketches)

    def __contains__(self, name: object) -> bool:
        return name in self._sketches

    def spoken_name(self, name: str) -> str:
        """Return what a screen reader says for an emoji."""
        return self._sketches[name].spoken_name

    def version_of(self, name: str) -> str:
        """Return the digest of a drawing's pixels as they were last reviewed; empty if they never were.

        It is not computed here: with another version of the drawing library, all pixels may be a little different, and
        everything would be uploaded again.
        """
        return self._digests.get(name, "")

    def draw(self, name: str) -> Emoji:
        """Return an emoji. Drawing one that is not cached takes about 20 ms, so call this off the event loop."""
        sketch = self._sketches[name]
        return _DRAWN.get((name, sketch), lambda: _drawn(name, sketch))

    def draw_all(self) -> Iterator[Emoji]:
        """Yield all emojis."""
        for name in self._sketches:
            yield self.draw(name)


def _drawn(name: str, sketch: EmojiSketch) -> Emoji:
    side = max(sketch.width, sketch.height) + 2 * _SPACE
    brush = Brush(side, side, SIZE / side, ((side - sketch.width) / 2, (side - sketch.height) / 2))
    sketch.draw(brush)
    brush.rim(_RIM, WHITE)
    file = io.BytesIO()
    brush.finished().save(file, "PNG", compress_level=9)
    return Emoji(name, file.getvalue())


NO_EMOJIS: Final = EmojiSheet({})

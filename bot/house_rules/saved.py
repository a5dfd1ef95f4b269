"""Things that a server saves under a name, such as decks of cards, and the kind of setting that chooses one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.kinds import NOTHING, Basis, closest
from bot.house_rules.reasons import HouseReason

MAX_SAVED: Final = 20
"""Cap on the saved things of one kind; a select holds them all, plus one option for none."""
MAX_NAME_LENGTH: Final = 24
"""Cap on the characters of a saved thing's name."""
_NAME: Final = re.compile(r"[^\W_][\w '’-]*")


@dataclass(frozen=True)
class Saved:
    """The name of a saved thing; None stands for the game's own."""

    noun: str
    """What a saved thing is called in the keys of texts: `deck`. Games that use the same noun share its texts."""
    plural: str
    """The key under which the documents keep all of a game's saved things: `decks`."""
    contents: str
    """The name of the form field for what the thing consists of: `cards`."""
    read_contents: Callable[[str], Any]
    """Read the contents that somebody typed; raise Rejected if they are invalid."""
    write_contents: Callable[[Any], str]
    """Write the contents the way they can be typed."""
    check_contents: Callable[[Any], Any]
    """Check contents from a document, plain JSON; raise Rejected if they are invalid."""
    game: str | None = None
    """The game's name, which goes in front of the plural; None if the plural alone is unique among all games."""

    @property
    def key(self) -> str:
        """The key of what is saved, among the saved things of all games: `decks` or `<game>.decks`."""
        return self.plural if self.game is None else f"{self.game}.{self.plural}"

    def check(self, value: Any, basis: Basis) -> str | None:
        """Accept the name of something that is saved."""
        if value is None:
            return None
        names = tuple(basis.saved.get(self.key, ()))
        if not isinstance(value, str) or value not in names:
            nearest = closest(value, names) if isinstance(value, str) else None
            raise self.unknown(value, names, nearest)
        return value

    def read(self, typed: str, basis: Basis) -> str | None:
        """Read a name, ignoring case."""
        word = typed.strip()
        if word.casefold() in NOTHING:
            return None
        names = basis.saved.get(self.key, ())
        return self.check(next((name for name in names if name.casefold() == word.casefold()), word), basis)

    def write(self, value: Any) -> str:
        """Write the name."""
        return "none" if value is None else str(value)

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer the game's own and everything that is saved."""
        return [None, *basis.saved.get(self.key, ())]

    def read_name(self, typed: Any) -> str:
        """Return a valid name: letters, digits and spaces, so that it can be typed, listed and shown anywhere."""
        name = unicodedata.normalize("NFC", " ".join(typed.split())) if isinstance(typed, str) else ""
        if not _NAME.fullmatch(name) or len(name) > MAX_NAME_LENGTH or name.casefold() in NOTHING:
            raise Rejected(HouseReason.BAD_NAME, noun=self.noun, value=typed, highest=MAX_NAME_LENGTH)
        return name

    def unknown(self, name: Any, names: Sequence[str], nearest: str | None = None) -> Rejected:
        """Return the refusal of a name under which nothing is saved."""
        return Rejected(HouseReason.NO_SUCH, noun=self.noun, value=name, allowed=tuple(names), nearest=nearest)

    def too_many(self) -> Rejected:
        """Return the refusal for when no more things can be saved."""
        return Rejected(HouseReason.TOO_MANY, noun=self.noun, highest=MAX_SAVED)

"""Kinds of values that hold several words: a selection of them, or a number for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.kinds import NOTHING, Basis, Values, closest
from bot.house_rules.reasons import HouseReason

_SEPARATOR: Final = re.compile(r"[\s,;]+")
_AMOUNT: Final = re.compile(r"([a-z]+)\s*[:=x×*]?\s*(\d{1,4})", re.ASCII)


@dataclass(frozen=True)
class Several:
    """Any selection from a few words."""

    known: Callable[[Values], Sequence[str]]
    """The words that can be chosen, given the settings in force."""

    def check(self, value: Any, basis: Basis) -> list[str]:
        """Accept a list of known words, and put it in their order."""
        known = tuple(self.known(basis.values))
        if not isinstance(value, list | tuple):
            raise Rejected(HouseReason.NOT_ONE_OF, value=value, allowed=known, nearest=known[0])
        for word in value:
            if not isinstance(word, str) or word not in known:
                nearest = closest(word, known) if isinstance(word, str) else None
                raise Rejected(HouseReason.NOT_ONE_OF, value=word, allowed=known, nearest=nearest or known[0])
        return [word for word in known if word in value]

    def read(self, typed: str, basis: Basis) -> list[str]:
        """Read words with commas or spaces between them."""
        words = split(typed.casefold())
        return self.check([] if len(words) == 1 and words[0] in NOTHING else words, basis)

    def write(self, value: Any) -> str:
        """Write them with commas."""
        return ",".join(value) or "none"

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer none, and each by itself."""
        return [[], *([word] for word in self.known(basis.values))]


@dataclass(frozen=True)
class Amounts:
    """A number for each of a few words; none may be missing."""

    usual: Mapping[str, int]
    """Every word with its usual number."""
    highest: int
    suggested: tuple[int, ...] = ()
    """Numbers that are offered for all words alike."""

    def check(self, value: Any, basis: Basis) -> dict[str, int]:
        """Accept every word with its number."""
        if not isinstance(value, Mapping) or set(value) != set(self.usual):
            raise Rejected(HouseReason.NOT_AMOUNTS, value=value, allowed=tuple(self.usual))
        for amount in value.values():
            if type(amount) is not int or not 0 <= amount <= self.highest:
                nearest = min(max(amount, 0), self.highest) if type(amount) is int else 0
                raise Rejected(HouseReason.OUT_OF_RANGE, value=amount, lowest=0, highest=self.highest, nearest=nearest)
        return {word: value[word] for word in self.usual}

    def read(self, typed: str, basis: Basis) -> dict[str, int]:
        """Read "extra 2, skip 0"; words that are not named keep their usual number."""
        amounts = dict(self.usual)
        for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", typed.casefold()))):
            found = _AMOUNT.fullmatch(part)
            if found is None or found[1] not in amounts:
                raise Rejected(HouseReason.NOT_AMOUNTS, value=part, allowed=tuple(self.usual))
            amounts[found[1]] = int(found[2])
        return self.check(amounts, basis)

    def write(self, value: Any) -> str:
        """Write every word with its number."""
        return ", ".join(f"{word} {amount}" for word, amount in value.items())

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer the usual numbers, and the suggested ones for all words alike."""
        return [dict(self.usual), *(dict.fromkeys(self.usual, amount) for amount in self.suggested)]


def split(typed: str) -> list[str]:
    """Split what was typed at spaces, commas and semicolons."""
    return [word for word in _SEPARATOR.split(typed.strip()) if word]

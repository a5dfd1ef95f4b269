"""Kinds of values that hold several things, or name something of the server: words, amounts, channels, a role."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.kinds import NOTHING, Basis, Values, closest
from bot.house_rules.problems import Misfit

MAX_CHANNELS: Final = 25
"""Cap on the channels of one setting; a select cannot hold more."""
_EVERYWHERE: Final = (*NOTHING, "all", "everywhere", "anyone", "everyone")
_SEPARATOR: Final = re.compile(r"[\s,;]+")
_AMOUNT: Final = re.compile(r"([a-z]+)\s*[:=x×*]?\s*(\d{1,4})", re.ASCII)
_ID: Final = re.compile(r"<[#@]&?(\d{1,19})>|(\d{1,19})", re.ASCII)


@dataclass(frozen=True)
class Several:
    """Any number of a few words."""

    known: Callable[[Values], Sequence[str]]
    """The words that can be chosen, given the settings in force."""

    def check(self, value: Any, basis: Basis) -> list[str]:
        """Accept a list of known words, and put it in their order."""
        known = tuple(self.known(basis.values))
        if not isinstance(value, list | tuple):
            raise Rejected(Misfit.NOT_ONE_OF, value=value, allowed=known, nearest=known[0])
        for word in value:
            if not isinstance(word, str) or word not in known:
                nearest = closest(word, known) if isinstance(word, str) else None
                raise Rejected(Misfit.NOT_ONE_OF, value=word, allowed=known, nearest=nearest or known[0])
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
            raise Rejected(Misfit.NOT_AMOUNTS, value=value, allowed=tuple(self.usual))
        for amount in value.values():
            if type(amount) is not int or not 0 <= amount <= self.highest:
                nearest = min(max(amount, 0), self.highest) if type(amount) is int else 0
                raise Rejected(Misfit.OUT_OF_RANGE, value=amount, lowest=0, highest=self.highest, nearest=nearest)
        return {word: value[word] for word in self.usual}

    def read(self, typed: str, basis: Basis) -> dict[str, int]:
        """Read "extra 2, skip 0"; words that are not named keep their usual number."""
        amounts = dict(self.usual)
        for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", typed.casefold()))):
            found = _AMOUNT.fullmatch(part)
            if found is None or found[1] not in amounts:
                raise Rejected(Misfit.NOT_AMOUNTS, value=part, allowed=tuple(self.usual))
            amounts[found[1]] = int(found[2])
        return self.check(amounts, basis)

    def write(self, value: Any) -> str:
        """Write every word with its number."""
        return ", ".join(f"{word} {amount}" for word, amount in value.items())

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer the usual numbers, and the suggested ones for all words alike."""
        return [dict(self.usual), *(dict.fromkeys(self.usual, amount) for amount in self.suggested)]


@dataclass(frozen=True)
class Channels:
    """Some channels; an empty list stands for all of them."""

    def check(self, value: Any, basis: Basis) -> list[int]:
        """Accept ids."""
        if not isinstance(value, list | tuple):
            raise Rejected(Misfit.NOT_A_CHANNEL, value=value)
        if len(value) > MAX_CHANNELS:
            raise Rejected(Misfit.TOO_MANY_CHANNELS, value=len(value), highest=MAX_CHANNELS)
        return list(dict.fromkeys(_known_id(each, basis.channels, Misfit.NOT_A_CHANNEL) for each in value))

    def read(self, typed: str, basis: Basis) -> list[int]:
        """Read mentions or ids."""
        words = split(typed)
        if len(words) == 1 and words[0].casefold() in _EVERYWHERE:
            return []
        return self.check([_read_id(word) for word in words], basis)

    def write(self, value: Any) -> str:
        """Write mentions."""
        return " ".join(f"<#{each}>" for each in value) or "everywhere"

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer all channels; single ones are listed by Discord."""
        return [[]]


@dataclass(frozen=True)
class Role:
    """A role; None stands for everyone."""

    def check(self, value: Any, basis: Basis) -> int | None:
        """Accept an id."""
        return None if value is None else _known_id(value, basis.roles, Misfit.NOT_A_ROLE)

    def read(self, typed: str, basis: Basis) -> int | None:
        """Read a mention or an id."""
        word = typed.strip()
        return None if word.casefold() in _EVERYWHERE else self.check(_read_id(word), basis)

    def write(self, value: Any) -> str:
        """Write a mention."""
        return "anyone" if value is None else f"<@&{value}>"

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer everyone; roles are listed by Discord."""
        return [None]


def split(typed: str) -> list[str]:
    """Split what was typed at spaces, commas and semicolons."""
    return [word for word in _SEPARATOR.split(typed.strip()) if word]


def _read_id(word: str) -> int | str:
    found = _ID.fullmatch(word)
    return word if found is None else int(found[1] or found[2])


def _known_id(value: Any, known: frozenset[int] | None, misfit: Misfit) -> int:
    if type(value) is not int or not 0 < value < 2**63 or (known is not None and value not in known):
        raise Rejected(misfit, value=value)
    return value

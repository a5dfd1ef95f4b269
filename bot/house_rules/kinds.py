"""Kinds of values: a kind checks a value, reads what people type, and offers what is worth choosing.

Values are plain JSON. An invalid value is refused by `Rejected`, with the allowed range and the nearest valid value.
Kinds that hold several words are in `list_kinds`, channels and roles in `server_kinds`, named things that a server
saves in `saved`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from bot.engine.core import Rejected
from bot.house_rules.reasons import HouseReason

NOTHING: Final = ("off", "none", "no", "never", "any", "-")
"""What people type for no value at all."""
_YES: Final = ("on", "yes", "true", "1")
_NO: Final = ("off", "no", "false", "0")
_NUMBER: Final = re.compile(r"[-+]?\d{1,12}(?:st|nd|rd|th)?", re.ASCII | re.IGNORECASE)
_TIME: Final = re.compile(r"(\d{1,9})\s*([a-z]*)", re.ASCII)
_UNITS: Final = {  # the names of each unit, by its length in seconds
    1: ("s", "sec", "second", "seconds"),
    60: ("m", "min", "minute", "minutes"),
    3600: ("h", "hour", "hours"),
    86400: ("d", "day", "days"),
}
_EXAMPLES: Final = {"90s": 90, "5m": 300, "2h": 7200, "1d": 86400}


Values = Mapping[str, Any]
"""What has been set, by the settings' full keys; a setting that is not in it has its usual value."""
EMPTY: Final[Mapping[str, Any]] = MappingProxyType({})


class Basis(NamedTuple):
    """What a value is checked against."""

    values: Values = EMPTY
    """The settings that are in force; the allowed values of one may depend on those before it."""
    saved: Mapping[str, Mapping[str, Any]] = EMPTY
    """What the server has saved under names, by the kind's key (`decks`)."""
    channels: frozenset[int] | None = None
    """The channels that exist; None if they are not known here, and then every channel is accepted."""
    roles: frozenset[int] | None = None
    """The roles that exist, likewise."""


class Kind(Protocol):
    """A kind of value."""

    def check(self, value: Any, basis: Basis) -> Any:
        """Return the value in its canonical form; raise Rejected if it is invalid."""

    def read(self, typed: str, basis: Basis) -> Any:
        """Return the value that somebody typed; raise Rejected if it is invalid."""

    def write(self, value: Any) -> str:
        """Return a value the way it can be typed."""

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Return the values worth choosing from, at most 24."""


def closest(typed: str, known: Sequence[str]) -> str | None:
    """Return the known word that was probably meant; None if nothing is close."""
    found = get_close_matches(typed.casefold(), [each.casefold() for each in known], 1, 0.5)
    return next((each for each in known if found and each.casefold() == found[0]), None)


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    known: Callable[[], Sequence[str]]

    def check(self, value: Any, basis: Basis) -> str:
        """Accept one of the words."""
        known = self.known()
        if not isinstance(value, str) or value not in known:
            nearest = closest(value, known) if isinstance(value, str) else None
            raise Rejected(HouseReason.NOT_ONE_OF, value=value, allowed=tuple(known), nearest=nearest or known[0])
        return value

    def read(self, typed: str, basis: Basis) -> str:
        """Read a word, ignoring case."""
        return self.check(typed.strip().casefold(), basis)

    def write(self, value: Any) -> str:
        """Write the word."""
        return str(value)

    def offers(self, basis: Basis) -> Sequence[str]:
        """Offer all of them."""
        return self.known()


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def check(self, value: Any, basis: Basis) -> bool:
        """Accept true or false."""
        if not isinstance(value, bool):
            raise Rejected(HouseReason.NOT_ONE_OF, value=value, allowed=(True, False), nearest=True)
        return value

    def read(self, typed: str, basis: Basis) -> bool:
        """Read the usual words for yes and no."""
        word = typed.strip().casefold()
        return self.check(True if word in _YES else False if word in _NO else typed, basis)

    def write(self, value: Any) -> str:
        """Write on or off."""
        return "on" if value else "off"

    def offers(self, basis: Basis) -> Sequence[bool]:
        """Offer both."""
        return (True, False)


@dataclass(frozen=True)
class Number:
    """A whole number within limits, or None if it is optional."""

    lowest: int
    highest: int
    optional: bool = False
    suggested: tuple[int, ...] = ()

    def check(self, value: Any, basis: Basis) -> int | None:
        """Accept a whole number."""
        if value is None and self.optional:
            return None
        limits = {"lowest": self.lowest, "highest": self.highest}
        if type(value) is not int:
            raise Rejected(HouseReason.NOT_A_NUMBER, value=value, nearest=self._usual(), **limits)
        if not self.lowest <= value <= self.highest:
            nearest = min(max(value, self.lowest), self.highest)
            raise Rejected(HouseReason.OUT_OF_RANGE, value=value, nearest=nearest, **limits)
        return value

    def _usual(self) -> int:
        return self.suggested[0] if self.suggested else self.lowest

    def read(self, typed: str, basis: Basis) -> int | None:
        """Read a number as people write it: "3", "3rd", "−5"."""
        word = typed.strip().casefold().replace("−", "-").replace("–", "-")
        if self.optional and word in NOTHING:
            return None
        found = _NUMBER.fullmatch(word)
        return self.check(int(word.rstrip("stndrh")) if found else typed, basis)

    def write(self, value: Any) -> str:
        """Write the number, or "none"."""
        return "none" if value is None else str(value)

    def offers(self, basis: Basis) -> Sequence[int | None]:
        """Offer the suggested numbers, or the first of the range."""
        offered = self.suggested or tuple(range(self.lowest, min(self.highest, self.lowest + 22) + 1))
        return (*offered, None) if self.optional else offered


@dataclass(frozen=True)
class Time:
    """A length of time, kept as a number of units, or None if it can be switched off."""

    lowest: int
    highest: int
    suggested: tuple[int, ...]
    unit: int = 1
    """Seconds in one unit."""
    optional: bool = False

    def check(self, value: Any, basis: Basis) -> int | None:
        """Accept a whole number of units."""
        if value is None and self.optional:
            return None
        limits = {"lowest": self.lowest * self.unit, "highest": self.highest * self.unit, "off": self.optional}
        if type(value) is not int:
            raise Rejected(HouseReason.NOT_A_TIME, value=value, nearest=self.suggested[0] * self.unit, **limits)
        if not self.lowest <= value <= self.highest:
            nearest = min(max(value, self.lowest), self.highest) * self.unit
            raise Rejected(HouseReason.TIME_OUT_OF_RANGE, value=value * self.unit, nearest=nearest, **limits)
        return value

    @property
    def examples(self) -> tuple[str, ...]:
        """Ways to type a time, leaving out times that are too long; at least one."""
        longest = self.highest * self.unit
        fit = [typed for typed, seconds in _EXAMPLES.items() if seconds <= longest]
        return tuple(fit or [f"{self.suggested[0] * self.unit}s"])

    def read(self, typed: str, basis: Basis) -> int | None:
        """Read "90", "90s", "5 min", "1d" or "off"; a bare number is in units."""
        word = typed.strip().casefold()
        if self.optional and word in (*NOTHING, "0"):
            return None
        found = _TIME.fullmatch(word)
        if found is None:
            return self.check(typed, basis)
        factor = self.unit if not found[2] else next((unit for unit, names in _UNITS.items() if found[2] in names), 0)
        return self.check(-(-int(found[1]) * factor // self.unit) if factor else typed, basis)

    def write(self, value: Any) -> str:
        """Write it in the largest unit that fits: "90s", "5m", "1d"."""
        if value is None:
            return "off"
        seconds = value * self.unit
        unit = next((unit for unit in (86400, 3600, 60) if seconds and seconds % unit == 0), 1)
        return f"{seconds // unit}{_UNITS[unit][0]}"

    def offers(self, basis: Basis) -> Sequence[int | None]:
        """Offer the suggested times."""
        return (*self.suggested, None) if self.optional else self.suggested

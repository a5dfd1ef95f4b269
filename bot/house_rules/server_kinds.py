"""Kinds of values that name something on the server: channels, a role."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.kinds import NOTHING, Basis
from bot.house_rules.list_kinds import split
from bot.house_rules.reasons import HouseReason

MAX_CHANNELS: Final = 25
"""Cap on the channels of one setting; a select cannot hold more."""
_EVERYTHING: Final = (*NOTHING, "all", "everywhere", "anyone", "everyone")
"""What people type for all channels, or for everyone."""
_ID: Final = re.compile(r"<[#@]&?(\d{1,19})>|(\d{1,19})", re.ASCII)


@dataclass(frozen=True)
class Channels:
    """Some channels; an empty list stands for all of them."""

    def check(self, value: Any, basis: Basis) -> list[int]:
        """Accept ids."""
        if not isinstance(value, list | tuple):
            raise Rejected(HouseReason.NOT_A_CHANNEL, value=value)
        if len(value) > MAX_CHANNELS:
            raise Rejected(HouseReason.TOO_MANY_CHANNELS, value=len(value), highest=MAX_CHANNELS)
        return list(dict.fromkeys(_known_id(each, basis.channels, HouseReason.NOT_A_CHANNEL) for each in value))

    def read(self, typed: str, basis: Basis) -> list[int]:
        """Read mentions or ids."""
        words = split(typed)
        if len(words) == 1 and words[0].casefold() in _EVERYTHING:
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
        return None if value is None else _known_id(value, basis.roles, HouseReason.NOT_A_ROLE)

    def read(self, typed: str, basis: Basis) -> int | None:
        """Read a mention or an id."""
        word = typed.strip()
        return None if word.casefold() in _EVERYTHING else self.check(_read_id(word), basis)

    def write(self, value: Any) -> str:
        """Write a mention."""
        return "anyone" if value is None else f"<@&{value}>"

    def offers(self, basis: Basis) -> Sequence[Any]:
        """Offer everyone; roles are listed by Discord."""
        return [None]


def _read_id(word: str) -> int | str:
    found = _ID.fullmatch(word)
    return word if found is None else int(found[1] or found[2])


def _known_id(value: Any, known: frozenset[int] | None, reason: HouseReason) -> int:
    if type(value) is not int or not 0 < value < 2**63 or (known is not None and value not in known):
        raise Rejected(reason, value=value)
    return value

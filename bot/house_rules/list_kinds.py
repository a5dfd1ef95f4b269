"""Kinds of settings that hold more than one thing: actions, coins, decks, channels; and a role."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.core import Rejected
from bot.games.coyote.rules.cards import SPECIALS, Card, Deck
from bot.games.coyote.rules.editions import COINS, EDITIONS, MOST_COINS, Problem, deck_from, optional_actions
from bot.house_rules.kinds import NOTHING, Ground, closest
from bot.house_rules.problems import Misfit

MOST_CHANNELS: Final = 25
MOST_DECKS: Final = 20
LONGEST_NAME: Final = 24
_EVERYWHERE: Final = (*NOTHING, "all", "everywhere", "anyone", "everyone")
_PART: Final = re.compile(r"[\s,;]+")
_PAIR: Final = re.compile(r"([a-z]+)\s*[:=x×*]?\s*(\d{1,4})", re.ASCII)
_ID: Final = re.compile(r"<[#@]&?(\d{1,19})>|(\d{1,19})", re.ASCII)
_NAME: Final = re.compile(r"[^\W_][\w '’-]*")
_COPIES: Final = re.compile(
    r"(?:(?P<first>-?\d{1,3})\.\.(?P<last>-?\d{1,3})|(?P<card>\?|max0|max-|x2|night|-?\d{1,3}))(?:[x×*](?P<count>\d{1,3}))?",
    re.ASCII,
)
_WRITTEN: Final = {"×2": "x2", "max→0": "max0", "max→-": "max-", "🌙0": "night", "🌙": "night"}


@dataclass(frozen=True)
class Actions:
    """Which of the edition's optional actions are off."""

    def check(self, value: Any, ground: Ground) -> list[str]:
        """Take a list of actions of the edition."""
        known = optional_actions(ground.edition)
        if not isinstance(value, list | tuple):
            raise Rejected(Misfit.NOT_ONE_OF, value=value, allowed=known, nearest=known[0])
        for action in value:
            if not isinstance(action, str) or action not in known:
                nearest = closest(action, known) if isinstance(action, str) else None
                raise Rejected(Misfit.NOT_ONE_OF, value=action, allowed=known, nearest=nearest or known[0])
        return [action for action in known if action in value]

    def read(self, typed: str, ground: Ground) -> list[str]:
        """Read actions with commas or spaces between them."""
        words = [word for word in _PART.split(typed.strip().casefold()) if word]
        return self.check([] if len(words) == 1 and words[0] in NOTHING else words, ground)

    def write(self, value: Any) -> str:
        """Write them with commas."""
        return ",".join(value) or "none"

    def offers(self, ground: Ground) -> Sequence[Any]:
        """Offer none, and each by itself."""
        return [[], *([action] for action in optional_actions(ground.edition))]


@dataclass(frozen=True)
class Coins:
    """How many picture coins of each kind there are: a complete supply."""

    def check(self, value: Any, ground: Ground) -> dict[str, int]:
        """Take every kind with its number."""
        if not isinstance(value, Mapping) or set(value) != set(COINS):
            raise Rejected(Misfit.NOT_COINS, value=value, allowed=COINS)
        for copies in value.values():
            if type(copies) is not int or not 0 <= copies <= MOST_COINS:
                nearest = min(max(copies, 0), MOST_COINS) if type(copies) is int else 0
                raise Rejected(Misfit.OUT_OF_RANGE, value=copies, lowest=0, highest=MOST_COINS, nearest=nearest)
        return {coin: value[coin] for coin in COINS}

    def read(self, typed: str, ground: Ground) -> dict[str, int]:
        """Read "extra 2, skip 0"; kinds that are not named keep the edition's number."""
        supply: dict[str, Any] = dict(EDITIONS["feathers"].coins)
        for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", typed.casefold()))):
            found = _PAIR.fullmatch(part)
            if found is None or found[1] not in supply:
                raise Rejected(Misfit.NOT_COINS, value=part, allowed=COINS)
            supply[found[1]] = int(found[2])
        return self.check(supply, ground)

    def write(self, value: Any) -> str:
        """Write every kind with its number."""
        return ", ".join(f"{coin} {copies}" for coin, copies in value.items())

    def offers(self, ground: Ground) -> Sequence[Any]:
        """Offer the edition's supply, one of each, and many."""
        return [dict(EDITIONS["feathers"].coins), dict.fromkeys(COINS, 1), dict.fromkeys(COINS, 3)]


@dataclass(frozen=True)
class SavedDeck:
    """The name of a saved deck; nothing: the edition's own."""

    def check(self, value: Any, ground: Ground) -> str | None:
        """Take the name of a deck that is saved."""
        if value is None:
            return None
        names = tuple(ground.decks)
        if not isinstance(value, str) or value not in names:
            nearest = closest(value, names) if isinstance(value, str) else None
            raise Rejected(Misfit.NO_SUCH_DECK, value=value, allowed=names, nearest=nearest)
        return value

    def read(self, typed: str, ground: Ground) -> str | None:
        """Read a name in whatever case."""
        word = typed.strip()
        if word.casefold() in NOTHING:
            return None
        return self.check(next((name for name in ground.decks if name.casefold() == word.casefold()), word), ground)

    def write(self, value: Any) -> str:
        """Write the name."""
        return "none" if value is None else str(value)

    def offers(self, ground: Ground) -> Sequence[Any]:
        """Offer the edition's own and all that are saved."""
        return [None, *ground.decks]


@dataclass(frozen=True)
class Channels:
    """Some channels; none: all of them."""

    def check(self, value: Any, ground: Ground) -> list[int]:
        """Take ids."""
        if not isinstance(value, list | tuple):
            raise Rejected(Misfit.NOT_A_CHANNEL, value=value)
        if len(value) > MOST_CHANNELS:
            raise Rejected(Misfit.TOO_MANY_CHANNELS, value=len(value), highest=MOST_CHANNELS)
        return list(dict.fromkeys(_known_id(each, ground.channels, Misfit.NOT_A_CHANNEL) for each in value))

    def read(self, typed: str, ground: Ground) -> list[int]:
        """Read mentions or ids."""
        words = [word for word in _PART.split(typed.strip()) if word]
        if len(words) == 1 and words[0].casefold() in _EVERYWHERE:
            return []
        return self.check([_read_id(word) for word in words], ground)

    def write(self, value: Any) -> str:
        """Write mentions."""
        return " ".join(f"<#{each}>" for each in value) or "everywhere"

    def offers(self, ground: Ground) -> Sequence[Any]:
        """Offer everywhere; a list of channels comes from elsewhere."""
        return [[]]


@dataclass(frozen=True)
class Role:
    """A role; nothing: anyone."""

    def check(self, value: Any, ground: Ground) -> int | None:
        """Take an id."""
        return None if value is None else _known_id(value, ground.roles, Misfit.NOT_A_ROLE)

    def read(self, typed: str, ground: Ground) -> int | None:
        """Read a mention or an id."""
        word = typed.strip()
        return None if word.casefold() in _EVERYWHERE else self.check(_read_id(word), ground)

    def write(self, value: Any) -> str:
        """Write a mention."""
        return "anyone" if value is None else f"<@&{value}>"

    def offers(self, ground: Ground) -> Sequence[Any]:
        """Offer anyone; a list of roles comes from elsewhere."""
        return [None]


def _read_id(word: str) -> int | str:
    found = _ID.fullmatch(word)
    return word if found is None else int(found[1] or found[2])


def _known_id(value: Any, known: frozenset[int] | None, misfit: Misfit) -> int:
    if type(value) is not int or not 0 < value < 2**63 or (known is not None and value not in known):
        raise Rejected(misfit, value=value)
    return value


def read_deck(typed: str) -> Deck:
    """Read cards as people write them: "1..10×2, −5×2, ?, ×2, night". Rejected if that is no deck."""
    cards: dict[Card, int] = {}
    for word in filter(None, _PART.split(typed.strip().casefold().replace("−", "-"))):
        plain = next((code + word[len(sign) :] for sign, code in _WRITTEN.items() if word.startswith(sign)), word)
        found = _COPIES.fullmatch(plain)
        if found is None:
            raise Rejected(Problem.NOT_A_DECK, value=word)
        for card in _cards(found, word):
            cards[card] = cards.get(card, 0) + int(found["count"] or 1)
    return deck_from(tuple(cards.items()))


def _cards(found: re.Match[str], word: str) -> Sequence[Card]:
    if found["card"] is not None:
        special = next((each for each in SPECIALS if each == found["card"]), None)
        return (int(found["card"]) if special is None else special,)
    first, last = int(found["first"]), int(found["last"])
    if first > last:
        raise Rejected(Problem.NOT_A_DECK, value=word)
    return range(first, last + 1)


def write_deck(deck: Deck) -> str:
    """Write cards as `read_deck` reads them."""
    return " ".join(str(card) if copies == 1 else f"{card}×{copies}" for card, copies in deck)


def deck_name(typed: Any) -> str:
    """Return a deck's name: letters, digits and spaces, so that it can be typed, listed and shown anywhere."""
    name = unicodedata.normalize("NFC", " ".join(typed.split())) if isinstance(typed, str) else ""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME or name.casefold() in NOTHING:
        raise Rejected(Misfit.DECK_NAME, value=typed, highest=LONGEST_NAME)
    return name

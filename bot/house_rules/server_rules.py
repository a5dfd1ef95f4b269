"""The rules of one server: what it has set, and what therefore holds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.games.coyote.rules.cards import Deck
from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS
from bot.host.model import House
from bot.house_rules.kinds import Ground
from bot.house_rules.settings import BY_KEY, SETTINGS, Scope, Setting

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class Terms(NamedTuple):
    """What a table is opened with."""

    options: dict[str, Any]
    house: House


class ServerRules(NamedTuple):
    """What a server has set; whatever it has not is the edition's, or the bot's, own. Never changed, only replaced."""

    guild: int
    values: Mapping[str, Any] = _NONE
    decks: Mapping[str, Deck] = _NONE
    seq: int = 0
    """Counts the changes."""

    @property
    def edition(self) -> str:
        """What is played unless a table says otherwise."""
        return str(self.values.get("edition", DEFAULT_EDITION))

    def ground(self, **known: Any) -> Ground:
        """Return what new values are judged upon."""
        return Ground(self.edition, self.decks, **known)

    def value(self, setting: Setting) -> Any:
        """Return what is in force."""
        return self.values[setting.key] if setting.key in self.values else self.usual(setting)

    def usual(self, setting: Setting) -> Any:
        """Return what would be in force if it were not set."""
        return setting.usual(self.edition)

    @property
    def options(self) -> dict[str, Any]:
        """The game's own options, as `Table.options` has them."""
        return self.terms({}).options

    @property
    def house(self) -> House:
        """How tables are hosted."""
        return self.terms({}).house

    @property
    def channels(self) -> tuple[int, ...]:
        """Where tables may stand; none: everywhere."""
        return tuple(self.value(BY_KEY["channels"]))

    @property
    def role(self) -> int | None:
        """Who may open tables; None: anyone."""
        role: int | None = self.value(BY_KEY["role"])
        return role

    @property
    def ranked_after(self) -> int:
        """After so many games somebody stands on a leaderboard."""
        return int(self.value(BY_KEY["ranked_after"]))

    def terms(self, wishes: Mapping[str, Any]) -> Terms:
        """Return what a table is opened with if it wishes for something else; the wishes have been checked."""
        edition = str(wishes.get("edition", self.edition))
        options: dict[str, Any] = {"edition": edition}
        hosting: dict[str, Any] = {}
        for setting in SETTINGS:
            key = setting.key
            if key in wishes:
                value = wishes[key]
            elif key in self.values and _goes_along(setting, self.edition, edition):
                value = self.values[key]
            else:
                continue
            if setting.scope is Scope.TABLE:
                hosting[key] = value
            elif setting.scope is Scope.GAME:
                if key == "deck":
                    value = None if value is None else [list(pair) for pair in self.decks[value]]
                    if value is None:
                        continue
                options[key] = value
        if wishes:
            _uncross(options, wishes)
        return Terms(options, House(**hosting))


def _goes_along(setting: Setting, house: str, played: str) -> bool:
    return played in setting.editions and (house == played or not setting.own)


def _uncross(options: dict[str, Any], wishes: Mapping[str, Any]) -> None:
    """Let one limit of players give way to a wish, or where the house set only the other for another edition."""
    standard = EDITIONS[options["edition"]]
    fewest = options.get("min_players", standard.min_players)
    most = options.get("max_players", standard.max_players)
    if fewest > most:
        if "max_players" not in options or ("min_players" in wishes and "max_players" not in wishes):
            options["max_players"] = fewest
        elif "min_players" not in wishes:
            options["min_players"] = most

"""Every house rule, one entry each. Validation, the form, autocomplete, help, export, import and docs are made of this.

What a setting is called and what it means stands in `bot/text` under `setting.<key>`. Keys are the names of the game's
options, of the fields of `House`, or stand for themselves where no table carries them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from bot.engine.core import Rejected
from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS, HIGHEST_BID, LOWEST_BID, MOST_PLAYERS
from bot.host.model import House
from bot.house_rules.kinds import Choice, Ground, Kind, Number, Switch, Time, closest
from bot.house_rules.list_kinds import Actions, Channels, Coins, Role, SavedDeck
from bot.house_rules.problems import Misfit
from bot.text.catalogue import languages


class Scope(StrEnum):
    """What carries a setting."""

    GAME = "game"
    """The match: an option of the game."""
    TABLE = "table"
    """The table: a field of `House`."""
    SERVER = "server"
    """No table: the server alone."""


class Page(StrEnum):
    """The form's pages."""

    GAME = "game"
    CARDS = "cards"
    TIME = "time"
    PLACE = "place"
    RANKS = "ranks"


class PerGame(StrEnum):
    """What whoever opens a table may change for it; Manage Server may change everything that a table carries."""

    FREE = "free"
    LESS = "less"
    """Switch off, not on."""
    NEVER = "never"


_ALL: Final = tuple(EDITIONS)
_WITH_X2: Final = ("scout", "tomahawk", "feathers")
_HOUR, _DAY, _WEEK = 3600, 86400, 604800


@dataclass(frozen=True)
class Setting:
    """One house rule."""

    key: str
    page: Page
    scope: Scope
    kind: Kind
    default: Any = None
    """For the server's own; otherwise the edition or `House` has it."""
    editions: tuple[str, ...] = _ALL
    """Where it means something."""
    own: bool = False
    """Made for the cards and actions of the house's edition: a table that plays another goes without."""
    optional: bool = False
    """It is about the optional actions, and waits while they are off."""
    per_game: PerGame = PerGame.FREE

    def usual(self, edition: str) -> Any:
        """Return what holds where nothing is set."""
        match self.scope:
            case Scope.TABLE:
                return getattr(House(), self.key)
            case Scope.SERVER:
                return self.default
        if self.key == "deck":
            return None
        if self.key == "edition":
            return DEFAULT_EDITION
        value = getattr(EDITIONS[edition], self.key)
        return dict(value) if self.key == "coins" else list(value) if isinstance(value, tuple) else value

    def check(self, value: Any, ground: Ground) -> Any:
        """Return the value in its one form; Rejected, naming this setting, if it cannot be."""
        return self._judged(ground, lambda: self.kind.check(value, ground))

    def read(self, typed: str, ground: Ground) -> Any:
        """Return the value that somebody typed; Rejected, naming this setting, if it is none."""
        return self._judged(ground, lambda: self.kind.read(typed, ground))

    def _judged(self, ground: Ground, judge: Any) -> Any:
        if ground.edition not in self.editions:
            raise Rejected(Misfit.OTHER_EDITION, option=self.key, edition=ground.edition, editions=self.editions)
        try:
            return judge()
        except Rejected as refused:
            raise Rejected(
                refused.reason, **{**refused.details, "option": self.key, "edition": ground.edition}
            ) from None


def _game(key: str, page: Page, kind: Kind, **more: Any) -> Setting:
    return Setting(key, page, Scope.GAME, kind, **more)


def _table(key: str, page: Page, kind: Kind, per_game: PerGame = PerGame.FREE) -> Setting:
    return Setting(key, page, Scope.TABLE, kind, per_game=per_game)


def _server(key: str, page: Page, kind: Kind, default: Any) -> Setting:
    return Setting(key, page, Scope.SERVER, kind, default, per_game=PerGame.NEVER)


def _one_of(*words: str) -> Choice:
    return Choice(lambda: words)


SETTINGS: Final[tuple[Setting, ...]] = (
    _game("edition", Page.GAME, _one_of("feathers", "scout", "tomahawk", "peek")),
    _game("variant", Page.GAME, Switch()),
    _game("threshold", Page.GAME, Number(2, 5, suggested=(3, 2, 4, 5))),
    _game(
        "min_bid",
        Page.GAME,
        Number(LOWEST_BID, HIGHEST_BID - 1, optional=True, suggested=(1, 0, 5, 10, -10)),
    ),
    _game("next_starter", Page.GAME, _one_of("loser", "winner")),
    _game("if_starter_is_out", Page.GAME, _one_of("duellist", "left")),
    _game("min_players", Page.GAME, Number(2, MOST_PLAYERS)),
    _game("max_players", Page.GAME, Number(2, MOST_PLAYERS)),
    _game("actions_off", Page.CARDS, Actions(), own=True, optional=True),
    _game("actions_per", Page.CARDS, _one_of("table", "player"), own=True, optional=True, editions=("tomahawk",)),
    _game("coins", Page.CARDS, Coins(), own=True, optional=True, editions=("feathers",)),
    _game("x2_doubles", Page.CARDS, _one_of("positives", "all"), own=True, editions=_WITH_X2),
    _game("max_zero_hits", Page.CARDS, _one_of("positive", "any"), own=True),
    _game("deck", Page.CARDS, SavedDeck(), own=True),
    _table(
        "turn_seconds",
        Page.TIME,
        Time(20, _WEEK, (90, 30, 45, 60, 120, 300, 900, _HOUR, 12 * _HOUR, _DAY, 3 * _DAY, _WEEK), optional=True),
    ),
    _table("pause_seconds", Page.TIME, Time(0, _HOUR, (12, 0, 5, 8, 20, 30, 60, 300))),
    _table("away_after", Page.TIME, Number(1, 10, suggested=(2, 1, 3, 4, 5, 10))),
    _table("away_seconds", Page.TIME, Time(1, _DAY, (4, 2, 10, 20, 60, 300, _HOUR))),
    _table("reminders", Page.TIME, Switch(), PerGame.LESS),
    _table("lobby_minutes", Page.TIME, Time(1, 7 * 1440, (60, 10, 30, 180, 720, 1440, 7 * 1440), unit=60)),
    _server("channels", Page.PLACE, Channels(), []),
    _server("role", Page.PLACE, Role(), None),
    _table("thread", Page.PLACE, Switch()),
    _table("tables_at_once", Page.PLACE, Number(1, 100, suggested=(10, 1, 2, 3, 5, 20, 50, 100)), PerGame.NEVER),
    _table("pings", Page.PLACE, Switch(), PerGame.LESS),
    _table("dms", Page.PLACE, Switch(), PerGame.LESS),
    _table("who_stops", Page.PLACE, _one_of("host", "players", "managers"), PerGame.NEVER),
    _table("language", Page.PLACE, Choice(languages)),
    _table("ai_seats", Page.RANKS, Switch(), PerGame.LESS),
    _table("ai_for_away", Page.RANKS, Switch(), PerGame.LESS),
    _table("ai_for_left", Page.RANKS, Switch(), PerGame.LESS),
    _table("counts", Page.RANKS, Switch(), PerGame.LESS),
    _table("count_ai", Page.RANKS, Switch(), PerGame.LESS),
    _server("ranked_after", Page.RANKS, Number(1, 100, suggested=(5, 1, 3, 10, 20, 50)), 5),
)
BY_KEY: Final[Mapping[str, Setting]] = {setting.key: setting for setting in SETTINGS}


def setting_of(key: str) -> Setting:
    """Return a setting by its key; Rejected, with the key that was probably meant, if there is none."""
    known = BY_KEY.get(key.strip().casefold().replace(" ", "_"))
    if known is None:
        raise Rejected(Misfit.UNKNOWN_KEY, value=key, nearest=closest(key, tuple(BY_KEY)))
    return known

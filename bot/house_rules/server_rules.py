"""The rules of one server: what it has set, and what is therefore in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.host.model import SERVER_LANGUAGE, House
from bot.house_rules.game_settings import GAME_SETTINGS, Options, SavedThings, setting_of, settings_of
from bot.house_rules.kinds import EMPTY, Basis, Values
from bot.house_rules.settings import SHARED_SETTINGS, Setting, SettingScope


def with_table_language(house: House, server_language: str) -> House:
    """Return the house rules of a new table, naming its language: by default, the server's."""
    return house._replace(language=server_language) if house.language == SERVER_LANGUAGE else house


class Terms(NamedTuple):
    """What a table is opened with."""

    options: Options
    house: House
    wishes: Mapping[str, Any] = EMPTY
    """How the table differs from the server's rules, by full key."""


class ServerRules(NamedTuple):
    """What a server has set; everything else has its usual value. Never changed, only replaced."""

    guild: int
    values: Values = EMPTY
    saved: SavedThings = EMPTY
    seq: int = 0
    """Counts the changes."""
    other_games: Mapping[str, Any] = EMPTY
    """The document's sections for games that have no settings now; they are written back as they were."""

    def basis(self, **known: frozenset[int] | None) -> Basis:
        """Return what new values are checked against."""
        return Basis(self.values, self.saved, **known)

    def value(self, setting: Setting) -> Any:
        """Return the value in force."""
        return self.values[setting.full_key] if setting.full_key in self.values else self.usual(setting)

    def usual(self, setting: Setting) -> Any:
        """Return the value that would be in force if it were not set."""
        return setting.usual(self.values)

    def is_set(self, setting: Setting) -> bool:
        """Return whether the server has set a value of its own."""
        return setting.full_key in self.values

    def options(self, game: str) -> Options:
        """Return the options of a table of this game without any wishes."""
        return self.terms(game, {}).options

    @property
    def house(self) -> House:
        """How tables are hosted."""
        return self._house({})

    @property
    def channels(self) -> tuple[int, ...]:
        """Where tables may be opened; empty: everywhere."""
        return tuple(self.value(setting_of("channels")))

    @property
    def role(self) -> int | None:
        """Who may open tables; None: everyone."""
        role: int | None = self.value(setting_of("role"))
        return role

    @property
    def ranked_after(self) -> int:
        """The number of games after which somebody appears on a leaderboard."""
        return int(self.value(setting_of("ranked_after")))

    def terms(self, game: str, wishes: Mapping[str, Any]) -> Terms:
        """Return what a table is opened with. The wishes, by full key, have been checked."""
        return Terms(self._options(game, wishes), self._house(wishes), wishes)

    def _house(self, wishes: Mapping[str, Any]) -> House:
        chosen = {**self.values, **wishes}
        tables = [each for each in SHARED_SETTINGS if each.scope is SettingScope.TABLE]
        return House(**{each.key: chosen[each.full_key] for each in tables if each.full_key in chosen})

    def _options(self, game: str, wishes: Mapping[str, Any]) -> Options:
        if game not in GAME_SETTINGS:
            return {}
        played = {**self.values, **wishes}
        chosen: dict[str, Any] = {}
        wished: dict[str, Any] = {}
        for setting in settings_of(game):
            key = setting.full_key
            if key in wishes:
                chosen[setting.key] = wished[setting.key] = wishes[key]
            elif key in self.values and setting.applies(played) and not self._is_ignored(setting, played):
                chosen[setting.key] = self.values[key]
        return GAME_SETTINGS[game].make_options(chosen, wished, self.saved)

    def _is_ignored(self, setting: Setting, played: Values) -> bool:
        """Return whether a table ignores the server's value, because it chose another value for the leading setting."""
        if setting.follows is None:
            return False
        leader = setting_of(setting.follows)
        return bool(played.get(leader.full_key, self.usual(leader)) != self.value(leader))

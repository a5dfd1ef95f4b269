"""The house rules that games declare, and a list of all settings, shared ones included.

`bot.games.registry` fills `GAME_SETTINGS` from the games' kits, so the house rules never import a game. A game without
settings of its own is not in it, and is played with the shared settings only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.kinds import closest
from bot.house_rules.reasons import HouseReason
from bot.house_rules.saved import Saved
from bot.house_rules.settings import SHARED_SETTINGS, Setting

Options = dict[str, Any]
"""What `Game.setup` takes, and what a table carries."""
SavedThings = Mapping[str, Mapping[str, Any]]
"""What a server has saved: by the kind's key, then by name."""


def plain_options(chosen: Mapping[str, Any], wishes: Mapping[str, Any], saved: SavedThings) -> Options:
    """Use the chosen values as the game's options, unchanged."""
    return dict(chosen)


def accept_all(options: Options) -> None:
    """Refuse nothing: every combination of valid values can be played."""


class Book(Enum):
    """What a rulebook says about a setting, where it does not give a value of its own."""

    AS_USUAL = "as_usual"
    """The usual value is the book's."""
    SILENT = "silent"
    """Nothing: the rule and its usual value are ours."""


def _only_usual(_key: str, _value: Any, _options: Mapping[str, Any], _players: int) -> bool:
    return False


def _always_usual(_key: str, _options: Mapping[str, Any]) -> Book:
    return Book.AS_USUAL


def _always_felt(_key: str, _book: Any, _players: int) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class GameSettings:
    """The settings of one game."""

    settings: tuple[Setting, ...]
    """In the order in which they are shown; each may depend on those before it."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Ready-made sets of rules, by name: values of this game's settings and of shared ones, by full key."""
    make_options: Callable[[Mapping[str, Any], Mapping[str, Any], SavedThings], Options] = plain_options
    """Make a table's options from all chosen values, those that this table asked for, and what the server has saved."""
    check_options: Callable[[Options], object] = accept_all
    """Raise Rejected if nothing can be played with these options."""
    allowed_by_book: Callable[[str, Any, Mapping[str, Any], int], bool] = _only_usual
    """Return whether the rulebook leaves this value of a setting, by key, to a table with these options and this many
    players, although it is not the value that it gives first."""
    in_book: Callable[[str, Mapping[str, Any]], Any] = _always_usual
    """Return the value that the rulebook gives a setting, by key, at a table with these options, or a `Book`."""
    is_felt: Callable[[str, Any, int], bool] = _always_felt
    """Return whether a table with this many players notices a usual value that is not the book's, given the setting's
    key and the book's value: a limit that nobody reaches is not noticed."""
    new_fields: Mapping[str, str] = field(default_factory=dict)
    """Fields of the form that opens a table: their names, which are those of the command's options, with the full key
    of the setting that each asks for. At most four fit."""


GAME_SETTINGS: Final[dict[str, GameSettings]] = {}
"""The settings of every game that has some, by the game's name."""


def settings_of(game: str) -> tuple[Setting, ...]:
    """Return the game's own settings."""
    found = GAME_SETTINGS.get(game)
    return () if found is None else found.settings


def all_settings() -> list[Setting]:
    """Return every setting, those of the games first; each may depend on those before it."""
    return [*(each for game in GAME_SETTINGS.values() for each in game.settings), *SHARED_SETTINGS]


def by_key() -> dict[str, Setting]:
    """Return every setting by its full key."""
    return {setting.full_key: setting for setting in all_settings()}


def _settings_at(game: str) -> list[Setting]:
    """Return the settings that a table of this game has: its own and the shared ones."""
    return [*settings_of(game), *SHARED_SETTINGS]


def find_setting(key: str, game: str | None = None) -> Setting | None:
    """Return the setting with this key, as people type it; None if there is none.

    With a game, only that game's and the shared settings are searched, and no name is needed in front of the key.
    """
    word = key.strip().casefold().replace(" ", "_")
    for setting in all_settings() if game is None else _settings_at(game):
        bare = setting.full_key if game is None else setting.key
        if word in (bare, f"{setting.game}.{setting.key}"):
            return setting
    return None


def setting_of(key: str, game: str | None = None) -> Setting:
    """Return the setting with this key; raise Rejected, with the key that was probably meant, if there is none."""
    found = find_setting(key, game)
    if found is None:
        known = tuple(by_key()) if game is None else tuple(each.key for each in _settings_at(game))
        raise Rejected(HouseReason.UNKNOWN_KEY, value=key, nearest=closest(key, known))
    return found


def pages() -> list[str]:
    """Return the full names of the form's pages, in their order."""
    return list(dict.fromkeys(setting.full_page for setting in all_settings()))


def saving_settings() -> list[tuple[Setting, Saved]]:
    """Return the settings that choose among saved things, with their kinds."""
    return [(setting, setting.kind) for setting in all_settings() if isinstance(setting.kind, Saved)]

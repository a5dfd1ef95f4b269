"""The house rules of Plenty Coups, one entry each, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.plenty_coups.rules.options import FEWEST_PLAYERS, MOST_PLAYERS, RANGES, Options, options_from
from bot.house_rules import game_settings
from bot.house_rules.game_settings import GameSettings, SavedThings
from bot.house_rules.kinds import Kind, Number, Switch
from bot.house_rules.settings import Setting, SettingScope

NAME: Final = "plenty-coups"
_USUAL: Final = Options(())


def _setting(key: str, kind: Kind) -> Setting:
    return Setting(
        key=key,
        page=NAME,
        scope=SettingScope.GAME,
        kind=kind,
        default=getattr(_USUAL, key),
        game=NAME,
        in_presets=True,
    )


def _number(key: str, *suggested: int) -> Number:
    allowed = RANGES[key]
    return Number(allowed.start, allowed.stop - 1, suggested=suggested)


_SETTINGS: Final = (
    _setting("rounds", _number("rounds", 9, 3, 4, 5, 6, 7, 8)),
    _setting("winter_hunting", Switch()),
    _setting("decline_when_able", Switch()),
    _setting("accepter_gains", Switch()),
    _setting("min_players", _number("min_players")),
    _setting("max_players", _number("max_players")),
)
_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "book": {},
    "first": {f"{NAME}.rounds": 4, "turn_seconds": 300, "away_after": 3},
    "quick": {f"{NAME}.rounds": 5, "turn_seconds": 45, "lobby_minutes": 15},
    "post": {"turn_seconds": 86_400, "away_after": 3, "away_seconds": 3_600, "lobby_minutes": 10_080},
}


def make_options(chosen: Mapping[str, Any], wishes: Mapping[str, Any], _saved: SavedThings) -> game_settings.Options:
    """Return the options of a table; if only one limit on players is wished for, the other one gives way to it."""
    options = dict(chosen)
    fewest, most = options.get("min_players", FEWEST_PLAYERS), options.get("max_players", MOST_PLAYERS)
    if fewest > most and ("min_players" in wishes) != ("max_players" in wishes):
        options |= {"max_players": fewest} if "min_players" in wishes else {"min_players": most}
    return options


SETTINGS: Final = GameSettings(
    settings=_SETTINGS,
    presets=_PRESETS,
    make_options=make_options,
    check_options=options_from,
    allowed_by_book=lambda key, _value, _options, _players: key in ("min_players", "max_players"),
    new_fields={"clock": "turn_seconds", "seats": f"{NAME}.max_players", "thread": "thread"},
)

"""A few sensible sets of rules, to begin with. What they are called stands in `bot/text` under `preset.<name>`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.engine.core import Rejected
from bot.house_rules.changes import UNSET, Changed, change
from bot.house_rules.kinds import closest
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import SETTINGS, Page, Scope

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "book": {},
    "quick": {"threshold": 2, "turn_seconds": 30, "pause_seconds": 6, "lobby_minutes": 15},
    "party": {
        "edition": "feathers",
        "variant": True,
        "threshold": 2,
        "turn_seconds": 45,
        "max_players": 12,
        "coins": {"extra": 3, "reverse": 2, "skip": 3, "replace": 3, "guess": 2},
    },
    "post": {
        "turn_seconds": 86_400,
        "pause_seconds": 60,
        "away_after": 3,
        "away_seconds": 3_600,
        "lobby_minutes": 10_080,
    },
    "gentle": {"threshold": 4, "variant": False, "turn_seconds": 300, "pause_seconds": 30, "away_after": 4},
    "trickster": {"edition": "peek", "variant": True, "threshold": 3, "turn_seconds": 120},
}
TOUCHED: Final = tuple(
    setting.key
    for setting in SETTINGS
    if (setting.scope is Scope.GAME and setting.key != "edition") or setting.page is Page.TIME
)
"""What every preset decides: the game and its clocks. Places, people and ranks stay as they are."""


def preset(rules: ServerRules, name: str) -> Changed:
    """Return the rules with a preset in force; it keeps the house's edition unless it names one."""
    if name not in PRESETS:
        raise Rejected(Misfit.NO_SUCH_PRESET, value=name, allowed=tuple(PRESETS), nearest=closest(name, tuple(PRESETS)))
    return change(rules, {**dict.fromkeys(TOUCHED, UNSET), **PRESETS[name]})

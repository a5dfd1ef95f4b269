"""Presets: the games' ready-made sets of rules. Their words are in `bot/text` under `preset.<game>.<name>`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.engine.core import Rejected
from bot.house_rules.changes import UNSET, ChangeResult, change
from bot.house_rules.game_settings import GAME_SETTINGS, all_settings
from bot.house_rules.kinds import closest
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules


class Preset(NamedTuple):
    """A set of rules for one game."""

    game: str
    values: Mapping[str, Any]
    """Values of the game's settings and of shared ones, by full key."""


def all_presets() -> dict[str, Preset]:
    """Return every preset by its full name: the game's name, a dot, and the preset's own name."""
    return {
        f"{game}.{name}": Preset(game, values)
        for game, settings in GAME_SETTINGS.items()
        for name, values in settings.presets.items()
    }


def decided_keys(preset: Preset) -> list[str]:
    """Return the full keys that a preset decides: the game and its clocks, but not places, people or ranks."""
    return [each.full_key for each in all_settings() if each.in_presets and each.game in (None, preset.game)]


def use_preset(rules: ServerRules, name: str) -> ChangeResult:
    """Return the rules with a preset in force; a leading setting stays as it is unless the preset names it."""
    presets = all_presets()
    if name not in presets:
        raise Rejected(
            HouseReason.NO_SUCH_PRESET, value=name, allowed=tuple(presets), nearest=closest(name, tuple(presets))
        )
    return change(rules, {**dict.fromkeys(decided_keys(presets[name]), UNSET), **presets[name].values})

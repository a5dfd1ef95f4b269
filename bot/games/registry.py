"""Every game that the bot can host. A new game is one entry in `KITS`.

Whoever starts the bot imports this module: that fills the registries of all rooms.
"""

from __future__ import annotations

from typing import Any, Final

from bot.ai_players.brains import BRAINS
from bot.discord_ui.commands.registry import COMMAND_MODULES
from bot.engine.registry import RULES
from bot.games.coyote.kit import KIT as COYOTE
from bot.games.kit import GameKit
from bot.games.plenty_coups.kit import KIT as PLENTY_COUPS
from bot.house_rules.game_settings import GAME_SETTINGS
from bot.screens.game import SCREENS
from bot.screens.game_names import TITLES
from bot.screens.house.words import SETTING_WORDS
from bot.screens.presses import PRESSES
from bot.screens.stats.words import FIGURE_WORDS
from bot.stats.figures import FIGURES

KITS: Final[tuple[GameKit[Any], ...]] = (COYOTE, PLENTY_COUPS)


def register(kit: GameKit[Any]) -> None:
    """Hand each part of the kit to the room that asks for it."""
    RULES[kit.name] = kit.rules
    TITLES[kit.name] = kit.title
    if kit.screens is not None:
        SCREENS[kit.name] = kit.screens
    if kit.settings is not None:
        GAME_SETTINGS[kit.name] = kit.settings
    if kit.setting_words is not None:
        SETTING_WORDS[kit.name] = kit.setting_words
    if kit.brain is not None:
        BRAINS[kit.name] = kit.brain
    if kit.presses is not None:
        PRESSES[kit.name] = kit.presses
    if kit.commands is not None:
        COMMAND_MODULES[kit.name] = kit.commands
    FIGURES[kit.name] = kit.figures
    if kit.figure_words is not None:
        FIGURE_WORDS[kit.name] = kit.figure_words


def unregister(kit: GameKit[Any]) -> None:
    """Take a game out of every room again."""
    RULES.pop(kit.name, None)
    TITLES.pop(kit.name, None)
    SCREENS.pop(kit.name, None)
    GAME_SETTINGS.pop(kit.name, None)
    SETTING_WORDS.pop(kit.name, None)
    BRAINS.pop(kit.name, None)
    PRESSES.pop(kit.name, None)
    COMMAND_MODULES.pop(kit.name, None)
    FIGURES.pop(kit.name, None)
    FIGURE_WORDS.pop(kit.name, None)


for _kit in KITS:
    register(_kit)

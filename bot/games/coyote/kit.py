"""Gathers everything that the bot needs to know about Coyote."""

from __future__ import annotations

from typing import Final

from bot.games.coyote.ai.brain import think
from bot.games.coyote.demo import narrate
from bot.games.coyote.figures import FIGURES
from bot.games.coyote.lesson.lesson import LESSON
from bot.games.coyote.pictures.drawings import DRAWINGS
from bot.games.coyote.rules.game import GAME
from bot.games.coyote.settings import SETTINGS
from bot.games.coyote.ui.figures import FIGURE_WORDS
from bot.games.coyote.ui.presses import PRESSES
from bot.games.coyote.ui.screens import COYOTE_SCREENS
from bot.games.coyote.ui.settings import CoyoteSettingWords
from bot.games.kit import GameKit

KIT: Final = GameKit(
    rules=GAME,
    title="Coyote",
    demo=narrate,
    screens=COYOTE_SCREENS,
    presses=PRESSES,
    commands="bot.games.coyote.commands",
    brain=think,
    settings=SETTINGS,
    setting_words=CoyoteSettingWords(),
    figures=FIGURES,
    figure_words=FIGURE_WORDS,
    lesson=LESSON,
    drawings=DRAWINGS,
)

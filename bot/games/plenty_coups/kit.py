"""Plenty Coups as the rest of the bot knows it."""

from __future__ import annotations

from typing import Final

from bot.ai_players.brains import ReasonTiming
from bot.games.kit import GameKit
from bot.games.plenty_coups.ai.brain import think
from bot.games.plenty_coups.demo import narrate
from bot.games.plenty_coups.figures import FIGURES
from bot.games.plenty_coups.lesson.lesson import LESSON
from bot.games.plenty_coups.pictures.drawings import DRAWINGS
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.settings import SETTINGS
from bot.games.plenty_coups.ui.figures import FIGURE_WORDS
from bot.games.plenty_coups.ui.presses import PRESSES
from bot.games.plenty_coups.ui.screens import PLENTY_COUPS_SCREENS

KIT: Final = GameKit(
    rules=GAME,
    title="Plenty Coups",
    demo=narrate,
    screens=PLENTY_COUPS_SCREENS,
    presses=PRESSES,
    commands="bot.games.plenty_coups.commands",
    brain=think,
    reason_timing=ReasonTiming.AT_THE_END,
    settings=SETTINGS,
    figures=FIGURES,
    figure_words=FIGURE_WORDS,
    lesson=LESSON,
    drawings=DRAWINGS,
)

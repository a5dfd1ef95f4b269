"""The kit: everything that the bot asks of a game, as one typed record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from bot.ai_players.brains import Brain, ReasonTiming
from bot.engine.core import Game, Json
from bot.engine.views import V
from bot.house_rules.game_settings import GameSettings
from bot.pictures.game import GameDrawings
from bot.screens.game import GameScreens
from bot.screens.house.words import SettingWords
from bot.screens.lessons import GameLesson
from bot.screens.presses import GamePresses
from bot.screens.stats.words import FigureWords
from bot.stats.figures import GameFigures


@dataclass(frozen=True, kw_only=True)
class GameKit(Generic[V]):
    """A game, ready to be hosted. Generic over its view, so mypy notices a view handed to another game's screen."""

    rules: Game[Any, Any, V]
    title: str
    """What the game is called on every screen, in every language."""
    screens: GameScreens[V] | None = None
    """What its messages look like; None: it cannot be played on Discord yet."""
    settings: GameSettings | None = None
    """The game's own house rules; None: it is played with the shared ones only."""
    setting_words: SettingWords | None = None
    """How the game words its settings; None: as the catalogue does."""
    brain: Brain[V] | None = None
    """How AI players play it; None: they cannot sit down at this game."""
    reason_timing: ReasonTiming = ReasonTiming.EACH_ROUND
    """When AI players give the reasons for their moves."""
    presses: GamePresses[V] | None = None
    """How the game handles its own buttons, selects and forms; None: it cannot be played on Discord."""
    commands: str | None = None
    """The module with the game's slash commands: an extension that is loaded when the bot starts."""
    figures: GameFigures = field(default_factory=GameFigures)
    """The figures kept about its matches; by default, those that every game has."""
    figure_words: FigureWords | None = None
    """How its own figures are put into words; None: plainly."""
    lesson: GameLesson[V] | None = None
    """Its lesson for beginners; None: `/tutorial` does not offer this game."""

    drawings: GameDrawings[V] | None = None
    """Its pictures and emojis; None: it is shown in words alone."""
    demo: Callable[[Mapping[str, Json], int, int], Iterator[str]] | None = None
    """Yields a match between random players line by line, from options, the number of players and a seed."""

    @property
    def name(self) -> str:
        """The name under which the game is registered, and which tables and logs carry."""
        return self.rules.name

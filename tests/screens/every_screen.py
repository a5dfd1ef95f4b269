"""Draws whatever has a golden file, in the language that is spoken: screens, forms, pictures and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.games.plenty_coups.ui.rules_pages import RULES_PAGES
from bot.screens.lessons import lesson_screen
from bot.screens.rules_pages import rules_screen
from bot.text.catalogue import catalogue
from tests.games.plenty_coups.ui.tables import SAY as PLENTY
from tests.games.plenty_coups.ui.test_explained import SCENES as PLENTY_EXPLAINED
from tests.games.plenty_coups.ui.test_remarks import screens as plenty_reasons
from tests.games.plenty_coups.ui.test_screens import SCENES as PLENTY_SCENES
from tests.lessons.learning import games, walk_through
from tests.screens.test_snapshots import SCENES
from tests.text.sentences import sentences
from tests.text.speaking import spoken


def draw_everything(language: str) -> Iterator[Any]:
    """Draw all scenes with golden files; the language is spoken already."""
    for scene in (*SCENES.values(), *PLENTY_SCENES.values(), *PLENTY_EXPLAINED.values(), plenty_reasons):
        for _, screen in scene():
            yield screen
    for topic in RULES_PAGES.topics:
        yield rules_screen(PLENTY, topic)
    for game in games():
        for lesson in walk_through(game):
            yield lesson_screen(spoken(game), lesson)
    yield from sentences(catalogue(language))

"""Every screen of Plenty Coups has a golden file for review, and fits Discord."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.text.catalogue import languages
from tests.games.plenty_coups.ui import table_scenes as scenes
from tests.golden import matches_golden
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.text.speaking import PSEUDO, speaking

SCENES: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "table": scenes.tables,
    "hand": scenes.hands,
    "forms": scenes.forms,
    "pings": scenes.pings,
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scene", SCENES)
def test_golden_screens(scene: str, language: str) -> None:
    with speaking(language):
        shown = [
            f"=== {name}\n{screen if isinstance(screen, str) else rendered(screen)}\n"
            for name, screen in SCENES[scene]()
        ]
    matches_golden(f"plenty_coups_{scene}.txt", "\n".join(shown), language)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_fits(scene: str, language: str) -> None:
    with speaking(language):
        for _, screen in SCENES[scene]():
            check_limits(screen)

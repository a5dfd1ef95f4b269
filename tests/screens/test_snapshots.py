"""Every screen has a golden file for review; `make golden` rewrites them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.text.catalogue import languages
from tests.golden import matches_golden
from tests.screens import (
    ai_player_scenes,
    answer_scenes,
    doctor_scenes,
    guess_scenes,
    house_scenes,
    scenes,
    stats_scenes,
)
from tests.screens.rendering import rendered
from tests.text.speaking import speaking

SCENES: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "lobby": scenes.lobbies,
    "table": scenes.rounds,
    "look": scenes.looks,
    "reveal": scenes.reveals,
    "end": scenes.endings,
    "dms": scenes.dms,
    "rules": scenes.pages,
    "forms": scenes.forms,
    "ai_players": ai_player_scenes.scenes,
    "guessing": guess_scenes.scenes,
    "boards": stats_scenes.boards,
    "cards": stats_scenes.cards,
    "replay": stats_scenes.replays,
    "rated": stats_scenes.rated_ends,
    "house": house_scenes.screens,
    "house_forms": house_scenes.forms,
    "doctor": doctor_scenes.screens,
    "privacy": answer_scenes.privacy,
    "answers": answer_scenes.private_answers,
    "notices": answer_scenes.notices,
    "refusals": answer_scenes.refusals,
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scene", SCENES)
def test_golden_screens(scene: str, language: str) -> None:
    with speaking(language):
        shown = [f"=== {name}\n{rendered(screen)}\n" for name, screen in SCENES[scene]()]
    matches_golden(f"screens_{scene}.txt", "\n".join(shown), language)

"""Every shared screen keeps to Discord's limits."""

import pytest

from bot.text.catalogue import languages
from tests.screens.emojis import emojis_uploaded
from tests.screens.limits import check_limits
from tests.screens.test_snapshots import SCENES
from tests.text.speaking import PSEUDO, speaking


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_fits(scene: str, language: str) -> None:
    with speaking(language):
        for _, screen in SCENES[scene]():
            check_limits(screen)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_fits_with_emojis(scene: str, language: str) -> None:
    with speaking(language), emojis_uploaded():
        for _, screen in SCENES[scene]():
            check_limits(screen)

"""Every shared screen keeps to Discord's limits."""

import pytest

from tests.screens import house_scenes, scenes
from tests.screens.limits import check_limits


@pytest.mark.parametrize("name", dict(house_scenes.screens()))
def test_house_rules_fit_discord(name: str) -> None:
    check_limits(dict(house_scenes.screens())[name])


@pytest.mark.parametrize("name", scenes.screens())
def test_every_scene_fits(name: str) -> None:
    check_limits(scenes.screens()[name])


def test_every_form_fits() -> None:
    for _, form in (*scenes.forms(), *house_scenes.forms()):
        check_limits(form)

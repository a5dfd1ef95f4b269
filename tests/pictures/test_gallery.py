"""The gallery shows each picture on both themes, and has every kind of picture."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from bot.games.coyote.rules.editions import EDITIONS
from bot.text.catalogue import catalogue
from tests.pictures import scenes
from tests.pictures.gallery import SECTIONS, THEMES, write_gallery


def test_the_gallery_shows_each_picture_on_both_themes(tmp_path: Path) -> None:
    few = {title: (lambda say, draw=draw: islice(draw(say), 1)) for title, draw in SECTIONS.items()}
    page = write_gallery(tmp_path / "gallery", ["en", "fr"], few, emojis=False).read_text(encoding="utf-8")
    rows = re.findall(r'<div class="row (\w+)">(.*)</div>', page)
    assert len(rows) == len(SECTIONS) * len(THEMES) * 2
    for (dark, on_dark), (light, on_light) in zip(rows[::2], rows[1::2], strict=True):
        assert (dark, light) == THEMES
        assert on_dark == on_light
    shown = set(re.findall(r'src="([^"]+)"', page))
    assert shown == {file.name for file in (tmp_path / "gallery").glob("*.png")}
    assert len(shown) == len(SECTIONS) * 2


def test_all_scenes_have_names_of_their_own() -> None:
    names = [
        scene.name
        for section in (scenes.rare_looks, scenes.scorings, scenes.charts, scenes.camps)
        for scene in section(catalogue())
    ]
    assert len(names) == len(set(names))
    assert {"leaderboard_1", "camps_over", "scoring_shared", "look_crowded"} <= set(names)


def test_finals_are_there_for_all_editions_and_sizes() -> None:
    names = {scene.name for scene in scenes.finals(catalogue())}
    assert {f"final_{edition}_{players}" for edition in EDITIONS for players in scenes.SIZES} <= names
    assert {"final_left", "final_shared_2", "final_shared_3"} <= names

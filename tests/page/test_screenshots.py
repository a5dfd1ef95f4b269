"""The README's images show buttons that there still are."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from bot.text.catalogue import _flatten

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
TEXTS = ROOT / "bot" / "text" / "en"


def _buttons() -> set[str]:
    """Return the labels of all buttons in English."""
    found = set()
    for file in TEXTS.glob("*.toml"):
        for key, text in _flatten(tomllib.loads(file.read_text(encoding="utf-8"))).items():
            if "button" in key and isinstance(text, str):
                found.add(re.sub(r"^\W+", "", text))
    return found


def test_the_images_are_of_this_build() -> None:
    labels = json.loads((IMAGES / "labels.json").read_text(encoding="utf-8"))
    assert {f"{name}.png" for name in labels} == {file.name for file in IMAGES.glob("*.png")}
    assert {"Coyote!", "Look"} <= set(labels["turn"])
    gone = {label for shown in labels.values() for label in shown} - _buttons()
    assert not gone, f"there are no such buttons any more: {', '.join(sorted(gone))}. Run `make screenshots`."


def test_the_readme_shows_all_images() -> None:
    shown = set(re.findall(r"docs/images/(\S+\.png)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert shown == {file.name for file in IMAGES.glob("*.png")}

"""Every script of the project's copy, as one test case each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.games.plenty_coups import script_adapter

FOLDER = Path(__file__).parents[1] / "scripts" / "plenty-coups"


def scripts() -> list[dict[str, Any]]:
    found = []
    for path in sorted(FOLDER.rglob("*.json")):
        held = json.loads(path.read_text())
        found += held if isinstance(held, list) else [held]
    return found


@pytest.mark.parametrize("script", [pytest.param(script, id=script["id"]) for script in scripts()])
def test_script(script: dict[str, Any]) -> None:
    script_adapter.run(script)


def test_there_are_scripts() -> None:
    assert len(scripts()) > 100

"""Runs each game script as a test case: those beside this file, or those in the folder RULE_SCRIPTS."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.games.coyote.rules import script_adapter as coyote
from tests.games.plenty_coups.rules import script_adapter as plenty_coups

FOLDER = Path(os.environ.get("RULE_SCRIPTS") or Path(__file__).parent / "scripts")

ADAPTERS: dict[str, Callable[[dict[str, Any]], None]] = {"edition": coyote.run, "tribes": plenty_coups.run}
"""The key that only scripts of one game have, and the function that plays them."""


def scripts() -> list[Any]:
    found = []
    for path in sorted(FOLDER.rglob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for script in content if isinstance(content, list) else [content]:
            found.append(pytest.param(script, id=script["id"]))
    return found or [pytest.param(None, id="no-scripts")]


@pytest.mark.parametrize("script", scripts())
def test_script(script: dict[str, Any] | None) -> None:
    assert script is not None, f"no scripts in {FOLDER}"
    adapter = next((run for key, run in ADAPTERS.items() if key in script), None)
    assert adapter is not None, f"{script['id']}: neither a Coyote nor a Plenty Coups script"
    adapter(script)

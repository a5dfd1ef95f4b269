"""Golden files: `make golden` rewrites them, for review."""

from __future__ import annotations

import os
from pathlib import Path

from bot.text.catalogue import DEFAULT_LANGUAGE


def matches_golden(name: str, actual: str, language: str = DEFAULT_LANGUAGE) -> None:
    """Compare with the golden file, or rewrite it if UPDATE_GOLDEN is set. Each other language has a folder."""
    folder = Path(__file__).parent
    path = folder / name if language == DEFAULT_LANGUAGE else folder / language / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: write it with `make golden` and read it"
    assert actual == path.read_text(encoding="utf-8")

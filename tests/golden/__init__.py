"""Golden files: `make golden` rewrites them, for review."""

from __future__ import annotations

import os
from pathlib import Path


def matches_golden(name: str, actual: str) -> None:
    """Compare with the golden file, or rewrite it if UPDATE_GOLDEN is set."""
    path = Path(__file__).parent / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(actual, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: write it with `make golden` and read it"
    assert actual == path.read_text(encoding="utf-8")

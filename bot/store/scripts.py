"""The numbered scripts that bring a database to the schema of this version; each kind of store has its own folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent / "migrations"
"""The scripts for SQLite. Those for PostgreSQL are in a folder in it, with the same numbers and names."""


class Script(NamedTuple):
    """One step from the previous schema to this number."""

    number: int
    name: str
    sql: str


def scripts(folder: Path) -> list[Script]:
    """Return the scripts in their order; their numbers are 1, 2, 3 …"""
    found = [
        Script(int(file.name[:4]), file.stem, file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.sql"))
        if re.match(r"\d{4}_", file.name)
    ]
    if [script.number for script in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered 1, 2, 3 …")
    return found

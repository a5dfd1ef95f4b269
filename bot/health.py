"""`python -m bot health`: reads the note that a running bot keeps beside its database.

The note lists the problems that the bot knows of. A bot that hangs, has died or cannot write does not renew its note,
and a bot with a stale note counts as unwell, so every kind of fault shows.

A container runs this every half minute, so it imports next to nothing: neither the bot nor `bot.settings`.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

STALE_SECONDS: Final = 20.0
"""Age from which a note counts as stale."""
DEFAULT_DATABASE: Final = "data/coyote.sqlite3"
"""The database, unless DATABASE_PATH names another."""
NOT_RUNNING: Final = "unwell: no bot is running on this database"
"""The line about a database without a bot."""
_MENTIONED: Final = re.compile(r"^\s*(?:export\s+)?DATABASE_PATH\b", re.IGNORECASE | re.MULTILINE)
_PLAIN: Final = re.compile(r"""^DATABASE_PATH=([^\s'"#$\\]+)[ \t\r]*$""", re.MULTILINE)


def note_of(database: str | Path, process: str = "") -> str:
    """Return the path of the note about the bot that runs on a database; `process` names one of many processes."""
    return f"{database}.{process}.health" if process else f"{database}.health"


def examine(database: str | Path, now: float) -> tuple[bool, str]:
    """Return whether the bot on a database is well, and a line that says so or why not.

    If many processes of this machine run it, it is well if all of them are.
    """
    for process in _processes(database):
        well, line = _examine(note_of(database, process), now)
        if not well:
            return well, line.replace("unwell", f"unwell, process {process}", 1)
    return _examine(note_of(database), now) if not _processes(database) else (True, "well")


def _processes(database: str | Path) -> list[str]:
    """Return the names of the processes of this machine that have a note."""
    folder, name = os.path.split(str(database))
    try:
        found = os.listdir(folder or ".")  # noqa: PTH208 - pathlib is slow to import
    except OSError:
        return []
    start, end = f"{name}.", ".health"
    notes = [each for each in found if each.startswith(start) and each.endswith(end)]
    return sorted(filter(None, [each[len(start) : -len(end)] for each in notes]))


def _examine(note_path: str, now: float) -> tuple[bool, str]:
    try:
        with open(note_path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib is slow to import
            note = json.load(file)
        at, problems = float(note["at"]), [str(line) for line in note["problems"]]
    except FileNotFoundError:
        return False, NOT_RUNNING
    except PermissionError:
        return False, f"unwell: this user may not read {note_path}; ask as the user who runs the bot"
    except (OSError, ValueError, KeyError, TypeError):
        return False, "unwell: the bot's note cannot be read"
    age = now - at
    if age > STALE_SECONDS:
        return False, f"unwell: no sign of life for {age:.0f} s"
    return (False, f"unwell: {'; '.join(problems)}") if problems else (True, "well")


def database_path() -> str | None:
    """Return DATABASE_PATH, from the environment or `.env`; None if it takes `bot.settings` to read it."""
    if (path := os.environ.get("DATABASE_PATH")) is not None:
        return path if path.strip() else None
    if any(name.upper() == "DATABASE_PATH" for name in os.environ):
        return None
    try:
        with open(".env", encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
    except FileNotFoundError:
        return DEFAULT_DATABASE
    except (OSError, ValueError):
        return None
    mentioned, plain = _MENTIONED.findall(text), _PLAIN.findall(text)
    if len(mentioned) != len(plain):
        return None  # a value with quotes, comments or variables
    return plain[-1] if plain else DEFAULT_DATABASE


def report(database: str | Path) -> int:
    """Print the line about the bot on a database; return the exit code, 0 or 1."""
    well, line = examine(database, time.time())
    print(line)
    return 0 if well else 1

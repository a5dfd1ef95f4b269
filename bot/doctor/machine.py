"""Examines this machine: the fonts, the database, and the bot that may be running."""

from __future__ import annotations

import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot import health
from bot.findings import Finding, bad, good, note
from bot.pictures.fonts import Weight, font
from bot.private_files import PRIVATE_FILE
from bot.store.ports import Database
from bot.version import VERSION

FONT_WEIGHTS: Final[tuple[Weight, ...]] = ("text", "bold")
FONT_SIZE: Final = 20
"""The size in which the font is tried, in pixels."""
_SECRET: Final = re.compile(r"^\s*(?:export\s+)?(?:DISCORD_TOKEN|DATABASE_URL)\s*=\s*\S", re.IGNORECASE | re.MULTILINE)


def examine_machine(database: Database, path: Path) -> Iterator[Finding]:
    """Check everything that needs no Discord; beside `path`, a running bot keeps the note about its health."""
    yield good("versions", f"Coyote Table {VERSION}, Python {sys.version.split()[0]}")
    yield _fonts()
    yield from database.examine()
    yield _running(path)


def examine_env_file(path: Path) -> Iterator[Finding]:
    """Check that nobody else can read a token or password in the file of settings."""
    try:
        mode, text = stat.S_IMODE(path.stat().st_mode), path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return  # there is none; one that cannot be read was reported with the settings
    if mode & ~PRIVATE_FILE and _SECRET.search(text):
        yield bad("secrecy", f"others can read {path}, and with it the token or a password", f"Run: chmod 600 {path}")


def _fonts() -> Finding:
    try:
        for weight in FONT_WEIGHTS:
            font(FONT_SIZE, weight).getlength("Coyote")
    except OSError as fault:
        return bad(
            "fonts", f"a font cannot be read ({fault})", "Get the project again: bot/pictures/typeface is missing."
        )
    return good("fonts", "both can be read")


def _running(path: Path) -> Finding:
    well, line = health.examine(path, time.time())
    if well:
        return good("running bot", "well")
    if line == health.NOT_RUNNING:
        return note("running bot", "none on this database", "Start it: python -m bot run")
    return bad("running bot", line.removeprefix("unwell: "), "See the bot's log, and restart it if it hangs.")

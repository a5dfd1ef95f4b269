"""What the doctor finds: one line each, with a way to fix it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """How serious a finding is."""

    GOOD = "good"
    NOTE = "note"
    """Worth knowing; the bot works."""
    BAD = "bad"
    """Something does not work until it is fixed."""


class Finding(NamedTuple):
    """The result of one check."""

    check: str
    """What was checked, in a word or two."""
    level: Level
    says: str
    fix: str | None = None
    link: str | None = None


def good(check: str, says: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(check, Level.GOOD, says)


def note(check: str, says: str, fix: str | None = None, link: str | None = None) -> Finding:
    """Mention something that works but might be better."""
    return Finding(check, Level.NOTE, says, fix, link)


def bad(check: str, says: str, fix: str, link: str | None = None) -> Finding:
    """Report something that does not work, and how to fix it."""
    return Finding(check, Level.BAD, says, fix, link)

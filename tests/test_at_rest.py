"""A bot to which nothing happens keeps little in memory: what is needed later is imported or read later."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from babel import Locale, localedata
from babel.dates import format_skeleton

from bot.text.catalogue import catalogue, languages

ROOT = Path(__file__).parents[1]
NEEDED_LATER = {"PIL", "aiohttp.web", "asyncpg", "openskill", "playwright"}
IMPORTED = f"import sys, bot.run; print(*sorted({NEEDED_LATER!r} & sys.modules.keys()))"


def test_what_a_resting_bot_does_not_need_is_not_imported() -> None:
    ended = subprocess.run([sys.executable, "-c", IMPORTED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []


@pytest.mark.parametrize("language", languages())
def test_what_no_text_needs_of_a_language_is_forgotten(language: str) -> None:
    say = catalogue(language)
    assert not {"currency_names", "territories", "unit_patterns", "time_zones"} & localedata.load(language).keys()
    assert say.month(2026, 11) == format_skeleton("yMMMM", date(2026, 11, 1), locale=Locale(language))
    assert [say.decimal(2.25), say.percent(333), say.either(["a", "b", "c"])] != ["", "", ""]

"""Requirements of some tests that not every machine meets, and the line about them at the end of a run."""

import os
import shutil
from collections import Counter
from collections.abc import Iterable

import pytest

from sandbox.schema import find_file

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

NO_CHROMIUM = "Chromium is not installed"
NO_FILE = "DISCORD_OPENAPI names no file"
NO_PACKAGES = "pip cannot fetch packages"
HOW_TO_RUN = {
    NO_CHROMIUM: "browser tests (install Chromium to run them)",
    NO_FILE: "comparisons (set DISCORD_OPENAPI to Discord's openapi.json to run them)",
    NO_PACKAGES: "tests with other releases of packages (pip cannot fetch them here)",
}

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)
needs_file = pytest.mark.skipif(find_file() is None, reason=NO_FILE)


def skipped(reasons: Iterable[str]) -> str:
    """Return one line about the skipped tests, with what to install to run them; empty if none was skipped."""
    counts = Counter(reasons)
    parts = [f"{counts[reason]} {how}" for reason, how in HOW_TO_RUN.items() if counts[reason]]
    others = sum(count for reason, count in counts.items() if reason not in HOW_TO_RUN)
    if others:
        parts.append(f"{others} that cannot run here at all (`pytest -rs` says why)")
    return f"Skipped: {', '.join(parts)}." if parts else ""

import os
import subprocess
import sys
from pathlib import Path

from tests.needs import NO_CHROMIUM, NO_FILE, skipped

ROOT = Path(__file__).parents[1]


def test_nothing_is_said_if_nothing_was_skipped() -> None:
    assert skipped([]) == ""


def test_tests_that_no_installation_would_run_are_counted() -> None:
    assert skipped([NO_CHROMIUM, "root may write everything", "needs /proc to find child processes"]) == (
        "Skipped: 1 browser tests (install Chromium to run them), "
        "2 that cannot run here at all (`pytest -rs` says why)."
    )


def test_one_line_names_everything_that_was_skipped() -> None:
    assert skipped([NO_CHROMIUM, NO_FILE, NO_FILE, NO_CHROMIUM]) == (
        "Skipped: 2 browser tests (install Chromium to run them), "
        "2 comparisons (set DISCORD_OPENAPI to Discord's openapi.json to run them)."
    )


def test_a_run_without_chromium_says_so_before_its_totals(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "CHROMIUM" and not key.startswith("PYTEST")}
    env["PATH"] = str(tmp_path)
    command = (sys.executable, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", "tests/page/test_inert.py")
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    *_, line, totals = done.stdout.splitlines()
    count = totals.split(" skipped")[0].split()[-1]
    assert line == f"Skipped: {count} browser tests (install Chromium to run them)."

"""The store works with the oldest and the newest release of aiosqlite, since it uses public names alone."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import NO_PACKAGES

ROOT = Path(__file__).parents[3]
OLDEST = "0.17.0"
PINNED = re.search(r'"aiosqlite==([\d.]+)"', (ROOT / "pyproject.toml").read_text())
TESTED = ("tests/store/sqlite/test_connection.py", "tests/store/sqlite/test_writer.py")


@pytest.mark.parametrize("release", [OLDEST, PINNED[1] if PINNED else ""])
def test_a_release(tmp_path: Path, release: str) -> None:
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path), f"aiosqlite=={release}")
    if subprocess.run([sys.executable, *install], capture_output=True, check=False).returncode:
        pytest.skip(NO_PACKAGES)
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    env["PYTHONPATH"] = str(tmp_path)
    shown = "import aiosqlite; print(aiosqlite.__file__, aiosqlite.__version__)"
    found = subprocess.run([sys.executable, "-c", shown], env=env, capture_output=True, text=True, check=True).stdout
    assert found.split() == [str(tmp_path / "aiosqlite" / "__init__.py"), release]
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTED)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_only_one_module_imports_aiosqlite_and_it_inherits_nothing() -> None:
    """A subclass could reach private names by `self`."""
    importing = [path for path in (ROOT / "bot").rglob("*.py") if "import aiosqlite" in path.read_text()]
    assert [path.name for path in importing] == ["connection.py"]
    tree = ast.parse(importing[0].read_text())
    bases = [ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    assert bases == ["sqlite3.Connection"]
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert used <= {"_address", "_works", "_serving"}, "names of our own"

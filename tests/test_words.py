"""Comments and docstrings avoid phrases that readers stumble at."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("bot", "cogs", "sandbox", "tests", "bench")
AVOIDED = re.compile(r"\b(so many|whoever)\b", re.IGNORECASE)
"""Say which number or which person is meant."""


def prose(code: str) -> Iterator[str]:
    """Yield a module's docstrings, and its comments as one text: a sentence may go over several lines."""
    comments = [
        each.string.lstrip("# ")
        for each in tokenize.generate_tokens(io.StringIO(code).readline)
        if each.type == tokenize.COMMENT
    ]
    yield " ".join(comments)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield " ".join(node.value.value.split())


@pytest.mark.parametrize("folder", FOLDERS)
def test_prose_avoids_clumsy_phrases(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        if not re.search(r"so\W+many|whoever", code, re.IGNORECASE):
            continue  # parsing every file would take seconds
        found = [text for text in prose(code) if AVOIDED.search(text)]
        assert not found, f"{path.relative_to(ROOT)}: {found}"


def test_comments_and_docstrings_of_every_kind_are_read() -> None:
    code = '"""One."""\nX = 1\n"""Two,\nor three."""\n# four\n# or five\ntext = "six"\n'
    assert sorted(prose(code)) == ["One.", "Two, or three.", "four or five"]

"""The documentation names only files, commands and settings that exist."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import re
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from bot.cli.main import _parser
from bot.settings import Settings
from bot.version import VERSION

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / "docs").rglob("*.md"),
    *ROOT.glob("*.md"),
    *(ROOT / ".github").rglob("*.md"),
    ROOT / "tests" / "README.md",
    ROOT / "sandbox" / "README.md",
]
FENCES = [
    pytest.param(code, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    )
]
"""Every piece of Python on the pages."""
ENVIRONMENT_ONLY = {"MORE_TEXTS", "SANDBOX_PORT", "SCENE", "KEEP", "SANDBOX_DATA", "DISCORD_OPENAPI"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{named(page)} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_that_are_quoted_exist(page: Path) -> None:
    (choices,) = [action.choices for action in _parser()._actions if action.dest == "==SUPPRESS=="]
    assert choices is not None
    for line in re.findall(r"python -m bot ([^`\n|]+)", page.read_text(encoding="utf-8")):
        command, *rest = line.split()
        if command.startswith("-"):
            continue
        word = command.rstrip(",.:;)")
        assert word in choices or word == "COMMAND", f"{named(page)} quotes `python -m bot {line}`"
        for option in [each for each in rest if re.fullmatch(r"--[a-z-]+", each)]:
            known = choices[word].format_help() if word in choices else "--help"  # type: ignore[index]
            assert option in known, f"{named(page)} quotes `python -m bot {line}`"


def test_every_target_of_make_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    places = {named(page): page.read_text(encoding="utf-8") for page in PAGES}
    places["Makefile"] = "\n".join(line for line in makefile.splitlines() if line.startswith("#"))
    for folder in ("bot", "cogs", "sandbox", "tests", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            places[named(path)] = _prose(path.read_text(encoding="utf-8"))
    found = {(place, target) for place, text in places.items() for target in re.findall(r"`make ([a-z]+)\b", text)}
    for page in PAGES:
        for block in re.findall(r"^```\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            found |= {(named(page), target) for target in re.findall(r"(?:^|&& )make ([a-z]+)\b", block, re.MULTILINE)}
            for group in re.findall(r"\bmake \.venv/\.([a-z]+)", block):
                assert (ROOT / "requirements" / f"{group}.txt").exists()
    assert len(found) > 10
    assert not [(place, target) for place, target in sorted(found) if target not in targets]
    lists = {word for line in re.findall(r"^\.PHONY:(.+)$", makefile, re.MULTILINE) for word in line.split()}
    assert lists == targets


def _prose(source: str) -> str:
    """Return docstrings and comments of a module."""
    nodes = [ast.parse(source), *ast.walk(ast.parse(source))]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)]
    strings = [
        each.value.value for each in nodes if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    ]
    comments = re.findall(r"#.*$", source, re.MULTILINE)
    return "\n".join([*docstrings, *map(str, strings), *comments])


@pytest.mark.parametrize("title", ["Play now, without a Discord token", "Host it"])
def test_a_stranger_needs_at_most_four_commands(title: str) -> None:
    part = (ROOT / "README.md").read_text(encoding="utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    commands = re.findall(r"^```\n(.*?)^```", part, re.MULTILINE | re.DOTALL)[0].splitlines()
    assert commands[:2] == ["git clone ADDRESS coyote-table", "cd coyote-table"]
    assert commands[-1].startswith("make play")
    assert len(commands) <= 4


def names_used(code: CodeType) -> set[str]:
    """Return the global names that the code and the functions in it use."""
    used = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return used.union(*(names_used(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


@pytest.mark.parametrize("code", FENCES)
def test_python_on_the_pages_runs_as_pasted(code: str) -> None:
    compiled = compile(code, "page", "exec")
    pasted: dict[str, Any] = {}
    exec(compiled, pasted)  # noqa: S102
    assert names_used(compiled) <= pasted.keys() | vars(builtins).keys()
    for name, each in list(pasted.items()):
        if name.startswith("test_") and not inspect.iscoroutinefunction(each):
            each()


def test_there_is_python_on_the_pages() -> None:
    assert len(FENCES) >= 5


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    settings = {name.upper() for name in Settings.model_fields}
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE)) == settings | ENVIRONMENT_ONLY
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^# ([A-Z_]+)=", example, re.MULTILINE)) == settings


def test_every_page_for_hosts_can_be_found_from_the_first() -> None:
    folder = ROOT / "docs" / "hosting"
    first = (folder / "README.md").read_text(encoding="utf-8")
    assert {page.name for page in folder.glob("*.md")} - {"README.md"} <= set(re.findall(r"\]\((\w+\.md)", first))


def test_the_newest_release_in_the_changelog_is_this_version() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
    released = [title for title in titles if title != "Unreleased"]
    assert titles[-len(released) :] == released, "what is not released stands at the top"
    assert re.fullmatch(re.escape(VERSION) + r" \(\d{4}-\d\d-\d\d\)", released[0])

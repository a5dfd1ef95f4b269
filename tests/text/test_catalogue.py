"""Every key used in the code exists, none is unused, and every text can be formatted."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.engine.registry import RULES
from bot.text.catalogue import Catalogue, _flatten, _read, catalogue, languages

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("bot", "cogs") for path in (ROOT / folder).rglob("*.py")]
KEY = re.compile(r"[a-z][a-z_]*(?:\.[a-z0-9_]+)+")
SLOT = r"[a-z0-9_.]+"
ASKERS = {"say", "said"}
# Commands look up their names, descriptions and options themselves.
OF_COMMANDS = re.compile(r"command\..*")
SAY = catalogue()


def _keys_used(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the keys of a module as patterns, and whether each is used in a call that requires it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") in ASKERS:
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield re.escape(str(first.value)), True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
            yield re.escape(node.value), False
        if isinstance(node, ast.JoinedStr):
            pattern = "".join(_pattern(part) for part in node.values)
            # A key made only of slots would match every key and hide unused ones.
            named = re.search("[a-z]", pattern.replace(SLOT, ""))
            if named and "." in pattern and re.match(r"[a-z][a-z_]*\\\.|\[a-z0-9_\.\]\+\\\.", pattern):
                yield pattern, False


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else SLOT


ASKED = [
    (path.name, pattern, needed)
    for path in SOURCES
    for pattern, needed in _keys_used(ast.parse(path.read_text(encoding="utf-8")))
]


def _shared(key: str) -> str:
    """Return the shared key that a game's own key overrides."""
    game, _, rest = key.partition(".")
    return rest if game in RULES else key


def test_a_game_has_its_own_words_only_for_what_is_said_in_every_game() -> None:
    own = [key for key in SAY.keys if _shared(key) != key]
    assert own
    for key in own:
        assert _shared(key) in SAY
        assert SAY.slots(key) == SAY.slots(_shared(key))
    assert SAY.for_game("coyote")("replay.all") == "All feathers"
    assert SAY.for_game("chess")("replay.all") == SAY("replay.all") == "Everything"


def test_every_key_that_is_used_exists() -> None:
    missing = [(name, key) for name, key, needed in ASKED if needed and not any(re.fullmatch(key, k) for k in SAY.keys)]
    assert missing == []


def test_no_key_is_unused() -> None:
    patterns = [re.compile(pattern) for pattern in {pattern for _, pattern, _ in ASKED}]
    unused = {_shared(key) for key in SAY.keys if not OF_COMMANDS.fullmatch(key)}
    for pattern in patterns:
        unused = {key for key in unused if not pattern.fullmatch(key)}
    assert sorted(unused) == []


@pytest.mark.parametrize("language", languages())
def test_every_text_can_be_formatted(language: str) -> None:
    say = catalogue(language)
    for key in say.keys:
        slots = {slot: 2 if slot == "count" else f"<{slot}>" for slot in say.slots(key)}
        assert say(key, **slots).strip(), key
        assert all(slot.isidentifier() for slot in say.slots(key)), key


@pytest.mark.parametrize("language", languages())
def test_commands_fit_discord(language: str) -> None:
    say = catalogue(language)
    for key in (key for key in say.keys if key.startswith("command.")):
        text = say(key)
        if key.endswith(".name"):
            assert re.fullmatch(r"[-_\w]{1,32}", text), key
            assert text == text.lower(), key
        else:
            assert 1 <= len(text) <= 100, key


def test_missing_texts_of_a_language_fall_back_to_english() -> None:
    other = Catalogue("fr", {"number.ordinal": {"one": "{count}er", "other": "{count}e"}}, SAY)
    assert other.ordinal(1) == "1er"
    assert other("table.button.call") == "Coyote!"
    assert "table.button.call" in other
    assert other.slots("table.turn") == {"mention"}
    assert other.listing(["Ana", "Ben"]) == "Ana et Ben"
    assert other.either(["Ana", "Ben"]) == "Ana ou Ben"


def test_plurals_and_ordinals() -> None:
    assert [SAY.ordinal(n) for n in (1, 2, 3, 4, 11, 21)] == ["1st", "2nd", "3rd", "4th", "11th", "21st"]
    assert SAY("time.minutes", count=1) == "1 minute"
    assert SAY("time.minutes", count=5) == "5 minutes"
    with pytest.raises(TypeError):
        SAY("time.minutes", count="five")
    with pytest.raises(KeyError):
        SAY("no.such.key")


def test_a_key_is_defined_in_one_file_only(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[group]\nkey = "one"\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('[group]\nkey = "two"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"group\.key"):
        _read(tmp_path)
    with pytest.raises(ValueError, match="neither a text"):
        _flatten({"key": 3})

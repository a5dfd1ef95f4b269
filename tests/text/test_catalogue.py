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
SLOT = r"[-a-z0-9_.]+"
TEXT_FUNCTIONS = {"say", "localised"}
# Commands look up their names, descriptions and options themselves; a test of them asks which they use.
COMMAND_KEY = re.compile(r"command\..*")
SAY = catalogue()


def _keys_used(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the keys of a module as patterns, and whether each is used in a call that requires it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") in TEXT_FUNCTIONS:
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield re.escape(str(first.value)), True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
            yield re.escape(node.value), False
        if isinstance(node, ast.JoinedStr):
            pattern = "".join(_pattern(part) for part in node.values)
            # A key made only of slots would match every key and hide unused ones.
            named = re.search("[a-z]", pattern.replace(SLOT, ""))
            if named and "." in pattern and re.match(r"[a-z][a-z_]*\\\.|\[-a-z0-9_\.\]\+\\\.", pattern):
                yield pattern, False


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else SLOT


USED_KEYS = [
    (path.name, pattern, needed)
    for path in SOURCES
    for pattern, needed in _keys_used(ast.parse(path.read_text(encoding="utf-8")))
]


def _shared(key: str) -> str:
    """Return the shared key that a game's own key overrides."""
    game, _, rest = key.partition(".")
    return rest if game in RULES else key


def _reworded(key: str) -> str:
    """Return the key whose text this one says in other words, as AI players do; else the key itself."""
    first = re.sub(r"_[2-9]$", "", key)
    return first if first in SAY else key


def test_a_games_own_text_replaces_a_shared_text_with_the_same_slots() -> None:
    own = [key for key in SAY.keys if _shared(key) != key]
    assert own
    for key in own:
        assert _shared(key) in SAY
        assert SAY.slots(key) == SAY.slots(_shared(key))
    assert SAY.for_game("coyote")("replay.all") == "All feathers"
    assert SAY.for_game("chess")("replay.all") == SAY("replay.all") == "Everything"


def test_every_key_that_is_used_exists() -> None:
    missing = [
        (name, key) for name, key, needed in USED_KEYS if needed and not any(re.fullmatch(key, k) for k in SAY.keys)
    ]
    assert missing == []


def test_no_key_is_unused() -> None:
    patterns = [re.compile(pattern) for pattern in {pattern for _, pattern, _ in USED_KEYS}]
    unused = {_reworded(_shared(key)) for key in SAY.keys if not COMMAND_KEY.fullmatch(key)}
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


def test_missing_texts_of_a_language_fall_back_to_english() -> None:
    other = Catalogue("fr", {"number.ordinal.place": {"one": "{count}re", "other": "{count}e"}}, SAY)
    assert [other.ordinal(n, "place") for n in (1, 2)] == ["1re", "2e"]
    assert other.ordinal(1, "coin") == "1st"
    assert other("table.button.call") == "Coyote!"
    assert "table.button.call" in other
    assert other.slots("table.turn") == {"mention"}
    assert other.listing(["Ana", "Ben"]) == "Ana et Ben"
    assert other.either(["Ana", "Ben"]) == "Ana ou Ben"


SPANISH = catalogue("es")


@pytest.mark.parametrize(
    ("last", "word"),
    [
        *(("Irene", "e"), ("Íñigo", "e"), ("hijos", "e"), ("Yvonne", "e")),
        *(("hierba", "y"), ("Iago", "y"), ("iones", "y"), ("Yolanda", "y"), ("Ana", "y"), ("", "y")),
        *(("**Idioma**", "e"), ("🤖 IA Juniper", "e"), ("⚫️ Irene", "e")),
        *(("<:black:812> Irene", "e"), ("“Irene”", "e")),
        # Nobody but Discord knows whose name a mention shows.
        *(("<@1001>", "y"), ("<#8>", "y"), ("?", "y")),
    ],
)
def test_and_may_change_with_the_next_sound(last: str, word: str) -> None:
    assert SPANISH.listing(["Ben", last]) == f"Ben {word} {last}"
    assert SPANISH.listing(["Irene", "Ben", last]) == f"Irene, Ben {word} {last}"
    assert SAY.listing(["Ben", last]) == f"Ben and {last}"


@pytest.mark.parametrize(
    ("last", "word"),
    [
        *(("Olga", "u"), ("Óscar", "u"), ("hotel", "u"), ("8", "u"), ("80", "u"), ("8.ª", "u"), ("11", "u")),
        *(("Ana", "o"), ("18", "o"), ("110", "o"), ("−8", "o"), ("<@8>", "o"), ("Irene", "o")),
    ],
)
def test_or_may_change_with_the_next_sound(last: str, word: str) -> None:
    assert SPANISH.either(["Ben", last]) == f"Ben {word} {last}"
    assert SPANISH.for_game("coyote").either(["Olga", "Ben", last]) == f"Olga, Ben {word} {last}"


def test_a_list_of_one_or_none_has_no_and() -> None:
    assert [SPANISH.listing(each) for each in ([], ["Irene"])] == ["", "Irene"]
    assert [SPANISH.either(each) for each in ([], ["Olga"])] == ["", "Olga"]


def test_plurals_and_ordinals() -> None:
    assert [SAY.ordinal(n, "coin") for n in (1, 2, 3, 4, 11, 21)] == ["1st", "2nd", "3rd", "4th", "11th", "21st"]
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


def test_other_words_have_the_same_slots() -> None:
    """Remarks of AI players have several wordings; each may leave slots out, but not ask for more."""
    for key in SAY.keys:
        first = _reworded(key)
        if first != key:
            assert SAY.slots(key) <= SAY.slots(first) | {"seen", "bid", "chance"}, key

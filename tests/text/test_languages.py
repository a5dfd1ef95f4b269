"""Every language is complete and matches the English; the checks themselves catch each kind of mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from discord import Locale

from bot.text.catalogue import Catalogue, Text, _read, catalogue, code_of, languages
from tests.text import checks, missing, pseudo
from tests.text.checks import ENGLISH, FOLDER, TextProblem

OTHERS = [code for code in languages() if code != "en"]
PSEUDO = pseudo.texts(ENGLISH, pseudo.pseudo, pseudo.accented)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_is_complete(language: str) -> None:
    assert checks.problems(catalogue(language)) == []


@pytest.mark.parametrize("language", languages())
def test_every_language_has_a_glossary_and_a_name(language: str) -> None:
    assert (FOLDER / language / "GLOSSARY.md").read_text(encoding="utf-8").strip()
    assert "language.name" in catalogue(language).keys


def test_no_line_breaks_before_a_french_sign() -> None:
    say, breakable = catalogue("fr"), re.compile(r"\S [;:!»%]|[\w)][;!»%]|« ")
    assert [key for key in sorted(say.keys) for form in say.forms(key) if breakable.search(form)] == []


def test_the_english_texts_keep_to_the_limits() -> None:
    assert [*checks.lengths(ENGLISH), *checks.names(ENGLISH), *checks.markup(ENGLISH)] == []


def test_the_pseudo_language_has_no_problem_but_that_nobody_recorded_it() -> None:
    say = Catalogue(pseudo.CODE, PSEUDO, ENGLISH)
    assert {problem for check in checks.CHECKS if check is not checks.outdated for problem in check(say)} == set()


@pytest.mark.parametrize(
    ("key", "text", "what"),
    [
        ("table.turn", None, "is missing"),
        ("table.no_such_text", "Hoi", "is not in the English catalogue"),
        ("list.nor.usual", "noch", "is not used"),
        ("table.turn", "## Hoi", "lacks {mention}"),
        ("table.turn", "## {mention} {number}", "has {number}, which is not filled"),
        ("time.days", {"other": "{count} dagen"}, "lacks the form for one"),
        ("time.days", {"one": "{count} dag", "few": "{count}", "other": "{count}"}, "the language does not use: few"),
        ("table.turn", {"one": "## {mention}", "other": "## {mention}"}, "no number is known there"),
        ("table.turn", "{mention} is aan de beurt", "should begin with “## ”"),
        ("table.turn", "## **{mention}", "without its partner"),
        ("table.clock", "{time}", "should have the signs ⏳"),
        ("refused.host.not_seated_lobby", "Je zit niet aan deze tafel.", "should name **"),
        ("house.file.needed", "Gebruik **/houserules export**.", "should name /"),
        ("form.needs_number", "Met **value:**, zoals {example}.", "should name the option"),
        ("setting.deck.name", "x" * 46, "has 46 characters; 45 are the most"),
        ("plenty.move.neutral.about_rival", "x" * 81 + "{rival}", "has 101 characters; 100 are the most"),
        ("command.help.name", "Hulp Nu", "must be one word in lower case"),
        ("command.coyote.bid.name", "çåļļ", "like another command"),
        ("option.player", "þåĝé", "like another option"),
        ("lobby.done.left", ENGLISH("lobby.done.left"), "is still in English"),
    ],
)
def test_each_mistake_is_noticed(key: str, text: Text | None, what: str) -> None:
    texts = {name: each for name, each in PSEUDO.items() if name != key} | ({} if text is None else {key: text})
    found = [problem for problem in checks.problems(Catalogue(pseudo.CODE, texts, ENGLISH)) if problem.key == key]
    assert any(what in problem.what for problem in found), found


def test_an_and_that_does_not_say_when_it_changes_is_noticed() -> None:
    texts = PSEUDO | {"list.and.usual": "y", "list.and.instead": "e"}
    assert TextProblem("list.and.before", "is missing") in checks.problems(Catalogue(pseudo.CODE, texts, ENGLISH))


def test_a_changed_english_text_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "FOLDER", tmp_path)
    (tmp_path / pseudo.CODE).mkdir()
    say = Catalogue(pseudo.CODE, PSEUDO, ENGLISH)
    assert len(list(checks.outdated(say))) == len(ENGLISH.keys)
    checks.record(say, set(ENGLISH.keys))
    assert list(checks.outdated(say)) == []
    reworded = Catalogue("en", {**ENGLISH._texts, "table.turn": "## Your turn, {mention}"})
    monkeypatch.setattr(checks, "ENGLISH", reworded)
    assert list(checks.outdated(say)) == [TextProblem("table.turn", "the English has changed since it was translated")]


def test_the_tool_lists_a_file_and_records_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {key: text for key, text in PSEUDO.items() if key != "table.turn"}
    say = Catalogue(pseudo.CODE, texts, ENGLISH)
    monkeypatch.setattr(checks, "FOLDER", tmp_path)
    monkeypatch.setattr(missing, "catalogue", lambda language: say)
    monkeypatch.setattr(missing, "languages", lambda: ("en", pseudo.CODE))
    (tmp_path / pseudo.CODE).mkdir()
    assert missing.main([pseudo.CODE, "--done"]) == 0
    assert missing.main([pseudo.CODE, "lobby"]) == 0
    assert missing.main([pseudo.CODE, "table"]) == 1
    assert "table.toml  table.turn  is missing" in capsys.readouterr().out
    assert missing.main(["tlh"]) == 2


def test_the_pseudo_language_is_written_as_a_catalogue(tmp_path: Path) -> None:
    assert pseudo.main([str(tmp_path), "de", "fr"]) == 0
    assert _read(tmp_path / "fr") == {**PSEUDO, "language.name": "Pseudo (fr)"}
    assert pseudo.main([]) == 2


def test_the_pseudo_language_is_none_that_has_texts() -> None:
    assert pseudo.CODE not in languages(), "name another language of Discord's, without texts, for `pseudo.CODE`"
    assert any(each.value.partition("-")[0] == pseudo.CODE for each in Locale)


def test_discords_locales_find_their_language() -> None:
    assert code_of("en-GB") == "en"
    assert code_of("tlh") == "en"
    assert catalogue("en-US") is catalogue("en") is catalogue()

"""Lets scenes and tables of tests speak any language, the pseudo-language among them, and finds English left in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, cast
from unittest.mock import patch

from babel import Locale

import bot.text.catalogue as texts
from bot.engine.registry import RULES
from bot.host.model import SERVER_LANGUAGE
from bot.text.catalogue import DEFAULT_LANGUAGE, Catalogue
from tests.text import pseudo
from tests.text.checks import ORDINALS

PSEUDO: Final = pseudo.CODE
_current = [DEFAULT_LANGUAGE]
_emojis: list[Mapping[str, str]] = [{}]
_code_of, _catalogue = texts.code_of, texts._catalogue


@cache
def _pseudo() -> Catalogue:
    english = texts.catalogue("en")
    return Catalogue(PSEUDO, pseudo.texts(english, pseudo.pseudo, pseudo.accented), english)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let everything that `spoken` returned, and all tables that follow their server's language, speak a language."""

    def code_of(asked: str) -> str:
        meant = language if asked == SERVER_LANGUAGE else asked
        return PSEUDO if meant == PSEUDO else _code_of(meant)

    def catalogue(code: str) -> Catalogue:
        return _pseudo() if code == PSEUDO else _catalogue(code)

    _current.append(language)
    try:
        with patch.object(texts, "code_of", code_of), patch.object(texts, "_catalogue", catalogue):
            yield
    finally:
        _current.pop()


@contextmanager
def illustrated(emojis: Mapping[str, str]) -> Iterator[None]:
    """Let everything that `spoken` returned use these emojis of the bot's own."""
    _emojis.append(emojis)
    try:
        yield
    finally:
        _emojis.pop()


def spoken(game: str | None = None) -> Catalogue:
    """Return texts in whichever language `speaking` says when they are asked for; in English outside of it."""
    return cast(Catalogue, _Spoken(game))


@contextmanager
def recorded() -> Iterator[set[str]]:
    """Yield the keys of all texts that are asked for meanwhile; a game's own text counts, and not what it replaces."""
    found: set[str] = set()
    ask, count = Catalogue.__call__, Catalogue.ordinal
    own = {f"{game}." for game in RULES}

    def asked(say: Catalogue, key: str, **slots: object) -> str:
        text = say._texts.get(key)
        games = [prefix + key for prefix in own if prefix + key in say._texts]
        found.update([each for each in games if say._texts[each] is text] or [key])
        return ask(say, key, **slots)

    def ordinal(say: Catalogue, number: int, of: str) -> str:
        found.add(f"{ORDINALS}{of}")
        return count(say, number, of)

    with patch.object(Catalogue, "__call__", asked), patch.object(Catalogue, "ordinal", ordinal):
        yield found


class _Spoken:
    def __init__(self, game: str | None) -> None:
        self._game = game

    @property
    def _texts(self) -> Catalogue:
        found = _pseudo() if _current[-1] == PSEUDO else texts.catalogue(_current[-1])
        found = found.with_emojis(_emojis[-1])
        return found if self._game is None else found.for_game(self._game)

    def __call__(self, key: str, **slots: object) -> str:
        return self._texts(key, **slots)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._texts, name)


# Mentions and times, commands that can be clicked, addresses, and the key of a setting as it is typed.
_NOT_WORDS: Final = re.compile(r"<[^<>\s]*>|</[^<>]+>|https?://\S+|(?<=:)[a-z][-a-z0-9_.]*(?= )")
_ENGLISH: Final = re.compile(r"[A-Za-z]{2,}")
_SLOT: Final = re.compile(r"\\{[a-z_]*\\}")
"""A slot in a text that was escaped for a pattern."""
_LANGUAGES: Final = " ".join(texts.catalogue(code)("language.name") for code in texts.languages())
_THE_SAME_EVERYWHERE: Final = frozenset({"Coyote", "Plenty", "Coups", "Max", *_ENGLISH.findall(_LANGUAGES)})
"""Titles of games, what stands on special feathers, and the names of languages."""
_MONTHS: Final = [str(month) for month in Locale(PSEUDO).months["format"]["wide"].values()]
_JOINED: Final = [joined(["", ""]) for joined in (Catalogue(PSEUDO, {}).listing, Catalogue(PSEUDO, {}).either)]
_ITS_RULES: Final = frozenset(
    {*_MONTHS, *[month.capitalize() for month in _MONTHS], *_ENGLISH.findall(" ".join(_JOINED))}
)
"""What the pseudo-language has from the language as which it is written: how lists are joined, and the months."""


def english_in(shown: str, *names: str) -> list[str]:
    """Return the words in a text of the pseudo-language that were not translated; `names` are people's."""
    known = {word for name in names for word in _ENGLISH.findall(name)} | _THE_SAME_EVERYWHERE | _ITS_RULES
    return [word for word in _ENGLISH.findall(_NOT_WORDS.sub(" ", shown)) if word not in known]


def is_cut(shown: str) -> bool:
    """Return whether a text of the pseudo-language lost its end.

    Brackets show it, except in texts that are too long for them: those have to be there from their beginning to their
    end, whatever fills their slots.
    """
    opened, closed = map(shown.count, pseudo.BRACKETS)
    if opened or closed:
        return opened != closed
    return any(letter in pseudo.ACCENTED for letter in shown) and not any(
        text.fullmatch(shown) for text in _without_brackets()
    )


@cache
def _without_brackets() -> tuple[re.Pattern[str], ...]:
    """Return the texts of the pseudo-language that have no brackets: names of commands, and where no room is left."""
    say = _pseudo()
    forms = {form for key in say.keys for form in say.forms(key) if not set(pseudo.BRACKETS) & set(form)}
    return tuple(re.compile(_SLOT.sub(".*?", re.escape(form)), re.DOTALL) for form in forms)

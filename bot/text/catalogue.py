"""The catalogues: every word that people see, by key and language.

A language is a folder of TOML files, keys in groups. A text has named slots, `{name}`; one that depends on a number
is a table of plural forms, chosen by `count`. English is complete; what another language lacks is said in English.
A game may have its own words for a shared text: below the game's name, in the same groups.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel import Locale
from babel.dates import format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

DEFAULT_LANGUAGE: Final = "en"
_FOLDER: Final = Path(__file__).parent

Text = str | Mapping[str, str]
"""A sentence, or its plural forms by CLDR category."""


class Catalogue:
    """The texts of one language. Call it to get a text: `say("lobby.seats", count=3)`."""

    def __init__(self, language: str, texts: Mapping[str, Text], fallback: Catalogue | None = None) -> None:
        self.language = language
        self._texts = texts
        self._fallback = fallback
        self._locale = Locale.parse(language)
        self._plural = self._locale.plural_form
        self._of_games: dict[str, Catalogue] = {}

    def __call__(self, key: str, **slots: object) -> str:
        """Return the text with its slots filled; an unknown key or slot is a programming error."""
        text = self._texts.get(key)
        if text is None:
            if self._fallback is None:
                raise KeyError(key)
            return self._fallback(key, **slots)
        if isinstance(text, str):
            return text.format_map(slots)
        count = slots["count"]
        if not isinstance(count, int):
            raise TypeError(f"{key} needs a whole number to choose its plural form, not {count!r}")
        return text.get(self._plural(count), text["other"]).format_map(slots)

    def __contains__(self, key: str) -> bool:
        return key in self._texts or (self._fallback is not None and key in self._fallback)

    def for_game(self, game: str) -> Catalogue:
        """Return this catalogue with the game's own words in place of shared ones: `<game>.<key>` for `<key>`."""
        if game not in self._of_games:
            prefix = f"{game}."
            own = {key.removeprefix(prefix): text for key, text in self._texts.items() if key.startswith(prefix)}
            fallback = None if self._fallback is None else self._fallback.for_game(game)
            self._of_games[game] = Catalogue(self.language, {**self._texts, **own}, fallback)
        return self._of_games[game]

    def ordinal(self, count: int) -> str:
        """Return "3rd", by the language's own rules."""
        text = self._texts.get("number.ordinal")
        if text is None and self._fallback is not None:
            return self._fallback.ordinal(count)
        forms = {"other": "{count}"} if text is None or isinstance(text, str) else text
        return forms.get(self._locale.ordinal_form(count), forms["other"]).format(count=count)

    def listing(self, items: Sequence[str]) -> str:
        """Return "Ana, Ben and Chloé", as the language strings things together."""
        return format_list(items, locale=self._locale)

    def month(self, year: int, month: int) -> str:
        """Return "November 2026", as the language writes it."""
        return str(format_skeleton("yMMMM", date(year, month, 1), locale=self._locale))

    def decimal(self, value: float) -> str:
        """Return "2.3", as the language writes it."""
        return str(format_decimal(value, format="0.0", locale=self._locale))

    def percent(self, thousandths: int) -> str:
        """Return "33.3%", as the language writes it."""
        return str(format_percent(thousandths / 1000, locale=self._locale, decimal_quantization=False))

    def either(self, items: Sequence[str]) -> str:
        """Return "Ana, Ben or Chloé", as the language offers a choice."""
        return format_list(items, style="or", locale=self._locale)

    @property
    def keys(self) -> frozenset[str]:
        """All keys that this language has itself."""
        return frozenset(self._texts)

    def forms(self, key: str) -> tuple[str, ...]:
        """Return a text in all of its forms, slots unfilled."""
        text = self._texts.get(key)
        if text is None:
            if self._fallback is None:
                raise KeyError(key)
            return self._fallback.forms(key)
        return (text,) if isinstance(text, str) else tuple(text.values())

    def slots(self, key: str) -> frozenset[str]:
        """Return the slots that a text needs, in any of its forms."""
        return frozenset(
            name for form in self.forms(key) for _, name, _, _ in Formatter().parse(form) if name is not None
        )


def _flatten(group: Mapping[str, object], prefix: str = "") -> dict[str, Text]:
    texts: dict[str, Text] = {}
    for name, value in group.items():
        if isinstance(value, str):
            texts[prefix + name] = value
        elif isinstance(value, dict) and "other" in value:
            texts[prefix + name] = {category: str(form) for category, form in value.items()}
        elif isinstance(value, dict):
            texts |= _flatten(value, f"{prefix}{name}.")
        else:
            raise ValueError(f"{prefix}{name} is neither a text nor a group of texts")
    return texts


def _read(folder: Path) -> dict[str, Text]:
    """Read all files of a language; a key that two of them have is a mistake."""
    texts: dict[str, Text] = {}
    for path in sorted(folder.glob("*.toml")):
        more = _flatten(tomllib.loads(path.read_text(encoding="utf-8")))
        twice = texts.keys() & more.keys()
        if twice:
            raise ValueError(f"{path} says again what another file says: {', '.join(sorted(twice))}")
        texts |= more
    return texts


@lru_cache
def catalogue(language: str = DEFAULT_LANGUAGE) -> Catalogue:
    """Return a language's catalogue, by our code or by Discord's ("en-GB"); English if we do not have it."""
    code = language.partition("-")[0]
    if code not in languages():
        return catalogue()
    return Catalogue(code, _read(_FOLDER / code), None if code == DEFAULT_LANGUAGE else catalogue())


@lru_cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that have texts."""
    return tuple(sorted({path.parent.name for path in _FOLDER.glob("*/*.toml")}))

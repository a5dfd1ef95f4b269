"""The catalogues: every word that people see, by key and language.

A catalogue is a TOML file of keys in groups. A text has named slots, `{name}`; one that depends on a number is
a table of plural forms, chosen by `count`. English is complete; what another language lacks is said in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel import Locale

DEFAULT_LANGUAGE: Final = "en"
_FOLDER: Final = Path(__file__).parent

Text = str | Mapping[str, str]
"""A sentence, or its plural forms by CLDR category."""


class Catalogue:
    """The texts of one language. Ask it by calling it: `say("lobby.seats", count=3)`."""

    def __init__(self, language: str, texts: Mapping[str, Text], fallback: Catalogue | None = None) -> None:
        self.language = language
        self._texts = texts
        self._fallback = fallback
        self._plural = Locale.parse(language).plural_form

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
        return key in self._texts

    @property
    def keys(self) -> frozenset[str]:
        """All keys that this language has itself."""
        return frozenset(self._texts)

    def slots(self, key: str) -> frozenset[str]:
        """Name the slots that a text wants, in any of its forms."""
        text = self._texts[key]
        forms = [text] if isinstance(text, str) else text.values()
        return frozenset(name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None)


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


@lru_cache
def catalogue(language: str = DEFAULT_LANGUAGE) -> Catalogue:
    """Return a language's catalogue, by our code or by Discord's ("en-GB"); English if we do not speak it."""
    code = language.partition("-")[0]
    path = _FOLDER / f"{code}.toml"
    if code not in languages():
        return catalogue()
    texts = _flatten(tomllib.loads(path.read_text(encoding="utf-8")))
    return Catalogue(code, texts, None if code == DEFAULT_LANGUAGE else catalogue())


@lru_cache
def languages() -> tuple[str, ...]:
    """Name the languages that we speak."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))

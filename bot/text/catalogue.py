"""The catalogues: every word that people see, by key and language.

A language is a folder of TOML files, keys in groups. A text has named slots, `{name}`; one that depends on a number
is a table of plural forms, chosen by `count`. English is complete; what another language lacks is said in English.
A game may have its own words for a shared text: below the game's name, in the same groups.

MORE_TEXTS in the environment names a folder with more languages, for trying them; they take precedence over those here.
"""

from __future__ import annotations

import os
import re
import tomllib
import zlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import date
from functools import lru_cache
from itertools import dropwhile
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Final, Literal
from unicodedata import category

import babel.core
import msgspec
from babel import Locale, UnknownLocaleError, localedata
from babel.dates import format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

DEFAULT_LANGUAGE: Final = "en"

# The buttons of lobbies, tables, reveals and final screens.
_PUBLIC_BUTTON: Final = re.compile(r"(lobby|table|final|ai_players)\.button\.[a-z_]+|ai_players\.reasons\.button")
_BOLD: Final = re.compile(r"(\*\*(?:[^\w\s*{]+ )?)([^*{}]+?)\*\*")
_COUNT: Final = re.compile(r"\s*\([^()]*\{[^()]*\)$")
# What is needed of the forty things that Babel knows of a language.
_USED_CONVENTIONS: Final = frozenset(
    {"plural_form", "ordinal_form", "list_patterns", "number_symbols", "decimal_formats", "percent_formats"}
    | {"default_numbering_system", "numbering_systems", "months", "datetime_skeletons"}
)
_NO_EMOJIS: Final[Mapping[str, str]] = MappingProxyType({})
# A command in a text: in bold, or as code. Without either, it is in a place where nothing can be clicked.
_COMMAND: Final = re.compile(r"\*\*(/[^*{}]+)\*\*|`(/[^`{}]+)`")
# What stands before a word without being read aloud: markup, and one of the bot's own emojis.
_MARKUP: Final = frozenset("*_~`")
_OWN_EMOJI: Final = re.compile(r"<a?:\w+:\d+>")
_SILENT: Final = frozenset({"So", "Sk", "Mn", "Cf", "Zs", "Pi", "Ps"})
"""Categories of characters that are not read aloud either: other emojis, spaces, opening quotes and brackets."""


def _without_count(label: str) -> str:
    """Return a label as texts name it: "Resume" for "Resume (1 of 3)"."""
    return _COUNT.sub("", label)


Text = str | Mapping[str, str]
"""A sentence, or its plural forms by CLDR category."""


class Catalogue:
    """The texts of one language. Call it to get a text: `say("lobby.seats", count=3)`."""

    def __init__(
        self,
        language: str,
        texts: Mapping[str, Text],
        fallback: Catalogue | None = None,
        mentions: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._mentions = mentions or {}
        self._texts = texts
        self._fallback = fallback
        self._locale = _conventions(language)
        self._plural = self._locale.plural_form
        self._of_games: dict[str, Catalogue] = {}
        self._at_tables: dict[tuple[str, str], Catalogue] = {}
        self._public = self
        self._emojis = _NO_EMOJIS

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
            self._of_games[game] = Catalogue(self.language, {**self._texts, **own}, fallback, self._mentions)
        return self._of_games[game].with_emojis(self._emojis)

    def for_table(self, game: str, language: str) -> Catalogue:
        """Return the game's words for somebody at a table that speaks a language: its buttons are named as it has them.

        A button stands in a text in bold, as it is labelled.
        """
        if code_of(language) == self.language:
            return self.for_game(game)
        key = game, language
        if key not in self._at_tables:
            own, public = self.for_game(game), catalogue(language).for_game(game)
            self._at_tables[key] = own._naming_buttons_of(public)
        return self._at_tables[key].with_emojis(self._emojis)

    def with_emojis(self, emojis: Mapping[str, str]) -> Catalogue:
        """Return these texts together with the bot's own emojis: by name, as a message writes them."""
        if emojis is self._emojis:
            return self
        made = copy(self)
        made._emojis = emojis
        return made

    @property
    def without_emojis(self) -> Catalogue:
        """These texts with words alone, for labels and for readers who want that."""
        return self.with_emojis(_NO_EMOJIS)

    def emoji(self, name: str | None) -> str:
        """Return one of the bot's own emojis, for texts and buttons; empty if there is none and words have to serve."""
        return "" if name is None else self._emojis.get(name, "")

    def button(self, key: str) -> str:
        """Return the label of a button that stands on a public message, in the language of the table."""
        return self._public(key)

    def clickable(self, command: str) -> str:
        """Return a command as Discord makes it clickable, given as it is typed ("/coyote new"), if its id is known.

        Only for texts with markup: in a label, an option or a title it would be shown as it is written.
        """
        return self._mentions.get(command, command)

    def _naming_buttons_of(self, public: Catalogue) -> Catalogue:
        keys = [key for key in sorted(self._texts) if _PUBLIC_BUTTON.fullmatch(key)]
        pairs = [(_without_count(self.forms(key)[0]), _without_count(public.forms(key)[0])) for key in keys]
        labels = {own: there for own, there in pairs if "{" not in own + there}

        def name(found: re.Match[str]) -> str:
            return f"{found[1]}{labels.get(found[2], found[2])}**"

        texts = {key: _substituted(_BOLD, name, text) for key, text in self._texts.items()}
        made = Catalogue(self.language, texts, self._fallback, self._mentions)
        made._public = public
        return made

    def ordinal(self, count: int, of: str) -> str:
        """Return "3rd", by the language's own rules, of a "coin" or "place": its form may depend on the word."""
        text = self._texts.get(f"number.ordinal.{of}")
        if text is None and self._fallback is not None:
            return self._fallback.ordinal(count, of)
        forms = {"other": text or "{count}"} if text is None or isinstance(text, str) else text
        return forms.get(self._locale.ordinal_form(count), forms["other"]).format(count=count)

    def listing(self, items: Sequence[str]) -> str:
        """Return "Ana, Ben and Chloé", as the language strings things together."""
        return self._joined(items, "standard", "and")

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
        return self._joined(items, "or", "or")

    def _joined(self, items: Sequence[str], style: Literal["standard", "or"], word: str) -> str:
        """Join things; some languages have another word for "and" or "or" before certain sounds: `list.<word>`."""
        joined = format_list(items, style=style, locale=self._locale)
        if len(items) < 2 or f"list.{word}.before" not in self._texts:
            return joined
        usual = f" {self(f'list.{word}.usual')} {items[-1]}"
        if not joined.endswith(usual) or not re.match(self(f"list.{word}.before"), _read_aloud(items[-1])):
            return joined
        return f"{joined.removesuffix(usual)} {self(f'list.{word}.instead')} {items[-1]}"

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


def _read_aloud(text: str) -> str:
    """Return a text from the first word that is read aloud, in lower case: "irene" for "🔺 **Irene**"."""
    return "".join(dropwhile(_is_silent, _OWN_EMOJI.sub("", text))).casefold()


def _is_silent(character: str) -> bool:
    return character in _MARKUP or category(character) in _SILENT


def _substituted(pattern: re.Pattern[str], by: Callable[[re.Match[str]], str], text: Text) -> Text:
    """Replace something in all forms of a text."""
    if isinstance(text, str):
        return pattern.sub(by, text)
    return {category: pattern.sub(by, form) for category, form in text.items()}


def _with_mentions(texts: Mapping[str, Text], mentions: Mapping[str, str]) -> Mapping[str, Text]:
    """Make the commands in texts clickable."""

    def mention(found: re.Match[str]) -> str:
        known = mentions.get(found[1] or found[2])
        return found[0] if known is None else f"**{known}**"

    return {key: _substituted(_COMMAND, mention, text) for key, text in texts.items()}


@lru_cache
def _conventions(language: str) -> Locale:
    """Return how a language writes plurals, lists, dates and numbers; an unknown region follows its language."""
    try:
        locale = Locale.parse(language, sep="-")
    except UnknownLocaleError:
        locale = Locale.parse(language.partition("-")[0])
    _forget_unused(str(locale))
    return locale


def _forget_unused(locale: str) -> None:
    """Forget the currencies, places, units and so on of a language: Babel would keep a megabyte for each."""
    for name in ("root", locale.partition("_")[0], locale):
        known = localedata.load(name)
        for unused in known.keys() - _USED_CONVENTIONS:
            del known[unused]
    babel.core._global_data = None  # two megabytes, which it reads again if it needs them


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
def _packed(folder: Path) -> bytes:
    """Read all files of a language and keep them small: unpacking them takes a twentieth of the time."""
    return zlib.compress(msgspec.json.encode(_read(folder)), 1)


def _unpacked(packed: bytes) -> Mapping[str, Text]:
    return msgspec.json.decode(zlib.decompress(packed), type=dict[str, str | dict[str, str]])


def _read(folder: Path) -> Mapping[str, Text]:
    """Read all files of a language; a key that two of them have is a mistake."""
    texts: dict[str, Text] = {}
    for path in sorted(folder.glob("*.toml")):
        more = _flatten(tomllib.loads(path.read_text(encoding="utf-8")))
        twice = texts.keys() & more.keys()
        if twice:
            raise ValueError(f"{path} repeats keys of another file: {', '.join(sorted(twice))}")
        texts |= more
    return texts


def catalogue(language: str = DEFAULT_LANGUAGE) -> Catalogue:
    """Return a language's catalogue, by our code or by Discord's ("en-GB"); English if we do not have it."""
    return _catalogue(code_of(language))


@lru_cache
def _catalogue(code: str) -> Catalogue:
    folder = next(folder / code for folder in _folders() if _is_language(folder / code))
    fallback = None if code == DEFAULT_LANGUAGE else catalogue()
    mentions = _mentions.get(code, {})
    return Catalogue(code, _with_mentions(_unpacked(_packed(folder)), mentions), fallback, mentions)


_mentions: dict[str, Mapping[str, str]] = {}
"""The commands that can be clicked, by language: what is written for each, by how it is typed."""


def make_clickable(mentions: Mapping[str, Mapping[str, str]]) -> None:
    """Make commands clickable in all texts from now on: by language, and as they are typed in it."""
    _mentions.clear()
    _mentions.update(mentions)
    _catalogue.cache_clear()


@lru_cache
def code_of(language: str) -> str:
    """Return our code of a language, given Discord's ("pt-BR", "en-GB"); English if we do not have it."""
    return next((code for code in (language, language.partition("-")[0]) if code in languages()), DEFAULT_LANGUAGE)


@lru_cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that have texts, English first."""
    found = {path.name for folder in _folders() for path in folder.iterdir() if _is_language(path)}
    return (DEFAULT_LANGUAGE, *sorted(found - {DEFAULT_LANGUAGE}))


def _folders() -> list[Path]:
    """Return where languages are looked for, the first folder first."""
    more = os.environ.get("MORE_TEXTS")
    return [*([Path(more)] if more else []), Path(__file__).parent]


def _is_language(folder: Path) -> bool:
    return any(folder.glob("*.toml"))

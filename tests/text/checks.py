"""Checks of one language's catalogue against the English one; `tests.text.missing` lists what they find.

Every check yields problems: a key, and what is the matter with it. None of them judges style.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import bot.text.catalogue
from bot.text.catalogue import Catalogue, _conventions, _without_count, catalogue

FOLDER: Final = Path(bot.text.catalogue.__file__).parent
ENGLISH: Final = catalogue("en")
RECORD: Final = "english.json"
"""In a language's folder: a mark of each English text at the time when it was translated."""
MOST_COUNTED: Final = 1000
"""Numbers below this decide which plural forms a language needs: nothing at a table is counted further."""
ORDINALS: Final = "number.ordinal."
LISTS: Final = "list."
"""Only languages whose "and" or "or" changes with the next sound have these texts."""
NAME_LENGTH: Final = 20
"""The characters of a long name: so much room a text leaves for each person or tribe that it names."""
NAMES: Final = frozenset({"name", "rival", "ally", "former", "mention", "host"})
"""The slots that a name fills, where a text may not be longer than some limit."""
_SLOT: Final = re.compile(r"\{([a-z_]+)\}")
_BOLD: Final = re.compile(r"\*\*(?:[^\w\s*{]+ )?([^*{}]+?)\*\*")
_COMMAND: Final = re.compile(r"(?<![\w<*/])/([-_\w]+(?: [-_\w]+)*)|(?<=\*\*)/([-_\w]+(?: [-_\w]+)*)")
_OPTION: Final = re.compile(r"\*\*([-_\w]+):\*\*|(?<= )([-_\w]+):(?=[{…])")
_START: Final = re.compile(r"(?:#{1,3} |-# |- |> )?")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SAME_WORDS: Final = 4
"""The fewest words of a text that has probably been forgotten if it reads exactly as in English."""


class TextProblem(NamedTuple):
    """Something that is wrong with a text."""

    key: str
    what: str


class Limit(NamedTuple):
    """How long a text may be, with names in its slots and the other slots left out."""

    keys: re.Pattern[str]
    most: int


LIMITS: Final = tuple(
    Limit(re.compile(keys), most)
    for keys, most in (
        (r"command\..*\.(description|option\.[a-z_]+)", 100),
        (r"(command\..*\.name|option\.[a-z_]+|person_menu\.[a-z]+)", 32),
        (r"(setting|preset)\..*\.name", 45),
        (r"(setting|preset)\.(.*\.)?(about|about_peek|on|off)", 100),
        (r"action\.about\..*|edition\..*\.about", 100),
        (r"rules\.topic\..*\.(title|about)", 100),
        (r"rules\.topic\..*\.body", 3_000),
        (r"(.*\.)?button\.[a-z_]+", 80),
        (r"form\.(.*_title|title_.*|.*_label)", 45),
        (r"form\.bid_.*|form\.guess_(about|hint)", 100),
        (r"plenty\.form\.(.*\.)?(title|what|whom|line|words)", 45),
        (r"plenty\.(form|move)\.(.*\.)?(label|about[a-z_]*|entry)", 100),
        (r"plenty\.disdain\.line\..*", 100),
        (r"house\.form\..*", 100),
        (r"house\.form\.(value|deck_name|deck_contents|amount|import|file|pasted)", 45),
        (r"act\..*\.label.*", 60),
        (r"act\.(extra|next)\.label", 45),
        (r"act\..*\.about", 90),
        (r"new\.title", 45),
        (r"lobby\.thread\.name|(.*\.)?lobby\.thread\.name", 100),
        (r"switch\..*|edition\..*\.name|ai_players\.(strength|temperament)\..*|menu\.time_\d|board\.by\..*", 100),
    )
)


def problems(say: Catalogue) -> list[TextProblem]:
    """Return everything that is wrong with a language, sorted by key."""
    found = [problem for check in CHECKS for problem in check(say)]
    return sorted(set(found))


def missing(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts that are still to be translated, and texts that English does not have."""
    yield from (TextProblem(key, "is missing") for key in ENGLISH.keys - say.keys)
    own = {key for key in say.keys - ENGLISH.keys if not key.startswith(LISTS)}
    yield from (TextProblem(key, "is not in the English catalogue") for key in own)


def lists(say: Catalogue) -> Iterator[TextProblem]:
    """Find an "and" or "or" that changes, but does not say into what, or when."""
    found = {key for key in say.keys if key.startswith(LISTS)}
    changing = [word for word in ("and", "or") if any(key.startswith(f"{LISTS}{word}.") for key in found)]
    needed = {f"{LISTS}{word}.{part}" for word in changing for part in ("usual", "instead", "before")}
    yield from (TextProblem(key, "is missing") for key in needed - found)
    yield from (TextProblem(key, "is not used") for key in found - needed)


def slots(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts with other slots than in English."""
    for key in _shared(say):
        lacking, extra = ENGLISH.slots(key) - say.slots(key), say.slots(key) - ENGLISH.slots(key)
        if lacking:
            yield TextProblem(key, f"lacks {_braced(lacking)}")
        if extra:
            yield TextProblem(key, f"has {_braced(extra)}, which is not filled")


def plurals(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts without the plural forms that the language needs, or with forms that it does not know."""
    rules = _conventions(say.language)
    for key in _shared(say):
        text = say._texts[key]
        if isinstance(text, str):
            continue
        rule = rules.ordinal_form if key.startswith(ORDINALS) else rules.plural_form
        needed = {rule(number) for number in range(MOST_COUNTED)} | {"other"}
        if needed - text.keys():
            yield TextProblem(key, f"lacks the form for {', '.join(sorted(needed - text.keys()))}")
        if text.keys() - {"other", *rule.tags}:
            unknown = ", ".join(sorted(text.keys() - {"other", *rule.tags}))
            yield TextProblem(key, f"has a form that the language does not use: {unknown}")
        if "count" not in ENGLISH.slots(key) and isinstance(ENGLISH._texts[key], str):
            yield TextProblem(key, "has plural forms, but no number is known there")


def markup(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts that begin with other markup than in English, with unbalanced stars, or with other signs."""
    for key in _shared(say):
        english = ENGLISH.forms(key)[0]
        for form in say.forms(key):
            if _start(form) != _start(english):
                yield TextProblem(key, f"should begin with “{_start(english)}”, as in English")
            if form.count("**") % 2 or form.replace("**", "").count("*") % 2 or form.count("`") % 2:
                yield TextProblem(key, "has a star or backtick without its partner")
            if form != form.strip() and english == english.strip():
                yield TextProblem(key, "begins or ends with a space")
            if signs(form) != signs(english):
                yield TextProblem(key, f"should have the signs {''.join(sorted(signs(english))) or 'of English: none'}")


def buttons(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts that do not name the buttons that English names, exactly as they are labelled."""
    here, there = _labels(say), _labels(ENGLISH)
    for key in _shared(say):
        wanted, named = (
            frozenset(labels[label] for label in _BOLD.findall(texts.forms(key)[0]) if label in labels)
            for texts, labels in ((ENGLISH, there), (say, here))
        )
        # Of several buttons that English labels alike, any will do.
        if wanted != {there.get(_without_count(ENGLISH.forms(each)[0])) for each in named}:
            right = ", ".join(f"**{_without_count(say.forms(each)[0])}**" for each in sorted(wanted)) or "no button"
            yield TextProblem(key, f"should name {right} in bold")


def commands(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts that do not name the commands and options that English names, as they are called in the language."""
    there, here = _command_paths(ENGLISH), _command_paths(say)
    longest_first = sorted(there, key=lambda key: -len(there[key]))
    for key in _shared(say):
        quoted = _quoted(_COMMAND, ENGLISH.forms(key)[0])
        meant = [next((each for each in longest_first if _begins(name, there[each])), None) for name in quoted]
        wanted = {here.get(each) for each in meant if each is not None}
        named = _quoted(_COMMAND, say.forms(key)[0])
        lacking = sorted(f"/{each}" for each in wanted - {None} if not any(_begins(name, each or "") for name in named))
        if lacking:
            yield TextProblem(key, f"should name {', '.join(lacking)}")
        options = {_option_in(ENGLISH, say, each) for each in _quoted(_OPTION, ENGLISH.forms(key)[0])}
        unnamed = options - {None} - _quoted(_OPTION, say.forms(key)[0])
        if unnamed:
            yield TextProblem(key, f"should name the option {', '.join(f'{each}:' for each in unnamed)}")


def lengths(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts that are longer than Discord allows once names are in them, even with the other slots empty."""
    for key in say.keys:
        most = most_characters(key)
        for form in say.forms(key):
            filled = _SLOT.sub(lambda slot: "x" * NAME_LENGTH if slot[1] in NAMES else "", form)
            if most is not None and len(filled) > most:
                yield TextProblem(key, f"has {len(filled)} characters; {most} are the most")


def most_characters(key: str) -> int | None:
    """Return how long a text may be; None if nothing is known about it."""
    return min((limit.most for limit in LIMITS if limit.keys.fullmatch(key)), default=None)


def names(say: Catalogue) -> Iterator[TextProblem]:
    """Find names of commands and options that Discord would refuse, or that two of them share."""
    for key in say.keys:
        if key.startswith("option.") or (key.startswith("command.") and key.endswith(".name")):
            name = say(key)
            if not re.fullmatch(r"[-_\w]{1,32}", name) or name != name.lower():
                yield TextProblem(key, "must be one word in lower case")
    for group in {
        key.rpartition(".")[0].rpartition(".")[0] for key in say.keys if re.fullmatch(r"command\..*\.name", key)
    }:
        inside = [key for key in say.keys if re.fullmatch(rf"{re.escape(group)}\.[-a-z_]+\.name", key)]
        called = [say(key) for key in inside]
        yield from (
            TextProblem(key, f"is “{say(key)}”, like another command") for key in inside if called.count(say(key)) > 1
        )
    together = [key for key in say.keys if key.startswith("option.")]
    called = [say(key) for key in together]
    yield from (
        TextProblem(key, f"is “{say(key)}”, like another option") for key in together if called.count(say(key)) > 1
    )


def untranslated(say: Catalogue) -> Iterator[TextProblem]:
    """Find longer texts that read exactly as in English."""
    for key in _shared(say):
        words = _WORD.findall(_SLOT.sub("", ENGLISH.forms(key)[0]))
        if len(words) >= _SAME_WORDS and say.forms(key) == ENGLISH.forms(key):
            yield TextProblem(key, "is still in English")


def outdated(say: Catalogue) -> Iterator[TextProblem]:
    """Find texts whose English has changed since they were translated."""
    known = recorded(say.language)
    for key in _shared(say):
        if key not in known:
            yield TextProblem(key, "was translated, but it is not recorded from which English")
        elif known[key] != mark(key):
            yield TextProblem(key, "the English has changed since it was translated")


CHECKS: Final[tuple[Callable[[Catalogue], Iterator[TextProblem]], ...]] = (
    *(missing, lists, slots, plurals, markup, buttons, commands, lengths, names, untranslated, outdated),
)


def recorded(language: str) -> Mapping[str, str]:
    """Return the marks of the English texts that a language was translated from."""
    path = FOLDER / language / RECORD
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def record(say: Catalogue, keys: set[str]) -> None:
    """Record that these texts are translated from the English of today."""
    known = {key: each for key, each in recorded(say.language).items() if key in ENGLISH.keys & say.keys}
    known |= {key: mark(key) for key in keys & ENGLISH.keys & say.keys}
    written = json.dumps(dict(sorted(known.items())), indent=0, ensure_ascii=False)
    (FOLDER / say.language / RECORD).write_text(f"{written}\n", encoding="utf-8")


def mark(key: str) -> str:
    """Return a mark that changes with an English text."""
    return hashlib.sha256(json.dumps(ENGLISH._texts[key], sort_keys=True).encode()).hexdigest()[:8]


def signs(text: str) -> frozenset[str]:
    """Return the emoji and other signs of a text."""
    return frozenset(each for each in text if unicodedata.category(each) == "So")


def _shared(say: Catalogue) -> list[str]:
    return sorted(say.keys & ENGLISH.keys)


def _braced(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))


def _start(text: str) -> str:
    found = _START.match(text)
    return "" if found is None else found[0]


def _labels(say: Catalogue) -> dict[str, str]:
    labels = {_without_count(say.forms(key)[0]): key for key in sorted(say.keys) if ".button" in key}
    return {label: key for label, key in labels.items() if "{" not in label}


def _quoted(pattern: re.Pattern[str], text: str) -> set[str]:
    return {next(filter(None, found)) for found in pattern.findall(text)}


def _begins(name: str, command: str) -> bool:
    return name == command or name.startswith(f"{command} ")


def _command_paths(say: Catalogue) -> dict[str, str]:
    """Return all commands as they are typed in a language, by the keys of their parts."""
    paths: dict[str, str] = {}
    for key in ENGLISH.keys:
        parts = re.fullmatch(r"command\.([-a-z_]+)((?:\.[-a-z_]+)*)\.name", key)
        if parts is None or key not in say.keys:
            continue
        above = [f"command.{parts[1]}.name"] if parts[2] else []
        paths[key] = " ".join(say(each) for each in [*above, key] if each in say.keys)
    return paths


def _option_in(english: Catalogue, say: Catalogue, quoted: str) -> str | None:
    key = f"option.{quoted}"
    return say(key) if key in english.keys and key in say.keys else None

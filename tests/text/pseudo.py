"""A pseudo-language: English with accents, in brackets and a third longer, to see what was forgotten or overflows.

`python -m tests.text.pseudo FOLDER [CODE …]` writes it as one or more languages; MORE_TEXTS=FOLDER lets the bot speak
them. Text without accents was never translated; a bracket that is missing was cut off; one in the middle of a sentence
was put together from pieces. `make pseudo` does both.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bot.text.catalogue import Catalogue, Text, _without_count, catalogue, languages
from tests.text.checks import ORDINALS, most_characters

CODE: Final = next(code for code in ("nl", "sv", "da", "no") if code not in languages())
"""The language as which it is written unless another is named: one that Discord has, and that has no texts yet.

All of these have the plural forms of English.
"""
BRACKETS: Final = "⟦⟧"
LONGER: Final = 0.35
"""By how much its texts are longer than the English ones; German and French texts can be."""
SLOT_LENGTH: Final = 20
"""The room that is left for what fills a slot."""
_PLAIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED: Final = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"
_ACCENTS: Final = str.maketrans(_PLAIN, ACCENTED)
# Slots, addresses and whatever Discord draws itself stay as they are.
_KEPT: Final = re.compile(r"(\{[a-z_]*\}|https?://\S+|<[^<>\s]+>)")
_START: Final = re.compile(r"((?:#{1,3} |-# |- )?)(.*)", re.DOTALL)
_BOLD: Final = re.compile(r"(\*\*(?:[^\w\s*{]+ )?)([^*{}]+?)(\*\*)")
MOST_ON_BUTTON: Final = 80
_FILLER: Final = "ŵîðéŕ " * 200


Change = Callable[[str, int | None], str]
"""Changes a text, given the most characters that it may have."""


def accented(text: str) -> str:
    """Put accents on all letters."""
    return "".join(part if at % 2 else part.translate(_ACCENTS) for at, part in enumerate(_KEPT.split(text)))


def pseudo(text: str, most: int | None = None, brackets: str = BRACKETS) -> str:
    """Return a text in the pseudo-language: accented, longer, and in brackets, as far as `most` characters allow."""
    length = len(re.sub(r"\{[a-z_]*\}", "", text))
    needed = length + len(brackets) + SLOT_LENGTH * text.count("{")
    room = length if most is None else max(0, most - needed - 1)
    longer = _FILLER[: min(room, round(length * LONGER))].rstrip()
    written = accented(text) + (f" {longer}" if longer else "")
    return written if most is not None and needed > most else bracketed(written, brackets)


def bracketed(text: str, brackets: str) -> str:
    """Put a text in brackets, behind the markup with which it begins."""
    start = _START.fullmatch(text)
    assert start is not None
    return f"{start[1]}{brackets[0]}{start[2]}{brackets[1]}"


def texts(say: Catalogue, change: Change, name: Callable[[str], str] = str) -> dict[str, Text]:
    """Return all texts of a catalogue, each changed; names of commands and options are changed by `name`.

    A button that a text names in bold is named there as it is labelled then.
    """
    labels = {_without_count(say.forms(key)[0]) for key in say.keys if ".button" in key}

    def changed(key: str, form: str) -> str:
        if key.startswith(("typed.", "option.")) or (key.startswith("command.") and key.endswith(".name")):
            return name(form)
        if ".button" in key and _without_count(form) != form:
            start = _without_count(form)
            return change(start, MOST_ON_BUTTON) + name(form.removeprefix(start))
        written = change(form, most_characters(key))
        return _BOLD.sub(label, written) if _BOLD.search(form) else written

    bare = {name(label): change(label, MOST_ON_BUTTON) for label in labels}

    def label(found: re.Match[str]) -> str:
        return f"{found[1]}{bare.get(found[2], found[2])}{found[3]}"

    found: dict[str, Text] = {}
    for key in say.keys:
        text = say._texts[key]
        if isinstance(text, str) or key.startswith(ORDINALS):
            found[key] = changed(key, text if isinstance(text, str) else text["other"])
        else:
            found[key] = {category: changed(key, form) for category, form in text.items()}
    return found


def write(folder: Path, language: str, found: dict[str, Text]) -> None:
    """Write a language into a folder, as a catalogue has it."""
    (folder / language).mkdir(parents=True, exist_ok=True)
    lines = [f"{_dotted(key)} = {_value(text)}" for key, text in sorted(found.items())]
    (folder / language / "all.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")


def _dotted(key: str) -> str:
    return ".".join(json.dumps(part) for part in key.split("."))


def _value(text: Text) -> str:
    if isinstance(text, str):
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{{ {', '.join(f'{category} = {_value(form)}' for category, form in text.items())} }}"


def main(arguments: Sequence[str]) -> int:
    """Write the pseudo-language into a folder; return the exit code."""
    if not arguments:
        print(__doc__)
        return 2
    folder, *codes = arguments
    for code in codes or [CODE]:
        write(Path(folder), code, {**texts(catalogue("en"), pseudo, accented), "language.name": f"Pseudo ({code})"})
    print(f"Wrote {', '.join(codes or [CODE])} into {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

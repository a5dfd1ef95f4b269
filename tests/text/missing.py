"""Lists what is still to be done for a language: `python -m tests.text.missing de [file or key …]`.

With `--done`, records that the listed keys (all, if none are named) are translated from the English of today. Run it
when a batch is finished, and again after reading what has changed in English.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence

from bot.text.catalogue import _flatten, catalogue, languages
from tests.text.checks import ENGLISH, FOLDER, TextProblem, problems, record


def main(arguments: Sequence[str]) -> int:
    """Print the problems of one language, or record what was translated; return the exit code."""
    wanted = [each for each in arguments if not each.startswith("-")]
    if not wanted or wanted[0] == "en":
        print(__doc__)
        return 2
    language, *about = wanted
    if language not in languages():
        print(f"There is no folder bot/text/{language} with texts yet. See docs/adding-a-language.md.")
        return 2
    keys = {key for key in ENGLISH.keys if not about or any(_is_about(key, each) for each in about)}
    say = catalogue(language)
    if "--done" in arguments:
        record(say, keys)
        print(f"Recorded {len(keys & say.keys)} texts of {language}.")
        return 0
    found = [each for each in problems(say) if each.key in keys or (not about and each.key not in ENGLISH.keys)]
    for problem in found:
        print(_line(problem))
    print(f"{language}: {len(say.keys & ENGLISH.keys)} of {len(ENGLISH.keys)} texts, {len(found)} problems.")
    return 1 if found else 0


def _line(problem: TextProblem) -> str:
    return f"{_file_of(problem.key)}  {problem.key}  {problem.what}"


def _is_about(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name}.") or _file_of(key) in (name, f"{name}.toml")


def _file_of(key: str) -> str:
    return _FILES.get(key, "?")


_FILES = {
    key: path.name
    for path in sorted((FOLDER / "en").glob("*.toml"))
    for key in _flatten(tomllib.loads(path.read_text(encoding="utf-8")))
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

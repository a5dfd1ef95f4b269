"""Discord's documented limits on application commands."""

from collections.abc import Iterator
from typing import Any

from sandbox.commands import CHAT_INPUT, INTEGER, NUMBER, STRING, SUBCOMMAND, SUBCOMMAND_GROUP
from sandbox.problems import Path, Problem, bad_length, not_a_choice, too_long

Json = dict[str, Any]

LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl"),
        *("pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW"),
        "ko",
    )
)
MAX_OPTIONS = 25
"""Cap on options per command or subcommand."""
MAX_CHOICES = 25
"""Cap on choices per option."""
MAX_SLASH_COMMANDS = 100
"""Cap on slash commands per scope."""
MAX_MENU_COMMANDS = 15
"""Cap on context menu commands of one type per scope."""
MAX_CHARACTERS = 8000
"""Cap on the characters of all names, descriptions and values of a command."""


def check_all(bodies: list[Json], path: Path = ()) -> Iterator[Problem]:
    """Yield the problems of a whole set of commands."""
    counts: dict[int, int] = {}
    seen: set[tuple[int, str]] = set()
    for index, body in enumerate(bodies):
        kind = body.get("type") or CHAT_INPUT
        counts[kind] = counts.get(kind, 0) + 1
        yield from check(body, (*path, index))
        if (kind, body.get("name", "")) in seen:
            yield _duplicate((*path, index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME")
        seen.add((kind, body.get("name", "")))
    for kind, count in counts.items():
        if count > (MAX_SLASH_COMMANDS if kind == CHAT_INPUT else MAX_MENU_COMMANDS):
            yield too_long(path, MAX_SLASH_COMMANDS if kind == CHAT_INPUT else MAX_MENU_COMMANDS)


def check(body: Json, path: Path = (), *, partial: bool = False) -> Iterator[Problem]:
    """Yield the problems of one command."""
    slash = (body.get("type") or CHAT_INPUT) == CHAT_INPUT
    if not partial or "name" in body:
        yield from _name(body, path, slash=slash)
    if slash and (not partial or "description" in body):
        yield from _description(body, path)
    if not slash and (body.get("description") or body.get("options")):
        yield Problem(
            path, "APPLICATION_COMMAND_MENU_HAS_TEXT", "A context menu command has no description or options."
        )
    yield from _options(body.get("options") or [], path, depth=0)
    if _characters(body) > MAX_CHARACTERS:
        yield Problem(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_CHARACTERS})")


def _options(options: list[Json], path: Path, depth: int) -> Iterator[Problem]:
    if len(options) > MAX_OPTIONS:
        yield too_long((*path, "options"), MAX_OPTIONS)
    names: set[str] = set()
    optional_seen = False
    for index, option in enumerate(options):
        here = (*path, "options", index)
        yield from _name(option, here, slash=True)
        yield from _description(option, here)
        if option.get("name") in names:
            yield _duplicate((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE")
        names.add(str(option.get("name")))
        if option.get("required") and optional_seen:
            message = "Required options must be placed before non-required options"
            yield Problem(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        kind = option.get("type", 0)
        optional_seen = optional_seen or (not option.get("required") and kind > SUBCOMMAND_GROUP)
        if kind in (SUBCOMMAND, SUBCOMMAND_GROUP):
            if depth == 2 or (depth == 1 and kind == SUBCOMMAND_GROUP):
                yield Problem(
                    (*here, "type"),
                    "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                    "Subcommands may be nested only one group deep",
                )
            yield from _options(option.get("options") or [], here, depth + (2 if kind == SUBCOMMAND else 1))
        else:
            yield from _limits(option, here)
    mixed = {option.get("type", 0) <= SUBCOMMAND_GROUP for option in options}
    if len(mixed) == 2:
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        yield Problem((*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _limits(option: Json, path: Path) -> Iterator[Problem]:
    choices = option.get("choices") or []
    if len(choices) > MAX_CHOICES:
        yield too_long((*path, "choices"), MAX_CHOICES)
    if choices and option.get("autocomplete"):
        yield Problem(
            (*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", "Choices exclude autocomplete"
        )
    if (choices or option.get("autocomplete")) and option["type"] not in (STRING, INTEGER, NUMBER):
        yield not_a_choice((*path, "type"), (STRING, INTEGER, NUMBER))
    for index, choice in enumerate(choices):
        here = (*path, "choices", index)
        if not 1 <= len(choice.get("name") or "") <= 100:
            yield bad_length((*here, "name"), 1, 100)
        if isinstance(choice.get("value"), str) and not 1 <= len(choice["value"]) <= 100:
            yield bad_length((*here, "value"), 1, 100)
        yield from _localized(choice, here, "name_localizations", 100, slash=False)
    for low, high in (("min_value", "max_value"), ("min_length", "max_length")):
        if option.get(low) is not None and option.get(high) is not None and option[low] > option[high]:
            yield Problem((*path, low), "APPLICATION_COMMAND_OPTION_BAD_RANGE", f"{low} must not exceed {high}")


def _name(body: Json, path: Path, *, slash: bool) -> Iterator[Problem]:
    name = body.get("name") or ""
    if not 1 <= len(name) <= 32:
        yield bad_length((*path, "name"), 1, 32)
    elif slash and not valid_name(name):
        yield Problem((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    yield from _localized(body, path, "name_localizations", 32, slash=slash)


def _description(body: Json, path: Path) -> Iterator[Problem]:
    if not 1 <= len(body.get("description") or "") <= 100:
        yield bad_length((*path, "description"), 1, 100)
    yield from _localized(body, path, "description_localizations", 100, slash=False)


def _localized(body: Json, path: Path, key: str, limit: int, *, slash: bool) -> Iterator[Problem]:
    for locale, text in (body.get(key) or {}).items():
        here = (*path, key, locale)
        if locale not in LOCALES:
            yield not_a_choice(here, "the known locales")
        if not 1 <= len(text or "") <= limit:
            yield bad_length(here, 1, limit)
        elif slash and not valid_name(text):
            yield Problem(here, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def valid_name(name: str) -> bool:
    """Whether a slash command or option may have this name: lower case letters, digits, hyphens, underscores."""
    return name == name.lower() and all(c in "-_'" or c.isalnum() or _is_vowel_sign(c) for c in name)


def _is_vowel_sign(character: str) -> bool:
    return "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"


def _characters(body: Json) -> int:
    total = len(body.get("name") or "") + len(body.get("description") or "")
    for key in ("name_localizations", "description_localizations"):
        longest = max((len(text or "") for text in (body.get(key) or {}).values()), default=0)
        total += max(0, longest - len(body.get(key.removesuffix("_localizations")) or ""))
    for choice in body.get("choices") or ():
        total += len(choice.get("name") or "") + len(str(choice.get("value") or ""))
    return total + sum(_characters(option) for option in body.get("options") or ())


def _duplicate(path: Path, code: str) -> Problem:
    return Problem(path, code, "Names must be unique")

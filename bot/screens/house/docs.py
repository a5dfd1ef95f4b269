"""`docs/house-rules.md`, made of the settings themselves: `make golden` rewrites it, a test holds it to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS
from bot.house_rules.kinds import Choice, Ground, Number, Switch, Time
from bot.house_rules.list_kinds import MOST_CHANNELS, MOST_DECKS, Actions, Channels, Coins, Role
from bot.house_rules.presets import PRESETS
from bot.house_rules.settings import BY_KEY, SETTINGS, Page, PerGame, Scope, Setting
from bot.screens.house.words import about, edition_name, meaning, name_of, value_of
from bot.screens.words import duration, number
from bot.text.catalogue import Catalogue

_HEAD: Final = """# House rules

<!-- Made of bot/house_rules/settings.py and the catalogue by `make golden`. Do not edit. -->

What a server can set with **/houserules set**, by form or by key, and what a table may wish for with
`/coyote new rules: key=value, key=value`. What is not set is as the edition has it. A running game keeps the rules that
it began with. *One table* says what whoever opens it may change for it; people with Manage Server may change everything
that a table carries.
"""
_PER_GAME: Final = {PerGame.FREE: "yes", PerGame.LESS: "only off", PerGame.NEVER: "no"}


def page(say: Catalogue) -> str:
    """Write the whole page."""
    return "\n".join([_HEAD, *_settings(say), *_editions(say), *_presets(say)]) + "\n"


def _settings(say: Catalogue) -> Iterator[str]:
    for chapter in Page:
        yield f"## {say(f'house.page.{chapter.value}')}\n"
        yield "| key | name | can be | usually | one table | what it does |"
        yield "|---|---|---|---|---|---|"
        for setting in (each for each in SETTINGS if each.page is chapter):
            cells = (
                f"`{setting.key}`",
                name_of(say, setting),
                _allowed(say, setting),
                _usual(say, setting),
                "no" if setting.scope is Scope.SERVER else _PER_GAME[setting.per_game],
                _about(say, setting),
            )
            yield f"| {' | '.join(cells)} |"
        yield ""


def _about(say: Catalogue, setting: Setting) -> str:
    words = about(say, setting)
    return words if len(setting.editions) == len(EDITIONS) else f"{words} ({_listed(say, setting.editions)} only)"


def _listed(say: Catalogue, editions: tuple[str, ...]) -> str:
    return say.listing([edition_name(say, each) for each in editions])


def _allowed(say: Catalogue, setting: Setting) -> str:
    match setting.kind:
        case Switch():
            return "`on`, `off`"
        case Choice():
            words = setting.kind.offers(Ground())
            return "<br>".join(f"`{word}`: {value_of(say, setting, word)}{_more(say, setting, word)}" for word in words)
        case Number(lowest, highest, optional):
            return f"{number(lowest)} to {number(highest)}{', or `none`' if optional else ''}"
        case Time(lowest, highest, _, unit, optional):
            limits = f"{duration(say, lowest * unit)} to {duration(say, highest * unit)}"
            examples = ", ".join(f"`{typed}`" for typed in setting.kind.examples)
            return f"{limits}{', or `off`' if optional else ''}, such as {examples}"
        case Actions():
            return "a list of the edition's actions, or `none`"
        case Coins():
            return "`extra 2, reverse 1, skip 2, replace 2, guess 1`, each 0 to 9"
        case Channels():
            return f"up to {MOST_CHANNELS} channels, or `everywhere`"
        case Role():
            return "a role, or `anyone`"
        case _:
            named = f"the name of a saved deck (at most {MOST_DECKS}), or `none`"
            return f"{named}<br>`Name: 1..10×2, −5×2, ?, x2` saves one, `Name:` deletes it"


def _more(say: Catalogue, setting: Setting, word: str) -> str:
    more = meaning(say, setting, word)
    return "" if more is None else f" ({more})"


def _usual(say: Catalogue, setting: Setting) -> str:
    if setting.scope is Scope.GAME and setting.key != "edition":
        values = {edition: _value(say, setting, edition) for edition in setting.editions}
        if len(set(values.values())) > 1:
            return "by edition, below"
    return _value(say, setting, setting.editions[0] if DEFAULT_EDITION not in setting.editions else DEFAULT_EDITION)


def _value(say: Catalogue, setting: Setting, edition: str) -> str:
    return _spelt_out(say, setting, setting.usual(edition), edition)


def _spelt_out(say: Catalogue, setting: Setting, value: Any, edition: str) -> str:
    """Say a value where it does not stand behind its name: in Peek that is not the other editions'."""
    if setting.key == "threshold" and edition == "peek":
        return say("terms.eyes", count=value)
    return value_of(say, setting, value, edition)


def _editions(say: Catalogue) -> Iterator[str]:
    """Tell what differs between the editions."""
    yield "## What each edition brings\n"
    yield f"| | {' | '.join(edition_name(say, edition) for edition in EDITIONS)} |"
    yield f"|---|{'---|' * len(EDITIONS)}"
    for setting in SETTINGS:
        if setting.scope is Scope.GAME and _usual(say, setting) == "by edition, below":
            cells = [_value(say, setting, each) if each in setting.editions else "–" for each in EDITIONS]
            yield f"| {name_of(say, setting)} | {' | '.join(cells)} |"
    books = [say(f"setting.threshold.book.{edition}") for edition in EDITIONS]
    yield f"| {name_of(say, BY_KEY['threshold'])}, says the book | {' | '.join(books)} |"
    yield ""


def _presets(say: Catalogue) -> Iterator[str]:
    yield "## Presets\n"
    yield "**/houserules preset** sets the game and its clocks; places, people and leaderboards stay as they are.\n"
    yield "| preset | in short | sets |"
    yield "|---|---|---|"
    for name, values in PRESETS.items():
        edition = str(values.get("edition", DEFAULT_EDITION))
        sets = [f"`{key}`: {_spelt_out(say, BY_KEY[key], value, edition)}" for key, value in values.items()]
        yield f"| {say(f'preset.{name}.name')} | {say(f'preset.{name}.about')} | {', '.join(sets) or 'nothing'} |"

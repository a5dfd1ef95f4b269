"""`docs/house-rules.md`, made from the settings: `make golden` rewrites it, and a test fails if it is out of date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.engine.registry import main_game
from bot.house_rules.game_settings import GAME_SETTINGS, all_settings, by_key, setting_of, settings_of
from bot.house_rules.kinds import EMPTY, Basis, Number, OneOf, Switch, Time, Values
from bot.house_rules.list_kinds import Amounts
from bot.house_rules.presets import all_presets
from bot.house_rules.saved import MAX_SAVED, Saved
from bot.house_rules.server_kinds import MAX_CHANNELS, Channels, Role
from bot.house_rules.settings import PerTable, Setting
from bot.screens.game_names import new_command
from bot.screens.house.overview import preset_name
from bot.screens.house.words import about, meaning, name_of, page_name, value_of, words_of
from bot.screens.words import duration, number
from bot.text.catalogue import Catalogue

_HEAD: Final = """# House rules

<!-- Generated from the settings and the catalogue by `make golden`. Do not edit. -->

What a server can set with **/houserules set**, on a form or by key, and what can be set for a single table with
`{new} rules: key=value, key=value`. Everything else follows the game or its edition. A running game keeps the rules
that it began with. The column *one table* says what the person who opens a table may change for it; people with Manage
Server may change everything that applies to a single table. At a table, the game's name may be left out of a key.
**/house** shows everybody what is in force.
"""
_PER_TABLE: Final = {
    PerTable.FREE: "yes",
    PerTable.LESS: "only off",
    PerTable.MANAGERS: "no",
    PerTable.NEVER: "no",
}


def page(say: Catalogue) -> str:
    """Return the whole page."""
    compared = [line for game in GAME_SETTINGS for line in _comparison(say, game)]
    return (
        "\n".join([_HEAD.format(new=new_command(say, main_game())), *_settings(say), *compared, *_presets(say)]) + "\n"
    )


def _settings(say: Catalogue) -> Iterator[str]:
    chapters: dict[str, list[Setting]] = {}
    for setting in all_settings():
        chapters.setdefault(setting.full_page, []).append(setting)
    for settings in chapters.values():
        yield f"## {page_name(say, settings[0])}\n"
        yield "| key | name | can be | default | one table | what it does |"
        yield "|---|---|---|---|---|---|"
        for setting in settings:
            cells = (
                f"`{setting.full_key}`",
                name_of(say, setting),
                words_of(setting).documented_values(setting) or _allowed(say, setting),
                _usual(say, setting),
                _PER_TABLE[setting.per_table],
                _about(say, setting),
            )
            yield f"| {' | '.join(cells)} |"
        yield ""


def _about(say: Catalogue, setting: Setting) -> str:
    words, condition = about(say, setting), setting.condition
    if condition is None:
        return words
    other = setting_of(condition.other)
    return f"{words} ({say.listing([value_of(say, other, each) for each in condition.needed])} only)"


def _allowed(say: Catalogue, setting: Setting) -> str:
    match setting.kind:
        case Switch():
            return "`on`, `off`"
        case OneOf():
            words = setting.kind.known()
            return "<br>".join(f"`{word}`: {value_of(say, setting, word)}{_more(say, setting, word)}" for word in words)
        case Number(lowest, highest, optional):
            return f"{number(lowest)} to {number(highest)}{', or `none`' if optional else ''}"
        case Time(lowest, highest, _, unit, optional):
            limits = f"{duration(say, lowest * unit)} to {duration(say, highest * unit)}"
            examples = ", ".join(f"`{typed}`" for typed in setting.kind.examples)
            return f"{limits}{', or `off`' if optional else ''}, such as {examples}"
        case Amounts():
            return f"`{setting.kind.write(setting.kind.usual)}`, each 0 to {setting.kind.highest}"
        case Channels():
            return f"up to {MAX_CHANNELS} channels, or `everywhere`"
        case Role():
            return "a role, or `anyone`"
        case Saved():
            return f"the name of a saved {setting.kind.noun} (at most {MAX_SAVED}), or `none`"
        case _:
            return ", ".join(f"`{setting.kind.write(each)}`" for each in setting.kind.offers(Basis()))


def _more(say: Catalogue, setting: Setting, word: str) -> str:
    more = meaning(say, setting, word)
    return "" if more is None else f" ({more})"


def _leader_of(setting: Setting) -> Setting | None:
    """Return the leading setting that this one may depend on."""
    if setting.game is None or setting.leads:
        return None
    return next((each for each in settings_of(setting.game) if each.leads), None)


def _usual(say: Catalogue, setting: Setting) -> str:
    leader = _leader_of(setting)
    if leader is None:
        return _usual_with(say, setting, EMPTY)
    cases = [{leader.full_key: each} for each in leader.kind.offers(Basis())]
    usual = [_usual_with(say, setting, values) for values in cases if setting.applies(values)]
    return usual[0] if len(set(usual)) == 1 else f"by {name_of(say, leader).lower()}, below"


def _usual_with(say: Catalogue, setting: Setting, values: Values) -> str:
    return words_of(setting).value_alone(say, setting, setting.usual(values), values)


def _comparison(say: Catalogue, game: str) -> Iterator[str]:
    """Compare the usual values for each value of the game's leading setting."""
    leader = next((each for each in settings_of(game) if each.leads), None)
    if leader is None:
        return
    words, key = words_of(leader), leader.full_key
    compared = words.listed_values(leader)
    yield f"## What each {name_of(say, leader).lower()} brings\n"
    yield f"| | {' | '.join(value_of(say, leader, each) for each in compared)} |"
    yield f"|---|{'---|' * len(compared)}"
    for setting in settings_of(game):
        cases = [{key: each} for each in compared]
        cells = [_usual_with(say, setting, values) if setting.applies(values) else "–" for values in cases]
        if not setting.leads and len(set(cells) - {"–"}) > 1:
            yield f"| {name_of(say, setting)} | {' | '.join(cells)} |"
    for name, cells in words.compared_rows(say, leader):
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _presets(say: Catalogue) -> Iterator[str]:
    yield "## Presets\n"
    yield "**/houserules preset** sets the game and its clocks; places, people and leaderboards stay as they are.\n"
    yield "| preset | in short | sets |"
    yield "|---|---|---|"
    settings = by_key()
    for name, preset in all_presets().items():
        sets = [
            f"`{key}`: {words_of(settings[key]).value_alone(say, settings[key], value, preset.values)}"
            for key, value in preset.values.items()
        ]
        yield f"| {preset_name(say, name)} | {say(f'preset.{name}.about')} | {', '.join(sets) or 'nothing'} |"

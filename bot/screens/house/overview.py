"""House rules on screen: what is in force, the pages of the form, presets, and the reset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from discord import ButtonStyle, SelectOption, ui

from bot.house_rules.changes import SettingChange
from bot.house_rules.game_settings import all_settings, saving_settings
from bot.house_rules.kinds import Values
from bot.house_rules.presets import all_presets
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game_names import game_title
from bot.screens.house.words import about, change_line, name_of, page_name, title_of, usual_line, value_of
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, rule, text
from bot.text.catalogue import Catalogue

MAX_LINES: Final = 20
"""Cap on the changes that are listed; the rest is counted."""
ALL: Final = "all"
YES: Final = "yes"


class Missing(NamedTuple):
    """Channels and roles that the rules name but the server no longer has."""

    channels: int = 0
    all_channels: bool = False
    role: bool = False


def missing_lines(say: Catalogue, missing: Missing) -> list[str]:
    """Say what the server no longer has."""
    lines = []
    if missing.all_channels:
        lines.append(say("house.gone.channels_all"))
    elif missing.channels:
        lines.append(say("house.gone.channels", count=missing.channels))
    if missing.role:
        lines.append(say("house.gone.role"))
    return lines


def first_page() -> str:
    """Return the page that the form opens with."""
    return all_settings()[0].full_page


def shown_settings(rules: ServerRules, page: str | None = None) -> list[Setting]:
    """Return the settings that mean something with these rules, of one page or of all."""
    return [each for each in all_settings() if each.applies(rules.values) and page in (None, each.full_page)]


def overview_screen(say: Catalogue, rules: ServerRules, missing: Missing, *, manager: bool) -> PrivateScreen:
    """Show what is in force: first what differs from the usual; everything else is a page away."""
    title = title_of(say, rules.values)
    changed = [each for each in shown_settings(rules) if rules.is_set(each)]
    head = say("house.changed_count", count=len(changed), title=title) if changed else None
    form = CustomId(Verb.HOUSE_PAGE, argument=first_page())
    return PrivateScreen(
        box(
            SAGE,
            text(say("house.title"), head or say("house.all_usual", title=title)),
            text(*missing_lines(say, missing)),
            text(*[_line(say, rules, setting) for setting in changed]),
            text(*_saved_lines(say, rules)),
            rule(),
            text(
                say("house.more") if changed else say("house.more_usual"), None if manager else say("house.look_only")
            ),
            row(pick(say("house.pick_page"), CustomId(Verb.HOUSE_PAGE), _pages(say, None))),
            row(press(say("house.button.form"), form, ButtonStyle.primary)) if manager else None,
        )
    )


def _pages(say: Catalogue, chosen: str | None) -> list[SelectOption]:
    names = {setting.full_page: page_name(say, setting) for setting in all_settings()}
    return [option(name, page, chosen=page == chosen) for page, name in names.items()]


def _saved_lines(say: Catalogue, rules: ServerRules, page: str | None = None) -> list[str]:
    """List what is saved for the settings of one page, or of all."""
    return [
        say(f"house.{kind.plural}", names=say.listing(list(rules.saved[kind.key])))
        for setting, kind in saving_settings()
        if rules.saved.get(kind.key) and page in (None, setting.full_page)
    ]


def _line(say: Catalogue, rules: ServerRules, setting: Setting) -> str:
    """Write a setting with its value and, where that differs, the usual value below it."""
    changed = rules.is_set(setting)
    line = say(
        "house.line",
        mark=say("house.mark") if changed else "",
        name=name_of(say, setting, rules.values),
        value=value_of(say, setting, rules.value(setting), rules.values),
    )
    return f"{line}\n-# {usual_line(say, rules, setting)}" if changed else line


def page_screen(
    say: Catalogue, rules: ServerRules, page: str, missing: Missing, *, manager: bool, done: str | None = None
) -> PrivateScreen:
    """Show one page of the form; only managers can change anything on it."""
    settings = shown_settings(rules, page)
    options = [
        option(name_of(say, each, rules.values), each.full_key, about(say, each, rules.values)) for each in settings
    ]
    controls: list[Item | None] = []
    if manager:
        controls = [
            row(pick(say("house.pick_setting"), CustomId(Verb.HOUSE_PICK), options)),
            row(
                press(say("house.button.presets"), CustomId(Verb.HOUSE_PRESET)),
                press(say("house.button.reset"), CustomId(Verb.HOUSE_RESET, argument=ALL)),
                press(say("house.button.log"), CustomId(Verb.HOUSE_LOG)),
            ),
        ]
    legend = say("house.legend") if any(rules.is_set(each) for each in settings) else None
    return PrivateScreen(
        box(
            SAGE,
            text(done),
            rule() if done else None,
            text(f"## {page_name(say, settings[0])}", *missing_lines(say, missing)),
            text(*[_line(say, rules, setting) for setting in settings], legend),
            text(*_saved_lines(say, rules, page)),
            rule(),
            *controls,
            row(pick(say("house.pick_page"), CustomId(Verb.HOUSE_PAGE), _pages(say, page))),
            text(f"-# {say('house.for_all')}" if manager else say("house.look_only")),
        )
    )


def change_lines(say: Catalogue, changes: Sequence[SettingChange], values: Values) -> list[str]:
    """List the changes, at most `MAX_LINES` of them."""
    lines = [f"- {change_line(say, change, values)}" for change in changes[:MAX_LINES]]
    rest = len(changes) - MAX_LINES
    return [*lines, say("house.ask.more", count=rest)] if rest > 0 else lines


def presets_screen(say: Catalogue) -> PrivateScreen:
    """Let somebody choose a preset."""
    options = [option(preset_name(say, name), name, _preset_about(say, name)) for name in all_presets()]
    return PrivateScreen(
        text(say("house.presets")),
        row(pick(say("house.pick_preset"), CustomId(Verb.HOUSE_PRESET), options)),
        row(_back_button(say)),
    )


def preset_name(say: Catalogue, name: str) -> str:
    """Name a preset, from its full name."""
    key = preset_key(name)
    if key in say:
        return say(key)
    game, _, own = name.partition(".")
    return f"{game_title(game)}: {own.replace('_', ' ')}"


def preset_key(name: str) -> str:
    """Return the key of the text that names a preset, from its full name."""
    return f"preset.{name}.name"


def _preset_about(say: Catalogue, name: str) -> str | None:
    key = f"preset.{name}.about"
    return say(key) if key in say else None


def _back_button(say: Catalogue) -> ui.Button[Any]:
    return press(say("house.button.back_form"), CustomId(Verb.HOUSE_PAGE, argument=first_page()))


def preset_screen(say: Catalogue, name: str, changes: Sequence[SettingChange], values: Values) -> PrivateScreen:
    """Show what a preset would change, and ask."""
    back = _back_button(say)
    if not changes:
        return PrivateScreen(text(say("house.done.nothing")), row(back))
    doing = CustomId(Verb.HOUSE_PRESET, argument=f"{name}.{YES}")
    return PrivateScreen(
        text(say("house.ask.preset", preset=preset_name(say, name)), *change_lines(say, changes, values)),
        row(press(say("house.button.apply"), doing, ButtonStyle.primary), back),
    )


def reset_screen(say: Catalogue, count: int) -> PrivateScreen:
    """Ask whether to reset everything."""
    doing = CustomId(Verb.HOUSE_RESET, argument=f"{ALL}.{YES}")
    return PrivateScreen(
        text(say("house.ask.reset", count=count)),
        row(
            press(say("house.button.reset_yes"), doing, ButtonStyle.danger),
            press(say("confirm.no"), CustomId(Verb.HOUSE_PAGE, argument=first_page())),
        ),
    )

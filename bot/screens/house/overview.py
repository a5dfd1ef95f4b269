"""House rules on screen: what is in force, the form's pages, presets, and back to the usual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from discord import ButtonStyle, SelectOption, ui

from bot.house_rules.changes import Change
from bot.house_rules.presets import PRESETS
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import SETTINGS, Page, Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.words import about, change_line, edition_name, name_of, usual_line, value_of
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, rule, text
from bot.text.catalogue import Catalogue

FIRST: Final = Page.GAME
MOST_LINES: Final = 20
ALL: Final = "all"
YES: Final = "yes"


class Missing(NamedTuple):
    """What the rules name and the server no longer has."""

    channels: int = 0
    all_channels: bool = False
    role: bool = False


def missing_lines(say: Catalogue, missing: Missing) -> list[str]:
    """Point out what is gone."""
    lines = []
    if missing.all_channels:
        lines.append(say("house.gone.channels_all"))
    elif missing.channels:
        lines.append(say("house.gone.channels", count=missing.channels))
    if missing.role:
        lines.append(say("house.gone.role"))
    return lines


def shown_settings(rules: ServerRules, page: Page | None = None) -> list[Setting]:
    """Return the settings that mean something in the house's edition."""
    return [each for each in SETTINGS if rules.edition in each.editions and page in (None, each.page)]


def overview_screen(say: Catalogue, rules: ServerRules, missing: Missing, *, manager: bool) -> PrivateScreen:
    """Show what is in force: what differs first, everything else a page away."""
    edition = edition_name(say, rules.edition)
    changed = [each for each in shown_settings(rules) if each.key in rules.values]
    head = say("house.changed_count", count=len(changed), edition=edition) if changed else None
    form = CustomId(Verb.HPAGE, argument=FIRST.value)
    return PrivateScreen(
        box(
            SAGE,
            text(say("house.title"), head or say("house.all_usual", edition=edition)),
            text(*missing_lines(say, missing)),
            text(*[_line(say, rules, setting) for setting in changed]),
            text(_decks(say, rules)),
            rule(),
            text(
                say("house.more") if changed else say("house.more_usual"), None if manager else say("house.look_only")
            ),
            row(pick(say("house.pick_page"), CustomId(Verb.HPAGE), _pages(say, None))),
            row(press(say("house.button.form"), form, ButtonStyle.primary)) if manager else None,
        )
    )


def _pages(say: Catalogue, chosen: Page | None) -> list[SelectOption]:
    return [option(say(f"house.page.{page.value}"), page.value, chosen=page is chosen) for page in Page]


def _decks(say: Catalogue, rules: ServerRules) -> str | None:
    return say("house.decks", names=say.listing(list(rules.decks))) if rules.decks else None


def _line(say: Catalogue, rules: ServerRules, setting: Setting) -> str:
    """Tell a setting and what is in force; below it, where it differs, what it would be."""
    changed = setting.key in rules.values
    line = say(
        "house.line",
        mark=say("house.mark") if changed else "",
        name=name_of(say, setting, rules.edition),
        value=value_of(say, setting, rules.value(setting), rules.edition),
    )
    return f"{line}\n-# {usual_line(say, rules, setting)}" if changed else line


def page_screen(
    say: Catalogue, rules: ServerRules, page: Page, missing: Missing, *, manager: bool, done: str | None = None
) -> PrivateScreen:
    """Show one page of the form; those who may not change anything read it only."""
    settings = shown_settings(rules, page)
    options = [
        option(name_of(say, each, rules.edition), each.key, about(say, each, rules.edition)) for each in settings
    ]
    changing: list[Item | None] = []
    if manager:
        changing = [
            row(pick(say("house.pick_setting"), CustomId(Verb.HPICK), options)),
            row(
                press(say("house.button.presets"), CustomId(Verb.HPRESET)),
                press(say("house.button.reset"), CustomId(Verb.HRESET, argument=ALL)),
                press(say("house.button.log"), CustomId(Verb.HLOG)),
            ),
        ]
    legend = say("house.legend") if any(each.key in rules.values for each in settings) else None
    return PrivateScreen(
        box(
            SAGE,
            text(done),
            rule() if done else None,
            text(f"## {say(f'house.page.{page.value}')}", *missing_lines(say, missing)),
            text(*[_line(say, rules, setting) for setting in settings], legend),
            text(_decks(say, rules)) if page is Page.CARDS else None,
            rule(),
            *changing,
            row(pick(say("house.pick_page"), CustomId(Verb.HPAGE), _pages(say, page))),
            text(f"-# {say('house.for_all')}" if manager else say("house.look_only")),
        )
    )


def change_lines(say: Catalogue, changes: Sequence[Change], edition: str) -> list[str]:
    """Tell changes, not too many of them."""
    lines = [f"- {change_line(say, change, edition)}" for change in changes[:MOST_LINES]]
    rest = len(changes) - MOST_LINES
    return [*lines, say("house.ask.more", count=rest)] if rest > 0 else lines


def presets_screen(say: Catalogue) -> PrivateScreen:
    """Let somebody choose a set of rules."""
    options = [option(say(f"preset.{name}.name"), name, say(f"preset.{name}.about")) for name in PRESETS]
    return PrivateScreen(
        text(say("house.presets")),
        row(pick(say("house.pick_preset"), CustomId(Verb.HPRESET), options)),
        row(_to_the_form(say)),
    )


def _to_the_form(say: Catalogue) -> ui.Button[Any]:
    return press(say("house.button.back_form"), CustomId(Verb.HPAGE, argument=FIRST.value))


def preset_screen(say: Catalogue, name: str, changes: Sequence[Change], edition: str) -> PrivateScreen:
    """Show what a set of rules would change, and ask."""
    back = _to_the_form(say)
    if not changes:
        return PrivateScreen(text(say("house.done.nothing")), row(back))
    doing = CustomId(Verb.HPRESET, argument=f"{name}.{YES}")
    return PrivateScreen(
        text(say("house.ask.preset", preset=say(f"preset.{name}.name")), *change_lines(say, changes, edition)),
        row(press(say("house.button.apply"), doing, ButtonStyle.primary), back),
    )


def reset_screen(say: Catalogue, count: int) -> PrivateScreen:
    """Ask whether everything is to be as usual."""
    doing = CustomId(Verb.HRESET, argument=f"{ALL}.{YES}")
    return PrivateScreen(
        text(say("house.ask.reset", count=count)),
        row(
            press(say("house.button.reset_yes"), doing, ButtonStyle.danger),
            press(say("confirm.no"), CustomId(Verb.HPAGE, argument=FIRST.value)),
        ),
    )

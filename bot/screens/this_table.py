"""The rules of one table: every rule in force, which of them are not in the book, and the deck."""

from __future__ import annotations

from typing import Any, Final

from discord import ui

from bot.engine.views import Public
from bot.host.model import Stage, Table
from bot.house_rules.game_settings import setting_of
from bot.house_rules.in_force import Origin, RuleInForce, plays_saved, rules_in_force, values_at
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game import SCREENS
from bot.screens.house.words import hosting, name_of, usual_of, value_of
from bot.screens.layout import SAGE, PrivateScreen, box, press, row, rule, rules_button, text
from bot.screens.words import look_emoji, named
from bot.text.catalogue import Catalogue

_HEADINGS: Final = {
    "this_table.unlike_the_book": Origin.CHANGED,
    "this_table.chosen_here": Origin.OFFERED,
    "this_table.ours_here": Origin.OURS_CHANGED,
}
"""Above which heading the rules of an origin are listed that deserve a mention below a page of the rules."""


def this_table_screen(say: Catalogue, table: Table, seen: Public[Any] | None) -> PrivateScreen:
    """Show all rules and the deck of a table; `seen` is what a bystander sees, None before the match."""
    game = SCREENS[table.game]
    topic = None if game.rules is None else game.rules.topics[0]
    return PrivateScreen(
        box(
            SAGE,
            text(say("this_table.title", name=game.name(say, table.options))),
            text(*rule_lines(say, table)),
            rule(),
            text(*game.supplies(say, table, seen)),
            rule(),
            row(
                None if topic is None else rules_button(say("lobby.button.rules"), topic, table.id),
                press(say("table.button.look"), CustomId(Verb.LOOK, table.id, argument="again"), emoji=look_emoji(say))
                if table.stage is Stage.PLAYING
                else None,
            ),
        )
    )


def rule_lines(say: Catalogue, table: Table) -> list[str]:
    """List every rule in force, a line each; those that are not as in the book say so."""
    rules = _rules(table)
    legend = [say("this_table.legend")] if any(each.origin is Origin.CHANGED for each in rules) else []
    return [
        *[_line(say, table, each) for each in rules],
        _clock(say, table),
        *_first_player(say, table),
        *filter(None, [hosting(say, table.house)]),
        *legend,
    ]


def differing_lines(say: Catalogue, table: Table) -> list[str]:
    """List what is not as in the book, or was chosen where it leaves a choice; or say that nothing is changed."""
    rules = _rules(table)
    groups = {
        key: [_line(say, table, each) for each in rules if each.origin is origin] for key, origin in _HEADINGS.items()
    }
    if plays_saved(table.game, table.options):
        groups["this_table.unlike_the_book"] += SCREENS[table.game].supplies(say, table, None)
    lines = [line for key, found in groups.items() if found for line in (say(key), *found)]
    return lines or [say("this_table.unchanged")]


def _rules(table: Table) -> list[RuleInForce]:
    """Return the rules in force; a leading setting is named in the title."""
    found = rules_in_force(table.game, table.options, len(table.players))
    return [each for each in found if not each.setting.leads]


def _line(say: Catalogue, table: Table, each: RuleInForce) -> str:
    values = values_at(table.game, table.options)
    slots = {
        "name": name_of(say, each.setting, values),
        "value": value_of(say, each.setting, each.value, values),
    }
    compared = usual_of(say, each.setting, each.compared, values)
    match each.origin:
        case Origin.BOOK:
            return say("this_table.rule", **slots)
        case Origin.OFFERED:
            return say("this_table.rule_chosen", usual=compared, **slots)
        case Origin.CHANGED:
            return say("this_table.rule_changed", book=compared, **slots)
        case Origin.UNFELT:
            return say("this_table.rule_beyond", book=compared, **slots)
        case Origin.OURS:
            return say("this_table.rule_ours", **slots)
        case Origin.OURS_CHANGED:
            return say("this_table.rule_ours_changed", usual=compared, **slots)


def _clock(say: Catalogue, table: Table) -> str:
    clock = setting_of("turn_seconds")
    return say("this_table.rule", name=name_of(say, clock), value=value_of(say, clock, table.house.turn_seconds))


def _first_player(say: Catalogue, table: Table) -> list[str]:
    """Say who begins, as long as nobody has."""
    if table.stage is not Stage.LOBBY:
        return []
    if table.starter is None:
        return [say("this_table.random_starter")]
    return [say("this_table.starter", mention=named(say, table, table.starter))]


def this_table_button(say: Catalogue, table: str) -> ui.Button[Any]:
    """Make the button that shows the table's rules."""
    return press(say("this_table.button"), CustomId(Verb.TERMS, table))

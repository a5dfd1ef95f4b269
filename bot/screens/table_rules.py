"""The host's private screens in the lobby that change the rules of the table."""

from __future__ import annotations

from bot.host.model import Table
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.lobby_rules import lobby_settings
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game import SCREENS
from bot.screens.house.setting import several_select, typing_button, value_options
from bot.screens.house.words import about, advice, name_of, value_of
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, rule, text
from bot.screens.this_table import rule_lines
from bot.text.catalogue import Catalogue


def table_rules_menu(say: Catalogue, table: Table, rules: ServerRules, done: str | None = None) -> PrivateScreen:
    """Show the table's rules, what the book advises for this many players, and every rule that can be changed.

    `rules` are the server's with the table's own wishes; `done` says what has just been changed.
    """
    settings = lobby_settings(table.game, rules)
    hints = [advice(say, each, rules.values, len(table.players)) for each in settings]
    options = [
        option(name_of(say, each, rules.values), each.full_key, value_of(say, each, rules.value(each), rules.values))
        for each in settings
    ]
    name = SCREENS[table.game].name(say, table.options)
    return PrivateScreen(
        box(
            SAGE,
            text(say("this_table.below", name=name), done),
            text(*rule_lines(say, table)),
            rule(),
            text(*[f"-# {hint}" for hint in dict.fromkeys(hints) if hint]),
            row(pick(say("lobby.rules.pick"), CustomId(Verb.TABLE_RULES, table.id), options)),
            row(press(say("lobby.rules.back"), CustomId(Verb.HOST, table.id))),
        )
    )


def table_setting_screen(say: Catalogue, table: Table, rules: ServerRules, setting: Setting) -> PrivateScreen:
    """Show one rule of a table, with every value that can be chosen for it."""
    values = rules.values
    hint = advice(say, setting, values, len(table.players))
    return PrivateScreen(
        box(
            SAGE,
            text(say("house.one.title", name=name_of(say, setting, values)), about(say, setting, values)),
            text(say("house.one.now", value=value_of(say, setting, rules.value(setting), values)), hint),
            _control(say, table, rules, setting),
            row(
                press(say("lobby.rules.all"), CustomId(Verb.TABLE_RULES, table.id)),
                typing_button(say, setting, CustomId(Verb.TABLE_RULE_ASK, table.id, argument=setting.full_key)),
            ),
        )
    )


def _control(say: Catalogue, table: Table, rules: ServerRules, setting: Setting) -> Item | None:
    custom_id = CustomId(Verb.TABLE_RULE_SET, table.id, argument=setting.full_key)
    match setting.kind:
        case Amounts():
            return None
        case Several() as kind:
            return row(several_select(say, rules, setting, kind, custom_id))
        case _:
            return row(pick(say("house.one.choose"), custom_id, value_options(say, rules, setting)))

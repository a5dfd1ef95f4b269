"""Changes the rules of a table in its lobby, for its host."""

from __future__ import annotations

from typing import Any, Final

from bot.discord_ui.handlers.guild_checks import is_manager
from bot.discord_ui.interactions.context import Context
from bot.host.commands import SetRules
from bot.host.model import Stage, Table
from bot.host.seating import require_host, require_stage
from bot.house_rules.game_settings import setting_of
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.lobby_rules import new_terms, rules_at
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.house_rules.wishes import Typed
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house import forms
from bot.screens.house.words import read_names
from bot.screens.notices import changed_rules
from bot.screens.presses import Press
from bot.screens.table_rules import table_rules_menu, table_setting_screen

KEY: Final = "key"
"""The press field with a setting's key, if it was typed."""


class TableRulesHandlers:
    """Lets a host change the table's rules in the lobby, once they see who has come."""

    def __init__(self, repository: HouseRulesRepository) -> None:
        self._repository = repository

    async def menu(self, context: Context, press: Press) -> None:
        """Show the table's rules, or the one that was picked."""
        table, rules = await self._table(context)
        key = press.picked or press.fields.get(KEY)
        if key is None:
            await context.change(table_rules_menu(context.say, table, rules))
            return
        setting = setting_of(key, table.game)
        setting.require_meaning(rules.values)
        await context.change(table_setting_screen(context.say, table, rules, setting))

    async def choose(self, context: Context, press: Press) -> None:
        """Set what was picked in a rule's list."""
        table, _ = await self._table(context)
        setting, picked = setting_of(press.id.argument or "", table.game), press.values or ()
        is_list = isinstance(setting.kind, Several)
        await self._set(context, setting, list(picked) if is_list else Typed(picked[0] if picked else ""))

    async def set_typed(self, context: Context, key: str, typed: str) -> None:
        """Set what somebody typed."""
        table, _ = await self._table(context)
        setting = setting_of(key, table.game)
        await self._set(context, setting, Typed(read_names(context.say, setting, typed)))

    async def ask(self, context: Context, press: Press) -> None:
        """Open the form in which a value is typed."""
        table, rules = await self._table(context)
        setting = setting_of(press.id.argument or "", table.game)
        setting.require_meaning(rules.values)
        submitted = CustomId(Verb.TABLE_RULE_FORM, table.id, argument=setting.full_key)
        await context.ask(forms.value_form(context.say, rules, setting, submitted))

    async def filled(self, context: Context, press: Press) -> None:
        """Set what was typed in the form."""
        table, _ = await self._table(context)
        setting, fields = setting_of(press.id.argument or "", table.game), press.fields
        typed = fields.get(forms.VALUE, "")
        if isinstance(setting.kind, Amounts):
            typed = ",".join(f"{word} {each.strip()}" for word, each in fields.items())
        await self._set(context, setting, Typed(typed))

    async def _set(self, context: Context, setting: Setting, value: Any) -> None:
        table, _ = await self._table(context)
        server = await self._repository.rules_for(table.guild)
        wanted = {setting.full_key: value}
        new = new_terms(server, table.game, table.wishes, wanted, manager=is_manager(context))
        done = context.say("lobby.rules.same")
        if new.changes:
            options, house, wishes = new.terms
            command = SetRules(context.user, options, house, dict(wishes), table.wishes, new.changes)
            table = await context.submit(command)
            done = context.say("lobby.rules.done", changes=changed_rules(context.say, table, new.changes))
        await context.change(table_rules_menu(context.say, table, rules_at(server, table.wishes), done))

    async def _table(self, context: Context) -> tuple[Table, ServerRules]:
        """Return the host's table and the rules it plays by; raise Rejected for anybody else, or after the lobby."""
        table = await context.table()
        require_stage(table, Stage.LOBBY)
        require_host(table, context.user)
        server = await self._repository.rules_for(table.guild)
        return table, rules_at(server, table.wishes)

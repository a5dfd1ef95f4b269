"""Handlers of the house rules: showing them, the form, and changes. Every press checks the permission again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.discord_ui.handlers.guild_checks import (
    basis_of,
    existing_ids,
    find_missing_channels_and_roles,
    is_manager,
    require_manager,
)
from bot.discord_ui.interactions.context import Context
from bot.house_rules import changes, presets
from bot.house_rules.changes import UNSET, ChangeResult
from bot.house_rules.game_settings import find_setting, pages, saving_settings, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.saved import Saved
from bot.house_rules.server_kinds import Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.screens.house import forms, overview
from bot.screens.house.overview import ALL, YES, first_page, preset_name
from bot.screens.house.setting import setting_screen
from bot.screens.house.words import book_note, name_of, read_names, title_of, value_of
from bot.screens.presses import Press

Edit = Callable[[ServerRules, Basis], ChangeResult]
"""Makes a change, given the rules in force and what new values are checked against."""


class HouseRulesHandlers:
    """Shows and changes the house rules of the server that the user is in."""

    def __init__(self, repository: HouseRulesRepository) -> None:
        self._repository = repository

    async def show(self, context: Context) -> None:
        """Show what is in force, to anyone."""
        rules = await self._rules(context)
        missing = find_missing_channels_and_roles(context, rules)
        await context.tell(overview.overview_screen(context.say, rules, missing, manager=is_manager(context)))

    async def page(self, context: Context, press: Press) -> None:
        """Show a page, to anyone; only managers get buttons on it."""
        page = press.picked if press.picked in pages() else None
        await self.show_page(context, await self._rules(context), page)

    async def open_form(self, context: Context) -> None:
        """Show the first page of the form."""
        require_manager(context)
        await self.show_page(context, await self._rules(context))

    async def show_page(
        self, context: Context, rules: ServerRules, page: str | None = None, done: str | None = None
    ) -> None:
        """Show a page, or the first one, headed by what has just been done."""
        missing, manager = find_missing_channels_and_roles(context, rules), is_manager(context)
        shown = page or first_page()
        await context.change(overview.page_screen(context.say, rules, shown, missing, manager=manager, done=done))

    async def pick(self, context: Context, press: Press) -> None:
        """Show one setting."""
        await self.show_setting(context, press.picked or "")

    async def show_setting(self, context: Context, key: str) -> None:
        """Show one setting with its choices."""
        require_manager(context)
        setting, rules = setting_of(key), await self._rules(context)
        setting.require_meaning(rules.values)
        channels, roles = existing_ids(context)
        known = (channels or frozenset()) | (roles or frozenset())
        await context.change(setting_screen(context.say, rules, setting, known))

    async def choose(self, context: Context, press: Press) -> None:
        """Set what was picked in a setting's list."""
        require_manager(context)
        setting, picked = setting_of(press.id.argument or ""), press.values or ()
        match setting.kind:
            case Several():
                await self._set(context, setting, list(picked))
            case Channels():
                await self._set(context, setting, [_id(each) for each in picked])
            case Role():
                await self._set(context, setting, _id(picked[0]) if picked else None)
            case _:
                await self._set_typed(context, setting, picked[0] if picked else "")

    async def set_typed(self, context: Context, key: str, typed: str) -> None:
        """Set what somebody typed."""
        require_manager(context)
        await self._set_typed(context, setting_of(key), typed)

    async def _set_typed(self, context: Context, setting: Setting, typed: str) -> None:
        name, colon, contents = typed.partition(":")
        if isinstance(setting.kind, Saved) and colon:  # "Name: contents" saves something, "Name:" deletes it
            if contents.strip():
                await self._save(context, setting, setting.kind, name, contents)
            else:
                await self._drop(context, setting, setting.kind, name.strip())
            return

        def edit(rules: ServerRules, basis: Basis) -> ChangeResult:
            value = setting.read(read_names(context.say, setting, typed), basis)
            return changes.change(rules, {setting.full_key: value}, basis)

        await self._apply(context, setting, edit)

    async def _set(self, context: Context, setting: Setting, value: Any, *, is_reset: bool = False) -> None:
        wanted = {setting.full_key: value}
        await self._apply(
            context, setting, lambda rules, basis: changes.change(rules, wanted, basis), is_reset=is_reset
        )

    async def _save(self, context: Context, setting: Setting, kind: Saved, name: str, contents: str) -> None:
        thing = kind.read_contents(contents)
        await self._apply(
            context, setting, lambda rules, basis: changes.save(rules, setting, kind, name, thing, use=True)
        )

    async def _apply(self, context: Context, setting: Setting, edit: Edit, *, is_reset: bool = False) -> None:
        """Change a setting and show its page, headed by what has changed."""
        result = await self._change(context, lambda rules: edit(rules, basis_of(context, rules)))
        done = _done_text(context, setting, result, is_reset=is_reset)
        await self.show_page(context, result.rules, setting.full_page, done)

    async def _change(self, context: Context, edit: Callable[[ServerRules], ChangeResult]) -> ChangeResult:
        require_manager(context)
        return await self._repository.change(context.guild, context.user, edit)

    async def ask(self, context: Context, press: Press) -> None:
        """Open the form in which a value is typed."""
        require_manager(context)
        setting, rules = setting_of(press.id.argument or ""), await self._rules(context)
        setting.require_meaning(rules.values)
        await context.ask(forms.value_form(context.say, rules, setting))

    async def filled(self, context: Context, press: Press) -> None:
        """Set what was typed in the form."""
        require_manager(context)
        setting, fields = setting_of(press.id.argument or ""), press.fields
        match setting.kind:
            case Amounts():
                # The form has one field for each word. They are read together, so that a refusal names the wrong one.
                written = ",".join(f"{word} {typed.strip()}" for word, typed in fields.items())
                await self._set_typed(context, setting, written)
            case Saved() as kind:
                name, contents = (fields.get(field, "") for field in (forms.NAME, kind.contents))
                await self._save(context, setting, kind, name, contents)
            case _:
                await self._set_typed(context, setting, fields.get(forms.VALUE, ""))

    async def drop(self, context: Context, press: Press) -> None:
        """Delete something that was saved."""
        require_manager(context)
        named = find_setting(press.id.argument or "")
        for setting, kind in saving_settings():
            if named in (None, setting):
                await self._drop(context, setting, kind, press.picked or "")
                return

    async def _drop(self, context: Context, setting: Setting, kind: Saved, name: str) -> None:
        result = await self._change(context, lambda rules: changes.drop(rules, setting, kind, name))
        done = context.say(f"house.done.{kind.noun}_dropped", name=name)
        await self.show_page(context, result.rules, setting.full_page, done)

    async def reset(self, context: Context, press: Press) -> None:
        """Reset a setting, or all of them after a confirmation."""
        what = press.id.argument or ALL
        if what == f"{ALL}.{YES}":
            result = await self._change(context, changes.reset_all)
            done = context.say("house.done.reset", count=len(result.changes))
            await self.show_page(context, result.rules, done=done)
        elif what == ALL:
            await self.ask_reset(context)
        else:
            await self.reset_one(context, what)

    async def ask_reset(self, context: Context) -> None:
        """Ask whether to reset all settings."""
        require_manager(context)
        count = len((await self._rules(context)).values)
        if count:
            await context.change(overview.reset_screen(context.say, count))
        else:
            await context.tell(context.say("house.done.nothing_to_reset"))

    async def reset_one(self, context: Context, key: str) -> None:
        """Reset one setting."""
        require_manager(context)
        await self._set(context, setting_of(key), UNSET, is_reset=True)

    async def preset(self, context: Context, press: Press) -> None:
        """List the presets, show what a chosen one would change, or use one that was confirmed."""
        require_manager(context)
        picked = press.picked or ""
        name = picked.removesuffix(f".{YES}")
        if not picked:
            await context.change(overview.presets_screen(context.say))
        elif name == picked:
            await self.propose(context, name)
        else:
            result = await self._change(context, lambda rules: presets.use_preset(rules, name))
            done = context.say("house.done.preset", preset=preset_name(context.say, name))
            await self.show_page(context, result.rules, done=done)

    async def propose(self, context: Context, name: str) -> None:
        """Show what a preset would change."""
        require_manager(context)
        result = presets.use_preset(await self._rules(context), name)
        await context.change(overview.preset_screen(context.say, name, result.changes, result.rules.values))

    async def _rules(self, context: Context) -> ServerRules:
        return await self._repository.rules_for(context.guild)


def _id(picked: str) -> Any:
    return int(picked) if picked.isascii() and picked.isdigit() and len(picked) < 20 else picked


def _done_text(context: Context, setting: Setting, result: ChangeResult, *, is_reset: bool) -> str:
    """Say what a change has done, what else it has reset, and what the rulebook says."""
    say, rules = context.say, result.rules
    values = rules.values
    slots = {"name": name_of(say, setting, values), "value": value_of(say, setting, rules.value(setting), values)}
    if not result.changes:
        return say("house.done.same", **slots)
    lines = [say("house.done.usual", **slots) if is_reset else say("house.done.set", **slots)]
    others = [find_setting(change.key) for change in result.changes if change.key != setting.full_key]
    also = [name_of(say, other, values) for other in others if other is not None]
    if also:
        lines.append(say("house.done.also", title=title_of(say, values, setting.game), names=say.listing(also)))
    note = book_note(say, setting, values)
    return "\n".join([*lines, *([f"-# {note}"] if note else [])])

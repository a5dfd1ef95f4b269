"""Suggests settings and values while somebody types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from discord.app_commands import Choice

from bot.discord_ui.handlers.guild_checks import is_manager
from bot.discord_ui.interactions.context import Context
from bot.host.model import Stage
from bot.house_rules.game_settings import all_settings, find_setting, settings_of
from bot.house_rules.lobby_rules import lobby_settings, rules_at
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.server_kinds import Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import PerTable, Setting
from bot.screens.house.words import about, name_of, value_of
from bot.screens.layout import cut
from bot.screens.names import safe_name

MAX_SUGGESTIONS: Final = 25
"""Cap on the suggestions that Discord shows while somebody types."""
MAX_SUGGESTION_LENGTH: Final = 100
"""Cap on the characters of a suggestion's name and of its value."""


class AutocompleteHandlers:
    """Offers settings and values of the server in which somebody types."""

    def __init__(self, repository: HouseRulesRepository) -> None:
        self._repository = repository

    async def keys(self, context: Context, typed: str) -> list[Choice[str]]:
        """Offer settings, with the value that is in force."""
        rules = await self._repository.rules_for(context.guild)
        found = [
            (f"{name_of(context.say, each, rules.values)} · {_value_now(context, rules, each)}", each.full_key)
            for each in all_settings()
            if each.applies(rules.values)
        ]
        return _choices(found, typed)

    async def values(self, context: Context, typed: str) -> list[Choice[str]]:
        """Offer values of the setting that the command's other option names."""
        setting = find_setting(str(getattr(context.interaction.namespace, "key", "") or ""))
        if setting is None:
            return []
        rules = await self._repository.rules_for(context.guild)
        return _choices(_values(context, rules, setting), typed)

    async def lobby_keys(self, context: Context, typed: str) -> list[Choice[str]]:
        """Offer the rules that the lobby of this channel can change, with the value that is in force."""
        table = await context.find_table()
        if table is None or table.stage is not Stage.LOBBY:
            return []
        rules = rules_at(await self._repository.rules_for(table.guild), table.wishes)
        found = [
            (f"{name_of(context.say, each, rules.values)} · {_value_now(context, rules, each)}", each.full_key)
            for each in lobby_settings(table.game, rules)
        ]
        return _choices(found, typed)

    async def lobby_values(self, context: Context, typed: str) -> list[Choice[str]]:
        """Offer values of the rule that the command's other option names."""
        table = await context.find_table()
        if table is None or table.stage is not Stage.LOBBY:
            return []
        setting = find_setting(str(getattr(context.interaction.namespace, "key", "") or ""), table.game)
        if setting is None:
            return []
        rules = rules_at(await self._repository.rules_for(table.guild), table.wishes)
        return _choices(_values(context, rules, setting), typed)

    async def pairs(self, context: Context, game: str, typed: str) -> list[Choice[str]]:
        """Offer what can come next in "key=value, key=value": a key, or the value of the last key."""
        rules = _with_leading_settings(context, game, await self._repository.rules_for(context.guild))
        before, comma, last = typed.rpartition(",")
        start = f"{before}, " if comma else ""
        key, equals, value = last.strip().partition("=")
        setting = find_setting(key, game)
        if not equals or setting is None:
            found = [
                (f"{start}{each.key}= ({name_of(context.say, each, rules.values)})", f"{start}{each.key}=")
                for each in all_settings()
                if each.game in (None, game) and each.applies(rules.values) and _is_offered_per_table(context, each)
            ]
            return _choices(found, key.strip())
        offered = _choices(_values(context, rules, setting), value.strip())
        completed = [(f"{start}{setting.key}={each.name}", f"{start}{setting.key}={each.value}") for each in offered]
        return _choices([(typed, typed), *completed] if value.strip() else completed, "")


def _with_leading_settings(context: Context, game: str, rules: ServerRules) -> ServerRules:
    """Return the rules with the leading settings (see `Setting.leads`) that the command's own options choose."""
    values = dict(rules.values)
    for setting in settings_of(game):
        chosen = getattr(context.interaction.namespace, setting.key, None)
        if setting.leads and chosen in setting.kind.offers(rules.basis()):
            values[setting.full_key] = chosen
    return rules._replace(values=values)


def _is_offered_per_table(context: Context, setting: Setting) -> bool:
    """Return whether a setting is offered for one table; a leading one is an option of the command itself."""
    if setting.leads or setting.per_table is PerTable.NEVER:
        return False
    return setting.per_table is not PerTable.MANAGERS or is_manager(context)


def _value_now(context: Context, rules: ServerRules, setting: Setting) -> str:
    if isinstance(setting.kind, Channels | Role):
        return about(context.say, setting)  # Discord draws no mentions here, and bare ids say nothing
    return value_of(context.say, setting, rules.value(setting), rules.values)


def _values(context: Context, rules: ServerRules, setting: Setting) -> Iterator[tuple[str, str]]:
    for value in setting.kind.offers(rules.basis()):
        yield value_of(context.say, setting, value, rules.values), setting.kind.write(value)
    guild = context.interaction.guild
    if guild is not None and isinstance(setting.kind, Channels):
        yield from ((f"#{safe_name(each.name)}", f"<#{each.id}>") for each in guild.text_channels)
    if guild is not None and isinstance(setting.kind, Role):
        yield from ((f"@{safe_name(each.name)}", f"<@&{each.id}>") for each in guild.roles if not each.is_default())


def _choices(found: Iterable[tuple[str, str]], typed: str) -> list[Choice[str]]:
    """Return choices whose name or value contains what was typed."""
    wanted = typed.casefold()
    return [
        Choice(name=cut(name, MAX_SUGGESTION_LENGTH), value=value)
        for name, value in found
        if len(value) <= MAX_SUGGESTION_LENGTH and (wanted in name.casefold() or wanted in value.casefold())
    ][:MAX_SUGGESTIONS]

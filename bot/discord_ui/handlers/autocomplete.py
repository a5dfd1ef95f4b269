"""What is offered while somebody types settings and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import discord
from discord.app_commands import Choice

from bot.discord_ui.handlers.house_rules import is_manager
from bot.discord_ui.interactions.context import Context
from bot.games.coyote.rules.editions import EDITIONS
from bot.house_rules.list_kinds import Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, SETTINGS, PerGame, Scope, Setting
from bot.screens.house.words import name_of, value_of
from bot.screens.layout import cut
from bot.screens.names import safe_name

MOST = 25
LONGEST = 100


async def keys(interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
    """Offer settings, with what is in force."""
    context = Context(interaction)
    rules = await context.bot.house.rules_for(interaction.guild_id or 0)
    found = [
        (f"{name_of(context.say, each, rules.edition)} · {_now(context, rules, each)}", each.key)
        for each in SETTINGS
        if rules.edition in each.editions
    ]
    return _choices(found, typed)


async def values(interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
    """Offer values of the setting that was named."""
    context = Context(interaction)
    setting = BY_KEY.get(str(getattr(interaction.namespace, "key", "") or ""))
    if setting is None:
        return []
    rules = await context.bot.house.rules_for(interaction.guild_id or 0)
    return _choices(_values(context, rules, setting), typed)


async def pairs(interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
    """Offer what can follow in "key=value, key=value": a key, or the last key's value."""
    context = Context(interaction)
    rules = await context.bot.house.rules_for(interaction.guild_id or 0)
    edition = getattr(interaction.namespace, "edition", None)
    if edition in EDITIONS:
        rules = rules._replace(values={**rules.values, "edition": edition})
    before, comma, last = typed.rpartition(",")
    start = f"{before}, " if comma else ""
    key, equals, value = last.strip().partition("=")
    setting = BY_KEY.get(key.strip().casefold())
    if not equals or setting is None:
        found = [
            (f"{start}{each.key}= ({name_of(context.say, each, rules.edition)})", f"{start}{each.key}=")
            for each in SETTINGS
            if rules.edition in each.editions and _may_wish(context, each)
        ]
        return _choices(found, key.strip())
    offered = _choices(_values(context, rules, setting), value.strip())
    completed = [(f"{start}{setting.key}={each.name}", f"{start}{setting.key}={each.value}") for each in offered]
    return _choices([(typed, typed), *completed] if value.strip() else completed, "")


def _may_wish(context: Context, setting: Setting) -> bool:
    if setting.scope is Scope.SERVER or setting.key in ("tables_at_once", "edition"):
        return False
    return setting.per_game is not PerGame.NEVER or is_manager(context)


def _now(context: Context, rules: ServerRules, setting: Setting) -> str:
    if isinstance(setting.kind, Channels | Role):
        return context.say(f"setting.{setting.key}.about")  # ids say nothing where mentions are not drawn
    return value_of(context.say, setting, rules.value(setting), rules.edition)


def _values(context: Context, rules: ServerRules, setting: Setting) -> Iterator[tuple[str, str]]:
    for value in setting.kind.offers(rules.ground()):
        yield value_of(context.say, setting, value, rules.edition), setting.kind.write(value)
    guild = context.interaction.guild
    if guild is not None and isinstance(setting.kind, Channels):
        yield from ((f"#{safe_name(each.name)}", f"<#{each.id}>") for each in guild.text_channels)
    if guild is not None and isinstance(setting.kind, Role):
        yield from ((f"@{safe_name(each.name)}", f"<@&{each.id}>") for each in guild.roles if not each.is_default())


def _choices(found: Iterable[tuple[str, str]], typed: str) -> list[Choice[str]]:
    wanted = typed.casefold()
    return [
        Choice(name=cut(name, LONGEST), value=value)
        for name, value in found
        if len(value) <= LONGEST and (wanted in name.casefold() or wanted in value.casefold())
    ][:MOST]

"""Checks the user's permissions, and which channels and roles the guild has."""

from __future__ import annotations

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.house_rules.kinds import Basis
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules
from bot.screens.house.overview import Missing


def is_manager(context: Context) -> bool:
    """Return whether the user has Manage Server now; every interaction carries the user's permissions."""
    return context.interaction.permissions.manage_guild


def require_manager(context: Context) -> None:
    """Raise Rejected unless the user may change the house rules."""
    if not is_manager(context):
        raise Rejected(HouseReason.MANAGERS_ONLY)


def existing_ids(context: Context) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """Return the ids of the guild's channels and of its roles; None while they are unknown."""
    guild = context.interaction.guild
    if guild is None or guild.unavailable:
        return None, None
    return frozenset(each.id for each in guild.channels), frozenset(each.id for each in guild.roles)


def basis_of(context: Context, rules: ServerRules) -> Basis:
    """Return what new values are checked against."""
    channels, roles = existing_ids(context)
    return rules.basis(channels=channels, roles=roles)


def find_missing_channels_and_roles(context: Context, rules: ServerRules) -> Missing:
    """Find channels and roles that the rules name but the guild no longer has."""
    channels, roles = existing_ids(context)
    gone = [each for each in rules.channels if channels is not None and each not in channels]
    return Missing(
        len(gone),
        bool(gone) and len(gone) == len(rules.channels),
        rules.role is not None and roles is not None and rules.role not in roles,
    )

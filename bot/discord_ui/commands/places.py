"""Decides where commands can be used: in guilds with the bot, in DMs, or anywhere by people who have added it."""

from __future__ import annotations

from typing import Any, TypeVar

from discord import Interaction, app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

T = TypeVar("T")
AnyCommand = app_commands.Command[Any, Any, Any] | app_commands.Group


def anywhere(command: T) -> T:
    """Let a command be used everywhere: in guilds, in DMs, and by everybody who has added the bot to their account."""
    installed: T = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(installed)


def only_in_guilds(tree: app_commands.CommandTree[Any]) -> None:
    """Restrict all commands to guilds and DMs, for an application that Discord does not let people add to accounts."""
    for command in tree.get_commands():
        if command.allowed_installs is not None and command.allowed_installs.user:
            command.allowed_installs = AppInstallationType(guild=True, user=False)
            command.allowed_contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=False)


def is_installed(interaction: Interaction[Any]) -> bool:
    """Return whether the bot was added to the guild of an interaction; False in a DM.

    In a guild without the bot, only people who have it in their own account can use its commands.
    """
    return interaction.guild_id is not None and (
        interaction.is_guild_integration() or not interaction.is_user_integration()
    )


def is_offered(command: app_commands.Command[Any, Any, Any], interaction: Interaction[Any]) -> bool:
    """Return whether Discord offers a command to the user of an interaction, in the same place."""
    root = command.root_parent or command
    if not is_installed(interaction):
        return _is_offered_outside(root, interaction)
    needed, granted = root.default_permissions, interaction.permissions
    return needed is None or granted.administrator or needed <= granted


def _is_offered_outside(root: AnyCommand, interaction: Interaction[Any]) -> bool:
    """Return whether a command is offered in a DM, or to somebody who has the bot in their account."""
    places, installs = root.allowed_contexts, root.allowed_installs
    if places is None or installs is None:
        return False
    by_account = bool(installs.user) and interaction.is_user_integration()
    if interaction.guild_id is not None:
        return by_account
    if interaction.context.dm_channel:
        return bool(places.dm_channel)
    return by_account and bool(places.private_channel)

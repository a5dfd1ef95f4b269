"""Finds which permissions a table needs in its channel, and which of them the bot lacks."""

from __future__ import annotations

import discord

from bot.host.model import Table


def needed(channel: object) -> tuple[str, ...]:
    """Return the permissions that a table needs in a channel."""
    sending = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    return ("view_channel", sending)


def missing_permission(channel: object, permissions: discord.Permissions, *, thread: bool = False) -> str | None:
    """Return the first missing permission, or None; `thread` adds those for opening a thread and playing in it."""
    flags = needed(channel)
    if thread and not isinstance(channel, discord.Thread):
        flags = (*flags, "create_public_threads", "send_messages_in_threads")
    return next((flag for flag in flags if not getattr(permissions, flag)), None)


def may_attach_files(client: discord.Client, table: Table) -> bool:
    """Return whether the bot may attach files at a table; True if the guild is unknown."""
    guild = client.get_guild(table.guild)
    channel = None if guild is None else guild.get_channel_or_thread(table.channel)
    if guild is None or channel is None or guild.me is None:
        return True
    return channel.permissions_for(guild.me).attach_files


def missing_permission_at(client: discord.Client, table: Table) -> str | None:
    """Return the first permission that the bot lacks at a table; None if none is missing or the guild is unknown."""
    guild = client.get_guild(table.guild)
    channel = None if guild is None else guild.get_channel_or_thread(table.channel)
    if guild is None or channel is None or guild.me is None:
        return None
    return missing_permission(channel, channel.permissions_for(guild.me))


def reads_history(client: discord.Client, table: Table) -> bool:
    """Return whether the bot can list the messages at a table; False if the guild is unknown."""
    guild = client.get_guild(table.guild)
    channel = None if guild is None else guild.get_channel_or_thread(table.channel)
    if guild is None or channel is None or guild.me is None:
        return False
    granted = channel.permissions_for(guild.me)
    return granted.read_message_history and granted.view_channel

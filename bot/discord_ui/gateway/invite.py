"""The link that invites the bot, with the least permissions that it needs."""

from __future__ import annotations

from typing import Final

import discord

INVITE_PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
"""What the bot asks for when it is invited: the last two are for games in threads, files are pictures."""


def invite_link(application_id: int, guild: int | None = None) -> str:
    """Return the address that invites the bot: to a guild of the visitor's choice, or to a certain one.

    Where the bot is already, the address gives it the permissions that it lacks.
    """
    where = discord.utils.MISSING if guild is None else discord.Object(guild)
    return discord.utils.oauth_url(
        application_id,
        permissions=INVITE_PERMISSIONS,
        guild=where,
        scopes=("bot", "applications.commands"),
        disable_guild_select=guild is not None,
    )

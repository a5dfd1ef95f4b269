"""Examines a channel for somebody who may manage it."""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.discord_ui.emojis import EmojiProgress
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.invite import INVITE_PERMISSIONS
from bot.discord_ui.gateway.permissions import needed
from bot.discord_ui.handlers.guild_checks import find_missing_channels_and_roles
from bot.discord_ui.interactions.context import Context
from bot.house_rules.repository import HouseRulesRepository
from bot.screens.answers import not_here_screen
from bot.screens.doctor import Examined, doctor_screen, managers_only_screen
from bot.screens.presses import Press


class DoctorHandlers:
    """Handles `/doctor` and its button."""

    def __init__(
        self,
        guilds: Guilds,
        repository: HouseRulesRepository,
        *,
        store_is_well: Callable[[], bool],
        latency: Callable[[], float],
        emojis: Callable[[], EmojiProgress | None],
    ) -> None:
        self._guilds = guilds
        self._repository = repository
        self._store_is_well = store_is_well
        self._latency = latency
        self._emojis = emojis

    async def examine(self, context: Context, _: Press) -> None:
        """Show what the bot may do here, and what it lacks."""
        interaction = context.interaction
        guild, asked_by = interaction.guild, interaction.permissions
        if interaction.guild_id is None or not (asked_by.manage_channels or asked_by.manage_guild):
            await context.change(managers_only_screen(context.say))
            return
        invite = self._guilds.invite_link(interaction.guild_id)
        if guild is None or guild.me is None:
            await context.change(not_here_screen(context.say, invite))
            return
        rules = await self._repository.rules_for(interaction.guild_id)
        missing = find_missing_channels_and_roles(context, rules)
        here, role = interaction.app_permissions, guild.me.guild_permissions
        in_thread = isinstance(interaction.channel, discord.Thread)
        threads = ("send_messages_in_threads",) if in_thread else ("create_public_threads", "send_messages_in_threads")
        emojis = self._emojis() if rules.house.pictures else None
        # discord.py has two names for the first permission, and lists the other one.
        wanted = ["view_channel" if flag == "read_messages" else flag for flag, asked in INVITE_PERMISSIONS if asked]
        found = Examined(
            channel=interaction.channel_id or 0,
            lacks=_lacking(here, needed(interaction.channel)),
            threads_lack=_lacking(here, threads),
            pictures_lack=_lacking(here, ("attach_files",)) if rules.house.pictures else (),
            emojis=None if emojis is None else (emojis.uploaded, emojis.of),
            emojis_refused=emojis is not None and emojis.is_idle,
            server_lacks=_lacking(role, wanted),
            rules_are_stale=bool(missing.channels) or missing.role,
            store_is_well=self._store_is_well(),
            latency=self._latency(),
        )
        await context.change(doctor_screen(context.say, found, invite))


def _lacking(permissions: discord.Permissions, flags: tuple[str, ...] | list[str]) -> list[str]:
    return [flag for flag in flags if not getattr(permissions, flag)]

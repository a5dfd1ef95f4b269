"""The bot as Discord knows it: intents, commands, shutdown."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.answering import answering
from bot.discord_ui.translator import CatalogueTranslator

log = logging.getLogger(__name__)


class CommandTree(app_commands.CommandTree["CoyoteBot"]):
    """Slash commands behind the error boundary."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """Hand what a command raised to the one place that answers for it."""
        async with answering(interaction):
            raise error.__cause__ or error


class CoyoteBot(commands.AutoShardedBot):
    """One process of the bot. It needs no privileged intent and never pings unless a message says so."""

    def __init__(self, extensions: Sequence[str]) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True  # who buried the table message; never what they wrote
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            tree_cls=CommandTree,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self._extensions_to_load = extensions

    async def setup_hook(self) -> None:
        """Load the commands and tell Discord of them; interactions may arrive before `on_ready`."""
        await self.tree.set_translator(CatalogueTranslator())
        for extension in self._extensions_to_load:
            await self.load_extension(extension)
        await self.tree.sync()
        log.info("commands: %s", ", ".join(sorted(command.name for command in self.tree.get_commands())))

"""`/houserules`: the rules of a server. Everyone may look; every change needs Manage Server.

Discord knows permissions of a whole command only, not of its subcommands, so the command itself is open to everyone
(docs/adr/0012-house-rules.md).
"""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import said
from bot.house_rules.presets import all_presets

Asked = discord.Interaction[TableBot]
_PRESETS = [Choice(name=said(f"preset.{name}.name"), value=name) for name in all_presets()]


class HouseRules(
    commands.GroupCog,
    group_name=said("command.houserules.name"),
    group_description=said("command.houserules.description"),
):
    """A command for each thing that can be done with the house rules."""

    def __init__(self) -> None:
        super().__init__()
        self.app_command.guild_only = True  # type: ignore[union-attr]  # a GroupCog has its group

    @app_commands.command(
        name=said("command.houserules.show.name"), description=said("command.houserules.show.description")
    )
    async def show(self, interaction: Asked) -> None:
        """Show what is in force."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_rules.show(context)

    @app_commands.command(
        name=said("command.houserules.set.name"), description=said("command.houserules.set.description")
    )
    @app_commands.describe(
        key=said("command.houserules.set.option.key"), value=said("command.houserules.set.option.value")
    )
    async def set_(self, interaction: Asked, key: str | None = None, value: str | None = None) -> None:
        """Open the form, show a setting, or set it."""
        context = interaction.client.context(interaction)
        async with answered(context):
            handlers = interaction.client.handlers.house_rules
            if key is None:
                await handlers.open_form(context)
            elif value is None:
                await handlers.show_setting(context, key)
            else:
                await handlers.set_typed(context, key, value)

    @app_commands.command(
        name=said("command.houserules.preset.name"), description=said("command.houserules.preset.description")
    )
    @app_commands.describe(preset=said("command.houserules.preset.option.preset"))
    @app_commands.choices(preset=_PRESETS)
    async def preset(self, interaction: Asked, preset: str) -> None:
        """Show what a preset would change."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_rules.propose(context, preset)

    @app_commands.command(
        name=said("command.houserules.reset.name"), description=said("command.houserules.reset.description")
    )
    @app_commands.describe(key=said("command.houserules.reset.option.key"))
    async def reset(self, interaction: Asked, key: str | None = None) -> None:
        """Reset one setting, or all after a question."""
        context = interaction.client.context(interaction)
        async with answered(context):
            handlers = interaction.client.handlers.house_rules
            if key is None:
                await handlers.ask_reset(context)
            else:
                await handlers.reset_one(context, key)

    @app_commands.command(
        name=said("command.houserules.export.name"), description=said("command.houserules.export.description")
    )
    async def export(self, interaction: Asked) -> None:
        """Hand the rules over as a file."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.export(context)

    @app_commands.command(
        name=said("command.houserules.import.name"), description=said("command.houserules.import.description")
    )
    @app_commands.describe(
        file=said("command.houserules.import.option.file"), text=said("command.houserules.import.option.text")
    )
    async def import_(
        self, interaction: Asked, file: discord.Attachment | None = None, text: str | None = None
    ) -> None:
        """Show what a file would change."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.propose_import(context, file, text)

    @app_commands.command(
        name=said("command.houserules.log.name"), description=said("command.houserules.log.description")
    )
    async def log(self, interaction: Asked) -> None:
        """Show who changed what."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.log(context)

    @set_.autocomplete("key")
    @reset.autocomplete("key")
    async def _keys(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await interaction.client.handlers.autocomplete.keys(interaction.client.context(interaction), typed)

    @set_.autocomplete("value")
    async def _values(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await interaction.client.handlers.autocomplete.values(interaction.client.context(interaction), typed)


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(HouseRules())

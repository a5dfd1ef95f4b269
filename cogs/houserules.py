"""`/house` shows everyone the rules of a server; `/houserules` changes them, and needs Manage Server.

Discord can hide whole commands only, not subcommands, so what everyone may do is a command of its own
(docs/adr/0012-house-rules.md).
"""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.house_rules.presets import all_presets
from bot.screens.house.overview import preset_key, preset_name
from bot.screens.layout import MOST_OPTIONS
from bot.text.catalogue import catalogue

HouseRulesInteraction = discord.Interaction[TableBot]


class House(commands.Cog):
    """The house rules, for everyone to read."""

    @app_commands.command(name=localised("command.house.name"), description=localised("command.house.description"))
    @app_commands.guild_only()
    async def house(self, interaction: HouseRulesInteraction) -> None:
        """Show the house rules in force."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_rules.show(context)


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class HouseRules(
    commands.GroupCog,
    group_name=localised("command.houserules.name"),
    group_description=localised("command.houserules.description"),
):
    """A command for each thing that managers can do with the house rules."""

    @app_commands.command(
        name=localised("command.houserules.set.name"), description=localised("command.houserules.set.description")
    )
    @app_commands.describe(
        key=localised("command.houserules.set.option.key"), value=localised("command.houserules.set.option.value")
    )
    async def set_(self, interaction: HouseRulesInteraction, key: str | None = None, value: str | None = None) -> None:
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
        name=localised("command.houserules.preset.name"), description=localised("command.houserules.preset.description")
    )
    @app_commands.describe(preset=localised("command.houserules.preset.option.preset"))
    async def preset(self, interaction: HouseRulesInteraction, preset: str) -> None:
        """Show what a preset would change."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_rules.propose(context, preset)

    @app_commands.command(
        name=localised("command.houserules.reset.name"), description=localised("command.houserules.reset.description")
    )
    @app_commands.describe(key=localised("command.houserules.reset.option.key"))
    async def reset(self, interaction: HouseRulesInteraction, key: str | None = None) -> None:
        """Reset one setting, or all after a confirmation."""
        context = interaction.client.context(interaction)
        async with answered(context):
            handlers = interaction.client.handlers.house_rules
            if key is None:
                await handlers.ask_reset(context)
            else:
                await handlers.reset_one(context, key)

    @app_commands.command(
        name=localised("command.houserules.export.name"), description=localised("command.houserules.export.description")
    )
    async def export(self, interaction: HouseRulesInteraction) -> None:
        """Send the rules as a file."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.export(context)

    @app_commands.command(
        name=localised("command.houserules.import.name"), description=localised("command.houserules.import.description")
    )
    @app_commands.describe(
        file=localised("command.houserules.import.option.file"), text=localised("command.houserules.import.option.text")
    )
    async def import_(
        self, interaction: HouseRulesInteraction, file: discord.Attachment | None = None, text: str | None = None
    ) -> None:
        """Show what a file would change."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.propose_import(context, file, text)

    @app_commands.command(
        name=localised("command.houserules.log.name"), description=localised("command.houserules.log.description")
    )
    async def log(self, interaction: HouseRulesInteraction) -> None:
        """Show who changed what."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.house_files.log(context)

    @set_.autocomplete("key")
    @reset.autocomplete("key")
    async def _keys(self, interaction: HouseRulesInteraction, typed: str) -> list[Choice[str]]:
        return await interaction.client.handlers.autocomplete.keys(interaction.client.context(interaction), typed)

    @set_.autocomplete("value")
    async def _values(self, interaction: HouseRulesInteraction, typed: str) -> list[Choice[str]]:
        return await interaction.client.handlers.autocomplete.values(interaction.client.context(interaction), typed)


async def setup(bot: TableBot) -> None:
    """Add the cogs, with the presets of all games that are registered by now."""
    await bot.add_cog(House())
    rules = HouseRules()
    app_commands.choices(preset=_presets())(rules.preset)
    await bot.add_cog(rules)


def _presets() -> list[Choice[str]]:
    english = catalogue()
    return [
        Choice(name=localised(key) if (key := preset_key(name)) in english else preset_name(english, name), value=name)
        for name in all_presets()
    ][:MOST_OPTIONS]

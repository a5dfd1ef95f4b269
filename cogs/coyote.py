"""`/coyote`: everything that can be done at a table, typed."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS
from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.handlers import (
    ai_seats as company,
)
from bot.discord_ui.handlers import (
    commands as commanding,
)
from bot.discord_ui.handlers import (
    lobby as lobbying,
)
from bot.discord_ui.handlers import (
    opening,
)
from bot.discord_ui.handlers import (
    table as around,
)
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import said
from bot.games.coyote.rules.editions import EDITIONS, HIGHEST_BID, LOWEST_BID, MOST_PLAYERS
from bot.screens.custom_ids import Play
from bot.screens.menus import TIMES

Asked = discord.Interaction[CoyoteBot]
_EDITIONS = [Choice(name=said(f"edition.{edition}.name"), value=edition) for edition in EDITIONS]
_NAMES = [Choice(name=each.name, value=each.name) for each in ROSTER]
_TEMPERAMENTS = [Choice(name=said(f"company.temperament.{each}"), value=each) for each in TEMPERAMENTS]
_STRENGTHS = [Choice(name=said(f"company.strength.{each}"), value=each) for each in STRENGTHS]
_TIMES = [Choice(name=said(f"menu.time_{slow}"), value=slow) for slow in TIMES]
_BID = Range[int, LOWEST_BID, HIGHEST_BID]


class Coyote(
    commands.GroupCog,
    group_name=said("command.coyote.name"),
    group_description=said("command.coyote.description"),
):
    """One command for each thing that somebody at a table can do."""

    def __init__(self) -> None:
        super().__init__()
        self.app_command.guild_only = True  # type: ignore[union-attr]  # a GroupCog has its group

    @app_commands.command(name=said("command.coyote.new.name"), description=said("command.coyote.new.description"))
    @app_commands.describe(
        edition=said("command.coyote.new.option.edition"),
        actions=said("command.coyote.new.option.actions"),
        coins=said("command.coyote.new.option.coins"),
        lowest=said("command.coyote.new.option.lowest"),
        clock=said("command.coyote.new.option.clock"),
        seats=said("command.coyote.new.option.seats"),
        thread=said("command.coyote.new.option.thread"),
        rules=said("command.coyote.new.option.rules"),
    )
    @app_commands.choices(edition=_EDITIONS)
    async def new(  # noqa: PLR0917 - discord.py fills options by name
        self,
        interaction: Asked,
        edition: str | None = None,
        actions: bool | None = None,
        coins: Range[int, 2, 5] | None = None,
        lowest: _BID | None = None,
        clock: str | None = None,
        seats: Range[int, 2, MOST_PLAYERS] | None = None,
        thread: bool | None = None,
        rules: str | None = None,
    ) -> None:
        """Open a table."""
        context = Context(interaction)
        async with answered(context):
            wishes = opening.Wishes(edition, actions, coins, lowest, clock, seats, thread, rules)
            await opening.open_table(context, wishes)

    @new.autocomplete("rules")
    async def _rules(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await interaction.client.handlers.autocomplete.pairs(Context(interaction), "coyote", typed)

    @app_commands.command(name=said("command.coyote.join.name"), description=said("command.coyote.join.description"))
    async def join(self, interaction: Asked) -> None:
        """Take a seat."""
        async with commanding.here(interaction) as context:
            await commanding.join(context)

    @app_commands.command(name=said("command.coyote.leave.name"), description=said("command.coyote.leave.description"))
    @app_commands.describe(sure=said("command.coyote.leave.option.sure"))
    async def leave(self, interaction: Asked, sure: bool = False) -> None:
        """Get up."""
        async with commanding.here(interaction) as context:
            await lobbying.leave(context, None, sure=sure)

    @app_commands.command(name=said("command.coyote.start.name"), description=said("command.coyote.start.description"))
    async def start(self, interaction: Asked) -> None:
        """Begin."""
        async with commanding.here(interaction) as context:
            await commanding.start(context)

    @app_commands.command(name=said("command.coyote.bid.name"), description=said("command.coyote.bid.description"))
    @app_commands.describe(number=said("command.coyote.bid.option.number"), sure=said("command.coyote.bid.option.sure"))
    async def bid(self, interaction: Asked, number: _BID, sure: bool = False) -> None:
        """Name a number."""
        async with commanding.here(interaction) as context:
            await commanding.play(context, Play("bid", {"number": number, "plus": None, "target": None}), sure=sure)

    @app_commands.command(name=said("command.coyote.call.name"), description=said("command.coyote.call.description"))
    async def call(self, interaction: Asked) -> None:
        """Coyote!"""
        async with commanding.here(interaction) as context:
            await commanding.play(context, Play("call", {}))

    @app_commands.command(name=said("command.coyote.look.name"), description=said("command.coyote.look.description"))
    async def look(self, interaction: Asked) -> None:
        """See everyone else's feathers."""
        async with commanding.here(interaction) as context:
            await around.look(context, None)

    @app_commands.command(name=said("command.coyote.act.name"), description=said("command.coyote.act.description"))
    @app_commands.describe(
        action=said("command.coyote.act.option.action"),
        target=said("command.coyote.act.option.target"),
        value=said("command.coyote.act.option.value"),
    )
    async def act(
        self, interaction: Asked, action: str, target: discord.User | None = None, value: str | None = None
    ) -> None:
        """Use a special action."""
        async with commanding.here(interaction) as context:
            await commanding.act(context, action, None if target is None else target.id, value)

    @act.autocomplete("action")
    async def _actions(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await commanding.offered(interaction, typed)

    @app_commands.command(name=said("command.coyote.table.name"), description=said("command.coyote.table.description"))
    async def table(self, interaction: Asked) -> None:
        """Post the table again."""
        async with commanding.here(interaction) as context:
            await around.post_again(context, None)

    @app_commands.command(name=said("command.coyote.kick.name"), description=said("command.coyote.kick.description"))
    @app_commands.describe(player=said("command.coyote.kick.option.player"))
    async def kick(self, interaction: Asked, player: discord.User) -> None:
        """Send somebody away."""
        async with commanding.here(interaction) as context:
            await commanding.kick(context, player.id)

    ai = app_commands.Group(name=said("command.coyote.ai.name"), description=said("command.coyote.ai.description"))

    @ai.command(name=said("command.coyote.ai.add.name"), description=said("command.coyote.ai.add.description"))
    @app_commands.describe(
        who=said("command.coyote.ai.add.option.who"),
        temperament=said("command.coyote.ai.add.option.temperament"),
        strength=said("command.coyote.ai.option.strength"),
    )
    @app_commands.choices(who=_NAMES, temperament=_TEMPERAMENTS)
    @app_commands.choices(strength=_STRENGTHS)
    async def add(
        self,
        interaction: Asked,
        who: str | None = None,
        temperament: str | None = None,
        strength: int | None = None,
    ) -> None:
        """Ask an AI player to the table."""
        async with commanding.here(interaction) as context:
            await company.add(context, who, temperament, strength)

    @ai.command(name=said("command.coyote.ai.fill.name"), description=said("command.coyote.ai.fill.description"))
    @app_commands.describe(strength=said("command.coyote.ai.option.strength"))
    @app_commands.choices(strength=_STRENGTHS)
    async def fill(self, interaction: Asked, strength: int | None = None) -> None:
        """Give free seats to AI players."""
        async with commanding.here(interaction) as context:
            await company.fill(context, None, strength)

    @ai.command(name=said("command.coyote.ai.remove.name"), description=said("command.coyote.ai.remove.description"))
    @app_commands.describe(who=said("command.coyote.ai.remove.option.who"))
    async def remove(self, interaction: Asked, who: str) -> None:
        """Send an AI player away."""
        async with commanding.here(interaction) as context:
            await company.remove(context, who)

    @remove.autocomplete("who")
    async def _seated(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await company.seated(Context(interaction), typed)

    @ai.command(name=said("command.coyote.ai.watch.name"), description=said("command.coyote.ai.watch.description"))
    async def watch(self, interaction: Asked) -> None:
        """Give up the host's seat, and watch."""
        async with commanding.here(interaction) as context:
            await company.watch(context, None)

    @app_commands.command(name=said("command.coyote.stop.name"), description=said("command.coyote.stop.description"))
    @app_commands.describe(sure=said("command.coyote.stop.option.sure"))
    async def stop(self, interaction: Asked, sure: bool = False) -> None:
        """End the table."""
        async with commanding.here(interaction) as context:
            await lobbying.stop(context, None, sure=sure)

    @app_commands.command(name=said("command.coyote.host.name"), description=said("command.coyote.host.description"))
    @app_commands.describe(player=said("command.coyote.host.option.player"))
    async def host(self, interaction: Asked, player: discord.User) -> None:
        """Hand the role of host on."""
        async with commanding.here(interaction) as context:
            await commanding.pass_host(context, player.id)

    @app_commands.command(
        name=said("command.coyote.begins.name"), description=said("command.coyote.begins.description")
    )
    @app_commands.describe(
        player=said("command.coyote.begins.option.player"), ai=said("command.coyote.begins.option.ai")
    )
    async def begins(self, interaction: Asked, player: discord.User | None = None, ai: str | None = None) -> None:
        """Say who begins."""
        async with commanding.here(interaction) as context:
            await commanding.begins(context, None if player is None else player.id, ai)

    @begins.autocomplete("ai")
    async def _beginners(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await company.seated(Context(interaction), typed)

    @app_commands.command(name=said("command.coyote.deal.name"), description=said("command.coyote.deal.description"))
    async def deal(self, interaction: Asked) -> None:
        """Deal now."""
        async with commanding.here(interaction) as context:
            await commanding.deal(context)

    @app_commands.command(name=said("command.coyote.pause.name"), description=said("command.coyote.pause.description"))
    async def pause(self, interaction: Asked) -> None:
        """Want a pause, or its end."""
        async with commanding.here(interaction) as context:
            await commanding.pause(context)

    @app_commands.command(name=said("command.coyote.back.name"), description=said("command.coyote.back.description"))
    async def back(self, interaction: Asked) -> None:
        """Be there again."""
        async with commanding.here(interaction) as context:
            await commanding.back(context)

    @app_commands.command(name=said("command.coyote.vote.name"), description=said("command.coyote.vote.description"))
    @app_commands.describe(player=said("command.coyote.vote.option.player"))
    async def vote(self, interaction: Asked, player: discord.User) -> None:
        """Want an away player to be out."""
        async with commanding.here(interaction) as context:
            await commanding.vote(context, player.id)

    @app_commands.command(
        name=said("command.coyote.rematch.name"), description=said("command.coyote.rematch.description")
    )
    async def rematch(self, interaction: Asked) -> None:
        """Play again."""
        async with commanding.here(interaction) as context:
            await commanding.rematch(context)

    @app_commands.command(
        name=said("command.coyote.settings.name"), description=said("command.coyote.settings.description")
    )
    @app_commands.describe(
        time=said("command.coyote.settings.option.time"), pings=said("command.coyote.settings.option.pings")
    )
    @app_commands.choices(time=_TIMES)
    async def settings(self, interaction: Asked, time: int | None = None, pings: bool | None = None) -> None:
        """See or change one's own settings."""
        async with commanding.here(interaction) as context:
            await commanding.settings(context, time, pings)


async def setup(bot: CoyoteBot) -> None:
    """Add the cog."""
    await bot.add_cog(Coyote())

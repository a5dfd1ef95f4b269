"""The slash commands that every game's group has: one for each thing that can be done at a table.

A game makes a subclass with its own name, description and verbs, in `bot/games/<game>/commands.py`. Commands that it
writes itself take the place of the shared ones of the same name. A command that has a button does exactly what the
button does: it becomes a `Press` and goes through the same router.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Self

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS
from bot.discord_ui.client import TableBot
from bot.discord_ui.handlers.lobby import YES
from bot.discord_ui.handlers.opening import Wishes, typed_time
from bot.discord_ui.interactions.boundary import answered, answered_at_table
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import said
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.screens.custom_ids import Verb
from bot.screens.game import SCREENS
from bot.screens.menus import TIMES
from bot.screens.presses import Press, typed

TableInteraction = discord.Interaction[TableBot]
_NAMES = [Choice(name=each.name, value=each.name) for each in ROSTER]
_TEMPERAMENTS = [Choice(name=said(f"ai_players.temperament.{each}"), value=each) for each in TEMPERAMENTS]
_STRENGTHS = [Choice(name=said(f"ai_players.strength.{each}"), value=each) for each in STRENGTHS]
_TIMES = [Choice(name=said(f"menu.time_{slow}"), value=slow) for slow in TIMES]


class TableGroup(commands.GroupCog, group_name="table"):
    """The commands that all games share. Only its subclasses are added to the bot."""

    game: ClassVar[str]
    """The name under which the game is registered."""
    first: ClassVar[tuple[str, ...]] = ("new", "join", "leave", "start", "look")
    """The methods whose commands are listed first, in this order; the others follow as they are defined."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Sort the commands before discord.py copies them into the group."""
        order = {name: place for place, name in enumerate(cls.first)}
        cls.__cog_app_commands__.sort(key=lambda each: order.get(each._attr or "", len(order)))
        return super().__new__(cls, *args, **kwargs)

    def __init__(self) -> None:
        super().__init__()
        self.app_command.guild_only = True  # type: ignore[union-attr]  # a GroupCog has its group

    async def press(self, interaction: TableInteraction, press: Press) -> None:
        """Do what the command's button does."""
        await self.at_table(interaction, lambda context: interaction.client.router.handle(context, press))

    async def at_table(self, interaction: TableInteraction, do: Callable[[Context], Awaitable[None]]) -> None:
        """Do something at the table of the channel; refuse if that table plays another game."""
        context = interaction.client.context(interaction)
        async with answered_at_table(context) as table:
            if table is not None and table.game != self.game:
                name = SCREENS[table.game].name(context.say.for_game(table.game), table.options)
                raise Rejected(HostReason.OTHER_GAME, game=name, group=_group_of(interaction.client, table.game))
            await do(context)

    async def open_table(self, interaction: TableInteraction, rules: str | None, **settings: object) -> None:
        """Open a table of this game; settings that are None follow the house rules."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.opening.open_table(context, Wishes(self.game, settings, rules))

    async def rule_pairs(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        """Offer what can come next in the settings that are typed for a table."""
        client = interaction.client
        return await client.handlers.autocomplete.pairs(client.context(interaction), self.game, current)

    @app_commands.command(name=said("command.table.new.name"), description=said("command.table.new.description"))
    @app_commands.describe(
        clock=said("command.table.new.option.clock"),
        thread=said("command.table.new.option.thread"),
        rules=said("command.table.new.option.rules"),
    )
    async def new(
        self,
        interaction: TableInteraction,
        clock: str | None = None,
        thread: bool | None = None,
        rules: str | None = None,
    ) -> None:
        """Open a table."""
        await self.open_table(interaction, rules, turn_seconds=typed_time(clock), thread=thread)

    @new.autocomplete("rules")
    async def _rules(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await self.rule_pairs(interaction, current)

    @app_commands.command(name=said("command.table.join.name"), description=said("command.table.join.description"))
    async def join(self, interaction: TableInteraction) -> None:
        """Take a seat."""
        await self.press(interaction, typed(Verb.JOIN))

    @app_commands.command(name=said("command.table.leave.name"), description=said("command.table.leave.description"))
    @app_commands.describe(sure=said("command.table.leave.option.sure"))
    async def leave(self, interaction: TableInteraction, sure: bool = False) -> None:
        """Leave the table."""
        await self.press(interaction, typed(Verb.LEAVE, argument=YES if sure else None))

    @app_commands.command(name=said("command.table.start.name"), description=said("command.table.start.description"))
    async def start(self, interaction: TableInteraction) -> None:
        """Begin the match."""
        await self.press(interaction, typed(Verb.START))

    @app_commands.command(name=said("command.table.look.name"), description=said("command.table.look.description"))
    async def look(self, interaction: TableInteraction) -> None:
        """See what only this user may see."""
        await self.press(interaction, typed(Verb.LOOK))

    @app_commands.command(name=said("command.table.table.name"), description=said("command.table.table.description"))
    async def table(self, interaction: TableInteraction) -> None:
        """Post the table again."""
        await self.press(interaction, typed(Verb.TABLE))

    @app_commands.command(name=said("command.table.kick.name"), description=said("command.table.kick.description"))
    @app_commands.describe(player=said("command.table.kick.option.player"))
    async def kick(self, interaction: TableInteraction, player: discord.User) -> None:
        """Remove a player from the lobby."""
        await self.press(interaction, typed(Verb.KICK, picked=str(player.id)))

    ai = app_commands.Group(name=said("command.table.ai.name"), description=said("command.table.ai.description"))

    @ai.command(name=said("command.table.ai.add.name"), description=said("command.table.ai.add.description"))
    @app_commands.describe(
        who=said("command.table.ai.add.option.who"),
        temperament=said("command.table.ai.add.option.temperament"),
        strength=said("command.table.ai.option.strength"),
    )
    @app_commands.choices(who=_NAMES, temperament=_TEMPERAMENTS)
    @app_commands.choices(strength=_STRENGTHS)
    async def add(
        self,
        interaction: TableInteraction,
        who: str | None = None,
        temperament: str | None = None,
        strength: int | None = None,
    ) -> None:
        """Give an AI player a seat."""
        press = typed(Verb.ASK, picked=who, argument=_as_argument(strength), temperament=temperament)
        await self.press(interaction, press)

    @ai.command(name=said("command.table.ai.fill.name"), description=said("command.table.ai.fill.description"))
    @app_commands.describe(strength=said("command.table.ai.option.strength"))
    @app_commands.choices(strength=_STRENGTHS)
    async def fill(self, interaction: TableInteraction, strength: int | None = None) -> None:
        """Give free seats to AI players."""
        await self.press(interaction, typed(Verb.FILL, argument=_as_argument(strength)))

    @ai.command(name=said("command.table.ai.remove.name"), description=said("command.table.ai.remove.description"))
    @app_commands.describe(who=said("command.table.ai.remove.option.who"))
    async def remove(self, interaction: TableInteraction, who: str) -> None:
        """Remove an AI player."""
        await self.press(interaction, typed(Verb.SEND, ai=who))

    @remove.autocomplete("who")
    async def _seated(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await _ai_players(interaction, current)

    @ai.command(name=said("command.table.ai.watch.name"), description=said("command.table.ai.watch.description"))
    async def watch(self, interaction: TableInteraction) -> None:
        """Give up the host's own seat, and watch."""
        await self.press(interaction, typed(Verb.WATCH))

    @app_commands.command(name=said("command.table.stop.name"), description=said("command.table.stop.description"))
    @app_commands.describe(sure=said("command.table.stop.option.sure"))
    async def stop(self, interaction: TableInteraction, sure: bool = False) -> None:
        """End the table."""
        await self.press(interaction, typed(Verb.STOP, argument=YES if sure else None))

    @app_commands.command(name=said("command.table.host.name"), description=said("command.table.host.description"))
    @app_commands.describe(player=said("command.table.host.option.player"))
    async def host(self, interaction: TableInteraction, player: discord.User) -> None:
        """Make another player the host."""
        await self.press(interaction, typed(Verb.PASS, picked=str(player.id)))

    @app_commands.command(name=said("command.table.begins.name"), description=said("command.table.begins.description"))
    @app_commands.describe(player=said("command.table.begins.option.player"), ai=said("command.table.begins.option.ai"))
    async def begins(
        self, interaction: TableInteraction, player: discord.User | None = None, ai: str | None = None
    ) -> None:
        """Say who begins."""
        picked = "0" if player is None else str(player.id)
        await self.press(interaction, typed(Verb.STARTER, picked=picked, ai=ai if player is None else None))

    @begins.autocomplete("ai")
    async def _ai_starters(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await _ai_players(interaction, current)

    @app_commands.command(name=said("command.table.deal.name"), description=said("command.table.deal.description"))
    async def deal(self, interaction: TableInteraction) -> None:
        """Deal now."""
        await self.press(interaction, typed(Verb.DEAL))

    @app_commands.command(name=said("command.table.pause.name"), description=said("command.table.pause.description"))
    async def pause(self, interaction: TableInteraction) -> None:
        """Vote for a pause, or for its end."""
        await self.press(interaction, typed(Verb.PAUSE))

    @app_commands.command(name=said("command.table.back.name"), description=said("command.table.back.description"))
    async def back(self, interaction: TableInteraction) -> None:
        """Come back after having been away."""
        await self.press(interaction, typed(Verb.BACK))

    @app_commands.command(name=said("command.table.vote.name"), description=said("command.table.vote.description"))
    @app_commands.describe(player=said("command.table.vote.option.player"))
    async def vote(self, interaction: TableInteraction, player: discord.User) -> None:
        """Vote an away player out."""
        await self.press(interaction, typed(Verb.VOTE, picked=str(player.id)))

    @app_commands.command(
        name=said("command.table.rematch.name"), description=said("command.table.rematch.description")
    )
    async def rematch(self, interaction: TableInteraction) -> None:
        """Play again with the same people."""
        await self.press(interaction, typed(Verb.REMATCH))

    @app_commands.command(
        name=said("command.table.settings.name"), description=said("command.table.settings.description")
    )
    @app_commands.describe(
        time=said("command.table.settings.option.time"), pings=said("command.table.settings.option.pings")
    )
    @app_commands.choices(time=_TIMES)
    async def settings(self, interaction: TableInteraction, time: int | None = None, pings: bool | None = None) -> None:
        """See or change one's own settings."""
        table = interaction.client.handlers.table
        await self.at_table(interaction, lambda context: table.settings(context, time, pings))


def _group_of(client: TableBot, game: str) -> str | None:
    """Return the name of a game's group of commands; None if it has none."""
    groups = (cog for cog in client.cogs.values() if isinstance(cog, TableGroup) and cog.game == game)
    return next((cog.app_command.name for cog in groups if cog.app_command is not None), None)


def _as_argument(strength: int | None) -> str | None:
    return None if strength is None else str(strength)


async def _ai_players(interaction: TableInteraction, current: str) -> list[Choice[str]]:
    names = await interaction.client.handlers.ai_seats.seated(interaction.client.context(interaction), current)
    return [Choice(name=name, value=name) for name in names]

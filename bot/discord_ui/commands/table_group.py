"""The slash commands that every game's group has: one for each thing that can be done at a table.

A game makes a subclass with its own name, description and verbs, in `bot/games/<game>/commands.py`. A command defined
there replaces the shared one of the same name. A command that has a button does exactly what the button does:
it becomes a `Press` and goes through the same router.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Self

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS
from bot.discord_ui.client import TableBot
from bot.discord_ui.handlers.lobby import YES
from bot.discord_ui.handlers.opening import TableRequest, typed_time
from bot.discord_ui.interactions.boundary import answered, answered_at_table
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import localised
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.screens.custom_ids import Verb
from bot.screens.game import SCREENS
from bot.screens.game_names import group_name
from bot.screens.menus import AUTO_LANGUAGE, TIME_FACTORS
from bot.screens.presses import Press, typed
from bot.text.catalogue import catalogue, languages

TableInteraction = discord.Interaction[TableBot]
_NAMES = [Choice(name=each.name, value=each.name) for each in ROSTER]
_TEMPERAMENTS = [Choice(name=localised(f"ai_players.temperament.{each}"), value=each) for each in TEMPERAMENTS]
_STRENGTHS = [Choice(name=localised(f"ai_players.strength.{each}"), value=each) for each in STRENGTHS]
_LANGUAGES: list[Choice[str]] = [
    Choice(name=localised("menu.language_auto"), value=AUTO_LANGUAGE),
    *[Choice(name=catalogue(code)("language.name"), value=code) for code in languages()],
]
_TIMES = [Choice(name=localised(f"menu.time_{slow}"), value=slow) for slow in TIME_FACTORS]


def whole_number(allowed: range) -> Any:
    """Return what goes into `Annotated[int, …]` to let a command's option only be one of these numbers."""
    bounds: Any = Range  # mypy takes it for a type, whose bounds cannot be computed
    return bounds[int, allowed[0], allowed[-1]]


class TableGroup(commands.GroupCog, group_name="table"):
    """The commands that all games share. Only its subclasses are added to the bot."""

    game: ClassVar[str]
    """The name under which the game is registered."""
    first: ClassVar[tuple[str, ...]] = ("new", "join", "leave", "start", "look")
    """The methods whose commands are listed first, in this order; the others follow in the order of definition."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Sort the commands before discord.py copies them into the group."""
        order = {name: place for place, name in enumerate(cls.first)}
        cls.__cog_app_commands__.sort(key=lambda each: order.get(each._attr or "", len(order)))
        return super().__new__(cls, *args, **kwargs)

    def __init__(self) -> None:
        super().__init__()
        self.app_command.guild_only = True  # type: ignore[union-attr]  # a GroupCog always has a group

    async def press(self, interaction: TableInteraction, press: Press) -> None:
        """Do what the command's button does."""
        await self.at_table(interaction, lambda context: interaction.client.router.handle(context, press))

    async def at_table(self, interaction: TableInteraction, do: Callable[[Context], Awaitable[None]]) -> None:
        """Do something at the channel's table; refuse if that table plays another game."""
        context = interaction.client.context(interaction)
        async with answered_at_table(context) as table:
            if table is not None and table.game != self.game:
                name = SCREENS[table.game].name(context.say.for_game(table.game), table.options)
                group = _group_of(interaction.client, table.game)
                named = None if group is None else group_name(context.say, table.game)
                raise Rejected(HostReason.OTHER_GAME, game=name, group=named)
            await do(context)

    async def open_table(self, interaction: TableInteraction, rules: str | None, **settings: object) -> None:
        """Open a table of this game; settings that are None follow the house rules."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.opening.open_table(context, TableRequest(self.game, settings, rules))

    async def rule_pairs(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        """Suggest completions while somebody types settings for a table."""
        client = interaction.client
        return await client.handlers.autocomplete.pairs(client.context(interaction), self.game, current)

    @app_commands.command(
        name=localised("command.table.new.name"), description=localised("command.table.new.description")
    )
    @app_commands.describe(
        clock=localised("command.table.new.option.clock"),
        thread=localised("command.table.new.option.thread"),
        rules=localised("command.table.new.option.rules"),
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

    @app_commands.command(
        name=localised("command.table.join.name"), description=localised("command.table.join.description")
    )
    async def join(self, interaction: TableInteraction) -> None:
        """Take a seat."""
        await self.press(interaction, typed(Verb.JOIN))

    @app_commands.command(
        name=localised("command.table.leave.name"), description=localised("command.table.leave.description")
    )
    @app_commands.describe(sure=localised("command.table.leave.option.sure"))
    async def leave(self, interaction: TableInteraction, sure: bool = False) -> None:
        """Leave the table."""
        await self.press(interaction, typed(Verb.LEAVE, argument=YES if sure else None))

    @app_commands.command(
        name=localised("command.table.start.name"), description=localised("command.table.start.description")
    )
    async def start(self, interaction: TableInteraction) -> None:
        """Begin the match."""
        await self.press(interaction, typed(Verb.START))

    @app_commands.command(
        name=localised("command.table.look.name"), description=localised("command.table.look.description")
    )
    async def look(self, interaction: TableInteraction) -> None:
        """Show what only this user may see."""
        await self.press(interaction, typed(Verb.LOOK))

    @app_commands.command(
        name=localised("command.table.table.name"), description=localised("command.table.table.description")
    )
    async def table(self, interaction: TableInteraction) -> None:
        """Post the table again."""
        await self.press(interaction, typed(Verb.TABLE))

    @app_commands.command(
        name=localised("command.table.rules.name"), description=localised("command.table.rules.description")
    )
    async def rules(self, interaction: TableInteraction) -> None:
        """Show the rules of this table."""
        await self.press(interaction, typed(Verb.TERMS))

    @app_commands.command(
        name=localised("command.table.kick.name"), description=localised("command.table.kick.description")
    )
    @app_commands.describe(
        player=localised("command.table.kick.option.player"), sure=localised("command.table.kick.option.sure")
    )
    async def kick(self, interaction: TableInteraction, player: discord.User, sure: bool = False) -> None:
        """Remove a player from the lobby."""
        await self.press(interaction, typed(Verb.KICK, picked=str(player.id), argument=YES if sure else None))

    ai = app_commands.Group(
        name=localised("command.table.ai.name"), description=localised("command.table.ai.description")
    )

    @ai.command(name=localised("command.table.ai.add.name"), description=localised("command.table.ai.add.description"))
    @app_commands.describe(
        who=localised("command.table.ai.add.option.who"),
        temperament=localised("command.table.ai.add.option.temperament"),
        strength=localised("command.table.ai.option.strength"),
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
        press = typed(Verb.ADD_AI, picked=who, argument=_as_argument(strength), temperament=temperament)
        await self.press(interaction, press)

    @ai.command(
        name=localised("command.table.ai.fill.name"), description=localised("command.table.ai.fill.description")
    )
    @app_commands.describe(strength=localised("command.table.ai.option.strength"))
    @app_commands.choices(strength=_STRENGTHS)
    async def fill(self, interaction: TableInteraction, strength: int | None = None) -> None:
        """Give free seats to AI players."""
        await self.press(interaction, typed(Verb.FILL, argument=_as_argument(strength)))

    @ai.command(
        name=localised("command.table.ai.remove.name"), description=localised("command.table.ai.remove.description")
    )
    @app_commands.describe(who=localised("command.table.ai.remove.option.who"))
    async def remove(self, interaction: TableInteraction, who: str) -> None:
        """Remove an AI player."""
        await self.press(interaction, typed(Verb.REMOVE_AI, ai=who))

    @remove.autocomplete("who")
    async def _seated(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await _ai_players(interaction, current)

    @ai.command(
        name=localised("command.table.ai.watch.name"), description=localised("command.table.ai.watch.description")
    )
    async def watch(self, interaction: TableInteraction) -> None:
        """Give up the host's own seat, and watch."""
        await self.press(interaction, typed(Verb.WATCH))

    @app_commands.command(
        name=localised("command.table.stop.name"), description=localised("command.table.stop.description")
    )
    @app_commands.describe(sure=localised("command.table.stop.option.sure"))
    async def stop(self, interaction: TableInteraction, sure: bool = False) -> None:
        """End the table."""
        await self.press(interaction, typed(Verb.STOP, argument=YES if sure else None))

    @app_commands.command(
        name=localised("command.table.host.name"), description=localised("command.table.host.description")
    )
    @app_commands.describe(player=localised("command.table.host.option.player"))
    async def host(self, interaction: TableInteraction, player: discord.User) -> None:
        """Make another player the host."""
        await self.press(interaction, typed(Verb.PASS_HOST, picked=str(player.id)))

    @app_commands.command(
        name=localised("command.table.begins.name"), description=localised("command.table.begins.description")
    )
    @app_commands.describe(
        player=localised("command.table.begins.option.player"), ai=localised("command.table.begins.option.ai")
    )
    async def begins(
        self, interaction: TableInteraction, player: discord.User | None = None, ai: str | None = None
    ) -> None:
        """Choose who begins."""
        picked = "0" if player is None else str(player.id)
        await self.press(interaction, typed(Verb.STARTER, picked=picked, ai=ai if player is None else None))

    @begins.autocomplete("ai")
    async def _ai_starters(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await _ai_players(interaction, current)

    @app_commands.command(
        name=localised("command.table.seats.name"), description=localised("command.table.seats.description")
    )
    @app_commands.describe(
        player=localised("command.table.seats.option.player"), ai=localised("command.table.seats.option.ai")
    )
    async def seats(
        self, interaction: TableInteraction, player: discord.User | None = None, ai: str | None = None
    ) -> None:
        """Shuffle the seats, or move somebody up."""
        picked = None if player is None else str(player.id)
        await self.press(interaction, typed(Verb.SEATS, picked=picked, ai=ai if player is None else None))

    @seats.autocomplete("ai")
    async def _ai_seats(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await _ai_players(interaction, current)

    @app_commands.command(
        name=localised("command.table.set.name"), description=localised("command.table.set.description")
    )
    @app_commands.describe(
        key=localised("command.table.set.option.key"), value=localised("command.table.set.option.value")
    )
    async def set_rule(self, interaction: TableInteraction, key: str | None = None, value: str | None = None) -> None:
        """Change a rule of the table, or see them all."""
        handlers = interaction.client.handlers.table_rules

        async def change(context: Context) -> None:
            if key is None or value is None:
                await handlers.menu(context, typed(Verb.TABLE_RULES, key=key))
            else:
                await handlers.set_typed(context, key, value)

        await self.at_table(interaction, change)

    @set_rule.autocomplete("key")
    async def _keys(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        client = interaction.client
        return await client.handlers.autocomplete.lobby_keys(client.context(interaction), current)

    @set_rule.autocomplete("value")
    async def _values(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        client = interaction.client
        return await client.handlers.autocomplete.lobby_values(client.context(interaction), current)

    @app_commands.command(
        name=localised("command.table.deal.name"), description=localised("command.table.deal.description")
    )
    async def deal(self, interaction: TableInteraction) -> None:
        """Deal now."""
        await self.press(interaction, typed(Verb.DEAL))

    @app_commands.command(
        name=localised("command.table.pause.name"), description=localised("command.table.pause.description")
    )
    async def pause(self, interaction: TableInteraction) -> None:
        """Vote for a pause, or for its end."""
        await self.press(interaction, typed(Verb.PAUSE))

    @app_commands.command(
        name=localised("command.table.back.name"), description=localised("command.table.back.description")
    )
    async def back(self, interaction: TableInteraction) -> None:
        """Come back after having been away."""
        await self.press(interaction, typed(Verb.BACK))

    @app_commands.command(
        name=localised("command.table.vote.name"), description=localised("command.table.vote.description")
    )
    @app_commands.describe(player=localised("command.table.vote.option.player"))
    async def vote(self, interaction: TableInteraction, player: discord.User) -> None:
        """Vote an away player out."""
        await self.press(interaction, typed(Verb.VOTE, picked=str(player.id)))

    @app_commands.command(
        name=localised("command.table.rematch.name"), description=localised("command.table.rematch.description")
    )
    async def rematch(self, interaction: TableInteraction) -> None:
        """Play again with the same people."""
        await self.press(interaction, typed(Verb.REMATCH))

    @app_commands.command(
        name=localised("command.table.settings.name"), description=localised("command.table.settings.description")
    )
    @app_commands.describe(
        time=localised("command.table.settings.option.time"),
        pings=localised("command.table.settings.option.pings"),
        language=localised("command.table.settings.option.language"),
        text_only=localised("command.table.settings.option.text_only"),
    )
    @app_commands.choices(time=_TIMES)
    @app_commands.choices(language=_LANGUAGES)
    async def settings(
        self,
        interaction: TableInteraction,
        time: int | None = None,
        pings: bool | None = None,
        language: str | None = None,
        text_only: bool | None = None,
    ) -> None:
        """Show or change the user's own settings."""
        table = interaction.client.handlers.table
        await self.at_table(interaction, lambda context: table.settings(context, time, pings, language, text_only))


def _group_of(client: TableBot, game: str) -> str | None:
    """Return the name of a game's group of commands; None if it has none."""
    groups = (cog for cog in client.cogs.values() if isinstance(cog, TableGroup) and cog.game == game)
    return next((cog.app_command.name for cog in groups if cog.app_command is not None), None)


def _as_argument(strength: int | None) -> str | None:
    return None if strength is None else str(strength)


async def _ai_players(interaction: TableInteraction, current: str) -> list[Choice[str]]:
    names = await interaction.client.handlers.ai_seats.seated(interaction.client.context(interaction), current)
    return [Choice(name=name, value=name) for name in names]

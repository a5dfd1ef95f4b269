"""Defines `/coyote`: the commands that every table has, and Coyote's own for opening, bids, calls and actions."""

from __future__ import annotations

from typing import Annotated, ClassVar

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.table_group import TableGroup, TableInteraction, whole_number
from bot.discord_ui.handlers.autocomplete import MAX_SUGGESTIONS
from bot.discord_ui.handlers.opening import typed_time
from bot.discord_ui.translator import localised
from bot.games.coyote.rules.editions import EDITIONS, HIGHEST_BID, LOWEST_BID, RANGES
from bot.games.coyote.ui.presses import ACTION, offered_actions
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.screens.custom_ids import Verb
from bot.screens.presses import typed

_EDITIONS = [Choice(name=localised(f"edition.{edition}.name"), value=edition) for edition in EDITIONS]
_SIDES = [Choice(name=localised(f"command.coyote.guess.{side}"), value=f"bet_{side}") for side in ("caller", "bidder")]
_Coins = Annotated[int, whole_number(RANGES["threshold"])]
_Lowest = Annotated[int, whole_number(RANGES["min_bid"])]
_Seats = Annotated[int, whole_number(RANGES["max_players"])]
_Number = Annotated[int, whole_number(range(LOWEST_BID, HIGHEST_BID + 1))]


class Coyote(
    TableGroup,
    group_name=localised("command.coyote.name"),
    group_description=localised("command.coyote.description"),
):
    """One command for each thing that can be done at a Coyote table."""

    game: ClassVar[str] = "coyote"
    first: ClassVar[tuple[str, ...]] = ("new", "join", "leave", "start", "bid", "call", "look", "act")

    @app_commands.command(
        name=localised("command.coyote.new.name"), description=localised("command.coyote.new.description")
    )
    @app_commands.describe(
        edition=localised("command.coyote.new.option.edition"),
        actions=localised("command.coyote.new.option.actions"),
        coins=localised("command.coyote.new.option.coins"),
        lowest=localised("command.coyote.new.option.lowest"),
        clock=localised("command.table.new.option.clock"),
        seats=localised("command.coyote.new.option.seats"),
        thread=localised("command.table.new.option.thread"),
        rules=localised("command.table.new.option.rules"),
    )
    @app_commands.choices(edition=_EDITIONS)
    async def new(  # type: ignore[override]  # noqa: PLR0917 - discord.py fills options by name
        self,
        interaction: TableInteraction,
        edition: str | None = None,
        actions: bool | None = None,
        coins: _Coins | None = None,
        lowest: _Lowest | None = None,
        clock: str | None = None,
        seats: _Seats | None = None,
        thread: bool | None = None,
        rules: str | None = None,
    ) -> None:
        """Open a table."""
        await self.open_table(
            interaction,
            rules,
            edition=edition,
            variant=actions,
            threshold=coins,
            min_bid=lowest,
            turn_seconds=typed_time(clock),
            max_players=seats,
            thread=thread,
        )

    @new.autocomplete("rules")
    async def _rules(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await self.rule_pairs(interaction, current)

    @app_commands.command(
        name=localised("command.coyote.bid.name"), description=localised("command.coyote.bid.description")
    )
    @app_commands.describe(
        number=localised("command.coyote.bid.option.number"), sure=localised("command.coyote.bid.option.sure")
    )
    async def bid(self, interaction: TableInteraction, number: _Number, sure: bool = False) -> None:
        """Name a number."""
        verb = CoyoteVerb.BID_ANYWAY if sure else CoyoteVerb.BID
        await self.press(interaction, typed(verb, argument=str(number)))

    @app_commands.command(
        name=localised("command.coyote.call.name"), description=localised("command.coyote.call.description")
    )
    async def call(self, interaction: TableInteraction) -> None:
        """Call "Coyote!"."""
        await self.press(interaction, typed(CoyoteVerb.CALL))

    @app_commands.command(
        name=localised("command.coyote.guess.name"), description=localised("command.coyote.guess.description")
    )
    @app_commands.describe(right=localised("command.coyote.guess.option.right"))
    @app_commands.choices(right=_SIDES)
    async def guess(self, interaction: TableInteraction, right: str | None = None) -> None:
        """Guess along without playing: after a call, who is right; before it, that one takes part."""
        press = typed(Verb.ALONG) if right is None else typed(CoyoteVerb.ACT, **{ACTION: right})
        await self.press(interaction, press)

    @app_commands.command(
        name=localised("command.coyote.why.name"), description=localised("command.coyote.why.description")
    )
    async def why(self, interaction: TableInteraction) -> None:
        """Ask why the AIs made their last moves, after a round."""
        await self.press(interaction, typed(Verb.WHY))

    @app_commands.command(
        name=localised("command.coyote.look.name"), description=localised("command.coyote.look.description")
    )
    async def look(self, interaction: TableInteraction) -> None:  # type: ignore[override]  # in Coyote's words
        """See everyone else's feathers."""
        await self.press(interaction, typed(Verb.LOOK))

    @app_commands.command(
        name=localised("command.coyote.act.name"), description=localised("command.coyote.act.description")
    )
    @app_commands.describe(
        action=localised("command.coyote.act.option.action"),
        target=localised("command.coyote.act.option.target"),
        value=localised("command.coyote.act.option.value"),
    )
    async def act(
        self, interaction: TableInteraction, action: str, target: discord.User | None = None, value: str | None = None
    ) -> None:
        """Use a special action."""
        whom = None if target is None else str(target.id)
        await self.press(interaction, typed(CoyoteVerb.ACT, action=action, target=whom, value=value))

    @act.autocomplete("action")
    async def _actions(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await actions_offered(interaction, current)


async def actions_offered(interaction: TableInteraction, current: str) -> list[Choice[str]]:
    """Suggest the special actions that are open to the user, at most as many as Discord shows."""
    context = interaction.client.context(interaction)
    table = await context.find_table()
    if table is None or table.game != Coyote.game:
        return []
    situation = interaction.client.handlers.play.situation(context, table, typed(CoyoteVerb.ACT))
    found = offered_actions(situation, current)
    return [Choice(name=name, value=value) for name, value in found][:MAX_SUGGESTIONS]


async def setup(bot: TableBot) -> None:
    """Add `/coyote` to the bot; discord.py calls this."""
    await bot.add_cog(Coyote())

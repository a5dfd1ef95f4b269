"""Defines `/plenty`: the commands that every table has, and Plenty Coups' own for hand, offer, moves and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from discord import app_commands
from discord.app_commands import Choice, Range

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.table_group import TableGroup, TableInteraction, whole_number
from bot.discord_ui.handlers.autocomplete import MAX_SUGGESTION_LENGTH, MAX_SUGGESTIONS
from bot.discord_ui.handlers.opening import typed_time
from bot.discord_ui.translator import localised
from bot.games.plenty_coups.rules.options import RANGES
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.presses import ANSWERING, PHASES, PLAYING, TAKING, offered_moves
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.host.commands import MAX_LINE_LENGTH
from bot.screens.custom_ids import Verb
from bot.screens.layout import cut
from bot.screens.presses import Press, typed

MAX_TYPED_LENGTH: Final = 100
"""How long a typed move may be."""
_Seats = Annotated[int, whole_number(RANGES["max_players"])]
_Move = Range[str, 1, MAX_TYPED_LENGTH]
_Line = Range[str, 1, MAX_LINE_LENGTH]


class PlentyCoups(
    TableGroup,
    group_name=localised("command.plenty-coups.name"),
    group_description=localised("command.plenty-coups.description"),
):
    """One command for each thing that can be done at a table of Plenty Coups."""

    game: ClassVar[str] = "plenty-coups"
    first: ClassVar[tuple[str, ...]] = ("new", "join", "leave", "start", "look", "take", "play", "answer")

    @app_commands.command(
        name=localised("command.plenty-coups.new.name"), description=localised("command.plenty-coups.new.description")
    )
    @app_commands.describe(
        clock=localised("command.table.new.option.clock"),
        seats=localised("command.plenty-coups.new.option.seats"),
        thread=localised("command.table.new.option.thread"),
        rules=localised("command.plenty-coups.new.option.rules"),
    )
    async def new(  # type: ignore[override]  # one more option
        self,
        interaction: TableInteraction,
        clock: str | None = None,
        seats: _Seats | None = None,
        thread: bool | None = None,
        rules: str | None = None,
    ) -> None:
        """Open a table."""
        await self.open_table(interaction, rules, turn_seconds=typed_time(clock), max_players=seats, thread=thread)

    @new.autocomplete("rules")
    async def _rules(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await self.rule_pairs(interaction, current)

    @app_commands.command(
        name=localised("command.plenty-coups.look.name"), description=localised("command.plenty-coups.look.description")
    )
    async def look(self, interaction: TableInteraction) -> None:  # type: ignore[override]  # its own words
        """See one's hand and what can be done with it."""
        await self.press(interaction, typed(Verb.LOOK))

    @app_commands.command(
        name=localised("command.plenty-coups.take.name"), description=localised("command.plenty-coups.take.description")
    )
    @app_commands.describe(cards=localised("command.plenty-coups.take.option.cards"))
    async def take(self, interaction: TableInteraction, cards: _Move) -> None:
        """Take cards from the offer."""
        await self.press(interaction, _typed(TAKING, cards))

    @take.autocomplete("cards")
    async def _offer(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await moves_offered(interaction, current, TAKING)

    @app_commands.command(
        name=localised("command.plenty-coups.play.name"), description=localised("command.plenty-coups.play.description")
    )
    @app_commands.describe(
        move=localised("command.plenty-coups.play.option.move"), line=localised("command.plenty-coups.play.option.line")
    )
    async def play(self, interaction: TableInteraction, move: _Move, line: _Line | None = None) -> None:
        """Do one of the things that the hand allows."""
        await self.press(interaction, _typed(PLAYING, move, line))

    @play.autocomplete("move")
    async def _moves(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await moves_offered(interaction, current, PLAYING)

    @app_commands.command(
        name=localised("command.plenty-coups.answer.name"),
        description=localised("command.plenty-coups.answer.description"),
    )
    @app_commands.describe(answer=localised("command.plenty-coups.answer.option.answer"))
    async def answer(self, interaction: TableInteraction, answer: _Move) -> None:
        """Answer a gift or a disdain."""
        await self.press(interaction, _typed(ANSWERING, answer))

    @answer.autocomplete("answer")
    async def _answers(self, interaction: TableInteraction, current: str) -> list[Choice[str]]:
        return await moves_offered(interaction, current, ANSWERING)

    @app_commands.command(
        name=localised("command.plenty-coups.why.name"), description=localised("command.plenty-coups.why.description")
    )
    async def why(self, interaction: TableInteraction) -> None:
        """Ask why the AIs made their most important moves, after a match."""
        await self.press(interaction, typed(Verb.WHY))


def _typed(phases: Sequence[Phase], move: str, line: str | None = None) -> Press:
    return typed(PlentyVerb.MOVE, move=move, line=line, **{PHASES: " ".join(phases)})


async def moves_offered(interaction: TableInteraction, current: str, phases: Sequence[Phase]) -> list[Choice[str]]:
    """Suggest the moves that are open to the user in these phases, at most as many as Discord shows."""
    context = interaction.client.context(interaction)
    table = await context.find_table()
    if table is None or table.game != PlentyCoups.game:
        return []
    situation = interaction.client.handlers.play.situation(context, table, typed(PlentyVerb.MOVE))
    found = offered_moves(situation, current, phases)
    return [Choice(name=cut(name, MAX_SUGGESTION_LENGTH), value=value) for name, value in found][:MAX_SUGGESTIONS]


async def setup(bot: TableBot) -> None:
    """Add `/plenty` to the bot; discord.py calls this."""
    await bot.add_cog(PlentyCoups())

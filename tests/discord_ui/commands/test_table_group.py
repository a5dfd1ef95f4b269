"""The shared table commands are defined once and appear under each game's name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.commands.table_group import TableGroup, TableInteraction
from bot.engine.core import Rejected
from bot.games.coyote.commands import Coyote
from bot.host.commands import HostReason
from bot.screens.refusals import refusal_text
from tests.discord_ui.interactions.test_context import Pressed
from tests.screens.scenes import SAY, a_table

OWN = ("new", "bid", "call", "look", "act", "guess", "why")
"""Commands that Coyote defines itself."""
ORDER = [
    *("new", "join", "leave", "start", "bid", "call", "look", "act", "table", "rules", "kick", "ai", "stop"),
    *("host", "begins", "seats", "set", "deal", "pause", "back", "vote", "rematch", "settings"),
    *("guess", "why"),
]


class Toy(TableGroup, group_name="toy", group_description="A game for tests"):
    """A game with one command of its own."""

    game: ClassVar[str] = "toy"

    @app_commands.command(description="Draw a card")
    async def draw(self, interaction: TableInteraction) -> None:
        """Do nothing."""


async def payload(cog: commands.Cog) -> dict[str, dict[str, Any]]:
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.none())
    await bot.add_cog(cog)
    (group,) = bot.tree.get_commands()
    return {each["name"]: each for each in cast(Any, group).to_dict(bot.tree)["options"]}


async def test_another_game_has_the_shared_commands_and_its_own() -> None:
    coyote, toy = await payload(Coyote()), await payload(Toy())
    assert list(coyote) == ORDER
    assert list(toy) == ["new", "join", "leave", "start", "look", *ORDER[8:-2], "draw"]
    for name in ORDER:
        assert name in OWN or coyote[name] == toy[name], name


async def test_a_typed_command_becomes_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    handled = []

    class Client:
        """A fake client; its router records presses."""

        def context(self, interaction: Any) -> Any:
            return interaction

    class Router:
        async def handle(self, context: Any, press: Any) -> None:
            handled.append((str(press.id), press.picked, dict(press.fields), press.prompt))

    asked: Any = Pressed()
    asked.client = Client()
    asked.client.router = Router()

    group = Coyote()
    monkeypatch.setattr("bot.discord_ui.commands.table_group.answered_at_table", _unguarded)
    await cast(Any, group.bid).callback(group, asked, 15, True)
    await cast(Any, group.act).callback(group, asked, "bid.next", None, "7")
    await cast(Any, group.leave).callback(group, asked, True)
    assert handled == [
        ("c1:0:0:sure:15", None, {}, None),
        ("c1:0:0:act", None, {"action": "bid.next", "value": "7"}, None),
        ("c1:0:0:leave:yes", None, {}, None),
    ]


async def test_a_command_at_a_table_of_another_game_names_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def at_coyote(context: Any) -> AsyncIterator[Any]:
        yield a_table(3)

    monkeypatch.setattr("bot.discord_ui.commands.table_group.answered_at_table", at_coyote)
    asked: Any = SimpleNamespace(say=SAY)
    asked.client = SimpleNamespace(context=lambda interaction: interaction, cogs={"Coyote": Coyote(), "Toy": Toy()})
    toy = Toy()
    with pytest.raises(Rejected) as refused:
        await cast(Any, toy.join).callback(toy, asked)
    assert refused.value.reason is HostReason.OTHER_GAME
    told = refusal_text(SAY, refused.value, a_table(3))
    assert told == "This table plays Feathers: use **/coyote** here."


@asynccontextmanager
async def _unguarded(context: Any) -> AsyncIterator[None]:
    """Do not catch errors."""
    yield

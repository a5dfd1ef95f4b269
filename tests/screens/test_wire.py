"""discord.py sends screens without keeping them; presses are matched by custom_id."""

import re
from typing import Any, Self

import discord
import pytest
from discord import ui

from bot.games.coyote.rules import game as rules
from bot.games.coyote.ui.forms import bid_form
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.screens.custom_ids import TEMPLATE, parse
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.sandbox.toybot import Press, running
from tests.screens import scenes
from tests.screens.scenes import SAY, a_table, seen, story

answered: list[str] = []


class AnyButton(ui.DynamicItem[ui.Button[Any]], template=TEMPLATE):
    """Answers every press."""

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: ui.Item[Any], match: re.Match[str]) -> Self:
        assert isinstance(item, ui.Button)
        return cls(item)

    async def callback(self, interaction: Press) -> None:
        """Open the form, or show a private screen."""
        pressed = parse(self.custom_id)
        assert pressed is not None
        answered.append(self.custom_id)
        if pressed.verb == CoyoteVerb.FORM:
            (question,) = rules.prompts(story())
            await interaction.response.send_modal(bid_form(SAY, a_table(5), seen(story()), question))
        else:
            await interaction.response.send_message(view=dict(scenes.looks())["look"], ephemeral=True)


async def _submitted(interaction: Press) -> None:
    if interaction.type is discord.InteractionType.modal_submit:
        data: Any = interaction.data
        answered.append(data["custom_id"])
        await interaction.response.edit_message(view=dict(scenes.rounds())["table after a coin"])


async def test_buttons_and_forms_are_found_by_their_custom_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))
    answered.clear()
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana", guild)
        room = ana.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            bot.add_dynamic_items(AnyButton)
            bot.add_listener(_submitted, "on_interaction")
            channel = bot.get_partial_messageable(int(room.id))
            with checked(sandbox):
                sent = await channel.send(view=dict(scenes.rounds())["table turn"])
                await sent.edit(view=dict(scenes.rounds())["table turn"])
                (message,) = ana.read()
                looked = await ana.click(message, "Look")
                assert "what you see" in looked.text
                opened = await ana.click(message, "Bid…")
                assert opened.modal is not None
                assert opened.modal.title == "Your bid"
                shown = await ana.submit(opened, **{"Your number": "20"})
                assert "must raise now" in shown.text
            store = bot._connection._view_store
            assert (store._views, store._synced_message_views, store._modals) == ({}, {}, {})
            assert list(store._dynamic_items.values()) == [AnyButton]
    assert answered == ["c1:k7Q2:0:look", "c1:k7Q2:5:form", "c1:k7Q2:5:number"]

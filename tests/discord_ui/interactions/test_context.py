from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from discord import InteractionType

from bot.discord_ui.handlers.pages import privately
from bot.discord_ui.interactions.context import Context
from bot.screens.layout import text
from bot.text.catalogue import Catalogue


class Pressed:
    """A fake press on another user's public message; `defer` waits until `arrived` is set."""

    def __init__(self) -> None:
        self.id, self.user, self.locale = 1, SimpleNamespace(id=2), SimpleNamespace(value="en-US")
        self.type, self.message = InteractionType.component, None
        self.response = self.followup = self
        self.done = False
        self.arrived = asyncio.Event()
        self.sent: list[str] = []

    def is_done(self) -> bool:
        return self.done

    async def defer(self, **how: object) -> None:
        await self.arrived.wait()
        self.done = True

    async def send(self, **what: object) -> None:
        self.sent.append("followup")

    async def edit_original_response(self, **what: object) -> None:
        self.sent.append("edit of the message that was pressed")


async def test_a_late_private_answer_never_replaces_the_pressed_message() -> None:
    pressed: Any = Pressed()
    services: Any = SimpleNamespace(dms=SimpleNamespace(take_unreached=lambda user: False))
    context = Context(pressed, services)

    def draw(kind: Any, say: Catalogue) -> Any:
        return kind(text("a page"))

    context.defer_soon()
    await asyncio.sleep(0)
    showing = asyncio.create_task(privately(context, draw))
    await asyncio.sleep(0)
    pressed.arrived.set()
    again = await showing
    await again(draw)
    assert pressed.sent == ["followup"]


async def test_texts_have_the_words_of_the_game_that_is_asked_about() -> None:
    pressed: Any = Pressed()
    found = SimpleNamespace(id="k7Q2", guild=7, game="coyote", players=())

    async def get(*_: object) -> Any:
        return found

    pressed.guild_id, pressed.channel_id = 7, 70
    services: Any = SimpleNamespace(tables=SimpleNamespace(get=get, at=get))
    context = Context(pressed, services)
    assert context.say("replay.all") == "Everything"
    await context.find_table()
    assert context.say("replay.all") == "All feathers"
    found.game = "highcard"
    await context.table()
    assert context.say("replay.all") == "Everything"

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import yarl
from discord import ui
from discord.ext import commands

from sandbox.server import Sandbox

Press = discord.Interaction[Any]
Callback = Callable[[Press], Awaitable[Any]]


class ToyBot(commands.AutoShardedBot):
    """A bare discord.py bot without the library's pauses."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Skip the five-second wait: the sandbox allows any number of logins."""

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        raise  # noqa: PLE0704


def aim(sandbox: Sandbox) -> None:
    discord.http.Route.BASE = sandbox.api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)


@asynccontextmanager
async def running(sandbox: Sandbox, shards: int = 1, **options: Any) -> AsyncIterator[ToyBot]:
    """Run a bot in this process until the block ends; the block begins once the bot knows its servers."""
    aim(sandbox)
    options.setdefault("intents", discord.Intents.default())
    options.setdefault("max_messages", None)
    bot = ToyBot("!", guild_ready_timeout=0, **options)
    bot.tree.on_error = _raise  # type: ignore[method-assign]
    task = asyncio.create_task(bot.start(sandbox.token))
    try:
        waiter = asyncio.create_task(sandbox.gateway.wait_connected(shards))
        await asyncio.wait((task, waiter), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            waiter.cancel()
            task.result()
        async with asyncio.timeout(60):
            await waiter
            while len(bot.guilds) < len(sandbox.world.guilds):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        yield bot
    finally:
        await bot.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _raise(_: Press, error: Exception) -> None:
    raise error


class Buttons(ui.View):
    """A view of buttons, given as label -> callback; the label is also the custom_id."""

    def __init__(self, **callbacks: Callback) -> None:
        super().__init__(timeout=None)
        for label, callback in callbacks.items():
            button: ui.Button[Buttons] = ui.Button(label=label, custom_id=f"toy:{label}")
            button.callback = callback  # type: ignore[method-assign, assignment]
            self.add_item(button)

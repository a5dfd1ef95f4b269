"""Scenes: the people, channels and games that exist when the sandbox starts."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.people import People, Person
from sandbox.refusals import Refused
from sandbox.server import Sandbox
from sandbox.shown import Shown
from sandbox.world import World

Scene = Callable[[Sandbox], Coroutine[Any, Any, None]]

BOT_WAIT_SECONDS = 30.0
"""Time that a scene waits for the bot to connect and register its commands."""
YOU = "Sam"
"""Who you are at the start. A real name, since the bot puts it into sentences."""
FRIENDS = ("Ana", "Ben", "Chloé")


def furnish(world: World, people: People, *names: str) -> Channel:
    """Create the server with its channels and people, Sam first; return the games channel."""
    you = world.add_user(YOU)
    guild = world.add_guild("Friends", owner=you)
    guild.channels[next(iter(guild.channels))].topic = "Anything that is not a game"
    games = world.add_channel(guild, "games")
    games.topic = "Type / to see what the bot can do"
    people.adopt(you).where = games
    for name in names:
        people.add(name, guild).where = games
    return games


async def empty(sandbox: Sandbox) -> None:
    """Start with Sam alone in a server with two channels."""
    furnish(sandbox.world, sandbox.people)


async def lobby(sandbox: Sandbox) -> None:
    """Start in a lobby opened by Sam and filled with AI players, ready to start. Friends are on the server, too."""
    games = furnish(sandbox.world, sandbox.people, *FRIENDS)
    message = await _open_lobby(sandbox, games)
    if message is not None:
        await _try(sandbox.people[YOU].click(message, "Fill the table"))


async def friends(sandbox: Sandbox) -> None:
    """Start in a lobby with Sam and three friends, without AI players."""
    games = furnish(sandbox.world, sandbox.people, *FRIENDS)
    await _open_lobby(sandbox, games, *FRIENDS)


async def table(sandbox: Sandbox) -> None:
    """Start in a game that Sam and three friends have just begun."""
    games = furnish(sandbox.world, sandbox.people, *FRIENDS)
    message = await _open_lobby(sandbox, games, *FRIENDS)
    if message is not None:
        await _try(sandbox.people[YOU].click(message, "Start"))


SCENES: dict[str, Scene] = {"empty": empty, "lobby": lobby, "friends": friends, "table": table}


async def _open_lobby(sandbox: Sandbox, games: Channel, *joining: str) -> Message | None:
    people = sandbox.people
    you = people[YOU]
    if not await offers(sandbox, you, "coyote new", games):
        return None
    shown = await _try(you.slash("coyote new", games))
    if shown is None or shown.message is None:
        return None
    for name in joining:
        await _try(people[name].click(shown.message, "Join"))
    return shown.message


async def offers(sandbox: Sandbox, person: Person, words: str, where: Channel) -> bool:
    """Whether the bot offers a command, after waiting for it to connect and register."""
    name, _, sub = words.partition(" ")
    try:
        async with asyncio.timeout(BOT_WAIT_SECONDS):
            # The bot registers commands before it connects; a command sent in between would be lost.
            while not (sandbox.gateway.connected and person.commands(where)):  # noqa: ASYNC110 (commands have no event)
                await asyncio.sleep(0.05)
    except TimeoutError:
        return False
    subs = {each["name"]: [option["name"] for option in each.get("options", ())] for each in person.commands(where)}
    return name in subs and (not sub or sub in subs[name])


async def _try(act: Awaitable[Shown]) -> Shown | None:
    # Failed steps are skipped: a bot without the game still gets its people and channels.
    try:
        return await act
    except Refused:
        return None

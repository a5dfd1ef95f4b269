"""What there is when the sandbox opens: who is there, which channels, and what they have already begun."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.people import People, Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from sandbox.world import World

Scene = Callable[[World, People], Coroutine[Any, Any, None]]

BOT_WAIT_SECONDS = 30.0
FRIENDS = ("Ana", "Ben", "Chloé")


def furnish(world: World, people: People, *names: str) -> Channel:
    """Make the server with its channels and people, "You" first; return the channel to play in."""
    you = world.add_user("You")
    guild = world.add_guild("Friends", owner=you)
    guild.channels[next(iter(guild.channels))].topic = "Anything that is not a game"
    games = world.add_channel(guild, "games")
    games.topic = "Type / to see what the bot can do"
    people.adopt(you).where = games
    for name in names:
        people.add(name, guild).where = games
    return games


async def empty(world: World, people: People) -> None:
    """You, alone, in a server with two channels."""
    furnish(world, people)


async def lobby(world: World, people: People) -> None:
    """You and three friends; you have opened a lobby and they have joined."""
    games = furnish(world, people, *FRIENDS)
    await _open_lobby(people, games)


async def table(world: World, people: People) -> None:
    """The same friends, one step further: the game has begun."""
    games = furnish(world, people, *FRIENDS)
    message = await _open_lobby(people, games)
    if message is not None:
        await _try(people["You"].click(message, "Start"))


SCENES: dict[str, Scene] = {"empty": empty, "lobby": lobby, "table": table}


async def _open_lobby(people: People, games: Channel) -> Message | None:
    you = people["You"]
    if not await has_command(you, "coyote new", games):
        return None
    shown = await _try(you.slash("coyote new", games))
    if shown is None or shown.message is None:
        return None
    for name in FRIENDS:
        await _try(people[name].click(shown.message, "Join"))
    return shown.message


async def has_command(person: Person, words: str, where: Channel, seconds: float = BOT_WAIT_SECONDS) -> bool:
    """Whether the bot offers a command, given some time to arrive and register it."""
    name, _, sub = words.partition(" ")
    deadline = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < deadline:
        offered = person.commands(where)
        if offered:
            subs = {each["name"]: [o["name"] for o in each.get("options", ())] for each in offered}
            return name in subs and (not sub or sub in subs[name])
        await asyncio.sleep(0.05)
    return False


async def _try(act: Awaitable[Shown]) -> Shown | None:
    # A scene is a courtesy: a bot that cannot do this yet still gets its people and channels.
    try:
        return await act
    except Refused:
        return None

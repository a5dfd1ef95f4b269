"""Saves the whole world as one JSON file, so that a sandbox survives a restart."""

import asyncio
import base64
import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandbox.events import Change
from sandbox.messagelog import Message, MessageLog
from sandbox.model import Channel, Guild, Member, Role, User
from sandbox.people import People
from sandbox.world import Stored, World

Json = dict[str, Any]

VERSION = 3
FILE = "world.json"
QUIET_SECONDS = 1.0
"""Delay between a change and the save that follows it."""


def dump(world: World, people: People) -> Json:
    """Return the world as JSON, without pending interactions: their tokens do not survive a restart."""
    return {
        "version": VERSION,
        "last_id": world.ids.next(),
        "url": world.base_url,
        "bot": world.bot.id,
        "users": [_plain(user) for user in world.users.values()],
        "guilds": [_guild(guild) for guild in world.guilds.values()],
        "dms": [_channel(channel) for channel in world.dm_of.values()],
        "commands": [[scope, world.commands.all(scope)] for scope in (None, *world.guilds)],
        "files": {key: _stored(file) for key, file in world.uploads.files.items() if key not in world.uploads.dropped},
        "images": {key: _stored(file) for key, file in world.uploads.images.items()},
        "emojis": world.uploads.emojis,
        "people": [[person.id, person.where.id if person.where else None] for person in people],
    }


def load(data: Json, world: World, people: People) -> None:
    """Fill a new world from a result of `dump`."""
    if data.get("version") != VERSION:
        raise ValueError(f"the saved world has version {data.get('version')}, but this sandbox reads {VERSION}")
    world.ids.after(data["last_id"])
    world.users = {each["id"]: User(**each) for each in data["users"]}
    world.bot = world.users[data["bot"]]
    for each in data["guilds"]:
        _load_guild(world, each)
    for each in data["dms"]:
        channel = _load_channel(world, each)
        world.dm_of[str(channel.recipient_id)] = channel
    for scope, commands in data["commands"]:
        world.commands.restore(commands, scope)
    world.uploads.files = {key: _load_stored(each) for key, each in data["files"].items()}
    world.uploads.images = {key: _load_stored(each) for key, each in data["images"].items()}
    world.uploads.emojis = data["emojis"]
    for user_id, where in data["people"]:
        people.adopt(world.users[user_id]).where = world.channels.get(where)


class Saver:
    """Loads a world from a folder and saves it after every change."""

    def __init__(self, folder: Path, world: World, people: People) -> None:
        self.path = folder / FILE
        self._world = world
        self._people = people
        self._changed = asyncio.Event()

    def load(self) -> bool:
        """Load the saved world; return whether there was one."""
        if not self.path.exists():
            return False
        text = self.path.read_text("utf-8")
        # Stored file URLs have the old port; the sandbox may use another one now.
        there, here = (f'"{url}/attachments/' for url in (json.loads(text)["url"], self._world.base_url))
        load(json.loads(text.replace(there, here)), self._world, self._people)
        return True

    def save(self) -> None:
        """Write the world to a new file, then replace the old one, so that a crash cannot damage it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(dump(self._world, self._people), ensure_ascii=False), "utf-8")
        fresh.replace(self.path)

    async def run(self) -> None:
        """Save shortly after every change until cancelled. The caller must then `save` once more."""
        unsubscribe = self._world.subscribe(self._note)
        try:
            while True:
                await self._changed.wait()
                await asyncio.sleep(QUIET_SECONDS)
                self._changed.clear()
                self.save()
        finally:
            unsubscribe()

    def _note(self, _: Change) -> None:
        self._changed.set()


def _plain(thing: Any, *left_out: str) -> Json:
    fields = (each.name for each in dataclasses.fields(thing) if each.name not in left_out)
    values = ((name, getattr(thing, name)) for name in fields)
    return {name: sorted(value) if isinstance(value, set) else value for name, value in values}


def _guild(guild: Guild) -> Json:
    return _plain(guild, "roles", "members", "channels", "threads") | {
        "roles": [_plain(role) for role in guild.roles.values()],
        "members": [_plain(member, "user") | {"user": member.user.id} for member in guild.members.values()],
        "channels": [_channel(channel) for channel in guild.channels.values()],
        "threads": [_channel(thread) for thread in guild.threads.values()],
    }


def _channel(channel: Channel) -> Json:
    private = [message for log in channel.private.values() for message in log]
    return _plain(channel, "messages", "private") | {"messages": _messages([*channel.messages, *private])}


def _messages(messages: Iterable[Message]) -> list[Json]:
    # "Thinking…" messages are left out: their interactions do not survive a restart, so they would never end.
    return [_plain(each, "deleted", "version") for each in messages if not each.thinking]


def _stored(file: Stored) -> Json:
    return _plain(file, "data") | {"data": base64.b64encode(file.data).decode("ascii")}


def _load_stored(each: Json) -> Stored:
    return Stored(each["filename"], each["content_type"], base64.b64decode(each["data"]), each["secret"])


def _load_guild(world: World, each: Json) -> None:
    inner = ("roles", "members", "channels", "threads")
    guild = Guild(**{key: value for key, value in each.items() if key not in inner})
    world.guilds[guild.id] = guild
    guild.roles = {role["id"]: Role(**role) for role in each["roles"]}
    for member in each["members"]:
        user = world.users[member["user"]]
        guild.members[user.id] = Member(**(member | {"user": user}))
        world.guilds_of.setdefault(user.id, {})[guild.id] = guild
    guild.channels = {channel.id: channel for channel in (_load_channel(world, one) for one in each["channels"])}
    guild.threads = {thread.id: thread for thread in (_load_channel(world, one) for one in each["threads"])}


def _load_channel(world: World, each: Json) -> Channel:
    channel = Channel(**{key: value for key, value in each.items() if key != "messages"})
    channel.overwrites = {key: (int(allow), int(deny)) for key, (allow, deny) in channel.overwrites.items()}
    channel.role_overwrites = set(channel.role_overwrites)
    world.channels[channel.id] = channel
    for one in each["messages"]:
        message = Message(**one)
        message.reactions = {key: (emoji, users) for key, (emoji, users) in message.reactions.items()}
        if message.only is None:
            channel.messages.add(message)
            continue
        channel.private.setdefault(message.only, MessageLog()).add(message)
        world.private_of.setdefault(message.only, {})[message.id] = message
        world.ephemerals[message.id] = message
    return channel

"""Reactions and pins."""

from typing import Any

from sandbox import posting
from sandbox.errors import ApiError
from sandbox.messagelog import Message
from sandbox.model import User
from sandbox.world import World

Json = dict[str, Any]


def parse(key: str) -> Json:
    """Return the emoji for a key such as `👍` or `name:id`."""
    name, colon, emoji_id = key.partition(":")
    if colon and emoji_id.isdigit():
        return {"id": emoji_id, "name": name}
    if not key or key.isascii():
        raise ApiError(10014, status=400)
    return {"id": None, "name": key}


def add(world: World, message: Message, user: User, key: str) -> None:
    """Add a user's reaction; repeating it changes nothing."""
    emoji = parse(key)
    if key not in message.reactions and len(message.reactions) >= 20:
        raise ApiError(30010)
    _, users = message.reactions.setdefault(key, (emoji, {}))
    if user.id not in users:
        users[user.id] = None
        _tell(world, message, "MESSAGE_REACTION_ADD", {"user_id": user.id, "emoji": emoji, "burst": False, "type": 0})


def remove(world: World, message: Message, user: User, key: str) -> None:
    """Remove a user's reaction, if there is one."""
    if key not in message.reactions:
        return
    emoji, users = message.reactions[key]
    if user.id in users:
        del users[user.id]
        if not users:
            del message.reactions[key]
        _tell(
            world, message, "MESSAGE_REACTION_REMOVE", {"user_id": user.id, "emoji": emoji, "burst": False, "type": 0}
        )


def clear(world: World, message: Message, key: str | None = None) -> None:
    """Remove all reactions of a message, or those with one emoji."""
    if key is None:
        message.reactions.clear()
        _tell(world, message, "MESSAGE_REACTION_REMOVE_ALL", {})
    elif key in message.reactions:
        emoji, _ = message.reactions.pop(key)
        _tell(world, message, "MESSAGE_REACTION_REMOVE_EMOJI", {"emoji": emoji})


def pin(world: World, message: Message, by: User) -> None:
    """Pin a message and post a notice in the channel."""
    channel = world.channels[message.channel_id]
    if message.id in channel.pins:
        return
    if len(channel.pins) >= 50:
        raise ApiError(30003)
    channel.pins[message.id] = channel.last_pin = world.now()
    message.json["pinned"] = True
    _pins_changed(world, message)
    reference: Json = {"type": 0, "channel_id": channel.id, "message_id": message.id}
    if channel.guild_id is not None:
        reference["guild_id"] = channel.guild_id
    posting.post(world, channel, by, {}, kind=posting.PIN_NOTICE, extra={"message_reference": reference})


def unpin(world: World, message: Message) -> None:
    """Unpin a message."""
    if world.channels[message.channel_id].pins.pop(message.id, None) is not None:
        message.json["pinned"] = False
        _pins_changed(world, message)


def _pins_changed(world: World, message: Message) -> None:
    channel = world.channels[message.channel_id]
    posting.touched(world, message)
    data: Json = {"channel_id": channel.id, "last_pin_timestamp": channel.last_pin}
    if channel.guild_id is not None:
        data["guild_id"] = channel.guild_id
    world.publish("CHANNEL_PINS_UPDATE", data, channel=channel)


def _tell(world: World, message: Message, kind: str, more: Json) -> None:
    channel = world.channels[message.channel_id]
    data: Json = {"channel_id": channel.id, "message_id": message.id, "message_author_id": message.author_id} | more
    if channel.guild_id is not None:
        data["guild_id"] = channel.guild_id
        member = world.guilds[channel.guild_id].members.get(more.get("user_id", ""))
        if member is not None and kind == "MESSAGE_REACTION_ADD":
            data["member"] = member.json()
    message.version += 1
    world.publish(kind, data, channel=channel)

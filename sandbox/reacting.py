"""Reactions and pins."""

from typing import Any

from sandbox import posting
from sandbox.errors import ApiError
from sandbox.messagelog import Message
from sandbox.model import User
from sandbox.world import World

Json = dict[str, Any]


def parse(key: str) -> Json:
    """Return the emoji that a key names: the character itself, or `name:id` for a custom one."""
    name, colon, emoji_id = key.partition(":")
    if colon and emoji_id.isdigit():
        return {"id": emoji_id, "name": name}
    if not key or key.isascii():
        raise ApiError(10014, status=400)
    return {"id": None, "name": key}


def add(world: World, message: Message, user: User, key: str) -> None:
    """Add a user's reaction; a second one changes nothing."""
    emoji = parse(key)
    if key not in message.reactions and emoji["id"] is not None and emoji["id"] not in world.uploads.emojis:
        raise ApiError(10014, status=400)
    if key not in message.reactions and len(message.reactions) >= 20:
        raise ApiError(30010)
    _, users = message.reactions.setdefault(key, (emoji, {}))
    if user.id not in users:
        users[user.id] = None
        _publish_reaction(
            world, message, "MESSAGE_REACTION_ADD", {"user_id": user.id, "emoji": emoji, "burst": False, "type": 0}
        )


def remove(world: World, message: Message, user: User, key: str) -> None:
    """Remove a user's reaction, if there is one."""
    if key not in message.reactions:
        return
    emoji, users = message.reactions[key]
    if user.id in users:
        del users[user.id]
        if not users:
            del message.reactions[key]
        _publish_reaction(
            world, message, "MESSAGE_REACTION_REMOVE", {"user_id": user.id, "emoji": emoji, "burst": False, "type": 0}
        )


def clear(world: World, message: Message, key: str | None = None) -> None:
    """Remove all reactions from a message, or only those with one emoji."""
    if key is None:
        message.reactions.clear()
        _publish_reaction(world, message, "MESSAGE_REACTION_REMOVE_ALL", {})
    elif key in message.reactions:
        emoji, _ = message.reactions.pop(key)
        _publish_reaction(world, message, "MESSAGE_REACTION_REMOVE_EMOJI", {"emoji": emoji})


def pin(world: World, message: Message, by: User) -> None:
    """Pin a message, and post a notice about it in the channel."""
    channel = world.channels[message.channel_id]
    if message.id in channel.pins:
        return
    if len(channel.pins) >= 50:
        raise ApiError(30003)
    channel.pins[message.id] = channel.last_pin = world.now()
    message.json["pinned"] = True
    _publish_pins(world, message)
    reference: Json = {"type": 0, "channel_id": channel.id, "message_id": message.id}
    if channel.guild_id is not None:
        reference["guild_id"] = channel.guild_id
    posting.post(world, channel, by, {}, kind=posting.PIN_NOTICE, extra={"message_reference": reference})


def unpin(world: World, message: Message) -> None:
    """Unpin a message."""
    if world.channels[message.channel_id].pins.pop(message.id, None) is not None:
        message.json["pinned"] = False
        _publish_pins(world, message)


def _publish_pins(world: World, message: Message) -> None:
    channel = world.channels[message.channel_id]
    posting.publish_edit(world, message)
    data: Json = {"channel_id": channel.id, "last_pin_timestamp": channel.last_pin}
    if channel.guild_id is not None:
        data["guild_id"] = channel.guild_id
    world.publish("CHANNEL_PINS_UPDATE", data, channel=channel)


def _publish_reaction(world: World, message: Message, kind: str, extra: Json) -> None:
    channel = world.channels[message.channel_id]
    data: Json = {"channel_id": channel.id, "message_id": message.id, "message_author_id": message.author_id} | extra
    if channel.guild_id is not None:
        data["guild_id"] = channel.guild_id
        member = world.guilds[channel.guild_id].members.get(extra.get("user_id", ""))
        if member is not None and kind == "MESSAGE_REACTION_ADD":
            data["member"] = member.json()
    message.version += 1
    world.publish(kind, data, channel=channel)

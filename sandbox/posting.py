"""Creates, edits and deletes messages, for the bot, interactions and people alike."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sandbox import components, mentions
from sandbox.files import Upload, attach, media
from sandbox.messagelog import COMPONENTS_V2, EPHEMERAL, LOADING, Message, MessageLog
from sandbox.model import Channel, User
from sandbox.world import World

Json = dict[str, Any]

DEFAULT, PIN_NOTICE, THREAD_NOTICE, REPLY, COMMAND_REPLY, THREAD_STARTER, MENU_REPLY = 0, 6, 18, 19, 20, 21, 23
HAS_THREAD = 1 << 5
SENDABLE_FLAGS = 1 << 2 | 1 << 12 | COMPONENTS_V2


def post(
    world: World,
    channel: Channel,
    author: User,
    body: Json,
    uploads: Sequence[Upload] = (),
    *,
    only: str | None = None,
    kind: int = DEFAULT,
    loading: bool = False,
    extra: Json | None = None,
) -> Message:
    """Send a message with a checked body; `only` makes it ephemeral, visible to that person only."""
    message_id = world.ids.next()
    found = mentions.find(world, channel, author.id, body)
    json: Json = {
        "type": kind,
        "content": body.get("content") or "",
        "mentions": [world.users[each].json() for each in found.users],
        "mention_roles": found.roles,
        "mention_everyone": found.everyone,
        "attachments": [],
        "embeds": [],
        "timestamp": world.now(),
        "edited_timestamp": None,
        "flags": (body.get("flags") or 0) & SENDABLE_FLAGS | (EPHEMERAL if only else 0) | (LOADING if loading else 0),
        "components": [],
        "id": message_id,
        "channel_id": channel.id,
        "author": author.json(),
        "pinned": False,
        "tts": bool(body.get("tts")),
    }
    if extra:
        json |= extra
    message = Message(json, channel.guild_id, only)
    _fill(world, message, body, uploads)
    if not loading and not json["flags"] & 1 << 12:
        message.pinged = [*found.users, *found.roles, *(["everyone"] if found.everyone else [])]
    if only is None:
        channel.messages.add(message)
        channel.total_messages += 1
        if channel.archived:
            world.archive(channel, False)
    else:
        channel.private.setdefault(only, MessageLog()).add(message)
        world.private_of.setdefault(only, {})[message_id] = message
        world.ephemerals[message_id] = message
    data = event(world, message)
    if body.get("nonce") is not None:
        data = data | {"nonce": body["nonce"]}
    world.publish("MESSAGE_CREATE", data, channel=channel, only=only)
    return message


def edit(world: World, message: Message, body: Json, uploads: Sequence[Upload] = ()) -> Message:
    """Edit a message with a checked body; edits notify nobody."""
    json = message.json
    channel = world.channels[message.channel_id]
    was_loading = message.thinking
    if was_loading:
        json["flags"] &= ~LOADING
    if "content" in body:
        json["content"] = body["content"] or ""
    if body.get("flags") is not None:
        json["flags"] = json["flags"] & ~(1 << 2) | body["flags"] & (1 << 2 | COMPONENTS_V2)
    if "content" in body or "components" in body:
        found = mentions.find(world, channel, message.author_id, body)
        json["mentions"] = [world.users[each].json() for each in found.users]
        json["mention_roles"] = found.roles
        json["mention_everyone"] = found.everyone
    _fill(world, message, body, uploads)
    if not was_loading:
        json["edited_timestamp"] = world.now()
    publish_edit(world, message)
    return message


def publish_edit(world: World, message: Message) -> None:
    """Publish that a message has changed; nobody sees that of a dismissed one."""
    message.version += 1
    if message.deleted:
        return
    channel = world.channels[message.channel_id]
    world.publish("MESSAGE_UPDATE", event(world, message), channel=channel, only=message.only)


def delete(world: World, message: Message) -> None:
    """Delete a message and its files."""
    world.ephemerals.pop(message.id, None)
    world.uploads.drop(each["id"] for each in message.files)
    take_off_screen(world, message)


def take_off_screen(world: World, message: Message) -> None:
    """Remove a message from every client; one that its only reader dismissed can still be changed by the bot."""
    channel = world.channels[message.channel_id]
    message.deleted = True
    message.version += 1
    if message.only is None:
        channel.messages.remove(message.id)
        channel.pins.pop(message.id, None)
    else:
        channel.private[message.only].remove(message.id)
        world.private_of[message.only].pop(message.id, None)
    data: Json = {"id": message.id, "channel_id": channel.id}
    if message.guild_id is not None:
        data["guild_id"] = message.guild_id
    world.publish("MESSAGE_DELETE", data, channel=channel, only=message.only)


def delete_many(world: World, channel: Channel, messages: Iterable[Message]) -> None:
    """Delete several messages of a channel with one event."""
    gone = list(messages)
    for message in gone:
        message.deleted = True
        world.uploads.drop(each["id"] for each in message.files)
        channel.messages.remove(message.id)
        channel.pins.pop(message.id, None)
    data: Json = {"ids": [each.id for each in gone], "channel_id": channel.id, "guild_id": channel.guild_id}
    world.publish("MESSAGE_DELETE_BULK", data, channel=channel)


def event(world: World, message: Message) -> Json:
    """Return a message as sent in events: with its server and the author's membership."""
    if message.guild_id is None:
        return message.json
    data = message.json | {"guild_id": message.guild_id}
    member = world.guilds[message.guild_id].members.get(message.author_id)
    if member is not None:
        data["member"] = member.json(with_user=False)
    return data


def _fill(world: World, message: Message, body: Json, uploads: Sequence[Upload]) -> None:
    json = message.json
    if "attachments" in body or uploads:
        before = {each["id"] for each in message.files}
        message.files = attach(world, message.channel_id, body.get("attachments"), uploads, message.files)
        for each in message.files if message.only is not None else ():
            each["ephemeral"] = True
        world.uploads.drop(before - {each["id"] for each in message.files})
    files = message.files
    if "embeds" in body:
        json["embeds"] = [_embed(each, files, world) for each in body["embeds"] or ()]
    if "components" in body:
        json["components"] = components.stored(body["components"] or [], lambda url: media(files, url, world))
    # As on Discord: a file that a component or embed shows is not listed a second time.
    shown = {*components.media_urls(json["components"]), *_embed_urls(json["embeds"])} if files else ()
    json["attachments"] = [each for each in files if each["url"] not in shown]


def _embed(embed: Json, files: list[Json], world: World) -> Json:
    kept = {"type": "rich"} | {key: value for key, value in embed.items() if value is not None}
    for key in ("image", "thumbnail"):
        if kept.get(key):
            found, _ = media(files, kept[key].get("url") or "", world)
            kept[key] = {name: found[name] for name in ("url", "proxy_url", "width", "height") if name in found}
    for key in ("author", "footer"):
        if (kept.get(key) or {}).get("icon_url"):
            found, _ = media(files, kept[key]["icon_url"], world)
            kept[key] = kept[key] | {"icon_url": found["url"], "proxy_icon_url": found["proxy_url"]}
    if "fields" in kept:
        kept["fields"] = [{"inline": False} | each for each in kept["fields"]]
    return kept


def _embed_urls(embeds: list[Json]) -> Iterator[str]:
    for embed in embeds:
        yield from (embed[key]["url"] for key in ("image", "thumbnail") if embed.get(key))
        yield from (embed[key]["icon_url"] for key in ("author", "footer") if (embed.get(key) or {}).get("icon_url"))


def typing(world: World, channel: Channel, user: User) -> None:
    """Publish that a user is typing."""
    data: Json = {"channel_id": channel.id, "user_id": user.id, "timestamp": int(world.clock.now())}
    guild = world.guild_of(channel)
    if guild is not None:
        data |= {"guild_id": guild.id, "member": guild.members[user.id].json()}
    world.publish("TYPING_START", data, channel=channel)

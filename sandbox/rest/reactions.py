"""Reactions and pins."""

from typing import Any
from urllib.parse import unquote

from sandbox import reacting
from sandbox.model import Channel
from sandbox.permissions import Permission
from sandbox.rest import access
from sandbox.rest.messages import number
from sandbox.rest.router import Call, Router

Json = dict[str, Any]


def add_routes(router: Router) -> None:
    """Register the routes of reactions and pins."""
    base = "/channels/{channel_id}/messages/{message_id}/reactions"
    router.add("DELETE", base)(clear)
    router.add("GET", f"{base}/{{emoji_name}}")(who)
    router.add("DELETE", f"{base}/{{emoji_name}}")(clear)
    router.add("PUT", f"{base}/{{emoji_name}}/@me")(add)
    router.add("DELETE", f"{base}/{{emoji_name}}/@me")(remove)
    router.add("DELETE", f"{base}/{{emoji_name}}/{{user_id}}")(remove)
    for pins in ("/channels/{channel_id}/messages/pins", "/channels/{channel_id}/pins"):
        router.add("PUT", f"{pins}/{{message_id}}")(pin)
        router.add("DELETE", f"{pins}/{{message_id}}")(unpin)
    router.add("GET", "/channels/{channel_id}/messages/pins")(pinned)
    router.add("GET", "/channels/{channel_id}/pins")(pinned_old)


def add(call: Call) -> None:
    """Add a reaction of the bot."""
    channel, message = access.message(call, Permission.READ_MESSAGE_HISTORY)
    key = _key(call)
    if key not in message.reactions:
        access.check(call, channel, Permission.ADD_REACTIONS)
    reacting.add(call.world, message, call.bot, key)


def remove(call: Call) -> None:
    """Remove the bot's reaction or, with Manage Messages, another user's."""
    channel, message = access.message(call)
    user = call.bot
    if "user_id" in call.params:
        access.check(call, channel, Permission.MANAGE_MESSAGES)
        user = access.user(call)
    reacting.remove(call.world, message, user, _key(call))


def clear(call: Call) -> None:
    """Remove all reactions, or those with one emoji."""
    _, message = access.message(call, Permission.MANAGE_MESSAGES)
    reacting.clear(call.world, message, _key(call) if "emoji_name" in call.params else None)


def who(call: Call) -> list[Json]:
    """Return the users who reacted with an emoji, ordered by id."""
    _, message = access.message(call)
    _, users = message.reactions.get(_key(call), ({}, {}))
    after = int(call.query.get("after", 0))
    found = sorted((each for each in users if int(each) > after), key=int)
    return [call.world.users[each].json() for each in found[: number(call, "limit", 25, 1, 100)]]


def pin(call: Call) -> None:
    """Pin a message."""
    channel, message = access.message(call)
    _may_pin(call, channel)
    reacting.pin(call.world, message, call.bot)


def unpin(call: Call) -> None:
    """Unpin a message."""
    channel, message = access.message(call)
    _may_pin(call, channel)
    reacting.unpin(call.world, message)


def pinned(call: Call) -> Json:
    """Return the pinned messages, latest pin first."""
    channel = access.channel(call, Permission.READ_MESSAGE_HISTORY)
    limit = number(call, "limit", 50, 1, 50)
    before = call.query.get("before", "9")
    pins = [(since, each) for each, since in reversed(channel.pins.items()) if since < before.replace("Z", "+00:00")]
    items = [
        {"pinned_at": since, "message": message.for_viewer(call.bot.id)}
        for since, each in pins[:limit]
        if (message := channel.messages.get(each)) is not None
    ]
    return {"items": items, "has_more": len(pins) > limit}


def pinned_old(call: Call) -> list[Json]:
    """Return the pinned messages in the deprecated format."""
    return [each["message"] for each in pinned(call)["items"]]


def _may_pin(call: Call, channel: Channel) -> None:
    if not call.world.permissions(call.bot.id, channel) & (Permission.MANAGE_MESSAGES | Permission.PIN_MESSAGES):
        access.check(call, channel, Permission.PIN_MESSAGES)


def _key(call: Call) -> str:
    return unquote(call.params["emoji_name"])

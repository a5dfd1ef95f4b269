"""Routes of messages: sending, editing, deleting and reading them."""

from collections.abc import Iterator
from typing import Any

from sandbox import posting
from sandbox.errors import ApiError
from sandbox.files import names
from sandbox.ids import moment
from sandbox.limits import messages as limits
from sandbox.messagelog import COMPONENTS_V2, Message
from sandbox.model import CATEGORY, Channel
from sandbox.permissions import Permission
from sandbox.problems import Invalid, Problem
from sandbox.rest import access
from sandbox.rest.router import Answer, Call, Router

Json = dict[str, Any]

OLD_EDIT_SECONDS = 3600.0
"""Age from which edits of a message are limited more strictly."""
BULK_DELETE_SECONDS = 14 * 86400.0
"""Age beyond which a message cannot be bulk deleted."""


def check_new(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a new message."""
    return limits.check(body, uploads, old=[])


def add_routes(router: Router) -> None:
    """Register the routes of messages."""
    base = "/channels/{channel_id}/messages"
    router.add("GET", base)(page)
    router.add("POST", base, check=check_new)(create)
    router.add("POST", f"{base}/bulk-delete")(bulk_delete)
    router.add("GET", f"{base}/{{message_id}}")(get)
    router.add("PATCH", f"{base}/{{message_id}}")(edit)
    router.add("DELETE", f"{base}/{{message_id}}")(delete)
    router.add("POST", "/channels/{channel_id}/typing")(typing)


def page(call: Call) -> list[Json]:
    """Return messages of a channel, newest first."""
    channel = access.channel(call)
    limit = number(call, "limit", 50, 1, 100)
    if not call.world.permissions(call.bot.id, channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    where = {key: call.query[key] for key in ("before", "after", "around") if key in call.query}
    return [each.for_viewer(call.bot.id) for each in channel.messages.page(limit, **where)]


def create(call: Call) -> Json:
    """Send a message with the bot's token."""
    channel = access.channel(call)
    body, world = call.json, call.world
    writable(call, channel)
    if limits.empty(body, call.uploads):
        raise Invalid(Problem((), "EMPTY_MESSAGE", "Cannot send an empty message"), code=50006)
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        known = world.sent_with_nonce(str(nonce))
        if known is not None and known.deleted:
            raise ApiError(10008)  # as on Discord: repeating a nonce does not restore a deleted message
        if known is not None:
            return known.for_viewer(call.bot.id) | {"nonce": nonce}
    message = posting.post(world, channel, call.bot, body, call.uploads, **reply_to(call, channel))
    if nonce is None:
        return message.json
    world.remember_nonce(str(nonce), message)
    return message.json | {"nonce": nonce}


def get(call: Call) -> Json:
    """Return one message."""
    _, message = access.message(call, Permission.READ_MESSAGE_HISTORY)
    return message.for_viewer(call.bot.id)


def edit(call: Call) -> Json:
    """Edit one of the bot's own messages."""
    channel, message = access.message(call)
    if message.author_id != call.bot.id:
        raise ApiError(50005)
    if channel.archived:
        raise ApiError(50083)
    if call.world.clock.now() - moment(message.id) > OLD_EDIT_SECONDS and not call.rate_limits.count_old_edit(
        channel.id
    ):
        raise ApiError(30046)
    if call.uploads and channel.recipient_id is None:
        access.check(call, channel, Permission.ATTACH_FILES)
    check_against(message, call)
    return posting.edit(call.world, message, call.json, call.uploads).for_viewer(call.bot.id)


def delete(call: Call) -> None:
    """Delete a message; one of another author needs Manage Messages."""
    channel, message = access.message(call)
    if message.author_id != call.bot.id:
        access.check(call, channel, Permission.MANAGE_MESSAGES)
    if channel.archived:
        raise ApiError(50083)
    posting.delete(call.world, message)


def bulk_delete(call: Call) -> None:
    """Delete many messages at once, none older than two weeks."""
    channel = access.channel(call, Permission.MANAGE_MESSAGES)
    ids = [str(each) for each in call.json["messages"]]
    if not 2 <= len(ids) <= 100:
        raise Invalid(Problem(("messages",), "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 100 in length."))
    if any(call.world.clock.now() - moment(each) > BULK_DELETE_SECONDS for each in ids):
        raise ApiError(50034)
    found = [message for each in ids if (message := channel.messages.get(each)) is not None]
    posting.delete_many(call.world, channel, found)


def typing(call: Call) -> Answer:
    """Show that the bot is typing."""
    posting.typing(call.world, access.channel(call), call.bot)
    return Answer(204)


def writable(call: Call, channel: Channel) -> None:
    """Raise unless the bot may send this message here."""
    world, body = call.world, call.json
    if channel.type == CATEGORY:
        raise ApiError(50008)
    if channel.recipient_id is not None:
        person = world.users[channel.recipient_id]
        if not world.guilds_of.get(person.id):
            raise ApiError(50278)
        if not person.dms_open:
            raise ApiError(50007)
        return
    access.check(call, channel, Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES)
    if body.get("embeds"):
        access.check(call, channel, Permission.EMBED_LINKS)
    if call.uploads:
        access.check(call, channel, Permission.ATTACH_FILES)
    check_lock(call, channel)


def check_lock(call: Call, channel: Channel) -> None:
    """Raise if a thread is locked and the bot may not manage threads."""
    if channel.locked and not call.world.permissions(call.bot.id, channel) & Permission.MANAGE_THREADS:
        raise ApiError(50083 if channel.archived else 160005)


def check_against(message: Message, call: Call, path: tuple[str, ...] = ()) -> None:
    """Raise if an edit does not fit the message's current components or attachments."""
    body = call.json["data"] if path else call.json
    is_v2 = bool(message.flags & COMPONENTS_V2)
    if message.thinking:
        is_v2 = False
    problems = list(limits.check(body, call.uploads, path, v2=is_v2, old=message.files))
    becomes_v2 = is_v2 or bool((body.get("flags") or 0) & COMPONENTS_V2)
    if becomes_v2 and not is_v2:
        for key, had in (("content", message.content), ("embeds", message.json["embeds"])):
            if had and key not in body:
                notice = limits.V2_NOTICE.format(key)
                problems.append(Problem((*path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", notice))
    if problems:
        raise Invalid(*problems)
    if len(names(body.get("attachments"), call.uploads, message.files)) > limits.MAX_FILES:
        # The files of earlier edits stay unless `attachments` leaves them out.
        raise Invalid(Problem((*path, "attachments"), "TOO_MANY_FILES", "The message has too many files"), code=30015)
    left = message.json | {key: value for key, value in body.items() if key in message.json}
    if limits.empty(left, call.uploads):
        raise Invalid(Problem(path, "EMPTY_MESSAGE", "Cannot send an empty message"), code=50006)


def reply_to(call: Call, channel: Channel) -> Json:
    """Return the fields that make a message a reply, if its body has a reference."""
    reference = call.json.get("message_reference")
    if not reference:
        return {}
    message_id = str(reference.get("message_id"))
    target = channel.messages.get(message_id)
    if target is None:
        if reference.get("fail_if_not_exists", True):
            problem = Problem(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            raise Invalid(problem)
        return {}
    found: Json = {"type": 0, "channel_id": channel.id, "message_id": message_id}
    if channel.guild_id is not None:
        found["guild_id"] = channel.guild_id
    whole = {key: value for key, value in target.json.items() if key != "referenced_message"}
    return {"kind": posting.REPLY, "extra": {"message_reference": found, "referenced_message": whole}}


def number(call: Call, name: str, default: int, low: int, high: int) -> int:
    """Return a number from the query; raise if it is out of bounds."""
    text = call.query.get(name)
    if text is None:
        return default
    if not text.isdigit() or not low <= int(text) <= high:
        raise Invalid(Problem((name,), "NUMBER_TYPE_RANGE", f"int value should be between {low} and {high}."))
    return int(text)

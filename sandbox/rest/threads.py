"""Routes of threads."""

from collections.abc import Iterator
from typing import Any

from sandbox import posting
from sandbox.errors import ApiError
from sandbox.model import PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, User
from sandbox.permissions import Permission
from sandbox.problems import Invalid, Problem, bad_length, not_a_choice
from sandbox.rest import access
from sandbox.rest.router import Answer, Call, Router

Json = dict[str, Any]

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


def check(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a new thread."""
    if not 1 <= len(body.get("name") or "") <= 100:
        yield bad_length(("name",), 1, 100)
    if body.get("auto_archive_duration") not in (None, *ARCHIVE_MINUTES):
        yield not_a_choice(("auto_archive_duration",), ARCHIVE_MINUTES)


def add_routes(router: Router) -> None:
    """Register the routes of threads."""
    router.add("POST", "/channels/{channel_id}/threads", check=check)(start)
    router.add("POST", "/channels/{channel_id}/messages/{message_id}/threads", check=check)(start_on_message)
    base = "/channels/{channel_id}/thread-members"
    router.add("GET", base)(members)
    router.add("GET", f"{base}/{{user_id}}")(member)
    for who in ("@me", "{user_id}"):
        router.add("PUT", f"{base}/{who}")(join)
        router.add("DELETE", f"{base}/{who}")(leave)
    router.add("GET", "/guilds/{guild_id}/threads/active")(active)
    for kind in ("public", "private"):
        router.add("GET", f"/channels/{{channel_id}}/threads/archived/{kind}")(archived)


def start(call: Call) -> Answer:
    """Open a thread without a starter message."""
    parent = access.channel(call)
    private = call.json.get("type", PRIVATE_THREAD) == PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    access.check(call, parent, needed)
    if parent.type != TEXT:
        raise ApiError(50024)
    thread = call.world.add_thread(parent, call.json["name"], call.bot, private=private)
    _apply_settings(call, thread)
    if not private:
        reference = {"type": 0, "channel_id": thread.id, "guild_id": thread.guild_id}
        extra = {"message_reference": reference}
        posting.post(call.world, parent, call.bot, {"content": thread.name}, kind=posting.THREAD_NOTICE, extra=extra)
    return Answer(201, call.world.thread_json(thread, call.bot.id))


def start_on_message(call: Call) -> Answer:
    """Open a thread on a message; the thread has the same id."""
    parent, message = access.message(call, Permission.CREATE_PUBLIC_THREADS)
    if parent.type != TEXT:
        raise ApiError(50024)
    if message.id in call.world.channels:
        raise ApiError(160004)
    thread = call.world.add_thread(parent, call.json["name"], call.bot, thread_id=message.id)
    _apply_settings(call, thread)
    message.json["flags"] |= posting.HAS_THREAD
    message.json["thread"] = thread.json()
    posting.publish_edit(call.world, message)
    return Answer(201, call.world.thread_json(thread, call.bot.id))


def members(call: Call) -> list[Json]:
    """Return the members of a thread."""
    thread = access.thread(call)
    return [call.world.thread_member_json(thread, each) for each in thread.thread_members]


def member(call: Call) -> Json:
    """Return one membership of a thread."""
    thread = access.thread(call)
    user_id = call.bot.id if call.params["user_id"] == "@me" else call.params["user_id"]
    if user_id not in thread.thread_members:
        raise ApiError(10007)
    return call.world.thread_member_json(thread, user_id)


def join(call: Call) -> None:
    """Add the bot or another user to a thread."""
    thread = access.thread(call)
    if thread.archived:
        raise ApiError(50083)
    user = _user(call)
    guild = call.world.guild_of(thread)
    if guild is None or user.id not in guild.members:
        raise ApiError(10007)
    call.world.join_thread(thread, user)


def leave(call: Call) -> None:
    """Remove the bot or, with Manage Threads, another user from a thread."""
    thread = access.thread(call)
    if thread.archived:
        raise ApiError(50083)
    user = _user(call)
    if user is not call.bot and thread.owner_id != call.bot.id:
        access.check(call, thread, Permission.MANAGE_THREADS)
    call.world.leave_thread(thread, user)


def active(call: Call) -> Json:
    """Return the threads of a server that are not archived."""
    guild = access.guild(call)
    found = [each for each in guild.threads.values() if not each.archived and call.world.can_view(call.bot.id, each)]
    return _listing(call, found)


def archived(call: Call) -> Json:
    """Return the archived threads of a channel, most recently archived first."""
    parent = access.channel(call, Permission.READ_MESSAGE_HISTORY)
    kind = PRIVATE_THREAD if call.path.endswith("private") else PUBLIC_THREAD
    guild = call.world.guild_of(parent)
    threads = [] if guild is None else list(guild.threads.values())
    found = [each for each in threads if each.parent_id == parent.id and each.archived and each.type == kind]
    found.sort(key=lambda each: each.archive_timestamp, reverse=True)
    return _listing(call, found)


def update(call: Call, thread: Channel) -> None:
    """Rename, archive or lock a thread; needs Manage Threads unless the bot opened it."""
    body, world = call.json, call.world
    if thread.owner_id != call.bot.id:
        access.check(call, thread, Permission.MANAGE_THREADS)
    if thread.archived and body.get("archived") is not False:
        raise ApiError(50083)
    if body.get("name") is not None:
        if not 1 <= len(body["name"]) <= 100:
            raise Invalid(bad_length(("name",), 1, 100))
        thread.name = body["name"]
    if body.get("auto_archive_duration") is not None:
        thread.auto_archive_minutes = body["auto_archive_duration"]
    if body.get("rate_limit_per_user") is not None:
        thread.slowmode = body["rate_limit_per_user"]
    if body.get("invitable") is not None:
        thread.invitable = body["invitable"]
    if body.get("locked") is not None:
        thread.locked = body["locked"]
    if body.get("archived") is not None:
        thread.archived = body["archived"]
        thread.archive_timestamp = world.now()
    world.update_channel(thread)


def _apply_settings(call: Call, thread: Channel) -> None:
    thread.auto_archive_minutes = call.json.get("auto_archive_duration") or thread.auto_archive_minutes
    thread.slowmode = call.json.get("rate_limit_per_user") or 0
    if call.json.get("invitable") is not None:
        thread.invitable = call.json["invitable"]


def _user(call: Call) -> User:
    return access.user(call) if "user_id" in call.params else call.bot


def _listing(call: Call, threads: list[Channel]) -> Json:
    mine = [each for each in threads if call.bot.id in each.thread_members]
    return {
        "threads": [call.world.thread_json(each, call.bot.id) for each in threads],
        "members": [call.world.thread_member_json(each, call.bot.id) for each in mine],
        "has_more": False,
    }

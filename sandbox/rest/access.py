"""Look-ups of the objects in a path; each raises the error that Discord would answer with."""

from sandbox.errors import ApiError
from sandbox.messagelog import Message
from sandbox.model import Channel, Guild, Member, Role, User
from sandbox.permissions import Permission
from sandbox.rest.router import Call


def guild(call: Call) -> Guild:
    """Return the server in the path, if the bot is in it."""
    found = call.world.guilds.get(call.params["guild_id"])
    if found is None or call.bot.id not in found.members:
        raise ApiError(10004)
    return found


def channel(call: Call, *needed: Permission) -> Channel:
    """Return the channel in the path, if the bot sees it and has the permissions."""
    found = call.world.channels.get(call.params["channel_id"])
    if found is None:
        raise ApiError(10003)
    check(call, found, *needed)
    return found


def check(call: Call, place: Channel, *needed: Permission) -> None:
    """Raise unless the bot sees the channel (50001) and has the permissions (50013)."""
    granted = call.world.permissions(call.bot.id, place)
    if not granted & Permission.VIEW_CHANNEL:
        raise ApiError(50001)
    for permission in needed:
        if not granted & permission:
            raise ApiError(50013)


def message(call: Call, *needed: Permission) -> tuple[Channel, Message]:
    """Return the message in the path; ephemeral messages are not accessible with the bot's token."""
    place = channel(call, *needed)
    found = place.messages.get(call.params["message_id"])
    if found is None:
        raise ApiError(10008)
    return place, found


def thread(call: Call) -> Channel:
    """Return the thread in the path."""
    found = channel(call)
    if not found.is_thread:
        raise ApiError(50024)
    return found


def user(call: Call) -> User:
    """Return the user in the path; `@me` is the bot."""
    found = call.world.users.get(call.params["user_id"])
    if found is None:
        raise ApiError(10013)
    return found


def member(call: Call) -> tuple[Guild, Member]:
    """Return the member in the path."""
    place = guild(call)
    found = place.members.get(call.params["user_id"])
    if found is None:
        raise ApiError(10007)
    return place, found


def role(call: Call, place: Guild, role_id: str) -> Role:
    """Return a role of a server."""
    found = place.roles.get(role_id)
    if found is None:
        raise ApiError(10011)
    return found

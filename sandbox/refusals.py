"""Checks made before anything is sent, for acts that a real client would not allow."""

from typing import Any

from sandbox import installs
from sandbox.commands import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    CHAT_INPUT,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    USER,
    leaf,
)
from sandbox.files import Upload, attach
from sandbox.messagelog import Message
from sandbox.model import Channel, Role, User
from sandbox.permissions import Permission
from sandbox.world import World

Json = dict[str, Any]


class Refused(Exception):
    """The person's client would not send this; the message says why."""


def require_channel(world: World, user: User, channel: Channel) -> None:
    """Raise `Refused` if the channel is gone or this person cannot see it."""
    if world.channels.get(channel.id) is not channel:
        raise Refused("this channel is gone")
    if not world.can_view(user.id, channel):
        raise Refused("this channel is invisible to this person")


def require_message(world: World, user: User, message: Message) -> Channel:
    """Return the message's channel; raise `Refused` if the message is gone or this person cannot see it."""
    if message.deleted or message.channel_id not in world.channels:
        raise Refused("this message is gone")
    channel = world.channels[message.channel_id]
    require_channel(world, user, channel)
    if message.only not in (None, user.id):
        raise Refused("this message is invisible to this person")
    return channel


def require_permission(world: World, user: User, channel: Channel, permission: Permission) -> None:
    """Raise `Refused` unless the person has the permission in this channel."""
    if not world.permissions(user.id, channel) & permission:
        raise Refused(f"missing permission: {(permission.name or '').lower()}")


def may_use(world: World, user: User, channel: Channel, command: Json) -> bool:
    """Whether a client offers this command to this person in this channel."""
    granted = world.permissions(user.id, channel)
    owners = installs.owners(world, user, channel, command)
    if not owners or (command["nsfw"] and not channel.nsfw):
        return False
    if channel.guild_id is None:
        return True
    if granted & Permission.ADMINISTRATOR:
        return True
    if not granted & Permission.USE_APPLICATION_COMMANDS:
        return False
    if str(installs.GUILD_INSTALL) not in owners:
        return True
    required = command["default_member_permissions"]
    # "0" restricts the command to administrators.
    return required is None or (int(required) != 0 and granted & int(required) == int(required))


def find_command(
    world: World, user: User, channel: Channel, words: str, kind: int = CHAT_INPUT
) -> tuple[Json, list[Json], list[Json]]:
    """Return the named command, the subcommands that lead to it, and its options."""
    require_channel(world, user, channel)
    name, *path = words.split() if kind == CHAT_INPUT else [words]
    for command in world.commands.offered(channel.guild_id):
        if command["name"] == name and command["type"] == kind and installs.owners(world, user, channel, command):
            break
    else:
        raise Refused(f"there is no command /{name} here")
    if not may_use(world, user, channel, command):
        raise Refused(f"/{name} is not allowed for this person here")
    found = leaf(command, path)
    if found is None:
        raise Refused(f"/{words} is not a complete command")
    return command, *found


def fill_options(world: World, channel: Channel, known: list[Json], given: dict[str, Any]) -> tuple[list[Json], Json]:
    """Return the options and `resolved` objects as a client sends them; refuse values its form would not accept."""
    by_name = {option["name"]: option for option in known}
    for name in given:
        if name not in by_name:
            raise Refused(f"the command has no option {name}")
    resolved: Json = {}
    filled = []
    for option in known:
        if option["name"] not in given:
            if option.get("required"):
                raise Refused(f"the option {option['name']} is required")
            continue
        value = _value(world, channel, option, given[option["name"]], resolved)
        filled.append({"name": option["name"], "type": option["type"], "value": value})
    return filled, resolved


def resolve(world: World, channel: Channel, what: Any, resolved: Json) -> str:
    """Add a user, role or channel to the resolved objects and return its id."""
    guild = world.guild_of(channel)
    if isinstance(what, User):
        resolved.setdefault("users", {})[what.id] = what.json()
        member = guild.members.get(what.id) if guild is not None else None
        if guild is not None and member is not None:
            bits = {"permissions": str(guild.permissions(what.id, channel))}
            slim = {key: value for key, value in member.json(with_user=False).items() if key not in ("mute", "deaf")}
            resolved.setdefault("members", {})[what.id] = slim | bits
    elif isinstance(what, Role | Channel) and (
        guild is None or what.id not in {*guild.roles, *guild.channels, *guild.threads}
    ):
        raise Refused(f"{what.name} is not in this server")
    elif isinstance(what, Role):
        resolved.setdefault("roles", {})[what.id] = what.json()
    elif isinstance(what, Channel):
        keys = ("id", "name", "type", "parent_id", "thread_metadata", "flags", "last_message_id")
        slim = {key: value for key, value in what.json().items() if key in keys}
        bits = {"permissions": str(world.permissions(world.bot.id, what))}
        resolved.setdefault("channels", {})[what.id] = slim | bits
    else:
        raise Refused(f"{what!r} is not a user, role or channel")
    return str(what.id)


def _value(world: World, channel: Channel, option: Json, value: Any, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    value = getattr(value, "user", value)  # a Person or Member is replaced by its user
    wanted: dict[int, tuple[type, ...]] = {
        STRING: (str,),
        INTEGER: (int,),
        NUMBER: (int, float),
        BOOLEAN: (bool,),
        USER: (User,),
        CHANNEL: (Channel,),
        ROLE: (Role,),
        MENTIONABLE: (User, Role),
        ATTACHMENT: (Upload,),
    }
    if not isinstance(value, wanted[kind]) or (isinstance(value, bool) and kind != BOOLEAN):
        raise Refused(f"the option {name} does not take {value!r}")
    if kind in (STRING, INTEGER, NUMBER):
        return _plain(option, value)
    if kind == BOOLEAN:
        return value
    if isinstance(value, Upload):
        (attachment,) = attach(world, channel.id, None, [value], [])
        resolved.setdefault("attachments", {})[attachment["id"]] = attachment | {"ephemeral": True}
        return attachment["id"]
    if isinstance(value, Channel) and option.get("channel_types") and value.type not in option["channel_types"]:
        raise Refused(f"the option {name} does not take this kind of channel")
    return resolve(world, channel, value, resolved)


def _plain(option: Json, value: Any) -> Any:
    name = option["name"]
    if option.get("choices"):
        for choice in option["choices"]:
            if value in (choice["value"], choice["name"]):
                return choice["value"]
        raise Refused(f"{value!r} is not a choice of the option {name}")
    low, high = ("min_length", "max_length") if option["type"] == STRING else ("min_value", "max_value")
    size = len(value) if option["type"] == STRING else value
    if option["type"] == STRING and not value:
        raise Refused(f"the option {name} is empty")
    if option.get(low) is not None and size < option[low]:
        raise Refused(f"the option {name} must be at least {option[low]}")
    highest = option.get(high)
    longest = highest if highest is not None else (6000 if option["type"] == STRING else 2**53)
    if size > longest:
        raise Refused(f"the option {name} must be at most {longest}")
    if option["type"] != STRING and abs(value) > 2**53:
        raise Refused(f"the option {name} is out of range")
    return value

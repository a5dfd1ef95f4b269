"""Discord's permission bits, and how roles and overwrites combine them."""

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.model import Channel, Guild, Member


class Permission(IntEnum):
    """Discord's permission bits that the sandbox enforces; combinations are plain integers."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    MANAGE_GUILD_EXPRESSIONS = 1 << 30
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    PIN_MESSAGES = 1 << 51


ALL = (1 << 53) - 1

# The permissions of @everyone in a new server.
EVERYONE = (
    Permission.CREATE_INSTANT_INVITE
    | Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

# The permissions of a person and a bot in a DM.
PRIVATE = EVERYONE & ~Permission.CREATE_PUBLIC_THREADS & ~Permission.CREATE_PRIVATE_THREADS | Permission.PIN_MESSAGES


def in_guild(guild: "Guild", member: "Member") -> int:
    """Return a member's permissions in the server, before channel overwrites."""
    if guild.owner_id == member.user.id:
        return ALL
    granted = guild.roles[guild.id].permissions
    for role_id in member.roles:
        granted |= guild.roles[role_id].permissions
    return ALL if granted & Permission.ADMINISTRATOR else granted


def in_channel(guild: "Guild", member: "Member", channel: "Channel") -> int:
    """Return a member's permissions in a channel; overwrites apply in Discord's order: everyone, roles, member."""
    granted = in_guild(guild, member)
    if granted & Permission.ADMINISTRATOR:
        return ALL
    overwrites = channel.overwrites
    if overwrites:
        granted = _overwritten(granted, overwrites.get(guild.id))
        roles = [overwrites[role_id] for role_id in member.roles if role_id in overwrites]
        granted = granted & ~_union(deny for _, deny in roles) | _union(allow for allow, _ in roles)
        granted = _overwritten(granted, overwrites.get(member.user.id))
    if not granted & Permission.VIEW_CHANNEL:
        return 0
    return granted


def _overwritten(granted: int, overwrite: tuple[int, int] | None) -> int:
    if overwrite is None:
        return granted
    allow, deny = overwrite
    return granted & ~deny | allow


def _union(bits: Iterable[int]) -> int:
    together = 0
    for some in bits:
        together |= some
    return together

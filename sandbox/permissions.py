"""Discord's permission bits, and how roles and overwrites combine them."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum


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


def of_roles(roles: Iterable[int]) -> int:
    """Return what roles grant together in a server."""
    granted = _union(roles)
    return ALL if granted & Permission.ADMINISTRATOR else granted


def in_channel(
    granted: int, overwrites: Mapping[str, tuple[int, int]], guild: str, roles: Sequence[str], user: str
) -> int:
    """Return what is left of a member's permissions in a channel, given those in the server.

    Overwrites are pairs (allowed, denied) by id and apply in Discord's order: everyone, roles, member.
    """
    if granted & Permission.ADMINISTRATOR:
        return ALL
    if overwrites:
        granted = _overwritten(granted, overwrites.get(guild))
        for_roles = [overwrites[role] for role in roles if role in overwrites]
        granted = granted & ~_union(deny for _, deny in for_roles) | _union(allow for allow, _ in for_roles)
        granted = _overwritten(granted, overwrites.get(user))
    return granted if granted & Permission.VIEW_CHANNEL else 0


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

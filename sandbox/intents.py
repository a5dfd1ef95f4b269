"""The intent that each event needs, and hiding message content without the content intent."""

from typing import Any

Json = dict[str, Any]

GUILDS, MEMBERS, PRESENCES, CONTENT = 1 << 0, 1 << 1, 1 << 8, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | CONTENT
ALL = (1 << 26) - 1

# event -> (the intent in a server, the intent in a DM)
NEEDED: dict[str, tuple[int, int]] = {
    "GUILD_MEMBER_ADD": (MEMBERS, 0),
    "GUILD_MEMBER_UPDATE": (MEMBERS, 0),
    "GUILD_MEMBER_REMOVE": (MEMBERS, 0),
    "MESSAGE_CREATE": (1 << 9, 1 << 12),
    "MESSAGE_UPDATE": (1 << 9, 1 << 12),
    "MESSAGE_DELETE": (1 << 9, 1 << 12),
    "MESSAGE_DELETE_BULK": (1 << 9, 1 << 12),
    "MESSAGE_REACTION_ADD": (1 << 10, 1 << 13),
    "MESSAGE_REACTION_REMOVE": (1 << 10, 1 << 13),
    "MESSAGE_REACTION_REMOVE_ALL": (1 << 10, 1 << 13),
    "MESSAGE_REACTION_REMOVE_EMOJI": (1 << 10, 1 << 13),
    "TYPING_START": (1 << 11, 1 << 14),
    "CHANNEL_PINS_UPDATE": (GUILDS, 1 << 12),
    "CHANNEL_CREATE": (GUILDS, 0),  # bots get no event for new DMs
}
HIDDEN: Json = {"content": "", "embeds": [], "attachments": [], "components": []}


def wanted(kind: str, intents: int, *, in_guild: bool) -> bool:
    """Whether a session with these intents receives the event."""
    if kind.startswith("INTERACTION_"):
        return True
    return bool(NEEDED.get(kind, (GUILDS, GUILDS))[0 if in_guild else 1] & intents)


def visible_part(kind: str, data: Json, intents: int, bot_id: str) -> Json:
    """Return the event without the message content that the bot may not read.

    It may read its own messages, DMs and messages that mention it.
    """
    if intents & CONTENT or kind not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or "guild_id" not in data:
        return data
    if data["author"]["id"] == bot_id or any(each["id"] == bot_id for each in data["mentions"]):
        return data
    return data | HIDDEN

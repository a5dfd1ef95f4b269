"""Names the Discord error codes that the bot acts on."""

from __future__ import annotations

from typing import Final

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MEMBER: Final = 10007
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
UNKNOWN_EMOJI: Final = 10014
TOO_MANY_EDITS: Final = 30046
DMS_TOO_FAST: Final = 40003
NO_ACCESS: Final = 50001
NO_PERMISSION: Final = 50013
INVALID_FORM: Final = 50035
ARCHIVED: Final = 50083
NO_SHARED_GUILD: Final = 50278
LOCKED: Final = 160005
DMS_CLOSED: Final = (50007, NO_SHARED_GUILD)
"""The user accepts no DMs from the bot."""
FILTERED: Final = (200000, 240000)
"""A content filter, the guild's or Discord's, refuses the message."""
CHANNEL_CLOSED: Final = (UNKNOWN_CHANNEL, NO_ACCESS, NO_PERMISSION, ARCHIVED, LOCKED)
"""Every message in the channel would be refused; any other refusal concerns one message alone."""

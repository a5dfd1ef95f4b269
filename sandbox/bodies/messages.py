"""The fields of new messages, edits and interaction responses."""

from sandbox.bodies.components import IN_MESSAGE, MAX_URL_CHARACTERS
from sandbox.bodies.kinds import (
    ID,
    MAX_COLOUR,
    TRUTH,
    Json,
    choice,
    either,
    fields,
    integer,
    list_of,
    text,
)

MAX_FILE_NAME_CHARACTERS = 1024
"""Cap on the characters of a file name or title."""
MAX_POLL_HOURS = 768
"""Longest duration of a poll, in hours."""
MAX_STICKERS = 3
"""Cap on stickers per message."""

LINK = text(longest=MAX_URL_CHARACTERS)

_PICTURE = fields({}, {"url": LINK})
EMBED = fields(
    {},
    {
        "type": text(),
        "title": text(),
        "description": text(),
        "url": LINK,
        "timestamp": text(),
        "color": integer(0, MAX_COLOUR),
        "author": fields({}, {"name": text(), "url": LINK, "icon_url": LINK}),
        "footer": fields({}, {"text": text(), "icon_url": LINK}),
        "image": _PICTURE,
        "thumbnail": _PICTURE,
        "fields": list_of(fields({"name": text(), "value": text()}, {"inline": TRUTH})),
        "flags": integer(0),  # sent by discord.py, ignored by Discord
    },
)

ALLOWED_MENTIONS = fields(
    {},
    {
        "parse": list_of(choice("users", "roles", "everyone"), uniqueItems=True),
        "users": list_of(ID, uniqueItems=True),
        "roles": list_of(ID, uniqueItems=True),
        "replied_user": TRUTH,
    },
)

# To keep a file, discord.py sends back every field it has; Discord ignores these.
_KNOWN_OF_A_FILE = {
    "url": LINK,
    "proxy_url": LINK,
    "content_type": text(),
    "size": integer(0),
    "width": integer(0),
    "height": integer(0),
    "spoiler": TRUTH,
}
ATTACHMENT = fields(
    {"id": ID},
    _KNOWN_OF_A_FILE
    | {
        "filename": text(shortest=1, longest=MAX_FILE_NAME_CHARACTERS),
        "description": text(),
        "title": text(longest=MAX_FILE_NAME_CHARACTERS),
        "is_spoiler": TRUTH,
    },
)

_POLL_WORDS = fields(
    {},
    {
        "text": text(shortest=1, longest=300),
        "emoji": fields({}, {"id": ID, "name": text(longest=32), "animated": TRUTH}),
    },
)
POLL = fields(
    {"question": _POLL_WORDS, "answers": list_of(fields({"poll_media": _POLL_WORDS}), minItems=1, maxItems=10)},
    {"duration": integer(1, MAX_POLL_HOURS), "allow_multiselect": TRUTH, "layout_type": choice(1)},
)

REPLY_TO = fields(
    {"message_id": ID}, {"type": choice(0), "channel_id": ID, "guild_id": ID, "fail_if_not_exists": TRUTH}
)

_SHOWN: Json = {
    "content": text(),
    "embeds": list_of(EMBED),
    "components": IN_MESSAGE,
    "attachments": list_of(ATTACHMENT),
    "allowed_mentions": ALLOWED_MENTIONS,
    "flags": integer(0),
}

NEW = fields(
    {},
    _SHOWN
    | {
        "nonce": either(text(), integer(-(2**63), 2**63 - 1)),
        "enforce_nonce": TRUTH,
        "tts": TRUTH,
        "poll": POLL,
        "sticker_ids": list_of(ID, maxItems=MAX_STICKERS),
        "message_reference": REPLY_TO,
    },
)
FOLLOW_UP = fields({}, _SHOWN | {"tts": TRUTH, "poll": POLL})
# discord.py also sends `tts` with edits, where it has no effect.
EDIT = fields({}, _SHOWN | {"tts": TRUTH})

"""The fields of new messages, edits and interaction responses."""

from sandbox.bodies.components import IN_MESSAGE, MAX_URL_CHARACTERS
from sandbox.bodies.kinds import (
    BOOLEAN,
    ID,
    MAX_COLOUR,
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
        "fields": list_of(fields({"name": text(), "value": text()}, {"inline": BOOLEAN})),
        "flags": integer(0),  # sent by discord.py, ignored by Discord
    },
)

ALLOWED_MENTIONS = fields(
    {},
    {
        "parse": list_of(choice("users", "roles", "everyone"), uniqueItems=True),
        "users": list_of(ID, uniqueItems=True),
        "roles": list_of(ID, uniqueItems=True),
        "replied_user": BOOLEAN,
    },
)

# To keep a file, discord.py sends back every field that it knows of it; Discord ignores these.
_ECHOED_FILE_FIELDS = {
    "url": LINK,
    "proxy_url": LINK,
    "content_type": text(),
    "size": integer(0),
    "width": integer(0),
    "height": integer(0),
    "spoiler": BOOLEAN,
}
ATTACHMENT = fields(
    {"id": ID},
    _ECHOED_FILE_FIELDS
    | {
        "filename": text(shortest=1, longest=MAX_FILE_NAME_CHARACTERS),
        "description": text(),
        "title": text(longest=MAX_FILE_NAME_CHARACTERS),
        "is_spoiler": BOOLEAN,
    },
)

_POLL_TEXT = fields(
    {},
    {
        "text": text(shortest=1, longest=300),
        "emoji": fields({}, {"id": ID, "name": text(longest=32), "animated": BOOLEAN}),
    },
)
POLL = fields(
    {"question": _POLL_TEXT, "answers": list_of(fields({"poll_media": _POLL_TEXT}), minItems=1, maxItems=10)},
    {"duration": integer(1, MAX_POLL_HOURS), "allow_multiselect": BOOLEAN, "layout_type": choice(1)},
)

REPLY_TO = fields(
    {"message_id": ID}, {"type": choice(0), "channel_id": ID, "guild_id": ID, "fail_if_not_exists": BOOLEAN}
)

_CONTENT: Json = {
    "content": text(),
    "embeds": list_of(EMBED),
    "components": IN_MESSAGE,
    "attachments": list_of(ATTACHMENT),
    "allowed_mentions": ALLOWED_MENTIONS,
    "flags": integer(0),
}

NEW = fields(
    {},
    _CONTENT
    | {
        "nonce": either(text(), integer(-(2**63), 2**63 - 1)),
        "enforce_nonce": BOOLEAN,
        "tts": BOOLEAN,
        "poll": POLL,
        "sticker_ids": list_of(ID, maxItems=MAX_STICKERS),
        "message_reference": REPLY_TO,
    },
)
FOLLOW_UP = fields({}, _CONTENT | {"tts": BOOLEAN, "poll": POLL})
# discord.py also sends `tts` with edits, where it has no effect.
EDIT = fields({}, _CONTENT | {"tts": BOOLEAN})

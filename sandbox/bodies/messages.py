"""The fields of messages: new ones, edits, and those that answer an interaction."""

from sandbox.bodies.components import IN_MESSAGE, LONGEST_URL
from sandbox.bodies.kinds import (
    HIGHEST_COLOUR,
    ID,
    TRUTH,
    Json,
    choice,
    either,
    fields,
    integer,
    list_of,
    text,
)

LONGEST_FILE_NAME = 1024
LONGEST_POLL_HOURS = 768
MOST_STICKERS = 3

LINK = text(longest=LONGEST_URL)

_PICTURE = fields({}, {"url": LINK})
EMBED = fields(
    {},
    {
        "type": text(),
        "title": text(),
        "description": text(),
        "url": LINK,
        "timestamp": text(),
        "color": integer(0, HIGHEST_COLOUR),
        "author": fields({}, {"name": text(), "url": LINK, "icon_url": LINK}),
        "footer": fields({}, {"text": text(), "icon_url": LINK}),
        "image": _PICTURE,
        "thumbnail": _PICTURE,
        "fields": list_of(fields({"name": text(), "value": text()}, {"inline": TRUTH})),
        "flags": integer(0),  # discord.py says them, Discord passes over them
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

# discord.py keeps a file by sending back all that it knows of it; Discord passes over these fields.
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
        "filename": text(shortest=1, longest=LONGEST_FILE_NAME),
        "description": text(),
        "title": text(longest=LONGEST_FILE_NAME),
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
    {"duration": integer(1, LONGEST_POLL_HOURS), "allow_multiselect": TRUTH, "layout_type": choice(1)},
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
        "sticker_ids": list_of(ID, maxItems=MOST_STICKERS),
        "message_reference": REPLY_TO,
    },
)
FOLLOW_UP = fields({}, _SHOWN | {"tts": TRUTH, "poll": POLL})
# discord.py says `tts` in edits, too, where it means nothing.
EDIT = fields({}, _SHOWN | {"tts": TRUTH})

"""The fields of DMs, threads, channels, roles and application emojis."""

from sandbox.bodies.kinds import BOOLEAN, ID, MAX_COLOUR, PERMISSIONS, choice, fields, integer, list_of, text

MAX_SLOWMODE_SECONDS = 21_600
"""Longest slowmode delay between two messages of one person, in seconds."""

DM = fields({"recipient_id": ID})

_SLOWMODE = integer(0, MAX_SLOWMODE_SECONDS)
_ARCHIVE_MINUTES = choice(60, 1440, 4320, 10_080)
_NEW_THREAD = {"auto_archive_duration": _ARCHIVE_MINUTES, "rate_limit_per_user": _SLOWMODE}
THREAD_ON_MESSAGE = fields({"name": text()}, _NEW_THREAD)
THREAD = fields({"name": text()}, _NEW_THREAD | {"type": choice(10, 11, 12), "invitable": BOOLEAN})

_OVERWRITE = {"type": choice(0, 1), "allow": PERMISSIONS, "deny": PERMISSIONS}
# The id is also in the path; discord.py sends it twice.
OVERWRITE = fields({}, _OVERWRITE | {"id": ID})
_CHANNEL = {
    "type": choice(0, 2, 4, 5, 13, 14, 15),
    "position": integer(0),
    "topic": text(),
    "nsfw": BOOLEAN,
    "rate_limit_per_user": _SLOWMODE,
    "parent_id": ID,
    "permission_overwrites": list_of(fields({"id": ID}, _OVERWRITE), maxItems=100),
    "default_auto_archive_duration": _ARCHIVE_MINUTES,
    "default_thread_rate_limit_per_user": _SLOWMODE,
}
NEW_CHANNEL = fields({"name": text()}, _CHANNEL)
# The same route edits channels and threads.
CHANNEL = fields(
    {},
    _CHANNEL
    | {
        "name": text(),
        "archived": BOOLEAN,
        "locked": BOOLEAN,
        "invitable": BOOLEAN,
        "auto_archive_duration": _ARCHIVE_MINUTES,
        "flags": integer(0),
    },
)

ROLE = fields(
    {},
    {
        "name": text(shortest=1, longest=100),
        "permissions": PERMISSIONS,
        "color": integer(0, MAX_COLOUR),
        "colors": fields(
            {},
            {key: integer(0, MAX_COLOUR) for key in ("primary_color", "secondary_color", "tertiary_color")},
        ),
        "hoist": BOOLEAN,
        "mentionable": BOOLEAN,
    },
)

NEW_EMOJI = fields({"name": text(), "image": text()})
EMOJI = fields({}, never_null={"name": text()})

DELETED_MESSAGES = fields({"messages": list_of(ID, uniqueItems=True)})

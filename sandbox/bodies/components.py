"""The fields of message and modal components."""

from sandbox import components as types
from sandbox.bodies.kinds import (
    BOOLEAN,
    ID,
    MAX_COLOUR,
    MAX_INT32,
    Json,
    choice,
    either,
    fields,
    integer,
    list_of,
    text,
)

CHANNEL_TYPES = choice(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15)
MAX_URL_CHARACTERS = 2048
"""Cap on the characters of a URL."""
MAX_UPLOADS = 10
"""Cap on the files in one upload field, and on the ticked boxes in one checkbox group."""


def component(kind: int, needed: Json | None = None, optional: Json | None = None) -> Json:
    """Describe a component by its type and its own fields."""
    return fields({"type": choice(kind), **(needed or {})}, {"id": integer(0, MAX_INT32), **(optional or {})})


EMOJI = fields({"name": text(longest=32)}, {"id": ID, "animated": BOOLEAN})
MEDIA = fields({"url": text(longest=MAX_URL_CHARACTERS)})

BUTTON = component(
    types.BUTTON,
    {"style": choice(1, 2, 3, 4, 5, 6)},
    {"label": text(), "emoji": EMOJI, "custom_id": text(shortest=1), "sku_id": ID, "url": text(), "disabled": BOOLEAN},
)

OPTION = fields({"label": text(), "value": text()}, {"description": text(), "default": BOOLEAN})
OPTION_WITH_EMOJI = fields(
    {"label": text(), "value": text()}, {"description": text(), "default": BOOLEAN, "emoji": EMOJI}
)


def _select(kind: int, needed: Json | None = None, optional: Json | None = None) -> Json:
    common = {
        "placeholder": text(),
        "min_values": integer(),
        "max_values": integer(),
        "disabled": BOOLEAN,
        "required": BOOLEAN,
    }
    return component(kind, {"custom_id": text(), **(needed or {})}, common | (optional or {}))


def _default_values(*kinds: str) -> Json:
    return {"default_values": list_of(fields({"id": ID, "type": choice(*kinds)}))}


SELECTS = (
    _select(types.STRING_SELECT, {"options": list_of(OPTION_WITH_EMOJI)}),
    _select(types.USER_SELECT, optional=_default_values("user")),
    _select(types.ROLE_SELECT, optional=_default_values("role")),
    _select(types.MENTIONABLE_SELECT, optional=_default_values("user", "role")),
    _select(
        types.CHANNEL_SELECT,
        optional=_default_values("channel") | {"channel_types": list_of(CHANNEL_TYPES, uniqueItems=True)},
    ),
)

ROW = component(types.ROW, {"components": list_of(either(BUTTON, *SELECTS))})
TEXT = component(types.TEXT, {"content": text()})
_PICTURE = {"description": text(shortest=1), "spoiler": BOOLEAN}
THUMBNAIL = component(types.THUMBNAIL, {"media": MEDIA}, _PICTURE)
SECTION = component(types.SECTION, {"components": list_of(TEXT), "accessory": either(BUTTON, THUMBNAIL)})
GALLERY = component(types.GALLERY, {"items": list_of(fields({"media": MEDIA}, _PICTURE))})
FILE = component(types.FILE, {"file": MEDIA}, {"spoiler": BOOLEAN})
SEPARATOR = component(types.SEPARATOR, optional={"divider": BOOLEAN, "spacing": choice(1, 2)})
CONTAINER = component(
    types.CONTAINER,
    {"components": list_of(either(ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR))},
    {"accent_color": integer(0, MAX_COLOUR), "spoiler": BOOLEAN},
)
IN_MESSAGE = list_of(either(ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER))

TEXT_INPUT = component(
    types.TEXT_INPUT,
    {"custom_id": text(), "style": choice(1, 2)},
    {
        "label": text(shortest=1),
        "value": text(),
        "placeholder": text(),
        "required": BOOLEAN,
        "min_length": integer(),
        "max_length": integer(),
    },
)
_COUNTS = {"min_values": integer(0, MAX_UPLOADS), "max_values": integer(1, MAX_UPLOADS), "required": BOOLEAN}
FILE_UPLOAD = component(types.FILE_UPLOAD, {"custom_id": text()}, _COUNTS)
RADIO_GROUP = component(types.RADIO_GROUP, {"custom_id": text(), "options": list_of(OPTION)}, {"required": BOOLEAN})
CHECKBOX_GROUP = component(types.CHECKBOX_GROUP, {"custom_id": text(), "options": list_of(OPTION)}, _COUNTS)
CHECKBOX = component(types.CHECKBOX, {"custom_id": text()}, {"default": BOOLEAN})
LABEL = component(
    types.LABEL,
    {
        "label": text(),
        "component": either(TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX),
    },
    {"description": text(shortest=1)},
)
IN_MODAL = list_of(either(LABEL, TEXT, component(types.ROW, {"components": list_of(TEXT_INPUT)})))

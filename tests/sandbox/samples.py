"""Valid requests, at least one for every route with a body, and functions that break them."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

from sandbox.files import Upload

Json = dict[str, Any]
Path = tuple[str | int, ...]

V2 = 1 << 15
SOMEBODY = 123456789012345678
FILE = Upload(0, "feather.png", "image/png", b"png")

BUTTON: Json = {
    "type": 2,
    "style": 1,
    "label": "Join",
    "emoji": {"id": None, "name": "🪶"},
    "custom_id": "join",
    "disabled": False,
}
LINK: Json = {"type": 2, "style": 5, "label": "Rules", "url": "https://example.org/", "disabled": False}
CUSTOM_EMOJI: Json = {"id": str(SOMEBODY), "name": "coyote", "animated": False}
SELECT: Json = {
    "type": 3,
    "custom_id": "edition",
    "placeholder": "Edition",
    "min_values": 1,
    "max_values": 1,
    "disabled": False,
    "required": True,
    "options": [
        {"label": "Peek", "value": "peek", "description": "Look once", "default": True, "emoji": CUSTOM_EMOJI},
        {"label": "Scout", "value": "scout"},
    ],
}


def _object_select(kind: int, *chosen: str, **more: Any) -> Json:
    defaults = [{"id": str(SOMEBODY + number), "type": each} for number, each in enumerate(chosen)]
    common = {key: SELECT[key] for key in ("placeholder", "min_values", "disabled", "required")}
    return {"type": kind, "custom_id": f"pick{kind}", "max_values": 5, "default_values": defaults} | common | more


def _numbered(components: list[Json]) -> list[Json]:
    """Give every component its own id, as a bot may."""
    numbers = itertools.count(1)

    def numbered(component: Json) -> Json:
        own = component | {"id": next(numbers)}
        for key in own.keys() & {"accessory", "component"}:
            own[key] = numbered(own[key])
        if "components" in own:
            own["components"] = [numbered(each) for each in own["components"]]
        return own

    return [numbered(each) for each in components]


PICKERS: list[Json] = [
    _object_select(5, "user"),
    _object_select(6, "role"),
    _object_select(7, "user", "role"),
    _object_select(8, "channel", channel_types=[0, 11]),
]
BUY: Json = {"type": 2, "style": 6, "sku_id": str(SOMEBODY)}
COMPONENTS: list[Json] = [
    {"type": 10, "content": "A round of Coyote"},
    {
        "type": 17,
        "accent_color": 0xD9A441,
        "spoiler": False,
        "components": [
            {"type": 10, "content": "It is Ana's turn."},
            {"type": 14, "divider": True, "spacing": 2},
            {
                "type": 9,
                "components": [{"type": 10, "content": "Feathers"}],
                "accessory": {
                    "type": 11,
                    "media": {"url": "https://example.org/feather.png"},
                    "description": "A feather",
                    "spoiler": False,
                },
            },
            {"type": 1, "components": [BUTTON, LINK, BUY]},
            {"type": 1, "components": [SELECT]},
        ],
    },
    {
        "type": 12,
        "items": [{"media": {"url": "attachment://feather.png"}, "description": "A feather", "spoiler": True}],
    },
    {"type": 13, "file": {"url": "attachment://feather.png"}, "spoiler": False},
    *({"type": 1, "components": [each]} for each in PICKERS),
]
QUIET: Json = {"parse": [], "users": [str(SOMEBODY)], "roles": [SOMEBODY], "replied_user": False}
EMBED: Json = {
    "type": "rich",
    "title": "Coyote",
    "description": "A game of bluffing",
    "url": "https://example.org/",
    "timestamp": "2026-11-18T12:00:00+00:00",
    "color": 0xD9A441,
    "author": {"name": "Ana", "url": "https://example.org/ana", "icon_url": "https://example.org/ana.png"},
    "footer": {"text": "Round 2", "icon_url": "https://example.org/foot.png"},
    "image": {"url": "https://example.org/table.png"},
    "thumbnail": {"url": "https://example.org/small.png"},
    "fields": [{"name": "Ana", "value": "3 lives", "inline": True}],
    "flags": 0,
}
ATTACHMENT: Json = {
    "id": 0,
    "filename": "feather.png",
    "description": "A feather",
    "title": "Feather",
    "is_spoiler": False,
}
KEPT: Json = {
    "id": SOMEBODY,
    "filename": "old.png",
    "url": "https://example.org/old.png",
    "proxy_url": "https://example.org/old.png",
    "content_type": "image/png",
    "size": 3,
    "width": 1,
    "height": 1,
    "spoiler": False,
}
OLD_FILE: Json = {key: KEPT[key] for key in ("filename", "url")} | {"id": str(SOMEBODY)}
POLL: Json = {
    "question": {"text": "Another round?", "emoji": {"id": None, "name": "🪶"}},
    "answers": [{"poll_media": {"text": "Yes", "emoji": CUSTOM_EMOJI}}, {"poll_media": {"text": "No"}}],
    "duration": 24,
    "allow_multiselect": False,
    "layout_type": 1,
}
SCREEN: Json = {
    "components": _numbered(COMPONENTS),
    "flags": V2,
    "attachments": [ATTACHMENT],
    "allowed_mentions": QUIET,
}
PLAIN: Json = {
    "content": "Hello",
    "embeds": [EMBED],
    "components": [{"type": 1, "components": [BUTTON]}],
    "flags": 64,
    "tts": False,
    "attachments": [ATTACHMENT],
    "allowed_mentions": {"parse": ["users", "roles"]},
}
EDITED: Json = PLAIN | {"attachments": [KEPT, ATTACHMENT]}

TEXT_INPUT: Json = {
    "type": 4,
    "custom_id": "name",
    "style": 1,
    "label": None,
    "value": "Ana",
    "placeholder": "A name",
    "required": True,
    "min_length": 1,
    "max_length": 40,
}
TWO_OPTIONS: list[Json] = [
    {"label": "Yes", "value": "y", "description": "Do it", "default": True},
    {"label": "No", "value": "n"},
]
# A modal has at most five fields.
MODALS: list[list[Json]] = [
    [
        TEXT_INPUT,
        {**SELECT, "custom_id": "s"},
        {"type": 19, "custom_id": "f", "min_values": 0, "max_values": 2, "required": False},
        {"type": 21, "custom_id": "r", "options": TWO_OPTIONS, "required": True},
        {"type": 22, "custom_id": "g", "options": TWO_OPTIONS, "min_values": 0, "max_values": 2, "required": False},
    ],
    [{"type": 23, "custom_id": "c", "default": True}, *PICKERS],
]


def _modal(parts: list[Json]) -> Json:
    labels = [{"type": 18, "label": "A field", "description": "What it is for", "component": part} for part in parts]
    return {"type": 9, "data": {"custom_id": "form", "title": "House rules", "components": _numbered(labels)}}


OLD_MODAL: Json = {
    "custom_id": "form",
    "title": "House rules",
    "components": _numbered(
        [
            {"type": 10, "content": "Please fill this in."},
            {"type": 1, "components": [{**TEXT_INPUT, "label": "Name"}]},
        ]
    ),
}

_WORDS: Json = {
    "name_localizations": {"de": "neu"},
    "description_localizations": {"de": "Ein neuer Tisch"},
}


def _option(kind: int, **more: Any) -> Json:
    return {
        "type": kind,
        "name": f"option{kind}",
        "description": "Something to say",
        "required": False,
        **_WORDS,
        **more,
    }


VALUES: list[Json] = [
    _option(
        3,
        choices=[{"name": "Peek", "value": "peek", "name_localizations": {"de": "Blick"}}],
        min_length=1,
        max_length=9,
    ),
    *({"type": kind, "name": f"asked{kind}", "description": "Asked", "autocomplete": True} for kind in (3, 4, 10)),
    _option(4, choices=[{"name": "One", "value": 1}], min_value=1, max_value=5),
    _option(10, choices=[{"name": "Half", "value": 0.5}], min_value=0.5, max_value=5),
    *(_option(kind) for kind in (5, 6, 8, 9, 11)),
    _option(7, channel_types=[0, 11]),
]
COMMAND: Json = {
    "type": 1,
    "name": "coyote",
    "description": "Play Coyote",
    **_WORDS,
    "default_member_permissions": 32,
    "dm_permission": False,
    "contexts": [0],
    "integration_types": [0],
    "nsfw": False,
    "options": [
        {"type": 1, "name": "new", "description": "Open a table", **_WORDS, "options": VALUES},
        {
            "type": 2,
            "name": "house",
            "description": "House rules",
            **_WORDS,
            "options": [{"type": 1, "name": "show", "description": "Show them", "options": []}],
        },
    ],
}
FLAT_COMMAND: Json = {"name": "stats", "description": "Your figures", "options": VALUES, "contexts": None}
THREAD: Json = {"name": "table", "auto_archive_duration": 1440, "rate_limit_per_user": 5}
CHANNEL: Json = {
    "name": "games",
    "type": 0,
    "position": 1,
    "topic": "Coyote",
    "nsfw": False,
    "rate_limit_per_user": 5,
    "parent_id": SOMEBODY,
    "permission_overwrites": [{"id": SOMEBODY, "type": 0, "allow": "0", "deny": 2048}],
    "default_auto_archive_duration": 60,
    "default_thread_rate_limit_per_user": 0,
}
ROLE: Json = {
    "name": "Players",
    "permissions": "16",
    "color": 0xD9A441,
    "colors": {"primary_color": 0xD9A441, "secondary_color": None, "tertiary_color": None},
    "hoist": True,
    "mentionable": False,
}

_CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
_APPLICATION = "/applications/{application_id}"
_EDITS = (
    "PATCH /channels/{channel_id}/messages/{message_id}",
    f"PATCH {_WEBHOOK}/messages/@original",
    f"PATCH {_WEBHOOK}/messages/{{message_id}}",
)

SAMPLES: list[tuple[str, Any]] = [
    ("POST /channels/{channel_id}/messages", SCREEN | {"nonce": "a1", "enforce_nonce": True}),
    (
        "POST /channels/{channel_id}/messages",
        PLAIN
        | {
            "nonce": 5,
            "sticker_ids": [SOMEBODY],
            "message_reference": {
                "type": 0,
                "message_id": SOMEBODY,
                "channel_id": SOMEBODY,
                "guild_id": SOMEBODY,
                "fail_if_not_exists": False,
            },
            "poll": POLL,
        },
    ),
    *((route, body) for route in _EDITS for body in (SCREEN, EDITED)),
    (f"POST {_WEBHOOK}", SCREEN),
    (f"POST {_WEBHOOK}", PLAIN | {"poll": POLL}),
    (_CALLBACK, {"type": 4, "data": SCREEN}),
    (_CALLBACK, {"type": 4, "data": PLAIN | {"poll": POLL}}),
    (_CALLBACK, {"type": 5, "data": {"flags": 64}}),
    (_CALLBACK, {"type": 6}),
    (_CALLBACK, {"type": 7, "data": SCREEN}),
    (_CALLBACK, {"type": 7, "data": EDITED}),
    *(
        (
            _CALLBACK,
            {"type": 8, "data": {"choices": [{"name": "A", "value": value, "name_localizations": {"de": "Ä"}}]}},
        )
        for value in ("a", 1, 0.5)
    ),
    *((_CALLBACK, _modal(parts)) for parts in MODALS),
    (_CALLBACK, {"type": 9, "data": OLD_MODAL}),
    ("POST /users/@me/channels", {"recipient_id": SOMEBODY}),
    ("POST /channels/{channel_id}/threads", THREAD | {"type": 11, "invitable": True}),
    ("POST /channels/{channel_id}/messages/{message_id}/threads", THREAD),
    ("PATCH /channels/{channel_id}", {"archived": False}),
    (
        "PATCH /channels/{channel_id}",
        {
            "name": "table",
            "archived": True,
            "locked": True,
            "invitable": False,
            "auto_archive_duration": 60,
            "flags": 2,
        },
    ),
    ("PATCH /channels/{channel_id}", CHANNEL),
    ("POST /guilds/{guild_id}/channels", CHANNEL),
    ("PUT /channels/{channel_id}/permissions/{overwrite_id}", {"id": SOMEBODY, "type": 1, "allow": "0", "deny": 8}),
    ("POST /channels/{channel_id}/messages/bulk-delete", {"messages": [SOMEBODY, str(SOMEBODY + 1)]}),
    ("POST /guilds/{guild_id}/roles", ROLE),
    ("PATCH /guilds/{guild_id}/roles/{role_id}", ROLE),
    (f"POST {_APPLICATION}/emojis", {"name": "coyote", "image": "data:image/png;base64,AAAA"}),
    (f"PATCH {_APPLICATION}/emojis/{{emoji_id}}", {"name": "coyote"}),
    *(
        (f"{method} {_APPLICATION}{scope}/commands{which}", body)
        for scope in ("", "/guilds/{guild_id}")
        for method, which, body in (
            ("PUT", "", [COMMAND | {"id": SOMEBODY}, FLAT_COMMAND, {"type": 2, "name": "Look", "options": []}]),
            ("POST", "", COMMAND),
            ("PATCH", "/{command_id}", {key: value for key, value in COMMAND.items() if key != "type"}),
        )
    ),
]

WRONG_VALUES: tuple[Any, ...] = (None, True, 0, -1, 99, 7.5, 2**70, "", "x", "x" * 7000, [], [None], {}, {"x": 1})
"""Values of every JSON type, including some beyond all limits."""
MORE_THAN_ANY_LIST = 131


def spoiled(body: Any) -> Iterator[tuple[str, Any]]:
    """Yield broken variants of a body, each with a description of the one change."""
    for path in _places(body):
        where = ".".join(map(str, path)) or "(body)"
        here = _at(body, path)
        if path:
            yield f"{where} is left out", _without(body, path)
        if path or not isinstance(body, dict):
            for value in WRONG_VALUES:
                if type(value) is not type(here) or value != here:
                    yield f"{where} is {str(value)[:12]!r}", _with(body, path, value)
        if isinstance(here, dict):
            yield f"{where} has an unknown field", _with(body, path, {**here, "no_such_field": 1})
        if isinstance(here, list) and here:
            yield f"{where} is too long", _with(body, path, here[:1] * MORE_THAN_ANY_LIST)


def with_unknown_fields(body: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the path of each object in the body, and the body with an unknown field in that object."""
    for path in _places(body):
        here = _at(body, path)
        if isinstance(here, dict):
            yield path, _with(body, path, {**here, "no_such_field": 1})


def with_wrong_types(body: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the path of each value in the body, and the body with a wrong type there."""
    for path in _places(body):
        yield path, _with(body, path, [[]] if isinstance(_at(body, path), dict) else {"no_such_field": 1})


def _places(body: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in inner:
        yield from _places(value, (*path, key))


def _at(body: Any, path: Path) -> Any:
    for key in path:
        body = body[key]
    return body


def _with(body: Any, path: Path, value: Any) -> Any:
    # Copies the containers on the path, because samples share their parts.
    if not path:
        return value
    changed = copy.copy(body)
    changed[path[0]] = _with(body[path[0]], path[1:], value)
    return changed


def _without(body: Any, path: Path) -> Any:
    parent = copy.copy(_at(body, path[:-1]))
    del parent[path[-1]]
    return _with(body, path[:-1], parent)

"""Discord's documented limits on messages and interaction responses."""

from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.files import Upload
from sandbox.limits import components, embeds, modals
from sandbox.messagelog import COMPONENTS_V2
from sandbox.problems import Path, Problem, too_long

Json = dict[str, Any]

MAX_CHARACTERS = 2000
"""Cap on the characters of a message's content."""
MAX_FILES = 10
"""Cap on files per message."""
MAX_FILE_BYTES = 10 * 1024 * 1024
"""Cap on the size of one file, in bytes."""
MAX_NONCE_CHARACTERS = 25
"""Cap on the characters of a nonce."""
MAX_CHOICES = 25
"""Cap on autocomplete suggestions."""
V2_NOTICE = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2".replace("'content'", "'{}'")


def check(
    body: Json, uploads: Sequence[Upload] = (), path: Path = (), *, old: list[Json], v2: bool = False
) -> Iterator[Problem]:
    """Yield the problems of a new message or an edit.

    For an edit, `old` has the message's attachments, and `v2` tells whether it uses Components V2.
    """
    if len(body.get("content") or "") > MAX_CHARACTERS:
        yield too_long((*path, "content"), MAX_CHARACTERS)
    nonce = body.get("nonce")
    if isinstance(nonce, str) and len(nonce) > MAX_NONCE_CHARACTERS:
        yield too_long((*path, "nonce"), MAX_NONCE_CHARACTERS)
    v2 = v2 or bool((body.get("flags") or 0) & COMPONENTS_V2)
    if v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if body.get(key):
                yield Problem(
                    (*path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", V2_NOTICE.format(key)
                )
    if body.get("embeds"):
        yield from embeds.check(body["embeds"], (*path, "embeds"))
    if body.get("components"):
        names = _files(body, uploads, old)
        yield from components.check(body["components"], (*path, "components"), v2=v2, files=names)
    yield from _attachments(body, uploads, path)
    allowed = body.get("allowed_mentions") or {}
    for key in ("users", "roles"):
        named = allowed.get(key) or ()
        if len(named) > 100:
            yield too_long((*path, "allowed_mentions", key), 100)
        if named and key in (allowed.get("parse") or ()):
            message = f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.'
            yield Problem((*path, "allowed_mentions"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)


def empty(body: Json, uploads: Sequence[Upload]) -> bool:
    """Whether a message would have no visible content."""
    keys = ("content", "embeds", "components", "sticker_ids", "poll", "attachments", "message_reference")
    shown = [key for key in keys if body.get(key)]
    return not uploads and (
        not shown or (shown == ["content"] and not body["content"].strip()) or shown == ["message_reference"]
    )


def check_callback(body: Json, uploads: Sequence[Upload]) -> Iterator[Problem]:
    """Yield the problems of an interaction response. Updates are checked against their message later."""
    data = body.get("data") or {}
    kind = body.get("type")
    if kind in (4, 5):
        yield from check(data, uploads, ("data",), old=[])
    elif kind == 8:
        choices = data.get("choices") or []
        if len(choices) > MAX_CHOICES:
            yield too_long(("data", "choices"), MAX_CHOICES)
        for index, choice in enumerate(choices):
            for key in ("name", "value"):
                value = choice.get(key)
                if isinstance(value, str) and not 1 <= len(value) <= 100:
                    yield Problem(
                        ("data", "choices", index, key), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
                    )
    elif kind == 9:
        yield from modals.check(data, ("data",))


def _files(body: Json, uploads: Sequence[Upload], old: list[Json]) -> set[str]:
    listed = body.get("attachments")
    kept = {str(each["id"]) for each in listed} if listed is not None else None
    names = {each["filename"] for each in old if kept is None or each["id"] in kept}
    renamed = {str(each["id"]): each.get("filename") for each in listed or ()}
    return names | {renamed.get(str(each.number)) or each.filename for each in uploads}


def _attachments(body: Json, uploads: Sequence[Upload], path: Path) -> Iterator[Problem]:
    listed = body.get("attachments") or []
    if len(listed) > MAX_FILES or len(uploads) > MAX_FILES:
        yield too_long((*path, "attachments"), MAX_FILES)
    numbers = {str(upload.number) for upload in uploads}
    for index, each in enumerate(listed):
        if len(each.get("description") or "") > 1024:
            yield too_long((*path, "attachments", index, "description"), 1024)
        # A small number refers to a file of this request, a snowflake to one that the message already has.
        if len(str(each.get("id"))) < 5 and str(each.get("id")) not in numbers:
            message = "The uploaded attachment was not found."
            yield Problem((*path, "attachments", index), "ATTACHMENT_NOT_FOUND", message)
    for index, upload in enumerate(uploads):
        if len(upload.data) > MAX_FILE_BYTES:
            yield Problem(
                (*path, "files", index), "BASE_TYPE_MAX_SIZE", f"Files must be {MAX_FILE_BYTES} bytes or smaller."
            )

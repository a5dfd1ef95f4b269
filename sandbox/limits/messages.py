"""Discord's documented limits on messages and interaction responses."""

from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.files import Upload, names
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
MAX_REQUEST_BYTES = 25 * 1024 * 1024
"""Cap on the size of all files of one request, in bytes."""
MAX_DESCRIPTION_CHARACTERS = 1024
"""Cap on the characters of a file's description, its alt text."""
MAX_NONCE_CHARACTERS = 25
"""Cap on the characters of a nonce."""
MAX_SUGGESTIONS = 25
"""Cap on autocomplete suggestions."""
V2_NOTICE = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2".replace("'content'", "'{}'")


def check(
    body: Json, uploads: Sequence[Upload] = (), path: Path = (), *, old: list[Json], v2: bool = False
) -> Iterator[Problem]:
    """Yield the problems of a new message or an edit.

    For an edit, `old` has the message's files, and `v2` tells whether it uses Components V2.
    """
    if len(body.get("content") or "") > MAX_CHARACTERS:
        yield too_long((*path, "content"), MAX_CHARACTERS)
    nonce = body.get("nonce")
    if isinstance(nonce, str) and len(nonce) > MAX_NONCE_CHARACTERS:
        yield too_long((*path, "nonce"), MAX_NONCE_CHARACTERS)
    files = set(names(body.get("attachments"), uploads, old))
    v2 = v2 or bool((body.get("flags") or 0) & COMPONENTS_V2)
    if v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if body.get(key):
                yield Problem(
                    (*path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", V2_NOTICE.format(key)
                )
    if body.get("embeds"):
        yield from embeds.check(body["embeds"], (*path, "embeds"), files)
    if body.get("components"):
        yield from components.check(body["components"], (*path, "components"), v2=v2, files=files)
    yield from _attachments(body, uploads, path, old)
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
        if len(choices) > MAX_SUGGESTIONS:
            yield too_long(("data", "choices"), MAX_SUGGESTIONS)
        for index, choice in enumerate(choices):
            for key in ("name", "value"):
                value = choice.get(key)
                if isinstance(value, str) and not 1 <= len(value) <= 100:
                    yield Problem(
                        ("data", "choices", index, key), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
                    )
    elif kind == 9:
        yield from modals.check(data, ("data",))


def too_large(uploads: Sequence[Upload]) -> Iterator[Problem]:
    """Yield the files that are too large, on their own or together; Discord refuses these with a code of its own."""
    for upload in uploads:
        if len(upload.data) > MAX_FILE_BYTES:
            yield Problem(("files", upload.number), "FILE_TOO_LARGE", f"A file may have {MAX_FILE_BYTES} bytes.")
    if sum(len(each.data) for each in uploads) > MAX_REQUEST_BYTES:
        yield Problem(("files",), "REQUEST_TOO_LARGE", f"A request may have {MAX_REQUEST_BYTES} bytes.")


def _attachments(body: Json, uploads: Sequence[Upload], path: Path, old: list[Json]) -> Iterator[Problem]:
    listed = body.get("attachments") or []
    if len(listed) > MAX_FILES or len(uploads) > MAX_FILES:
        yield too_long((*path, "attachments"), MAX_FILES)
    # An entry refers to a file of this request by its number, or to one that the message already has by its id.
    present = {str(upload.number) for upload in uploads} | {str(each["id"]) for each in old}
    for index, each in enumerate(listed):
        if len(each.get("description") or "") > MAX_DESCRIPTION_CHARACTERS:
            yield too_long((*path, "attachments", index, "description"), MAX_DESCRIPTION_CHARACTERS)
        if str(each.get("id")) not in present:
            message = "The uploaded attachment was not found."
            yield Problem((*path, "attachments", index), "ATTACHMENT_NOT_FOUND", message)

"""Uploaded files: storing them, describing them as Discord does, and resolving `attachment://` URLs."""

import mimetypes
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sandbox.world import Stored, World

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request; its number matches `attachments[].id`."""

    number: int
    filename: str
    content_type: str
    data: bytes


def attach(
    world: World, channel_id: str, listed: list[Json] | None, uploads: Iterable[Upload], old: list[Json]
) -> list[Json]:
    """Return a message's attachments: `old` ones that the body keeps (all, if it lists none), then new files."""
    described = {str(each["id"]): each for each in listed or ()}
    kept = [
        each if listed is None else each | _changed(described[each["id"]])
        for each in old
        if listed is None or each["id"] in described
    ]
    return kept + [_stored(world, channel_id, upload, described.get(str(upload.number), {})) for upload in uploads]


def media(attachments: list[Json], url: str, world: World) -> tuple[Json, int | None]:
    """Return the media item for a URL or `attachment://name`, and the file size if known."""
    name = url.removeprefix("attachment://")
    for each in attachments if name != url else ():
        if each["filename"] == name:
            found: Json = {"id": world.ids.next(), "url": each["url"], "proxy_url": each["proxy_url"]}
            found |= {key: each[key] for key in ("width", "height", "content_type") if key in each}
            return found | {"attachment_id": each["id"]}, each["size"]
    return {"id": world.ids.next(), "url": url, "proxy_url": url}, None


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height of a PNG, GIF, JPEG or WebP (lossy or extended) image."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


def _changed(listed: Json) -> Json:
    return {key: listed[key] for key in ("description", "title") if listed.get(key) is not None}


def _stored(world: World, channel_id: str, upload: Upload, listed: Json) -> Json:
    file_id = world.ids.next()
    filename = str(listed.get("filename") or upload.filename)
    content_type = upload.content_type
    if content_type == "application/octet-stream":
        content_type = mimetypes.guess_type(filename)[0] or content_type
    world.uploads.files[file_id] = Stored(filename, content_type, upload.data)
    url = f"{world.base_url}/attachments/{channel_id}/{file_id}/{quote(filename)}"
    attachment: Json = {
        "id": file_id,
        "filename": filename,
        "size": len(upload.data),
        "url": url,
        "proxy_url": url,
        "content_type": content_type,
    } | _changed(listed)
    size = image_size(upload.data)
    if size is not None:
        attachment |= {"width": size[0], "height": size[1]}
    return attachment

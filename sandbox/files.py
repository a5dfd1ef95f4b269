"""Uploaded files: storing them, describing them as Discord does, and resolving `attachment://` URLs."""

import mimetypes
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sandbox import images
from sandbox.world import World

Json = dict[str, Any]

SCHEME = "attachment://"
SPOILER_PREFIX = "SPOILER_"
IS_SPOILER = 1 << 3  # an attachment flag
_ANONYMOUS = "unknown"  # the name of a file whose own name has no allowed character


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request; its number matches `attachments[].id`."""

    number: int
    filename: str
    content_type: str
    data: bytes


def clean_name(name: str) -> str:
    """Return a file name as Discord stores it: ASCII letters, digits, dots, hyphens and underscores."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    joined = "_".join(re.sub(r"[/\\]", " ", plain).split())
    return re.sub(r"[^A-Za-z0-9_.-]", "", joined).strip("._") or _ANONYMOUS


def attach(
    world: World, channel_id: str, listed: list[Json] | None, uploads: Iterable[Upload], old: list[Json]
) -> list[Json]:
    """Return a message's files: `old` ones that are kept, then new ones. If there is a list, only what it names."""
    described = {str(each["id"]): each for each in listed or ()}
    kept = [each | _own_texts(described.get(each["id"], {})) for each in _kept(old, listed)]
    new = [_stored(world, channel_id, each, described.get(str(each.number), {})) for each in _taken(uploads, listed)]
    return kept + new


def names(listed: list[Json] | None, uploads: Iterable[Upload], old: list[Json]) -> list[str]:
    """Return the names of the files that a message would have; `attachment://` may refer to these."""
    described = {str(each["id"]): each for each in listed or ()}
    new = (_name(each, described.get(str(each.number), {})) for each in _taken(uploads, listed))
    return [each["filename"] for each in _kept(old, listed)] + [clean_name(each) for each in new]


def referenced_name(url: str) -> str | None:
    """Return the file name that an `attachment://` URL refers to; None for any other URL."""
    return clean_name(url.removeprefix(SCHEME)) if url.startswith(SCHEME) else None


def media(files: list[Json], url: str, world: World) -> tuple[Json, int | None]:
    """Return the media item for a URL or `attachment://name`, and the file size if known."""
    name = referenced_name(url)
    for each in reversed(files):  # of two files with the same name, the newer one
        if each["filename"] == name or each["url"] == url:
            found: Json = {"id": world.ids.next(), "url": each["url"], "proxy_url": each["proxy_url"]}
            found |= {key: each[key] for key in ("width", "height", "content_type") if key in each}
            return found | {"attachment_id": each["id"]}, each["size"]
    return {"id": world.ids.next(), "url": url, "proxy_url": url}, None


def _kept(old: list[Json], listed: list[Json] | None) -> Iterator[Json]:
    ids = {str(each["id"]) for each in listed or ()}
    return (each for each in old if listed is None or each["id"] in ids)


def _taken(uploads: Iterable[Upload], listed: list[Json] | None) -> Sequence[Upload]:
    ids = {str(each["id"]) for each in listed or ()}
    return [each for each in uploads if listed is None or str(each.number) in ids]


def _name(upload: Upload, listed: Json) -> str:
    return str(listed.get("filename") or upload.filename)


def _own_texts(listed: Json) -> Json:
    found: Json = {key: listed[key] for key in ("description", "title") if listed.get(key) is not None}
    if listed.get("is_spoiler") is not None:
        found["flags"] = IS_SPOILER if listed["is_spoiler"] else 0
    return found


def _stored(world: World, channel_id: str, upload: Upload, listed: Json) -> Json:
    original = _name(upload, listed)
    filename = clean_name(original)
    content_type = upload.content_type
    if content_type == "application/octet-stream":
        content_type = mimetypes.guess_type(filename)[0] or images.sniff(upload.data) or content_type
    file_id = world.ids.next()
    stored = world.uploads.add(file_id, filename, content_type, upload.data)
    url = f"{world.base_url}/attachments/{channel_id}/{file_id}/{quote(filename)}?hm={stored.secret}"
    attachment: Json = {
        "id": file_id,
        "filename": filename,
        "size": len(upload.data),
        "url": url,
        "proxy_url": url,
        "content_type": content_type,
    }
    if filename != original:
        attachment["title"] = original.rpartition(".")[0] or original
    if filename.startswith(SPOILER_PREFIX):
        attachment["flags"] = IS_SPOILER
    size = images.size(upload.data)
    if size is not None:
        attachment |= {"width": size[0], "height": size[1]}
    return attachment | _own_texts(listed)

"""Discord's documented limits on embeds."""

from collections.abc import Generator, Iterator
from typing import Any

from sandbox.files import referenced_name
from sandbox.problems import Path, Problem, bad_length, required, too_long

Json = dict[str, Any]

MAX_TEXT_CHARACTERS = {"title": 256, "description": 4096}
"""Cap on the characters of these embed fields."""
PICTURES = (("image", "url"), ("thumbnail", "url"), ("author", "icon_url"), ("footer", "icon_url"))
MAX_EMBEDS = 10
"""Cap on embeds per message."""
MAX_FIELDS = 25
"""Cap on fields per embed."""
MAX_CHARACTERS = 6000
"""Cap on the characters of all embeds of a message."""


def check(embeds: list[Json], path: Path, files: set[str]) -> Iterator[Problem]:
    """Yield the problems of a message's embeds; `files` are the names that `attachment://` may use."""
    if len(embeds) > MAX_EMBEDS:
        yield too_long(path, MAX_EMBEDS)
    total = 0
    for index, embed in enumerate(embeds):
        here = (*path, index)
        parts = [(key, embed[key], limit) for key, limit in MAX_TEXT_CHARACTERS.items() if embed.get(key)]
        for key, limit in MAX_TEXT_CHARACTERS.items():
            if len(embed.get(key) or "") > limit:
                yield too_long((*here, key), limit)
        total += sum(len(text) for _, text, _ in parts)
        if not (embed.get("url") or "https://").lower().startswith(("http://", "https://")):
            yield Problem((*here, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').")
        for part, key in PICTURES:
            yield from _picture((embed.get(part) or {}).get(key) or "", (*here, part, key), files)
        total += yield from _named(embed.get("footer"), "text", 2048, (*here, "footer"))
        total += yield from _named(embed.get("author"), "name", 256, (*here, "author"))
        fields = embed.get("fields") or []
        if len(fields) > MAX_FIELDS:
            yield too_long((*here, "fields"), MAX_FIELDS)
        for number, each in enumerate(fields):
            for key, limit in (("name", 256), ("value", 1024)):
                text = each.get(key) or ""
                total += len(text)
                if not text:
                    yield required((*here, "fields", number, key))
                elif len(text) > limit:
                    yield bad_length((*here, "fields", number, key), 1, limit)
    if total > MAX_CHARACTERS:
        yield Problem(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MAX_CHARACTERS}")


def _picture(url: str, path: Path, files: set[str]) -> Iterator[Problem]:
    name = referenced_name(url)
    if name is not None and name not in files:
        # Discord accepts this and shows no picture. It is never what a bot meant, so it is refused here.
        yield Problem(path, "EMBED_ATTACHMENT_NOT_FOUND", f'The referenced attachment ("{url}") was not found')
    elif name is None and url and not url.lower().startswith(("http://", "https://")):
        yield Problem(path, "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').")


def _named(part: Json | None, key: str, limit: int, path: Path) -> Generator[Problem, None, int]:
    text = (part or {}).get(key) or ""
    if len(text) > limit:
        yield too_long((*path, key), limit)
    return len(text)

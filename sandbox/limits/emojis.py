"""Discord's rules for the emojis of buttons and options."""

from collections.abc import Container, Iterator
from typing import Any

from sandbox.emojis import is_unicode_emoji
from sandbox.limits.components import located
from sandbox.problems import Path, Problem

Json = dict[str, Any]


def check(body: Any, known: Container[str]) -> Iterator[Problem]:
    """Yield the invalid emojis in a message, response or form; `known` are the ids of the emojis that exist."""
    if not isinstance(body, dict):
        return
    for holder, path in ((body, ()), (body.get("data"), ("data",))):
        components = holder.get("components") if isinstance(holder, dict) else None
        for where, component in located(components or [], (*path, "components")):
            yield from _one(component, where, known)
            for index, option in enumerate(component.get("options") or ()):
                yield from _one(option, (*where, "options", index), known)


def _one(part: Json, path: Path, known: Container[str]) -> Iterator[Problem]:
    emoji = part.get("emoji")
    if not emoji:
        return
    custom = emoji.get("id") is not None
    if str(emoji["id"]) not in known if custom else not is_unicode_emoji(emoji["name"]):
        yield Problem((*path, "emoji", "id" if custom else "name"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")

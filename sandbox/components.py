"""Message components: traversal, and conversion from the bot's form to the stored form."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

Json = dict[str, Any]

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, FILE_UPLOAD = 17, 18, 19
RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 21, 22, 23

SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)

Resolve = Callable[[str], tuple[Json, int | None]]  # a media URL -> its unfurled media item and file size


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Yield every component, parents before children, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk((component[key],))


def media_urls(components: Iterable[Json]) -> Iterator[str]:
    """Yield the URL of every picture and file in stored components."""
    for component in walk(components):
        for holder in (component, *component.get("items", ())):
            yield from (holder[key]["url"] for key in ("media", "file") if holder.get(key))


def stored(components: list[Json], resolve: Resolve) -> list[Json]:
    """Return the components as Discord stores them: numbered, with defaults and resolved media."""
    taken = {each["id"] for each in walk(components) if each.get("id")}
    number = 0

    def fresh() -> int:
        nonlocal number
        number += 1
        while number in taken:
            number += 1
        return number

    return [_stored(each, fresh, resolve) for each in components]


def _stored(component: Json, fresh: Callable[[], int], resolve: Resolve) -> Json:
    kept = {key: value for key, value in component.items() if value is not None}
    kept["id"] = component.get("id") or fresh()
    kind = component["type"]
    if "components" in kept:
        kept["components"] = [_stored(each, fresh, resolve) for each in kept["components"]]
    for key in ("accessory", "component"):
        if key in kept:
            kept[key] = _stored(kept[key], fresh, resolve)
    if kind == THUMBNAIL:
        media, _ = resolve(kept["media"]["url"])
        kept |= {"media": media, "description": kept.get("description"), "spoiler": _spoiler(kept)}
    elif kind == GALLERY:
        kept["items"] = [
            {
                "media": resolve(item["media"]["url"])[0],
                "description": item.get("description"),
                "spoiler": _spoiler(item),
            }
            for item in kept["items"]
        ]
    elif kind == FILE:
        media, size = resolve(kept["file"]["url"])
        kept |= {"file": media, "spoiler": _spoiler(kept), "name": _file_name(media["url"]), "size": size}
    elif kind == SEPARATOR:
        kept = {"divider": True, "spacing": 1} | kept
    elif kind == CONTAINER:
        kept = {"accent_color": None, "spoiler": False} | kept
    elif kind in SELECTS:
        kept = {"min_values": 1, "max_values": 1} | kept
    if "options" in kept:
        kept["options"] = [_with_emoji(option) for option in kept["options"]]
    return _with_emoji(kept)


def _with_emoji(part: Json) -> Json:
    emoji = part.get("emoji")
    if emoji is None:
        return part
    # Libraries may send the id as a number, or as null for a Unicode emoji; Discord returns neither.
    return part | {"emoji": {k: str(v) if k == "id" else v for k, v in emoji.items() if v is not None}}


def _file_name(url: str) -> str:
    return unquote(urlsplit(url).path.rsplit("/", 1)[-1])


def _spoiler(item: Json) -> bool:
    return bool(item.get("spoiler"))

"""Discord's documented limits on message components, classic and V2."""

from collections.abc import Iterator
from typing import Any

from sandbox.components import (
    BUTTON,
    CHANNEL_SELECT,
    CONTAINER,
    FILE,
    FILE_UPLOAD,
    GALLERY,
    LABEL,
    ROW,
    SECTION,
    SELECTS,
    SEPARATOR,
    STRING_SELECT,
    TEXT,
    TEXT_INPUT,
    THUMBNAIL,
    walk,
)
from sandbox.files import referenced_name
from sandbox.problems import Path, Problem, bad_length, not_a_choice, required, too_long

Json = dict[str, Any]

TOP_LEVEL_V2 = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
MAX_COMPONENTS = 40
"""Cap on components in a V2 message, nested ones included."""
MAX_CHARACTERS = 4000
"""Cap on the characters of all texts in a V2 message."""
MAX_ROWS = 5
"""Cap on action rows in a classic message."""
LINK, PREMIUM = 5, 6


def check(components: list[Json], path: Path, *, v2: bool, files: set[str]) -> Iterator[Problem]:
    """Yield the problems of a message's components; `files` are the names that `attachment://` may use."""
    if v2:
        count = sum(1 for _ in walk(components))
        if count > MAX_COMPONENTS:
            message = f"Too many components: {count}, the maximum is {MAX_COMPONENTS}."
            yield Problem(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
        if sum(len(each.get("content") or "") for each in walk(components)) > MAX_CHARACTERS:
            message = f"The total text of all components must be {MAX_CHARACTERS} or fewer in length."
            yield Problem(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)
    elif len(components) > MAX_ROWS:
        yield bad_length(path, 1, MAX_ROWS)
    allowed = TOP_LEVEL_V2 if v2 else (ROW,)
    for index, component in enumerate(components):
        yield from _one(component, (*path, index), allowed, files)
    yield from unique_ids(components, path)


def unique_ids(components: list[Json], path: Path) -> Iterator[Problem]:
    """Yield a problem for every duplicate custom_id or numeric id."""
    for key, code in (("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"), ("id", "COMPONENT_ID_DUPLICATED")):
        seen: set[Any] = set()
        for where, component in located(components, path):
            value = component.get(key)
            if value and value in seen:
                yield Problem((*where, key), code, f"Component {key.replace('_', ' ')} cannot be duplicated")
            seen.add(value)


def located(components: list[Json], path: Path) -> Iterator[tuple[Path, Json]]:
    """Yield every component with its path."""
    for index, component in enumerate(components):
        yield from _located(component, (*path, index))


def custom_id(component: Json, path: Path) -> Iterator[Problem]:
    """Yield the problems of a required custom_id."""
    value = component.get("custom_id")
    if not isinstance(value, str):
        yield required((*path, "custom_id"))
    elif not 1 <= len(value) <= 100:
        yield bad_length((*path, "custom_id"), 1, 100)


def select(component: Json, path: Path) -> Iterator[Problem]:
    """Yield the problems of a select of any kind."""
    yield from custom_id(component, path)
    if len(component.get("placeholder") or "") > 150:
        yield too_long((*path, "placeholder"), 150)
    low, high = component.get("min_values"), component.get("max_values")
    low, high = 1 if low is None else low, 1 if high is None else high
    if not 0 <= low <= 25:
        yield Problem((*path, "min_values"), "NUMBER_TYPE_RANGE", "Value must be between 0 and 25.")
    if not 1 <= high <= 25:
        yield Problem((*path, "max_values"), "NUMBER_TYPE_RANGE", "Value must be between 1 and 25.")
    if low > high:
        yield Problem((*path, "min_values"), "COMPONENT_MIN_VALUES_TOO_LARGE", "min_values must not exceed max_values.")
    if component["type"] == STRING_SELECT:
        options = component.get("options") or []
        if not 1 <= len(options) <= 25:
            yield bad_length((*path, "options"), 1, 25)
        yield from options_of(options, path)
        if sum(1 for each in options if each.get("default")) > high:
            yield Problem((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many default options.")
    elif len(component.get("default_values") or ()) > high:
        yield Problem((*path, "default_values"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many default values.")
    if component["type"] != CHANNEL_SELECT and component.get("channel_types"):
        yield Problem((*path, "channel_types"), "UNKNOWN_FIELD", "Only a channel select can have channel types.")


def options_of(options: list[Json], path: Path) -> Iterator[Problem]:
    """Yield the problems of the options of a select, radio group or checkbox group."""
    seen: set[str] = set()
    for index, option in enumerate(options):
        here = (*path, "options", index)
        for key in ("label", "value"):
            if not 1 <= len(str(option.get(key) or "")) <= 100:
                yield bad_length((*here, key), 1, 100)
        if len(option.get("description") or "") > 100:
            yield too_long((*here, "description"), 100)
        if option.get("value") in seen:
            yield Problem(
                (*here, "value"),
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        seen.add(str(option.get("value")))


def _located(component: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    yield path, component
    yield from located(component.get("components") or [], (*path, "components"))
    for key in ("accessory", "component"):
        if component.get(key):
            yield from _located(component[key], (*path, key))


def _one(component: Json, path: Path, allowed: tuple[int, ...], files: set[str]) -> Iterator[Problem]:
    kind = component.get("type")
    if kind not in allowed:
        yield Problem((*path, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of {allowed}.')
        return
    children = component.get("components") or []
    if kind == ROW:
        yield from _row(children, path)
    elif kind == CONTAINER:
        if not children:
            yield required((*path, "components"))
        for index, child in enumerate(children):
            yield from _one(child, (*path, "components", index), IN_CONTAINER, files)
    elif kind == SECTION:
        if not 1 <= len(children) <= 3:
            yield bad_length((*path, "components"), 1, 3)
        for index, child in enumerate(children):
            yield from _one(child, (*path, "components", index), (TEXT,), files)
        if not component.get("accessory"):
            yield required((*path, "accessory"))
        else:
            yield from _one(component["accessory"], (*path, "accessory"), (BUTTON, THUMBNAIL), files)
    elif kind == TEXT:
        if not 1 <= len(component.get("content") or "") <= MAX_CHARACTERS:
            yield bad_length((*path, "content"), 1, MAX_CHARACTERS)
    elif kind == BUTTON:
        yield from _button(component, path)
    else:
        yield from _media(component, path, files)


def _row(children: list[Json], path: Path) -> Iterator[Problem]:
    selects = sum(1 for each in children if each.get("type") in SELECTS)
    if not 1 <= len(children) <= 5:
        yield bad_length((*path, "components"), 1, 5)
    elif selects and len(children) > 1:
        yield Problem(
            (*path, "components"),
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "The specified component exceeds the maximum width",
        )
    for index, child in enumerate(children):
        here = (*path, "components", index)
        if child.get("type") == BUTTON:
            yield from _button(child, here)
        elif child.get("type") in SELECTS:
            yield from select(child, here)
        else:
            yield Problem((*here, "type"), "UNION_TYPE_CHOICES", "An action row may contain buttons or one select.")


def _button(button: Json, path: Path) -> Iterator[Problem]:
    style = button.get("style")
    if len(button.get("label") or "") > 80:
        yield too_long((*path, "label"), 80)
    if style == LINK:
        if not button.get("url"):
            yield required((*path, "url"))
        elif len(button["url"]) > 512:
            yield too_long((*path, "url"), 512)
        elif not button["url"].startswith(("http://", "https://", "discord://")):
            yield Problem(
                (*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'discord')."
            )
        if button.get("custom_id"):
            yield Problem(
                (*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_NOT_ALLOWED", "A link button cannot have a custom id"
            )
    elif style == PREMIUM:
        if not button.get("sku_id"):
            yield required((*path, "sku_id"))
    else:
        if style not in (1, 2, 3, 4):
            yield not_a_choice((*path, "style"), (1, 2, 3, 4, 5, 6))
        yield from custom_id(button, path)
        if button.get("url"):
            yield Problem((*path, "url"), "BUTTON_COMPONENT_URL_NOT_ALLOWED", "Only a link button can have a url")
    if style != PREMIUM and not button.get("label") and not button.get("emoji"):
        yield Problem(path, "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji")


def _media(component: Json, path: Path, files: set[str]) -> Iterator[Problem]:
    kind = component["type"]
    if kind == SEPARATOR:
        if component.get("spacing") not in (None, 1, 2):
            yield not_a_choice((*path, "spacing"), (1, 2))
    elif kind == FILE:
        yield from _url(component.get("file"), (*path, "file"), files, only_attachments=True)
    elif kind == THUMBNAIL:
        yield from _described(component, path)
        yield from _url(component.get("media"), (*path, "media"), files)
    elif kind == GALLERY:
        items = component.get("items") or []
        if not 1 <= len(items) <= 10:
            yield bad_length((*path, "items"), 1, 10)
        for index, item in enumerate(items):
            yield from _described(item, (*path, "items", index))
            yield from _url(item.get("media"), (*path, "items", index, "media"), files)


def _described(item: Json, path: Path) -> Iterator[Problem]:
    if len(item.get("description") or "") > 1024:
        yield too_long((*path, "description"), 1024)


def _url(media: Json | None, path: Path, files: set[str], *, only_attachments: bool = False) -> Iterator[Problem]:
    url = (media or {}).get("url") or ""
    name = referenced_name(url)
    if name is not None:
        if name not in files:
            yield Problem(
                (*path, "url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f'The referenced attachment ("{url}") was not found',
            )
    elif only_attachments or not url.startswith(("http://", "https://")):
        yield Problem((*path, "url"), "URL_TYPE_INVALID_URL", "Not a well formed URL.")


__all__ = ["FILE_UPLOAD", "LABEL", "TEXT_INPUT", "check", "custom_id", "located", "options_of", "select", "unique_ids"]

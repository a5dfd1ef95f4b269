"""Discord's documented limits on modals."""

from collections.abc import Iterator
from typing import Any

from sandbox.components import CHECKBOX, CHECKBOX_GROUP, FILE_UPLOAD, LABEL, RADIO_GROUP, ROW, SELECTS, TEXT, TEXT_INPUT
from sandbox.limits.components import custom_id, options_of, select, unique_ids
from sandbox.problems import Path, Problem, bad_length, too_long

Json = dict[str, Any]

MAX_ROWS = 5
"""Cap on top-level components in a modal."""


def check(modal: Json, path: Path) -> Iterator[Problem]:
    """Yield the problems of a modal."""
    yield from custom_id(modal, path)
    if not 1 <= len(modal.get("title") or "") <= 45:
        yield bad_length((*path, "title"), 1, 45)
    rows = modal.get("components") or []
    if not 1 <= len(rows) <= MAX_ROWS:
        yield bad_length((*path, "components"), 1, MAX_ROWS)
    for index, row in enumerate(rows):
        here = (*path, "components", index)
        if row.get("type") == LABEL:
            yield from _label(row, here)
        elif row.get("type") == ROW:
            yield from _row(row, here)
        elif row.get("type") == TEXT:
            if not 1 <= len(row.get("content") or "") <= 4000:
                yield bad_length((*here, "content"), 1, 4000)
        else:
            yield Problem((*here, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of {(1, 10, 18)}.')
    yield from unique_ids(rows, (*path, "components"))


def _label(label: Json, path: Path) -> Iterator[Problem]:
    if not 1 <= len(label.get("label") or "") <= 45:
        yield bad_length((*path, "label"), 1, 45)
    if len(label.get("description") or "") > 100:
        yield too_long((*path, "description"), 100)
    part, here = label.get("component") or {}, (*path, "component")
    kind = part.get("type")
    if kind == TEXT_INPUT:
        if part.get("label"):
            yield Problem((*here, "label"), "COMPONENT_LABEL_NOT_ALLOWED", "The label belongs to the label component.")
        yield from _text_input(part, here)
    elif kind in SELECTS:
        yield from select(part, here)
        if part.get("disabled"):
            yield Problem(
                (*here, "disabled"), "COMPONENT_DISABLED_NOT_ALLOWED", "A select in a modal cannot be disabled."
            )
    elif kind in (RADIO_GROUP, CHECKBOX_GROUP):
        yield from custom_id(part, here)
        low = 2 if kind == RADIO_GROUP else 1
        if not low <= len(part.get("options") or ()) <= 10:
            yield bad_length((*here, "options"), low, 10)
        yield from options_of(part.get("options") or [], here)
    elif kind in (FILE_UPLOAD, CHECKBOX):
        yield from custom_id(part, here)
    else:
        yield Problem(
            (*here, "type"), "UNION_TYPE_CHOICES", "A label may contain a text input, a select, an upload or a choice."
        )


def _row(row: Json, path: Path) -> Iterator[Problem]:
    children = row.get("components") or []
    if len(children) != 1:
        yield bad_length((*path, "components"), 1, 1)
    for index, child in enumerate(children):
        here = (*path, "components", index)
        if child.get("type") != TEXT_INPUT:
            yield Problem(
                (*here, "type"), "UNION_TYPE_CHOICES", "An action row in a modal may contain only a text input."
            )
            continue
        if not 1 <= len(child.get("label") or "") <= 45:
            yield bad_length((*here, "label"), 1, 45)
        yield from _text_input(child, here)


def _text_input(part: Json, path: Path) -> Iterator[Problem]:
    yield from custom_id(part, path)
    if part.get("style") not in (1, 2):
        yield Problem((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of (1, 2).")
    low, high = part.get("min_length") or 0, part.get("max_length")
    high = 4000 if high is None else high
    if not 0 <= low <= 4000:
        yield Problem((*path, "min_length"), "NUMBER_TYPE_RANGE", "Value must be between 0 and 4000.")
    if not 1 <= high <= 4000:
        yield Problem((*path, "max_length"), "NUMBER_TYPE_RANGE", "Value must be between 1 and 4000.")
    if low > high:
        yield Problem((*path, "min_length"), "TEXT_INPUT_COMPONENT_BAD_RANGE", "min_length must not exceed max_length.")
    if len(part.get("placeholder") or "") > 100:
        yield too_long((*path, "placeholder"), 100)
    value = part.get("value") or ""
    if value and not low <= len(value) <= high:
        yield bad_length((*path, "value"), low, high)

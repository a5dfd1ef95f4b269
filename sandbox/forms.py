"""Fills in selects and modals as a client does: validates the input and builds the data to send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.components import (
    CHANNEL_SELECT,
    CHECKBOX,
    CHECKBOX_GROUP,
    FILE_UPLOAD,
    LABEL,
    MENTIONABLE_SELECT,
    RADIO_GROUP,
    ROLE_SELECT,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT_INPUT,
    USER_SELECT,
    walk,
)
from sandbox.files import Upload, attach
from sandbox.model import Channel, Role, User
from sandbox.refusals import Refused, resolve
from sandbox.world import World

Json = dict[str, Any]

TAKES: dict[int, tuple[type, ...]] = {
    USER_SELECT: (User,),
    ROLE_SELECT: (Role,),
    MENTIONABLE_SELECT: (User, Role),
    CHANNEL_SELECT: (Channel,),
}
FIELDS = (*SELECTS, TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)


def choose(world: World, channel: Channel, select: Json, values: Sequence[Any]) -> tuple[list[str], Json]:
    """Return the chosen values of a select as a client sends them, and the resolved objects.

    An option may be named by its value or its label.
    """
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not low <= len(values) <= high:
        raise Refused(f"this select takes {low} to {high} values, not {len(values)}")
    resolved: Json = {}
    chosen = []
    for given in values:
        value = getattr(given, "user", given)
        if select["type"] == STRING_SELECT:
            chosen.append(_option(select["options"], value))
            continue
        kinds = select.get("channel_types")
        if not isinstance(value, TAKES[select["type"]]) or (kinds and getattr(value, "type", None) not in kinds):
            raise Refused(f"this select does not offer {value!r}")
        chosen.append(resolve(world, channel, value, resolved))
    if len(set(chosen)) != len(chosen):
        raise Refused("the same value was chosen twice")
    return chosen, resolved


def fill(world: World, channel: Channel, modal: Json, given: Mapping[str, Any]) -> tuple[list[Json], Json]:
    """Return a modal's components as submitted, and the resolved objects.

    Fields are named by custom_id or label; fields not given keep their value.
    """
    form = _Form(world, channel, dict(given))
    sent = []
    for top in modal["components"]:
        kept: Json = {"type": top["type"], "id": top["id"]}
        if top["type"] == LABEL:
            kept["component"] = form.field(top["component"], top["label"])
        elif top["type"] == ROW:
            kept["components"] = [form.field(each, each.get("label", "")) for each in top["components"]]
        sent.append(kept)
    if form.unused:
        raise Refused(f"the form has no such field: {', '.join(form.unused)}")
    return sent, form.resolved


def fields(modal: Json) -> list[Json]:
    """Return the fields of a modal that a person can fill in, each with its label."""
    labels = {id(each["component"]): each["label"] for each in walk(modal["components"]) if each["type"] == LABEL}
    found = [each for each in walk(modal["components"]) if each["type"] in FIELDS]
    return [each | {"label": labels.get(id(each), each.get("label", ""))} for each in found]


@dataclass(slots=True)
class _Form:
    world: World
    channel: Channel
    unused: dict[str, Any]
    resolved: Json = field(default_factory=dict)

    def field(self, part: Json, label: str) -> Json:
        kind, name = part["type"], part["custom_id"]
        sent: Json = {"type": kind, "id": part["id"], "custom_id": name}
        given = self.unused.pop(name, None)
        if given is None:
            given = self.unused.pop(label, None)
        if kind == TEXT_INPUT:
            return sent | {"value": _text(part, label, part.get("value") or "" if given is None else given)}
        if kind == CHECKBOX:
            return sent | {"value": bool(part.get("default")) if given is None else bool(given)}
        if kind == RADIO_GROUP:
            return sent | {"value": _radio(part, label, given)}
        values = _as_list(given)
        if given is None and kind in (STRING_SELECT, CHECKBOX_GROUP):
            values = [each["value"] for each in part["options"] if each.get("default")]
        if not values and not part.get("required", True):
            return sent | {"values": []}
        if kind == FILE_UPLOAD:
            return sent | {"values": self._files(part, values)}
        shape = part
        if kind == CHECKBOX_GROUP:
            shape = {"min_values": 1, "max_values": len(part["options"])} | part | {"type": STRING_SELECT}
        chosen, found = choose(self.world, self.channel, shape, values)
        for key, some in found.items():
            self.resolved.setdefault(key, {}).update(some)
        return sent | {"values": chosen}

    def _files(self, part: Json, values: list[Any]) -> list[str]:
        low, high = part.get("min_values", 1), part.get("max_values", 1)
        if not low <= len(values) <= high or not all(isinstance(each, Upload) for each in values):
            raise Refused(f"this field takes {low} to {high} files")
        stored = attach(self.world, self.channel.id, None, values, [])
        self.resolved.setdefault("attachments", {}).update({each["id"]: each for each in stored})
        return [each["id"] for each in stored]


def _text(part: Json, label: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Refused(f"{label!r} takes text")
    if not value:
        if part.get("required", True):
            raise Refused(f"{label!r} is required")
        return value
    low, high = part.get("min_length") or 0, part.get("max_length") or 4000
    if not low <= len(value) <= high:
        raise Refused(f"{label!r} must have {low} to {high} characters")
    return value


def _radio(part: Json, label: str, given: Any) -> str | None:
    if given is None:
        default = next((each["value"] for each in part["options"] if each.get("default")), None)
        if default is None and part.get("required", True):
            raise Refused(f"{label!r} is required")
        return default
    return _option(part["options"], given)


def _option(options: list[Json], given: Any) -> str:
    for key in ("value", "label"):
        for option in options:
            if option[key] == given:
                return str(option["value"])
    raise Refused(f"there is no option {given!r}")


def _as_list(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple) else [given]

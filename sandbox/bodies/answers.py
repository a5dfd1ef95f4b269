"""The fields of an initial interaction response, for every type that the sandbox supports."""

from sandbox import interactions as types
from sandbox.bodies.commands import INTEGER_CHOICE, NUMBER_CHOICE, TEXT_CHOICE
from sandbox.bodies.components import IN_MODAL
from sandbox.bodies.kinds import Json, choice, either, fields, integer, list_of, text
from sandbox.bodies.messages import EDIT, FOLLOW_UP

CHOICES = either(*(fields({}, {"choices": list_of(kind)}) for kind in (TEXT_CHOICE, INTEGER_CHOICE, NUMBER_CHOICE)))
MODAL = fields({"custom_id": text(), "title": text(), "components": IN_MODAL})


def _answer(kind: int, needed: Json | None = None, optional: Json | None = None) -> Json:
    return fields({"type": choice(kind), **(needed or {})}, optional)


CALLBACK = either(
    _answer(types.REPLY, optional={"data": FOLLOW_UP}),
    _answer(types.DEFER, optional={"data": fields({}, {"flags": integer(0)})}),
    _answer(types.DEFER_UPDATE),
    _answer(types.UPDATE, optional={"data": EDIT}),
    _answer(types.CHOICES, {"data": CHOICES}),
    _answer(types.OPEN_MODAL, {"data": MODAL}),
)

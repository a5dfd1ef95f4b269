"""Upgrades tables whose documents are in version 1, in which players, deadlines and so on were lists.

The field names are listed here in that version's order, not read from today's classes, which may change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.engine.core import Json
from bot.engine.upgrading import Upgrade, each, keep, named, object_with, optional

_AI: Final = optional(named(name=keep, temperament=keep, strength=keep))
_PLAYER: Final = named(
    user=keep,
    name=keep,
    dm=keep,
    missed=keep,
    away=keep,
    left=keep,
    slow=keep,
    pinged=keep,
    ai=_AI,
    stand_in=_AI,
)
_DEADLINE: Final = named(seat=keep, prompt=keep, due=keep, total=keep, reminders=keep)
_PAUSE: Final = optional(named(since=keep, asked_by=keep, why=keep))
_REMARKS: Final = each(named(seat=keep, key=keep, slots=keep))


def upgrade_setup(setup: Json) -> Json:
    """Upgrade a table's setup from version 1 to version 2."""
    return _next_version(setup, object_with())


def upgrade_document(document: Json, upgrade_state: Callable[[Json], Json]) -> Json:
    """Upgrade a table's document from version 1 to version 2."""
    change = object_with(
        players=each(_PLAYER),
        deadlines=each(_DEADLINE),
        pause=_PAUSE,
        remarks=_REMARKS,
        explained=_REMARKS,
        match=optional(upgrade_state),
    )
    return _next_version(document, change)


def upgrade_record(payload: Json, upgrade_state: Callable[[Json], Json]) -> Json:
    """Upgrade the payload of an `OutboxKind.RECORD` from version 1 to version 2."""
    return object_with(before=upgrade_state, remarks=_REMARKS)(payload)


def _next_version(document: Json, change: Upgrade) -> Json:
    if not isinstance(document, dict) or document.get("version") != 1:
        raise ValueError("not a table in version 1")
    return {**change(document), "version": 2}

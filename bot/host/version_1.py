"""Takes over tables from version 1 of their documents, in which players, deadlines and so on were lists.

The names stand here in the order of that version. They are not read from the records, which may change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.engine.core import Json
from bot.engine.upgrading import Change, each, keep, named, object_with, optional

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
    """Return the setup of a table of version 1 as version 2 has it."""
    return _next_version(setup, object_with())


def upgrade_document(document: Json, upgrade_state: Callable[[Json], Json]) -> Json:
    """Return the document of a table of version 1 as version 2 has it."""
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
    """Return what was to be sent about the end of a round, as version 2 has it."""
    return object_with(before=upgrade_state, remarks=_REMARKS)(payload)


def _next_version(document: Json, change: Change) -> Json:
    if not isinstance(document, dict) or document.get("version") != 1:
        raise ValueError("not a table in version 1")
    return {**change(document), "version": 2}

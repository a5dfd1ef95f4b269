"""Former players: the ids that replace users whose data was deleted, called ghosts.

Their matches stay for the others who played in them.
"""

from __future__ import annotations

import secrets
from typing import Final

from bot.host.model import UserId

GHOSTS: Final = -1_000_000
"""Ids from here down are ghosts: one for each deleted user, so that their opponents' ratings can be rebuilt."""
_RANDOM_BITS: Final = 52
"""Enough to make two equal ghosts unlikely, and few enough for JSON to keep the number exactly."""


def is_ghost(user: int) -> bool:
    """Tell whether this id replaced a deleted user."""
    return user <= GHOSTS


def new_ghost() -> UserId:
    """Return a random id, which says nothing about the user that it replaces."""
    return UserId(GHOSTS - secrets.randbits(_RANDOM_BITS))

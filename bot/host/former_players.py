"""Former players: the random ids that replace users whose data was deleted.

Their matches stay for the others who played in them.
"""

from __future__ import annotations

import secrets
from typing import Final

from bot.host.model import UserId

FIRST_FORMER_ID: Final = -1_000_000
"""Ids from here down are former players, one for each deleted user, so that their opponents' ratings can be rebuilt."""
_RANDOM_BITS: Final = 52
"""Enough to make two equal ids unlikely, and few enough for JSON to keep the number exactly."""


def is_former_id(user: int) -> bool:
    """Return whether this id replaced a deleted user."""
    return user <= FIRST_FORMER_ID


def new_former_id() -> UserId:
    """Return a random id, which says nothing about the user that it replaces."""
    return UserId(FIRST_FORMER_ID - secrets.randbits(_RANDOM_BITS))

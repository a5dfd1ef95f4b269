"""Former players: what a person becomes who has their data deleted. The games that others played with them stay."""

from __future__ import annotations

import secrets
from typing import Final

from bot.host.model import UserId

GHOSTS: Final = -1_000_000
"""Ids from here down are of people who were deleted: one for each, so that their opponents' ratings can be rebuilt."""
_BITS: Final = 52
"""Enough for no two to meet, and within what JSON's numbers hold exactly."""


def is_ghost(user: int) -> bool:
    """Tell whether this was a person whose data were deleted."""
    return user <= GHOSTS


def new_ghost() -> UserId:
    """Return an id that says nothing about whose it was: chance alone makes it."""
    return UserId(GHOSTS - secrets.randbits(_BITS))

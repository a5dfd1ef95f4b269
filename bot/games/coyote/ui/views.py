"""Coyote's views by who they are for, inside Coyote's own screens."""

from __future__ import annotations

from typing import NewType, TypeAlias

from bot.engine.core import Prompt, Seat
from bot.engine.views import PublicQuestion
from bot.games.coyote.rules.view import CoyoteView, SeatView

PublicView = NewType("PublicView", CoyoteView)
"""What a bystander knows."""
PrivateView = NewType("PrivateView", CoyoteView)
"""What the player in `view.viewer` knows."""
OpenView = NewType("OpenView", CoyoteView)
"""A match with nothing hidden: a finished one in a replay, or one in which no person plays any more."""

Question: TypeAlias = Prompt | PublicQuestion
"""What a player may do now: their own prompt, or what everybody may see of it."""


def living(view: CoyoteView) -> tuple[SeatView, ...]:
    """Return the seats that are still playing."""
    return tuple(seat for seat in view.seats if seat.living)


def living_seats(view: CoyoteView) -> tuple[Seat, ...]:
    """Return the numbers of the seats that are still playing."""
    return tuple(seat.seat for seat in view.seats if seat.living)

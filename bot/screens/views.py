"""Whose eyes a view is for, in the type: a private view cannot be handed to a public screen by accident."""

from __future__ import annotations

from typing import NewType

from bot.engine.core import Seat
from bot.games.coyote.rules.view import CoyoteView, SeatView

PublicView = NewType("PublicView", CoyoteView)
"""What a bystander knows."""
PrivateView = NewType("PrivateView", CoyoteView)
"""What the player in `view.viewer` knows."""


def public(view: CoyoteView) -> PublicView:
    """Take a bystander's view; any other is a programming error."""
    if view.viewer is not None or view.prompt is not None:
        raise ValueError("this view is somebody's own and not for everyone")
    return PublicView(view)


def private(view: CoyoteView, seat: Seat) -> PrivateView:
    """Take the view of the seat that it is shown to; any other is a programming error."""
    if view.viewer != seat:
        raise ValueError("this view is not for that seat")
    return PrivateView(view)


OpenView = NewType("OpenView", CoyoteView)
"""Everything that was on the table, at a step of a match that is over: for replays alone."""


def laid_open(view: CoyoteView) -> OpenView:
    """Take a view with nothing hidden; somebody's own is a programming error."""
    if view.viewer is not None or view.prompt is not None:
        raise ValueError("this view is somebody's own and hides something")
    return OpenView(view)


def living(view: CoyoteView) -> tuple[SeatView, ...]:
    """Return the seats that are still playing."""
    return tuple(seat for seat in view.seats if seat.living)

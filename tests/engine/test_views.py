"""A view can be marked only for the viewer for whom it was made."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from bot.engine.core import Prompt, Seat
from bot.engine.views import laid_open, private, public

ASKED = Prompt(1, Seat(0), (), None)


class AnyView(NamedTuple):
    viewer: Seat | None = None
    prompt: Prompt | None = None


def test_only_a_bystanders_view_can_be_public_or_open() -> None:
    assert public(AnyView()).view == laid_open(AnyView()).view == AnyView()
    for own in (AnyView(Seat(0)), AnyView(prompt=ASKED)):
        with pytest.raises(ValueError, match="belongs to a player"):
            public(own)
        with pytest.raises(ValueError, match="belongs to a player"):
            laid_open(own)


def test_a_players_view_can_be_private_only_to_that_player() -> None:
    assert private(AnyView(Seat(1), ASKED), Seat(1)).view.viewer == 1
    with pytest.raises(ValueError, match="not for that seat"):
        private(AnyView(Seat(1)), Seat(0))

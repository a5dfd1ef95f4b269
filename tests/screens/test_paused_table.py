"""The buttons of a paused table."""

import pytest

from bot.engine.core import Seat
from bot.host.model import Pause, UserId
from bot.screens.table import paused_row
from tests.screens.scenes import NOW, SAY, a_table


@pytest.mark.parametrize(("players", "label"), [(1, "Resume"), (4, "Resume (0 of 3)")])
def test_votes_are_counted_on_the_button_only_where_more_than_one_is_needed(players: int, label: str) -> None:
    table = a_table(4, pause=Pause(NOW, UserId(1001)))
    buttons = paused_row(SAY, table, [Seat(seat) for seat in range(players)])
    assert buttons is not None
    assert getattr(buttons.children[0], "label", None) == label

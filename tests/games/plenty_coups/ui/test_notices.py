"""Lines in the channel: what a table waits for after a restart."""

from __future__ import annotations

from bot.discord_ui.drawing import draw_restart_line
from bot.host.model import Table
from bot.host.steady_clock import SteadyClock
from tests.games.plenty_coups.rules.cases import do, given
from tests.games.plenty_coups.ui.table_scenes import SUMMER, seated


def restarted(table: Table) -> str:
    return draw_restart_line(table, SteadyClock())


def test_after_a_restart_the_table_says_what_it_waits_for() -> None:
    table = seated(SUMMER)
    assert restarted(table).startswith("-# Back again. ⚫️ <@1001>'s turn; the clock runs out <t:")
    assert restarted(table._replace(deadlines=())) == "-# Back again. ⚫️ <@1001>'s turn, no hurry."
    disdained = seated(given(black="stick horse"), do("black", "disdain", target="green"))
    assert restarted(disdained).startswith("-# Back again. The table waits for 🌲 <@1003>; the clock runs out <t:")
    assert restarted(disdained._replace(deadlines=())) == "-# Back again. The table waits for 🌲 <@1003>, no hurry."

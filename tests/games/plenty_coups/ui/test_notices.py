"""Lines in the channel: what a table waits for after a restart."""

from __future__ import annotations

from bot.discord_ui.drawing import draw_notice, draw_restart_line
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


def test_a_line_that_is_said_with_a_disdain_comes_with_whom_it_was_for_and_what_came_of_it() -> None:
    disdain = do("black", "disdain", target="green")
    script = given(black="stick horse", green="arm2", prestige={"green": 2})
    said = {"key": "spoken", "user": 1001, "line": "I have seen braver rabbits."}
    quote = "<@1001>: *“I have seen braver rabbits.”*\n-# ⚫️ <@1001> disdains 🌲 <@1003>."
    assert draw_notice(seated(script, disdain), said) == quote
    declined = draw_notice(seated(script, disdain, do("green", "decline")), said)
    assert declined == f"{quote} 🌲 <@1003> declines to answer. 🌲 <@1003> now has prestige **1**."

"""Converts a table's times to wall clock times, which Discord can count down to."""

from __future__ import annotations

from bot.host.model import Table
from bot.host.ports import Clock


def with_wall_clock_times(table: Table, clock: Clock) -> Table:
    """Return the table with all times as wall clock times; only for drawing."""
    pause, guessing = table.pause, table.guessing
    return table._replace(
        deadlines=tuple([each._replace(due=clock.shown(each.due)) for each in table.deadlines]),
        next_deal=None if table.next_deal is None else clock.shown(table.next_deal),
        guessing=None if guessing is None else guessing._replace(due=clock.shown(guessing.due)),
        closes=None if table.closes is None else clock.shown(table.closes),
        pause=None if pause is None else pause._replace(since=clock.shown(pause.since)),
    )

"""DMs to people who have nothing more to see: those who are out, have left or only watch, and the end of a table."""

from __future__ import annotations

from bot.engine.core import Outcome
from bot.host.model import Stage, Table, UserId
from bot.screens.layout import PrivateScreen, text
from bot.screens.look import quiet_look
from bot.screens.words import link_to, who
from bot.text.catalogue import Catalogue


def won_dm(say: Catalogue, table: Table, outcome: Outcome, message: int | None) -> PrivateScreen:
    """Say in one small line that the match is over and who won: somebody may have DMs of many tables."""
    winners = say.listing([who(say, table, seat) for seat in outcome.winners])
    return _line(say("dm.won", where=_where(table), mention=winners, link=link_to(table, message)))


def closed_dm(say: Catalogue, table: Table, message: int | None) -> PrivateScreen:
    """Say in one small line that the table ended without a winner. If its channel is gone, no link leads there."""
    if table.match is None:
        return _line(say("dm.never_begun", where=_where(table)))
    if table.ended_by is None:
        return _line(say("dm.gone"))
    return _line(say("dm.closed", where=_where(table), link=link_to(table, message)))


def out_dm(say: Catalogue, table: Table, message: int | None) -> PrivateScreen:
    """Tell a player who is out that the others play on."""
    return quiet_look(say, table, say("dm.out"), say("dm.out_why"), message)


def no_seat_dm(say: Catalogue, table: Table, user: UserId, message: int | None) -> PrivateScreen:
    """Tell somebody without a seat at an open table, in one small line, why they have none."""
    if user == table.host:
        return _line(say("dm.watching", where=_where(table), link=link_to(table, message)))
    if user in table.kicked:
        return _line(say("dm.removed", where=_where(table)))
    return _line(say("dm.got_up" if table.stage is Stage.LOBBY else "dm.left", where=_where(table)))


def _line(written: str) -> PrivateScreen:
    return PrivateScreen(text(f"-# {written}"))


def _where(table: Table) -> str:
    return f"<#{table.channel}>"

"""The end: the winner and the standing, or a table that was closed without one."""

from __future__ import annotations

from discord import ButtonStyle

from bot.games.coyote.highlights import Highlights
from bot.host.model import Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, GOLD, PublicScreen, box, link, press, row, rule, text
from bot.screens.names import mention
from bot.screens.sight import PublicView
from bot.screens.words import number, who
from bot.text.catalogue import Catalogue


def final_screen(
    say: Catalogue,
    table: Table,
    view: PublicView,
    *,
    rematch: str | None = None,
) -> PublicScreen:
    """Name the winner and the standing. `rematch` is the address of the table that was opened next, if it was."""
    if view.winner is None:
        raise ValueError("nobody has won yet")
    again = (
        press(say("final.button.rematch"), CustomId(Verb.REMATCH, table.id), ButtonStyle.success)
        if rematch is None
        else link(say("final.button.rematch_go"), rematch)
    )
    after = say("final.after", count=view.number)
    return PublicScreen(
        box(
            GOLD,
            text(say("final.title", mention=who(table, view.winner), after=after)),
            text(*_standing(say, table, view)),
            rule(),
            text(*_remembered(say, table, view.best), _unrated(say, table)),
            row(again),
        )
    )


def _standing(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """List the players, best first: the later one went out, the better."""
    order = [seat.seat for seat in view.seats if seat.living] + list(reversed(view.out))
    return [
        say("final.place_left" if table.players[seat].left else "final.place", place=place, mention=who(table, seat))
        for place, seat in enumerate(order, 1)
    ]


def _remembered(say: Catalogue, table: Table, highlights: Highlights) -> list[str]:
    lines = []
    if highlights.exact is not None:
        seat, bid = highlights.exact
        lines.append(say("final.exact", mention=who(table, seat), number=number(bid)))
    if highlights.bluff is not None:
        seat, bid, total = highlights.bluff
        lines.append(say("final.bluff", mention=who(table, seat), number=number(bid), total=number(total)))
    return lines


def _unrated(say: Catalogue, table: Table) -> str | None:
    told = table.ai_played and table.house.counts and not table.is_rated
    return f"-# {say('company.table.unrated')}" if told else None


def closed_screen(say: Catalogue, table: Table, *, played: int = 0) -> PublicScreen:
    """Say how a table came to be closed without a winner; `played` is the round in which it was stopped."""
    if table.stage is not Stage.CLOSED:
        raise ValueError("the table is not closed")
    if table.ended_by is None:
        why = say("table.closed.lobby") if table.match is None else say("table.closed.gone")
    elif table.match is None:
        why = say("table.closed.cancelled", mention=mention(table.ended_by))
    else:
        why = say("table.closed.stopped", mention=mention(table.ended_by), number=played)
    return PublicScreen(box(ASH, text(say("table.closed.title"), why)))

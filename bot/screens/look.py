"""What private looks share in all games: the frame, the way back, and looks while nothing is dealt."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.engine.core import Outcome
from bot.host.model import Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, PrivateScreen, box, link, press, row, text
from bot.screens.words import link_to, who
from bot.text.catalogue import Catalogue


def lobby_look(
    say: Catalogue, table: Table, message: int | None = None, *, seated: bool = True, welcome: bool = True
) -> PrivateScreen:
    """Say that nothing is dealt yet; to somebody without a seat, that nothing will be shown.

    `welcome`: they may still take a seat; nobody has sent them away.
    """
    if not seated:
        why = say("look.no_seat_why") if welcome else say("look.sent_away_why")
        return quiet_look(say, table, say("look.nothing_dealt"), why, message, again=False)
    return quiet_look(say, table, say("look.nothing_dealt"), say("look.nothing_dealt_why"), message)


def closed_look(say: Catalogue, table: Table, message: int | None = None) -> PrivateScreen:
    """Say that the table ended without a winner. If nobody ended it, its channel is gone, and no link leads there."""
    if table.match is not None and table.ended_by is None:
        return PrivateScreen(box(ASH, text(say("look.over"), say("look.gone_why"))))
    why = say("look.over_why") if table.match is not None else say("look.never_begun_why")
    return quiet_look(say, table, say("look.over"), why, message, again=False)


def final_look(say: Catalogue, table: Table, outcome: Outcome, message: int | None = None) -> PrivateScreen:
    """Say that the match is over, and who won."""
    winners = say.listing([who(table, seat) for seat in outcome.winners])
    return quiet_look(say, table, say("look.won"), say("look.won_why", mention=winners), message, again=False)


def quiet_look(
    say: Catalogue, table: Table, title: str, why: str, message: int | None, *, again: bool = True
) -> PrivateScreen:
    """Show that there is nothing to see, and why."""
    return PrivateScreen(
        box(ASH, text(title, why), text(where_line(say, table)), back_row(say, table, message, again=again))
    )


def where_line(say: Catalogue, table: Table) -> str:
    """Name the table's channel: somebody may play at several tables."""
    return say("look.where", where=f"<#{table.channel}>")


def back_row(say: Catalogue, table: Table, message: int | None, *, again: bool) -> ui.ActionRow[Any] | None:
    """Make the way back to the table message and, with `again`, the button that looks once more."""
    look = (
        press(say("look.button.again"), CustomId(Verb.LOOK, table.id, argument="again"), emoji="👁") if again else None
    )
    return row(look, link(say("table.button.open"), link_to(table, message)))

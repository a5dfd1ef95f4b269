"""The end: the winner and the standing, or a table that was closed without one."""

from __future__ import annotations

from discord import ButtonStyle

from bot.engine.core import Seat
from bot.games.coyote.rules.highlights import Highlights
from bot.games.coyote.ui.replay import replay_button
from bot.host.model import Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, GOLD, PublicScreen, box, link, press, row, rule, text
from bot.screens.names import mention
from bot.screens.stats.leaderboard import board_button
from bot.screens.views import PublicView
from bot.screens.words import DOT, number, who
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue


def final_screen(
    say: Catalogue,
    table: Table,
    view: PublicView,
    *,
    rematch: str | None = None,
    ending: Ending | None = None,
) -> PublicScreen:
    """Name the winner and the standing, with what the game did to ratings, once that is known.

    `rematch` is the address of the table that was opened next, if it was.
    """
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
            text(*_standing(say, table, view, ending), *_counted(say, table, ending)),
            rule(),
            text(*_remembered(say, table, view.best)),
            row(again, replay_button(say, table), board_button(say)),
        )
    )


def _standing(say: Catalogue, table: Table, view: PublicView, ending: Ending | None) -> list[str]:
    """List the players, best first: the later one went out, the better."""
    order = [seat.seat for seat in view.seats if seat.living] + list(reversed(view.out))
    lines = []
    for place, seat in enumerate(order, 1):
        key = "final.place_left" if table.players[seat].left else "final.place"
        lines.append(say(key, place=place, mention=who(table, seat)) + _change(say, ending, seat))
    return lines


def _change(say: Catalogue, ending: Ending | None, seat: Seat) -> str:
    """Say what the game did to somebody's rating; nothing if it did nothing."""
    before = None if ending is None else ending.before[seat]
    after = None if ending is None else ending.game.seats[seat].rating
    if before is None or after is None:
        return ""
    gain = after - before
    signed = f"+{gain}" if gain > 0 else number(gain) if gain else "±0"
    return " " + say("final.rating", change=signed, rating=number(after))


def _counted(say: Catalogue, table: Table, ending: Ending | None) -> list[str]:
    """Say under which number the game can be found again and, if it was not rated, why."""
    if ending is None:
        return []
    told = [say("final.number", number=ending.game.number)]
    if all(seat.rating is None for seat in ending.game.seats):
        told.append(say(_why_unrated(table, ending)))
    return [f"-# {DOT.join(told)}"]


def _why_unrated(table: Table, ending: Ending) -> str:
    if not table.house.counts:
        return "final.unrated_house"
    return "final.unrated_ai" if ending.game.ai and not ending.game.counted else "final.unrated_alone"


def _remembered(say: Catalogue, table: Table, highlights: Highlights) -> list[str]:
    lines = []
    if highlights.exact is not None:
        seat, bid = highlights.exact
        lines.append(say("final.exact", mention=who(table, seat), number=number(bid)))
    if highlights.bluff is not None:
        seat, bid, total = highlights.bluff
        lines.append(say("final.bluff", mention=who(table, seat), number=number(bid), total=number(total)))
    return lines


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

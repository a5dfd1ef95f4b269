"""The end of a table: the winner and the standing, or a table that was closed without one."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.engine.core import Outcome, Seat
from bot.host.model import Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, GOLD, PublicScreen, box, link, press, row, rule, text
from bot.screens.names import mention
from bot.screens.replay import replay_button
from bot.screens.stats.leaderboard import board_button
from bot.screens.words import DOT, number, who
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue


def final_screen(
    say: Catalogue,
    table: Table,
    outcome: Outcome,
    *,
    rounds: int,
    highlights: Sequence[str] = (),
    rematch: str | None = None,
    ending: Ending | None = None,
) -> PublicScreen:
    """Name the winner and the standing, with the rating changes once they are known.

    `rounds` is how many were played, `highlights` are the game's own lines, `rematch` is the address of the table that
    was opened next.
    """
    again = (
        press(say("final.button.rematch"), CustomId(Verb.REMATCH, table.id), ButtonStyle.success)
        if rematch is None
        else link(say("final.button.rematch_go"), rematch)
    )
    winners = say.listing([who(table, seat) for seat in outcome.winners])
    after = say("final.after", count=rounds)
    return PublicScreen(
        box(
            GOLD,
            text(say("final.title", mention=winners, after=after)),
            text(*_standing(say, table, outcome, ending), *_match_number_line(say, table, ending)),
            rule(),
            text(*highlights),
            row(again, replay_button(say, table), board_button(say)),
        )
    )


def _standing(say: Catalogue, table: Table, outcome: Outcome, ending: Ending | None) -> list[str]:
    """List the players, best first."""
    order = sorted(range(len(outcome.places)), key=lambda seat: outcome.places[seat])
    lines = []
    for seat in map(Seat, order):
        key = "final.place_left" if table.players[seat].left else "final.place"
        line = say(key, place=outcome.places[seat], mention=who(table, seat))
        lines.append(line + _rating_change(say, ending, seat))
    return lines


def _rating_change(say: Catalogue, ending: Ending | None, seat: Seat) -> str:
    """Say how the match changed a player's rating; nothing if it was not rated."""
    before = None if ending is None else ending.before[seat]
    after = None if ending is None else ending.game.seats[seat].rating
    if before is None or after is None:
        return ""
    gain = after - before
    signed = f"+{gain}" if gain > 0 else number(gain) if gain else "±0"
    return " " + say("final.rating", change=signed, rating=number(after))


def _match_number_line(say: Catalogue, table: Table, ending: Ending | None) -> list[str]:
    """Say under which number the match can be found again and, if it was not rated, why."""
    if ending is None:
        return []
    parts = [say("final.number", number=ending.game.number)]
    if all(seat.rating is None for seat in ending.game.seats):
        parts.append(say(_why_unrated(table, ending)))
    return [f"-# {DOT.join(parts)}"]


def _why_unrated(table: Table, ending: Ending) -> str:
    if not table.house.counts:
        return "final.unrated_house"
    return "final.unrated_ai" if ending.game.ai and not ending.game.counted else "final.unrated_alone"


def closed_screen(say: Catalogue, table: Table, *, played: int = 0) -> PublicScreen:
    """Say why a table was closed without a winner; `played` is the round in which it was stopped."""
    if table.stage is not Stage.CLOSED:
        raise ValueError("the table is not closed")
    if table.ended_by is None:
        why = say("table.closed.lobby") if table.match is None else say("table.closed.gone")
    elif table.match is None:
        why = say("table.closed.cancelled", mention=mention(table.ended_by))
    else:
        why = say("table.closed.stopped", mention=mention(table.ended_by), number=played)
    return PublicScreen(box(ASH, text(say("table.closed.title"), why)))

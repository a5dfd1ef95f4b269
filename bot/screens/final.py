"""The end of a table: the winner and the standings, or why it was closed without a winner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.engine.core import Outcome, Seat
from bot.host.model import Stage, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.guessing import tally_lines
from bot.screens.layout import ASH, GOLD, PublicScreen, box, link, press, row, rule, text
from bot.screens.names import mention
from bot.screens.reasons import reasons_button
from bot.screens.replay import replay_button
from bot.screens.stats.leaderboard import board_button
from bot.screens.stats.queries import LeaderboardQuery, Scope
from bot.screens.words import DOT, ai_name, number, signed, who
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue


def final_screen(
    say: Catalogue,
    table: Table,
    outcome: Outcome,
    *,
    rounds: int,
    marks: Sequence[str] = (),
    scoring: Sequence[str] = (),
    highlights: Sequence[str] = (),
    rematch: str | None = None,
    ending: Ending | None = None,
    shared_by: UserId | None = None,
) -> PublicScreen:
    """Name the winner and the standings, with the rating changes once they are known.

    `rounds` is how many were played, `marks` stand behind the players, by seat. `scoring` and `highlights` are the
    game's own lines, `rematch` is the address of the table opened next. With `shared_by`, it is shown again because
    this user asked for it.
    """
    winners = say.listing([who(say, table, seat) for seat in outcome.winners])
    title = "final.title" if len(outcome.winners) == 1 else "final.title_together"
    after = say("final.after", count=rounds)
    return PublicScreen(
        box(
            GOLD,
            text(say(title, mention=winners, after=after)),
            text(
                *_standing(say, table, outcome, ending, marks),
                *_away_lines(say, table, outcome, ending),
                *_stand_in_lines(say, table, outcome),
                *_match_number_line(say, table, ending),
            ),
            rule(),
            text(*scoring),
            rule(),
            text(*highlights),
            text(*(tally_lines(say, table) if shared_by is None else [])),
            text(None if shared_by is None else say("final.shared", mention=mention(say, shared_by))),
            row(
                _again_button(say, table, rematch) if shared_by is None else None,
                replay_button(say, table),
                board_button(say, LeaderboardQuery(scope=Scope().playing(table.game))),
                reasons_button(say, table),
            ),
        )
    )


def _again_button(say: Catalogue, table: Table, rematch: str | None) -> ui.Button[Any]:
    if rematch is not None:
        return link(say("final.button.rematch_go"), rematch)
    return press(say("final.button.rematch"), CustomId(Verb.REMATCH, table.id), ButtonStyle.success)


def _standing(say: Catalogue, table: Table, outcome: Outcome, ending: Ending | None, marks: Sequence[str]) -> list[str]:
    """List the players, best first."""
    order = sorted(range(len(outcome.places)), key=lambda seat: outcome.places[seat])
    lines = []
    for seat in map(Seat, order):
        key = "final.place_left" if table.players[seat].left else "final.place"
        line = say(key, place=outcome.places[seat], mention=who(say, table, seat))
        mark = f" {marks[seat]}" if marks else ""
        lines.append(line + mark + _rating_change(say, ending, seat))
    return lines


def _rating_change(say: Catalogue, ending: Ending | None, seat: Seat) -> str:
    """Say how the match changed a player's rating; nothing if it was not rated."""
    before = None if ending is None else ending.before[seat]
    after = None if ending is None else ending.game.seats[seat].rating
    if before is None or after is None:
        return ""
    return " " + say("final.rating", change=signed(after - before), rating=number(after))


def _away_lines(say: Catalogue, table: Table, outcome: Outcome, ending: Ending | None) -> list[str]:
    """Say who is ranked lower than the AI player that finished the match for them."""
    if ending is None or not ending.game.counted:
        return []
    ranked = [(seat.seat, seat.place) for seat in ending.game.seats if seat.place > outcome.places[seat.seat]]
    return [
        say("final.away", mention=who(say, table, seat), ordinal=say.ordinal(place, "place")) for seat, place in ranked
    ]


def _stand_in_lines(say: Catalogue, table: Table, outcome: Outcome) -> list[str]:
    """Say which AI played to the end in a winner's seat."""
    seats = [(seat, table.players[seat].stand_in) for seat in outcome.winners]
    return [
        say("final.stand_in", mention=who(say, table, seat), ai=ai_name(say, ai.name))
        for seat, ai in seats
        if ai is not None
    ]


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
        why = say("table.closed.cancelled", mention=mention(say, table.ended_by))
    else:
        why = say("table.closed.stopped", mention=mention(say, table.ended_by), number=played)
    return PublicScreen(box(ASH, text(say("table.closed.title"), why)))

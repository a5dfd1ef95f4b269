"""The people at a running table, a line each, and what they have agreed on so far."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.rules.view import SeatView
from bot.host.model import Dm, Table, UserId
from bot.screens.views import PublicView, living
from bot.screens.words import DOT, ai_name, faces, purse, who
from bot.text.catalogue import Catalogue


def seat_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Return one line per living player, and one for all who are out."""
    lines = [_line(say, table, view, seat) for seat in living(view)]
    out = [who(table, seat.seat) for seat in view.seats if not seat.living]
    return [*lines, f"-# {say('table.seat.out', mentions=DOT.join(out))}"] if out else lines


def marks(say: Catalogue, seat: SeatView) -> list[str]:
    """Say what is the matter with somebody's feathers, to who sees them."""
    found = []
    if seat.opened:
        found.append(say("look.open", cards=faces(seat.opened)))
    if seat.covered:
        found.append(say("look.covered", cards=faces(seat.covered)))
    if seat.withdrawn:
        found.append(say("look.safe"))
    return found


def _line(say: Catalogue, table: Table, view: PublicView, seat: SeatView) -> str:
    player = table.players[seat.seat]
    marks = "".join(f"{DOT}{mark}" for mark in _marks(say, table, view, seat))
    key = "table.seat.turn" if seat.seat == view.turn else "table.seat.line"
    name = who(table, seat.seat)
    if player.dm is Dm.SHUT:
        name = f"{name} {say('table.seat.look')}"
    return say(key, purse=purse(view.rules, seat), mention=name, marks=marks)


def _marks(say: Catalogue, table: Table, view: PublicView, seat: SeatView) -> list[str]:
    player = table.players[seat.seat]
    marks = []
    if seat.withdrawn and seat.worn is not None:
        marks.append(say("table.seat.safe", cards=faces(seat.worn)))
    elif seat.feathers > 1 and any(view.rules.supply):
        marks.append(say("table.seat.covered", count=seat.feathers - 1))
    elif seat.feathers > 1:
        marks.append(say("table.seat.feathers", count=seat.feathers))
    if seat.opened:
        marks.append(say("table.seat.open", cards=faces(seat.opened)))
    if player.away:
        marks.append(say("table.seat.away"))
    if player.stand_in is not None:
        marks.append(say("company.table.stand_in", ai=ai_name(table, player.stand_in.name)))
    return marks


class Vote(NamedTuple):
    """How far an agreement has come."""

    votes: tuple[UserId, ...]
    needed: int


def present(table: Table, view: PublicView) -> tuple[UserId, ...]:
    """Return who has a say: playing, and not away."""
    seats = (table.players[seat.seat] for seat in living(view))
    return tuple(player.user for player in seats if not player.away and not player.left and player.ai is None)


def pause_vote(table: Table, view: PublicView) -> Vote:
    """Everyone who is present must agree to pause, and most of them to go on."""
    here = present(table, view)
    needed = len(here) if table.pause is None else len(here) // 2 + 1
    return Vote(tuple(user for user in table.pause_votes if user in here), needed)


def out_votes(table: Table, view: PublicView) -> list[tuple[Seat, Vote]]:
    """Most of the others who are present must agree to go on without an away player."""
    found = []
    for seat in living(view):
        player = table.players[seat.seat]
        if player.away and not player.left:
            others = [user for user in present(table, view) if user != player.user]
            votes = tuple(voter for whom, voter in table.out_votes if whom == player.user and voter in others)
            found.append((seat.seat, Vote(votes, len(others) // 2 + 1)))
    return found

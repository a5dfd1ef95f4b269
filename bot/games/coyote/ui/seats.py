"""The players at a running table, a line each."""

from __future__ import annotations

from bot.games.coyote.rules.view import SeatView
from bot.games.coyote.ui.views import PublicView, living
from bot.games.coyote.ui.words import feathers, purse
from bot.host.model import Dm, Table
from bot.screens.words import DOT, ai_name, who
from bot.text.catalogue import Catalogue


def seat_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Return one line per living player, and one for all who are out."""
    lines = [_line(say, table, view, seat) for seat in living(view)]
    out = [who(say, table, seat.seat) for seat in view.seats if not seat.living]
    return [*lines, f"-# {say('table.seat.out', mentions=DOT.join(out))}"] if out else lines


def feather_notes(say: Catalogue, seat: SeatView) -> list[str]:
    """Say what is special about a player's feathers, for a reader who may see them."""
    notes = []
    if seat.opened:
        notes.append(say("look.open", cards=feathers(say, seat.opened)))
    if seat.covered:
        notes.append(say("look.covered", cards=feathers(say, seat.covered)))
    if seat.withdrawn:
        notes.append(say("look.safe"))
    return notes


def _line(say: Catalogue, table: Table, view: PublicView, seat: SeatView) -> str:
    notes = "".join(f"{DOT}{note}" for note in _notes(say, table, view, seat))
    key = "table.seat.turn" if seat.seat == view.turn else "table.seat.line"
    name = who(say, table, seat.seat)
    if table.players[seat.seat].dm is Dm.SHUT:
        name = f"{name} {say('table.seat.look')}"
    return say(key, purse=purse(say, view.rules, seat), mention=name, marks=notes)


def _notes(say: Catalogue, table: Table, view: PublicView, seat: SeatView) -> list[str]:
    """Say what everybody may know about a player's feathers, and whether somebody plays for them."""
    player = table.players[seat.seat]
    notes = []
    if seat.withdrawn and seat.worn is not None:
        notes.append(say("table.seat.safe", cards=feathers(say, seat.worn)))
    elif seat.worn is not None:
        notes.append(say("table.seat.known", cards=feathers(say, seat.worn)))
    elif seat.feathers > 1 and view.rules.covers_feathers:
        notes.append(say("table.seat.covered", count=seat.feathers - 1))
    elif seat.feathers > 1:
        notes.append(say("table.seat.feathers", count=seat.feathers))
    if seat.opened:
        notes.append(say("table.seat.open", cards=feathers(say, seat.opened)))
    if player.away:
        notes.append(say("table.seat.away"))
    if player.stand_in is not None:
        notes.append(say("ai_players.table.stand_in", ai=ai_name(say, player.stand_in.name)))
    return notes

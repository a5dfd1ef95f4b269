"""Checks that the host's modules share: who sits where, who is present, who may do what."""

from __future__ import annotations

from bot.engine.core import DEALER, Questions, Rejected, Seat
from bot.host.commands import HostReason, Notice, OutboxKind
from bot.host.decision import Draft
from bot.host.model import Dm, Stage, Table, UserId


def require_stage(table: Table, stage: Stage) -> None:
    """Refuse unless the table is in this stage; the refusal names the stage it is in."""
    if table.stage is stage:
        return
    if table.stage is Stage.OVER:
        raise Rejected(HostReason.TABLE_OVER, rematch=table.rematch)
    if table.stage is Stage.CLOSED:
        raise Rejected(HostReason.TABLE_CLOSED, ended_by=table.ended_by)
    raise Rejected(
        HostReason.NOT_STARTED if table.stage is Stage.LOBBY else HostReason.ALREADY_STARTED, host=table.host
    )


def seat_of(table: Table, user: UserId) -> Seat:
    """Return the user's seat; refuse a user who has none."""
    seat = table.seat_of(user)
    if seat is None:
        raise Rejected(HostReason.NOT_SEATED)
    return seat


def other_seat(table: Table, by: UserId, whom: UserId) -> Seat:
    """Return the seat of another player at the table."""
    if whom == by:
        raise Rejected(HostReason.NOT_YOURSELF)
    seat = table.seat_of(whom)
    if seat is None:
        raise Rejected(HostReason.NOT_AT_TABLE, whom=whom)
    return seat


def require_host(table: Table, user: UserId) -> None:
    """Refuse everybody but the host."""
    if user != table.host:
        raise Rejected(HostReason.HOST_ONLY, host=table.host)


def may_stop(table: Table, user: UserId, *, manager: bool) -> bool:
    """Return whether a user may end the table: managers and a lobby's host always may, else the house rules decide."""
    if manager:
        return True
    if table.stage is not Stage.LOBBY and table.house.who_stops == "managers":
        return False
    if table.house.who_stops == "players" and table.seat_of(user) is not None:
        return True
    return user == table.host


def player_in_match(draft: Draft, user: UserId) -> Seat:
    """Return the user's seat; refuse a user who is out of the match."""
    seat = seat_of(draft.table, user)
    if seat not in draft.game.seated(draft.table.match):
        raise Rejected(HostReason.ELIMINATED)
    return seat


def present(draft: Draft) -> tuple[UserId, ...]:
    """Return the people who are in the match and not away."""
    seated = [draft.table.players[seat] for seat in draft.game.seated(draft.table.match)]
    return tuple([player.user for player in seated if not player.away and player.acting_ai is None])


def nobody_is_left(table: Table, gone: UserId) -> bool:
    """Return whether the last person has just left: no other is seated, and no other host watches."""
    return not table.people and table.host == gone


def asked(table: Table, open_questions: Questions) -> tuple[UserId, ...]:
    """Return the users who have an open prompt."""
    return tuple([table.players[seat].user for seat, _ in open_questions if seat != DEALER])


def send_final_dms(draft: Draft) -> None:
    """Update every player's DM to say that the table is done, even for those who left, and a watching host's."""
    for player in draft.table.players:
        if player.dm is Dm.OPEN:
            draft.send(OutboxKind.DM, player.user)
    if all(player.user != draft.table.host for player in draft.table.players):
        draft.send(OutboxKind.DM, draft.table.host)


def pass_on_host(draft: Draft, seat: Seat | None) -> None:
    """Make the next person after this seat the host, if possible one who is still in the match.

    If the old host had no seat (None), the search starts at the first seat.
    """
    table = draft.table
    count = len(table.players)
    order = [Seat(each if seat is None else (seat + each) % count) for each in range(seat is not None, count)]
    heirs = [heir for heir in order if not table.players[heir].left and table.players[heir].ai is None]
    playing = draft.game.seated(table.match) if table.match is not None else ()
    heir = next((heir for heir in heirs if heir in playing), heirs[0] if heirs else None)
    if heir is not None:
        draft.change(host=table.players[heir].user)
        if table.stage is Stage.PLAYING:
            draft.notice(Notice.NEW_HOST, user=table.players[heir].user)

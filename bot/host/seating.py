"""Who sits where, who is there, who may say what: the tests that the host's modules share."""

from __future__ import annotations

from bot.engine.core import DEALER, Questions, Rejected, Seat
from bot.host.commands import HostReason, Notice, Tell
from bot.host.decision import Draft
from bot.host.model import Dm, Stage, Table, UserId


def in_stage(table: Table, stage: Stage) -> None:
    """Refuse what belongs to another stage, by saying in which the table is."""
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
    """Return the user's seat, or refuse who has none."""
    seat = table.seat_of(user)
    if seat is None:
        raise Rejected(HostReason.NOT_SEATED)
    return seat


def other_seat(table: Table, by: UserId, whom: UserId) -> Seat:
    """Return the seat of somebody else at the table."""
    if whom == by:
        raise Rejected(HostReason.NOT_YOURSELF)
    seat = table.seat_of(whom)
    if seat is None:
        raise Rejected(HostReason.NOT_AT_TABLE, whom=whom)
    return seat


def host_only(table: Table, user: UserId) -> None:
    """Refuse whoever is not the host, naming who is."""
    if user != table.host:
        raise Rejected(HostReason.HOST_ONLY, host=table.host)


def may_stop(table: Table, user: UserId, *, manager: bool) -> bool:
    """Tell whether somebody may end the table: the house says who, a lobby's host may, and `manager`s always."""
    if manager:
        return True
    if table.stage is not Stage.LOBBY and table.house.who_stops == "managers":
        return False
    if table.house.who_stops == "players" and table.seat_of(user) is not None:
        return True
    return user == table.host


def player_in_match(draft: Draft, user: UserId) -> Seat:
    """Return the seat of somebody who is still in the match. Whoever says something is back."""
    seat = seat_of(draft.table, user)
    if seat not in draft.game.seated(draft.table.match):
        raise Rejected(HostReason.ELIMINATED)
    return seat


def present(draft: Draft) -> tuple[UserId, ...]:
    """Return the persons who are in the match and not away."""
    seated = [draft.table.players[seat] for seat in draft.game.seated(draft.table.match)]
    return tuple([player.user for player in seated if not player.away and player.acting_ai is None])


def nobody_is_left(table: Table, gone: UserId) -> bool:
    """Tell whether it was the last person who has just gone: none is seated, and no other host watches."""
    return not table.people and table.host == gone


def asked(table: Table, open_questions: Questions) -> tuple[UserId, ...]:
    """Return the users whom the table waits for."""
    return tuple([table.players[seat].user for seat, _ in open_questions if seat != DEALER])


def tell_the_end(draft: Draft) -> None:
    """Have every DM of the game say that it is over, also those of people who left."""
    for player in draft.table.players:
        if player.dm is Dm.OPEN:
            draft.tell(Tell.DM, player.user)


def pass_on_host(draft: Draft, seat: Seat | None) -> None:
    """Let the next person after this seat host who has not left; in a match rather one who still plays.

    None: the host had no seat, and the first person will do.
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

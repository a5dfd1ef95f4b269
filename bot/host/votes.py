"""Votes on pauses and on removing away players; suspending, resuming and ending a table."""

from __future__ import annotations

from bot.engine.core import Rejected
from bot.host import turns
from bot.host.commands import (
    AskPause,
    Back,
    Close,
    HostReason,
    Notice,
    OutboxKind,
    PutOff,
    Resume,
    Stop,
    Suspend,
    VoteOut,
)
from bot.host.deadlines import GRACE_MILLIS, shifted
from bot.host.decision import Actor, Draft
from bot.host.model import Pause, Stage, UserId
from bot.host.seating import may_stop, other_seat, player_in_match, present, require_stage, send_final_dms


def ask_pause(draft: Draft, command: AskPause) -> None:
    """Vote for a pause, or for the end of one."""
    require_stage(draft.table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    pause = draft.table.pause
    if draft.table.is_suspended:
        turns.refuse_if_paused(pause)
    if command.by in draft.table.pause_votes:
        raise Rejected(HostReason.ALREADY_VOTED, missing=_yet_to_vote(draft))
    turns.mark_present(draft, seat)
    draft.change(pause_votes=(*draft.table.pause_votes, command.by))
    draft.log(Actor.USER, command.by, {"host": "go_on" if pause else "pause", "seat": seat})
    draft.send(OutboxKind.TABLE)
    turns.renew_deadlines(draft)
    count_pause_votes(draft, command.by)


def _yet_to_vote(draft: Draft) -> tuple[UserId, ...]:
    return tuple(user for user in present(draft) if user not in draft.table.pause_votes)


def count_pause_votes(draft: Draft, by: UserId | None) -> None:
    """Pause if all present players voted for it, or end the pause if most did. A player's leaving may decide it.

    No clock runs during a pause, so nobody becomes away. Ending it needs only a majority, or one missing player could
    block all the others.
    """
    table = draft.table
    if table.stage is not Stage.PLAYING or not table.pause_votes:
        return
    here, missing = len(present(draft)), len(_yet_to_vote(draft))
    agree = here - missing  # votes of players who are out or away by now do not count
    if not agree or (missing and (table.pause is None or agree < votes_needed(here))):
        return
    if table.pause is None:
        draft.change(pause=Pause(draft.now, table.pause_votes[0]), pause_votes=())
        draft.notice(Notice.PAUSED, by=table.pause_votes[0])
    else:
        end_pause(draft, by)


def end_deserted_pause(draft: Draft) -> None:
    """End a pause that nobody can end, because all remaining players are away or AI players."""
    table = draft.table
    if table.stage is Stage.PLAYING and not table.is_suspended and not present(draft):
        end_pause(draft, None)


def end_pause(draft: Draft, by: UserId | None) -> None:
    """End the pause. Every clock has as much time left as when the pause began."""
    pause = draft.table.pause
    if pause is None:
        return
    draft.change(pause=None, pause_votes=())
    draft.table = shifted(draft.table, draft.now - pause.since)
    turns.renew_deadlines(draft)
    draft.send(OutboxKind.TABLE)
    draft.notice(Notice.RESUMED, by=by)


def suspend(draft: Draft, command: Suspend) -> None:
    """Stop the clocks until the table can be reached again, if they are not stopped already."""
    table = draft.table
    if table.stage is Stage.PLAYING and not table.is_suspended:
        since, asked_by = draft.clock, None if table.pause is None else table.pause.asked_by
        draft.change(pause=Pause(since, asked_by, command.why), pause_votes=())
        draft.log(Actor.CLOCK, None, {"host": "suspend"})
        draft.send(OutboxKind.TABLE)


def resume(draft: Draft, command: Resume) -> None:
    """End a suspension. If a pause had been agreed before it, the pause continues."""
    table = draft.table
    if table.stage is Stage.PLAYING and table.pause is not None and table.is_suspended:
        draft.log(Actor.CLOCK, None, {"host": "resume"})
        if table.pause.asked_by is None:
            end_pause(draft, None)
        else:
            draft.change(pause=table.pause._replace(why=None))
            draft.send(OutboxKind.TABLE)


def put_off(draft: Draft, command: PutOff) -> None:
    """Give the clocks back the time in which nobody could press, unless they were stopped."""
    table = draft.table
    if table.is_open and table.pause is None:
        lost = draft.now - max(command.since, table.asked_at or command.since)
        draft.change()
        draft.table = shifted(draft.table, lost + GRACE_MILLIS)


def back(draft: Draft, command: Back) -> None:
    """Come back after being away: turns have their full time again."""
    table = draft.table
    require_stage(table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    if not table.players[seat].away:
        raise Rejected(HostReason.NOT_AWAY, whom=command.by)
    turns.mark_present(draft, seat)
    turns.renew_deadlines(draft)
    draft.log(Actor.USER, command.by, {"host": "back", "seat": seat})
    draft.send(OutboxKind.TABLE)


def vote_out(draft: Draft, command: VoteOut) -> None:
    """Vote to remove a player who is away."""
    require_stage(draft.table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    target = other_seat(draft.table, command.by, command.whom)
    if not draft.table.players[target].away:
        raise Rejected(HostReason.NOT_AWAY, whom=command.whom)
    if target not in draft.game.seated(draft.table.match):
        raise Rejected(HostReason.ELIMINATED, whom=command.whom)
    vote = (command.whom, command.by)
    if vote in draft.table.out_votes:
        raise Rejected(HostReason.ALREADY_VOTED, missing=_missing_votes(draft, command.whom))
    turns.mark_present(draft, seat)
    turns.renew_deadlines(draft)
    draft.change(out_votes=(*draft.table.out_votes, vote))
    draft.log(Actor.USER, command.by, {"host": "vote_out", "seat": target})
    draft.send(OutboxKind.TABLE)


def count_out_votes(draft: Draft) -> None:
    """Remove players whom most of the others voted out. A voter who left or is away may change the majority."""
    for whom, _ in draft.table.out_votes:
        voters = [voter for target, voter in draft.table.out_votes if target == whom]
        seat = draft.table.seat_of(whom)
        if draft.table.stage is not Stage.PLAYING or seat not in draft.game.seated(draft.table.match):
            continue  # out of the match already: no vote is needed, and they keep their seat in the rematch
        if voters and _missing_votes(draft, whom) <= 0:
            draft.notice(Notice.VOTED_OUT, user=whom)
            turns.remove(draft, seat, Actor.USER, voters[-1])


def votes_needed(voters: int) -> int:
    """Return how many votes are a majority."""
    return voters // 2 + 1


def _missing_votes(draft: Draft, whom: UserId) -> int:
    """Return how many votes are missing; only votes of players who are present count."""
    others = [user for user in present(draft) if user != whom]
    votes = sum(1 for target, voter in draft.table.out_votes if target == whom and voter in others)
    return votes_needed(len(others)) - votes


def stop(draft: Draft, command: Stop) -> None:
    """End the table on request."""
    table = draft.table
    if table.stage is not Stage.LOBBY:
        require_stage(table, Stage.PLAYING)
    if not may_stop(table, command.by, manager=command.manager):
        raise Rejected(HostReason.MAY_NOT_STOP, host=table.host, who=table.house.who_stops)
    draft.log(Actor.USER, command.by, {"host": "stop"})
    close_table(draft, command.by)
    send_final_dms(draft)
    draft.notice(Notice.STOPPED, by=command.by)


def close(draft: Draft, command: Close) -> None:
    """End a table whose guild or channel was deleted, if it is open."""
    if draft.table.is_open:
        draft.log(Actor.CLOCK, None, {"host": "close"})
        close_table(draft, None)
        send_final_dms(draft)


def close_table(draft: Draft, by: UserId | None) -> None:
    """Close a running table. Nothing is due after that."""
    draft.change(stage=Stage.CLOSED, ended_by=by, closes=None, **turns.NOTHING_DUE)
    draft.send(OutboxKind.TABLE)

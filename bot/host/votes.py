"""What players agree on: pausing, going on, doing without somebody who is away; and what stops a table."""

from __future__ import annotations

from bot.engine.core import Rejected
from bot.host import turns
from bot.host.clocks import GRACE, shifted
from bot.host.commands import AskPause, Back, Close, HostReason, Notice, PutOff, Resume, Stop, Suspend, Tell, VoteOut
from bot.host.decision import Actor, Draft
from bot.host.model import Pause, Stage, UserId
from bot.host.seating import in_stage, may_stop, other_seat, player_in_match, present, tell_the_end


def ask_pause(draft: Draft, command: AskPause) -> None:
    """Want a pause, or its end; done when everybody who is there wants the one, or most of them the other."""
    in_stage(draft.table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    pause = draft.table.pause
    if draft.table.is_suspended:
        turns.not_paused(pause)
    if command.by in draft.table.pause_votes:
        raise Rejected(HostReason.ALREADY_VOTED, missing=_silent(draft))
    turns.attend(draft, seat)
    draft.change(pause_votes=(*draft.table.pause_votes, command.by))
    draft.log(Actor.USER, command.by, {"host": "go_on" if pause else "pause", "seat": seat})
    draft.tell(Tell.TABLE)
    turns.ask_again(draft)
    count(draft, command.by)


def _silent(draft: Draft) -> tuple[UserId, ...]:
    return tuple(user for user in present(draft) if user not in draft.table.pause_votes)


def count(draft: Draft, by: UserId | None) -> None:
    """Pause if everybody who is there has asked for it, go on if most have; somebody's going may have made it so.

    No clock runs in a pause, so nobody becomes away: one who does not come back must not hold up all the others.
    """
    table = draft.table
    if table.stage is not Stage.PLAYING or not table.pause_votes:
        return
    here, silent = len(present(draft)), len(_silent(draft))
    agree = here - silent  # votes of people who are out or away by now are nobody's wish any more
    if not agree or (silent and (table.pause is None or agree < votes_needed(here))):
        return
    if table.pause is None:
        draft.change(pause=Pause(draft.now, table.pause_votes[0]), pause_votes=())
        draft.notice(Notice.PAUSED, by=table.pause_votes[0])
    else:
        go_on(draft, by)


def end_deserted(draft: Draft) -> None:
    """End a pause that nobody is left to end: those who play on are away or AIs, and others may wait for them."""
    table = draft.table
    if table.stage is Stage.PLAYING and not table.is_suspended and not present(draft):
        go_on(draft, None)


def go_on(draft: Draft, by: UserId | None) -> None:
    """End the pause: every clock has what it had when the pause began."""
    pause = draft.table.pause
    if pause is None:
        return
    draft.change(pause=None, pause_votes=())
    draft.table = shifted(draft.table, draft.now - pause.since)
    turns.ask_again(draft)
    draft.tell(Tell.TABLE)
    draft.notice(Notice.RESUMED, by=by)


def suspend(draft: Draft, command: Suspend) -> None:
    """Let the clocks stand still until the table can be reached again; nothing happens to one that does already."""
    table = draft.table
    if table.stage is Stage.PLAYING and not table.is_suspended:
        since, asked_by = draft.clock, None if table.pause is None else table.pause.asked_by
        draft.change(pause=Pause(since, asked_by, command.why), pause_votes=())
        draft.log(Actor.CLOCK, None, {"host": "suspend"})
        draft.tell(Tell.TABLE)


def resume(draft: Draft, command: Resume) -> None:
    """Go on after a suspension, or with the pause that was agreed before it; other tables need nothing."""
    table = draft.table
    if table.stage is Stage.PLAYING and table.pause is not None and table.is_suspended:
        draft.log(Actor.CLOCK, None, {"host": "resume"})
        if table.pause.asked_by is None:
            go_on(draft, None)
        else:
            draft.change(pause=table.pause._replace(why=None))
            draft.tell(Tell.TABLE)


def put_off(draft: Draft, command: PutOff) -> None:
    """Give the clocks back the time in which nobody could press; those of a table that stands still need nothing."""
    table = draft.table
    if table.is_open and table.pause is None:
        lost = draft.now - max(command.since, table.asked_at or command.since)
        draft.change()
        draft.table = shifted(draft.table, lost + GRACE)


def back(draft: Draft, command: Back) -> None:
    """Be there again: the turns have their full time."""
    table = draft.table
    in_stage(table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    if not table.players[seat].away:
        raise Rejected(HostReason.NOT_AWAY, whom=command.by)
    turns.attend(draft, seat)
    turns.ask_again(draft)
    draft.log(Actor.USER, command.by, {"host": "back", "seat": seat})
    draft.tell(Tell.TABLE)


def vote_out(draft: Draft, command: VoteOut) -> None:
    """Want an away player to be out; done when most of the others who are there want it."""
    in_stage(draft.table, Stage.PLAYING)
    seat = player_in_match(draft, command.by)
    target = other_seat(draft.table, command.by, command.whom)
    if not draft.table.players[target].away:
        raise Rejected(HostReason.NOT_AWAY, whom=command.whom)
    if target not in draft.game.seated(draft.table.match):
        raise Rejected(HostReason.ELIMINATED, whom=command.whom)
    vote = (command.whom, command.by)
    if vote in draft.table.out_votes:
        raise Rejected(HostReason.ALREADY_VOTED, missing=_needed(draft, command.whom))
    turns.attend(draft, seat)
    turns.ask_again(draft)
    draft.change(out_votes=(*draft.table.out_votes, vote))
    draft.log(Actor.USER, command.by, {"host": "vote_out", "seat": target})
    draft.tell(Tell.TABLE)


def count_out(draft: Draft) -> None:
    """Take out whom most of the others want out; somebody's going, or being away, may have made them the most."""
    for whom, _ in draft.table.out_votes:
        voters = [voter for target, voter in draft.table.out_votes if target == whom]
        seat = draft.table.seat_of(whom)
        if draft.table.stage is not Stage.PLAYING or seat not in draft.game.seated(draft.table.match):
            continue  # whoever is out meanwhile needs no vote any more, and keeps their seat in the rematch
        if voters and _needed(draft, whom) <= 0:
            draft.notice(Notice.VOTED_OUT, user=whom)
            turns.remove(draft, seat, Actor.USER, voters[-1])


def votes_needed(others: int) -> int:
    """Return how many of so many others make most of them."""
    return others // 2 + 1


def _needed(draft: Draft, whom: UserId) -> int:
    """Return how many votes are missing; only those of people who are there count."""
    others = [user for user in present(draft) if user != whom]
    votes = sum(1 for target, voter in draft.table.out_votes if target == whom and voter in others)
    return votes_needed(len(others)) - votes


def stop(draft: Draft, command: Stop) -> None:
    """End the table: the right of those whom the house names, and of whoever may manage the channel."""
    table = draft.table
    if table.stage is not Stage.LOBBY:
        in_stage(table, Stage.PLAYING)
    if not may_stop(table, command.by, manager=command.manager):
        raise Rejected(HostReason.MAY_NOT_STOP, host=table.host, who=table.house.who_stops)
    draft.log(Actor.USER, command.by, {"host": "stop"})
    end(draft, command.by)
    tell_the_end(draft)
    draft.notice(Notice.STOPPED, by=command.by)


def close(draft: Draft, command: Close) -> None:
    """End a table whose place is gone; one that has ended stays as it is."""
    if draft.table.is_open:
        draft.log(Actor.CLOCK, None, {"host": "close"})
        end(draft, None)
        tell_the_end(draft)


def end(draft: Draft, by: UserId | None) -> None:
    """Close a running table: nothing is due any more."""
    draft.change(stage=Stage.CLOSED, ended_by=by, closes=None, **turns.NOTHING_DUE)
    draft.tell(Tell.TABLE)

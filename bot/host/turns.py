"""The match: answers to the game's questions, the dealer's moves, time-outs, leaving."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import DEALER, Json, Prompt, Questions, Rejected, Seat
from bot.engine.core import Leave as LeaveMatch
from bot.host import seating as people
from bot.host.ai_seats import choose, has_brain, speed
from bot.host.clocks import SECOND, deadlines_for
from bot.host.commands import DealNow, HostReason, Leave, Notice, Play, Tell
from bot.host.decision import Actor, Draft
from bot.host.model import Dm, Millis, Pause, Stage, UserId

# CPython 3.11 looks up an enum's member as slowly as it makes a tuple, and every bid would do it ten times.
_PLAYING: Final = Stage.PLAYING
_USER: Final = Actor.USER
_DEALER: Final = Actor.DEALER
_TABLE: Final = Tell.TABLE
_PING: Final = Tell.PING
_DM: Final = Tell.DM
_RECORD: Final = Tell.RECORD
_REACHABLE: Final = (Dm.UNTRIED, Dm.OPEN)
NOTHING_DUE: Final[Json] = {
    "asked_at": None,
    "deadlines": (),
    "next_deal": None,
    "pause": None,
    "pause_votes": (),
    "out_votes": (),
}
"""What becomes of a table's questions, clocks and votes when it ends."""


def play(draft: Draft, command: Play) -> None:
    """Answer a question. The game judges; a click on a question that is no longer open is stale."""
    table, game = draft.table, draft.game
    by, prompt = command.by, command.prompt
    match, pause, asked_at = table.match, table.pause, table.asked_at
    if table.stage is not _PLAYING:  # which the guard would find out too, but every bid would pay for asking it
        people.in_stage(table, _PLAYING)
    seat = people.seat_of(table, by)
    if pause is not None:
        not_paused(pause)
    questions = game.questions(match)
    if prompt is not None and prompt not in dict(questions).values():
        raise Rejected(HostReason.STALE, asked=people.asked(table, questions))
    if table.next_deal is not None and seat in game.seated(match):
        raise Rejected(HostReason.BETWEEN_ROUNDS, next_deal=table.next_deal)
    action = _read(draft, command, seat)
    try:
        state, _ = game.apply(match, action)
    except Rejected as refused:
        raise Rejected(refused.reason, **{**refused.details, "asked": people.asked(table, questions)}) from None
    thought = None if asked_at is None else max(0, draft.now - asked_at)
    written = game.dump_action(action)
    draft.log(_USER, by, written, thought)
    attend(draft, seat)
    go_on(draft, state, written, questions)


def _read(draft: Draft, command: Play, seat: Seat) -> Any:
    """Make the game's action of what was pressed or typed, whatever that was."""
    try:
        action = draft.game.load_action({**command.fields, "do": command.do, "seat": seat})
    except (ValueError, TypeError):
        raise Rejected(HostReason.NO_SUCH_ACTION, do=command.do) from None
    if isinstance(action, LeaveMatch):  # getting up is the host's own command, which also frees the chair
        raise Rejected(HostReason.NO_SUCH_ACTION, do=command.do)
    return action


def not_paused(pause: Pause | None) -> None:
    """Refuse what has to wait until the table goes on."""
    if pause is not None:
        asked_by = pause.asked_by if pause.why is None else None  # nobody could go on now
        raise Rejected(HostReason.PAUSED, since=pause.since, asked_by=asked_by, why=pause.why)


def attend(draft: Draft, seat: Seat) -> None:
    """Whoever does something is there: no longer away, and no time-out counts any more."""
    player = draft.table.players[seat]
    if not player.missed and not player.away:
        return
    draft.change_player(seat, missed=0, away=False, stand_in=None)
    if player.away:
        votes = tuple(vote for vote in draft.table.out_votes if vote[0] != player.user)
        # The short turn of an absent player does not bind one who is there.
        deadlines = tuple(deadline for deadline in draft.table.deadlines if deadline.seat != seat)
        draft.change(out_votes=votes, deadlines=deadlines)
        if player.stand_in is None:
            draft.notice(Notice.BACK, user=player.user)
        else:
            draft.notice(Notice.BACK_IN_SEAT, user=player.user, ai=player.stand_in.name)


def ask_again(draft: Draft) -> None:
    """Give every open question a deadline that has none."""
    if draft.table.next_deal is None:
        questions = draft.game.questions(draft.table.match)
        draft.change(deadlines=deadlines_for(draft.table, questions, draft.clock))


def go_on(draft: Draft, state: Any, action: Json | None = None, asked: Questions = ()) -> None:
    """Let the dealer do what is due in this match, ask the next question, and have it all told.

    The table on the draft still has the match from before `action`, which is as the log has it, when `asked` were
    the open questions. Between rounds the dealer waits, so that people can look.
    """
    game, house = draft.game, draft.table.house
    before, next_deal = draft.table.match, draft.table.next_deal
    done = [] if action is None else [action]
    told = game.ended(before)
    questions = game.questions(state)
    while True:
        ended = game.ended(state)
        if ended > told:
            told = ended
            # Told as it was: the match before, with the talk of the round, and what then was done.
            record = {"before": game.dump(before), "actions": list(done)}
            if draft.table.remarks or draft.table.explained:
                record["remarks"] = draft.table.remarks
                draft.change(remarks=(), explained=draft.table.remarks)
            draft.tell(_RECORD, payload=record)
            if questions and house.pause_seconds:
                next_deal = draft.clock + house.pause_seconds * SECOND // speed(draft.table)
        if not questions or questions[0][0] != DEALER or next_deal is not None:
            break
        deal = game.deal(state, draft.rng)
        done.append(game.dump_action(deal))
        draft.log(_DEALER, None, done[-1])
        state, _ = game.apply(state, deal)
        questions = game.questions(state)
    draft.tell(_TABLE)
    if not questions:
        _finish(draft, state)
        return
    _ask(draft, state, asked, questions, next_deal)
    news = game.private_news(before, state)
    if news:
        _tell_privately(draft, news)


def _ask(draft: Draft, state: Any, before: Questions, questions: Questions, next_deal: Millis | None) -> None:
    table, clock = draft.table, draft.clock
    if next_deal is not None:
        draft.change(match=state, next_deal=next_deal, deadlines=(), asked_at=None)
        return
    same = bool(before) and before[0][1] == questions[0][1]
    asked_at = table.asked_at if same else clock
    draft.change(match=state, asked_at=asked_at, deadlines=deadlines_for(table, questions, clock))
    if table.house.pings:
        asked_before = dict(before)
        for seat, _ in questions:
            player = table.players[seat]
            if seat not in asked_before and player.pinged and not player.away and player.acting_ai is None:
                draft.tell(_PING, player.user)


def _tell_privately(draft: Draft, seats: tuple[Seat, ...]) -> None:
    """Have a DM told to everybody who now sees something else."""
    players = draft.table.players
    for seat in seats:
        player = players[seat]
        if not player.left and player.dm in _REACHABLE:
            draft.tell(_DM, player.user)


def _finish(draft: Draft, state: Any) -> None:
    """The match has a winner; nothing is due any more."""
    draft.change(stage=Stage.OVER, match=state, **NOTHING_DUE)
    people.tell_the_end(draft)


def deal_next(draft: Draft) -> None:
    """End the pause between rounds."""
    draft.change(next_deal=None)
    go_on(draft, draft.table.match)


def deal_now(draft: Draft, command: DealNow) -> None:
    """Deal at once, because a player at the table says so."""
    table = draft.table
    people.in_stage(table, _PLAYING)
    seat = people.player_in_match(draft, command.by)
    if table.next_deal is None:
        raise Rejected(HostReason.NOT_BETWEEN_ROUNDS)
    not_paused(table.pause)
    attend(draft, seat)
    draft.log(_USER, command.by, {"host": "deal_now", "seat": seat})
    deal_next(draft)


def time_out(draft: Draft, prompt: Prompt) -> None:
    """Play what the rules say for somebody who does not answer; after several in a row the seat is away."""
    table, seat = draft.table, prompt.seat
    player = table.players[seat]
    action = draft.game.dump_action(prompt.timeout)
    draft.log(Actor.CLOCK, player.user, action)
    missed = player.missed + 1
    away = missed >= table.house.away_after
    stand_in = choose(table, draft.rng) if away and table.house.ai_for_away and has_brain(table.game) else None
    draft.change_player(seat, missed=missed, away=away, stand_in=stand_in)
    if away and player.user in table.pause_votes:  # only the wishes of people who are there count
        draft.change(pause_votes=tuple(voter for voter in table.pause_votes if voter != player.user))
    number = {"number": action["number"]} if "number" in action else {}
    if stand_in is not None:
        draft.notice(Notice.STAND_IN, user=player.user, do=action["do"], ai=stand_in.name, **number)
    elif not player.away:
        draft.notice(Notice.AWAY if away else Notice.TIMED_OUT, user=player.user, do=action["do"], **number)
    questions = draft.game.questions(table.match)
    go_on(draft, draft.game.apply(table.match, prompt.timeout).state, action, questions)


def leave(draft: Draft, command: Leave) -> None:
    """Get up for good; where the house says so, an AI plays the seat on."""
    table = draft.table
    seat = people.seat_of(table, command.by)
    playing = seat in draft.game.seated(table.match)
    if table.house.ai_for_left and playing and has_brain(table.game):
        hand_over(draft, seat, command.by)
        return
    draft.notice(Notice.LEFT, user=command.by)
    remove(draft, seat, _USER, command.by)


def hand_over(draft: Draft, seat: Seat, by: UserId) -> None:
    """Let an AI play on for somebody who leaves, with the feathers that they have."""
    table = draft.table
    stand_in = table.players[seat].stand_in or choose(table, draft.rng)
    draft.change_player(seat, left=True, away=False, missed=0, stand_in=stand_in)
    _forget_votes(draft, by)
    draft.change(deadlines=tuple(deadline for deadline in draft.table.deadlines if deadline.seat != seat))
    draft.log(_USER, by, {"host": "leave", "seat": seat})
    draft.notice(Notice.LEFT_TO_AI, user=by, ai=stand_in.name)
    draft.tell(_TABLE)
    ask_again(draft)
    if by == table.host:
        people.pass_on_host(draft, seat)


def remove(draft: Draft, seat: Seat, actor: Actor, by: UserId) -> None:
    """Take a player out of the match; the game says what becomes of the round."""
    table = draft.table
    user = table.players[seat].user
    draft.change_player(seat, left=True, stand_in=None)
    _forget_votes(draft, user)
    draft.tell(_TABLE)
    if seat in draft.game.seated(table.match):
        questions = draft.game.questions(table.match)
        action = LeaveMatch(seat)
        written = draft.game.dump_action(action)
        draft.log(actor, by, written)
        go_on(draft, draft.game.apply(table.match, action).state, written, questions)
    else:
        draft.log(actor, by, {"host": "leave", "seat": seat})
    if user == table.host:
        people.pass_on_host(draft, seat)


def _forget_votes(draft: Draft, user: UserId) -> None:
    """Whoever has gone has no say, and nobody needs to be asked about them."""
    table = draft.table
    draft.change(
        out_votes=tuple(vote for vote in table.out_votes if user not in vote),
        pause_votes=tuple(voter for voter in table.pause_votes if voter != user),
    )

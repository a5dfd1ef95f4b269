"""The match: answers to prompts, the dealer's moves, time-outs, and leaving."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import DEALER, Json, Prompt, Questions, Rejected, Seat
from bot.engine.core import Leave as LeaveMatch
from bot.engine.standing import place_now
from bot.host import guessing, seating
from bot.host.ai_seats import choose, has_brain, only_ais_play, speed, tells_at_the_end
from bot.host.commands import MAX_LINE_LENGTH, DealNow, Guess, HostReason, Leave, Notice, OutboxKind, Play
from bot.host.deadlines import SECOND, deadlines_for
from bot.host.decision import Actor, Draft
from bot.host.model import Dm, Millis, Pause, Stage, UserId
from bot.host.reveal_beats import reveal_millis

# In CPython 3.11 the lookup of an enum member costs as much as making a tuple, and every bid would do ten of them.
_PLAYING: Final = Stage.PLAYING
_USER: Final = Actor.USER
_DEALER: Final = Actor.DEALER
_TABLE: Final = OutboxKind.TABLE
_PING: Final = OutboxKind.PING
_DM: Final = OutboxKind.DM
_RECORD: Final = OutboxKind.RECORD
_REACHABLE: Final = (Dm.UNTRIED, Dm.OPEN)
NOTHING_DUE: Final[Json] = {
    "asked_at": None,
    "deadlines": (),
    "guessing": None,
    "next_deal": None,
    "pause": None,
    "pause_votes": (),
    "out_votes": (),
}
"""The fields that a table resets when it ends: clocks, pause and votes."""


def play(draft: Draft, command: Play) -> None:
    """Answer a prompt. The game judges the action; a press for a prompt that is no longer open is stale."""
    table, game = draft.table, draft.game
    by, prompt = command.by, command.prompt
    match, pause, asked_at = table.match, table.pause, table.asked_at
    if table.stage is not _PLAYING:  # `require_stage` checks the same, but the call would cost time at every bid
        seating.require_stage(table, _PLAYING)
    seat = seating.seat_of(table, by)
    if pause is not None:
        refuse_if_paused(pause)
    questions = game.questions(match)
    if prompt is not None and prompt not in dict(questions).values():
        raise Rejected(HostReason.STALE, asked=seating.asked(table, questions))
    if table.next_deal is not None and seat in game.seated(match):
        raise Rejected(HostReason.BETWEEN_ROUNDS, next_deal=table.next_deal)
    action = _read(draft, command, seat)
    try:
        state, _ = game.apply(match, action)
    except Rejected as refused:
        raise Rejected(refused.reason, **{**refused.details, "asked": seating.asked(table, questions)}) from None
    thought = None if asked_at is None else max(0, draft.now - asked_at)
    written = game.dump_action(action)
    draft.log(_USER, by, written, thought)
    mark_present(draft, seat)
    player = table.players[seat]
    if player.moved_by is not None or not player.has_moved:
        draft.change_player(seat, moved_by=None, has_moved=True)
    if command.line:
        draft.notice(Notice.SPOKEN, user=by, line=command.line[:MAX_LINE_LENGTH])
    advance(draft, state, written, questions)


def _read(draft: Draft, command: Play, seat: Seat) -> Any:
    """Return the game's action for what was pressed or typed; raise Rejected if there is no such action."""
    try:
        action = draft.game.load_action({**command.fields, "do": command.do, "seat": seat})
    except (ValueError, TypeError):
        raise Rejected(HostReason.NO_SUCH_ACTION, do=command.do) from None
    if isinstance(action, LeaveMatch):  # leaving is a command of the host, which also frees the seat
        raise Rejected(HostReason.NO_SUCH_ACTION, do=command.do)
    return action


def refuse_if_paused(pause: Pause | None) -> None:
    """Refuse what has to wait for the end of the pause."""
    if pause is not None:
        asked_by = pause.asked_by if pause.why is None else None  # during a suspension, votes cannot end the pause
        raise Rejected(HostReason.PAUSED, since=pause.since, asked_by=asked_by, why=pause.why)


def mark_present(draft: Draft, seat: Seat) -> None:
    """Record that a player has done something: they are not away, and their time-outs are reset."""
    player = draft.table.players[seat]
    if not player.missed and not player.away:
        return
    draft.change_player(seat, missed=0, away=False, stand_in=None)
    if player.away:
        votes = tuple(vote for vote in draft.table.out_votes if vote[0] != player.user)
        # The short deadline of an away player no longer applies.
        deadlines = tuple(deadline for deadline in draft.table.deadlines if deadline.seat != seat)
        draft.change(out_votes=votes, deadlines=deadlines)
        if player.stand_in is None:
            draft.notice(Notice.BACK, user=player.user)
        else:
            draft.notice(Notice.BACK_IN_SEAT, user=player.user, ai=player.stand_in.name)


def renew_deadlines(draft: Draft) -> None:
    """Give a deadline to every open question that has none."""
    if draft.table.next_deal is None and not _reveal_waits(draft):
        questions = draft.game.questions(draft.table.match)
        draft.change(deadlines=deadlines_for(draft.table, questions, draft.clock))


def _reveal_waits(draft: Draft) -> bool:
    return draft.table.guessing is not None and draft.table.guessing.waits


def advance(draft: Draft, state: Any, action: Json | None = None, asked: Questions = ()) -> None:
    """Continue the match in `state`: let the dealer move, set the deadlines, and send what has changed.

    The draft's table still holds the match from before `action`, which is written as in the log; `asked` are the
    questions that were open then. After a round the dealer waits, so that players can look at the reveal.
    """
    game, house = draft.game, draft.table.house
    before, next_deal = draft.table.match, draft.table.next_deal
    were_playing = game.seated(before)
    done = [] if action is None else [action]
    rounds = game.rounds_ended(before)
    questions = game.questions(state)
    while True:
        ended = game.rounds_ended(state)
        if ended > rounds:
            rounds = ended
            # The match before the last actions, and those actions: together they show the round and its reveal.
            record = {"before": game.dump(before), "actions": list(done)}
            if (draft.table.remarks or draft.table.explained) and not tells_at_the_end(draft.table.game):
                before_it = draft.table.explained
                tell_remarks(draft, game.concerned(state))
                record |= {"remarks": draft.table.explained, "explained": before_it}
            if draft.table.guessed:
                record |= {"guessed_before": draft.table.guessed}
            guessed = guessing.settle(draft, state)
            if guessed:
                record |= {"guessed": guessed}
            draft.send(_RECORD, payload=record)
            if questions and house.pause_seconds and game.has_breaks:
                pause = house.pause_seconds * SECOND // speed(draft.table)
                next_deal = draft.clock + reveal_millis(draft.table, game.guess_answer(state)) + pause
        dealers_turn = bool(questions) and questions[0][0] == DEALER
        held_back = guessing.update(draft, state, only_reveal_left=dealers_turn)
        if not dealers_turn or held_back or next_deal is not None:
            break
        deal = game.deal(state, draft.rng)
        done.append(game.dump_action(deal))
        draft.log(_DEALER, None, done[-1])
        state, _ = game.apply(state, deal)
        questions = game.questions(state)
    draft.send(_TABLE)
    if not questions:
        _finish(draft, state)
        return
    _ask(draft, state, asked, questions, next_deal)
    news, playing = game.private_news(before, state), game.seated(state)
    if len(playing) < len(were_playing):  # their DMs say so, and must not go on showing what they saw
        news = (*news, *[seat for seat in were_playing if seat not in playing])
    if news:
        _send_dms(draft, news)


def tell_remarks(draft: Draft, concerned: tuple[Seat, ...] | None) -> None:
    """Let AI players explain the round that has just ended: in public if it was about them, else if somebody asks.

    Both count as told, so that no line comes back; those in public choose their words first.
    """
    told = dict(draft.table.told)
    remarks = [
        remark._replace(is_aside=concerned is not None and remark.seat not in concerned)
        for remark in draft.table.remarks
    ]
    explained = []
    for remark in sorted(remarks, key=lambda each: each.is_aside):
        before = told.get(remark.key, 0)
        explained.append(remark._replace(said_before=before))
        told[remark.key] = before + 1
    draft.change(remarks=(), explained=tuple(explained), told=tuple(told.items()))


def _ask(draft: Draft, state: Any, before: Questions, questions: Questions, next_deal: Millis | None) -> None:
    table, clock = draft.table, draft.clock
    if next_deal is not None or _reveal_waits(draft):
        draft.change(match=state, next_deal=next_deal, deadlines=(), asked_at=None)
        return
    same = bool(before) and before[0][1] == questions[0][1]
    asked_at = table.asked_at if same else clock
    draft.change(match=state, asked_at=asked_at, deadlines=deadlines_for(table, questions, clock))
    if table.house.pings:
        asked_before = dict(before)
        for seat, prompt in questions:
            player = table.players[seat]
            # Somebody who has just answered is there already, but not if the clock answered for them.
            is_news = seat not in asked_before or (player.missed and asked_before[seat] != prompt)
            if is_news and player.pinged and not player.away and player.acting_ai is None:
                draft.send(_PING, player.user, {"prompt": prompt})


def _send_dms(draft: Draft, seats: tuple[Seat, ...]) -> None:
    """Update the DM of every seat whose private view has changed."""
    players = draft.table.players
    for seat in seats:
        player = players[seat]
        if not player.left and player.dm in _REACHABLE:
            draft.send(_DM, player.user)


def _finish(draft: Draft, state: Any) -> None:
    """End a match that has a winner."""
    if tells_at_the_end(draft.table.game):
        draft.change(remarks=(), explained=draft.table.remarks)
    draft.change(stage=Stage.OVER, match=state, **NOTHING_DUE)
    seating.send_final_dms(draft)


def guess(draft: Draft, command: Guess) -> None:
    """Note a bystander's guess; the last one that was waited for brings the reveal."""
    if guessing.guess(draft, command):
        advance(draft, draft.table.match)


def deal_next(draft: Draft) -> None:
    """End the break between rounds."""
    draft.change(next_deal=None)
    advance(draft, draft.table.match)


def deal_now(draft: Draft, command: DealNow) -> None:
    """Deal at once, because a player asked for it, the host, or anybody at the table who waits for AI players alone."""
    table = draft.table
    seating.require_stage(table, _PLAYING)
    seat = table.seat_of(command.by)
    waits_for_ais = seat is not None and only_ais_play(table)
    if command.by != table.host and not waits_for_ais:
        seat = seating.player_in_match(draft, command.by)
    if table.next_deal is None:
        raise Rejected(HostReason.NOT_BETWEEN_ROUNDS)
    refuse_if_paused(table.pause)
    if seat is None:
        draft.log(_USER, command.by, {"host": "deal_now"})
    else:
        mark_present(draft, seat)
        draft.log(_USER, command.by, {"host": "deal_now", "seat": seat})
    deal_next(draft)


def time_out(draft: Draft, prompt: Prompt) -> None:
    """Play the default for a player who did not answer; after several in a row the player is away."""
    table, seat = draft.table, prompt.seat
    player = table.players[seat]
    action = draft.game.dump_action(prompt.timeout)
    draft.log(Actor.CLOCK, player.user, action)
    missed = player.missed + 1
    away = missed >= table.house.away_after
    stand_in = choose(table, draft.rng) if away and table.house.ai_for_away and has_brain(table.game) else None
    draft.change_player(seat, missed=missed, away=away, stand_in=stand_in, moved_by=None, has_moved=True)
    if away and player.user in table.pause_votes:  # only votes of players who are present count
        draft.change(pause_votes=tuple(voter for voter in table.pause_votes if voter != player.user))
    number = {"number": action["number"]} if "number" in action else {}
    questions = draft.game.questions(table.match)
    state = draft.game.apply(table.match, prompt.timeout).state
    if stand_in is not None:
        place = _best_place(draft, state, seat)
        draft.notice(Notice.STAND_IN, user=player.user, do=action["do"], ai=stand_in.name, **number, **place)
    elif not player.away:
        draft.notice(Notice.AWAY if away else Notice.TIMED_OUT, user=player.user, do=action["do"], **number)
    advance(draft, state, action, questions)


def _best_place(draft: Draft, state: Any, seat: Seat) -> Json:
    """Return the best place left to a player for whom an AI player goes on, as the slot of a notice, if it counts."""
    place = place_now(draft.game, state, seat)
    return {} if place is None or not draft.table.is_rated else {"place": place}


def leave(draft: Draft, command: Leave) -> None:
    """Leave the match for good; if the house rules say so, an AI player takes over."""
    table = draft.table
    seat = seating.seat_of(table, command.by)
    playing = seat in draft.game.seated(table.match)
    if table.house.ai_for_left and playing and has_brain(table.game):
        hand_over(draft, seat, command.by)
        return
    draft.notice(Notice.LEFT, user=command.by)
    remove(draft, seat, _USER, command.by)


def hand_over(draft: Draft, seat: Seat, by: UserId) -> None:
    """Let an AI player take over the seat, as it is, from a player who leaves."""
    table = draft.table
    stand_in = table.players[seat].stand_in or choose(table, draft.rng)
    draft.change_player(seat, left=True, away=False, missed=0, stand_in=stand_in)
    _drop_votes(draft, by)
    _say_in_dm_that_they_left(draft, seat)
    draft.change(deadlines=tuple(deadline for deadline in draft.table.deadlines if deadline.seat != seat))
    draft.log(_USER, by, {"host": "leave", "seat": seat})
    draft.notice(Notice.LEFT_TO_AI, user=by, ai=stand_in.name, **_best_place(draft, table.match, seat))
    draft.send(_TABLE)
    renew_deadlines(draft)
    if by == table.host:
        seating.pass_on_host(draft, seat)


def remove(draft: Draft, seat: Seat, actor: Actor, by: UserId) -> None:
    """Remove a player from the match; the game decides what happens to the round."""
    table = draft.table
    user = table.players[seat].user
    draft.change_player(seat, left=True, stand_in=None)
    _drop_votes(draft, user)
    _say_in_dm_that_they_left(draft, seat)
    draft.send(_TABLE)
    if seat in draft.game.seated(table.match):
        questions = draft.game.questions(table.match)
        action = LeaveMatch(seat)
        written = draft.game.dump_action(action)
        draft.log(actor, by, written)
        advance(draft, draft.game.apply(table.match, action).state, written, questions)
    else:
        draft.log(actor, by, {"host": "leave", "seat": seat})
    if user == table.host:
        seating.pass_on_host(draft, seat)


def _say_in_dm_that_they_left(draft: Draft, seat: Seat) -> None:
    """Update the DM of a player who has left: it must not go on showing what they saw."""
    player = draft.table.players[seat]
    if player.dm in _REACHABLE:
        draft.send(_DM, player.user)


def _drop_votes(draft: Draft, user: UserId) -> None:
    """Drop a player's votes, and the votes about them."""
    table = draft.table
    draft.change(
        out_votes=tuple(vote for vote in table.out_votes if user not in vote),
        pause_votes=tuple(voter for voter in table.pause_votes if voter != user),
    )

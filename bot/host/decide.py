"""The host's rules as pure functions: what a command does to a table.

`decide` returns the next table, the lines for the log and what must be sent, or raises `Rejected` and changes nothing.
Its only clock is `now`, and its only source of chance is `rng`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from bot.engine.core import Json, Rejected
from bot.engine.registry import RULES
from bot.host import ai_lobby, commands, erasure, guessing, lobby, seating, turns, votes
from bot.host import ai_turns as stand_ins
from bot.host.commands import Command, HostReason, OutboxItem, OutboxKind
from bot.host.deadlines import MAX_PAUSE_MILLIS, MINUTE, remind
from bot.host.decision import Actor, Decision, Draft, Judge, LogEntry
from bot.host.former_players import is_former_id
from bot.host.model import Dm, House, Millis, Player, Stage, Table, TableId, UserId
from bot.host.ports import Preferences
from bot.host.seating import seat_of


def decide(table: Table, command: Command, now: Millis, rng: Random) -> Decision:
    """Carry out one command. If nothing has changed, the decision's table is `table` itself."""
    draft = Draft(table, now, rng)
    _JUDGES[type(command)](draft, command)
    if draft.table.out_votes:
        votes.count_out_votes(draft)
    if draft.table.pause_votes:
        votes.count_pause_votes(draft, None)
    if draft.table.pause is not None:
        votes.end_deserted_pause(draft)
    return draft.decision()


def open_table(
    id_: TableId,
    guild: int,
    channel: int,
    host: commands.Join,
    now: Millis,
    *,
    game: str,
    options: Mapping[str, Json] | None = None,
    house: House | None = None,
    wishes: Mapping[str, Json] | None = None,
    last: Table | None = None,
) -> Decision:
    """Open a lobby with its host in the first seat. Raise Rejected if the options fit no number of players.

    `last` is the channel's table before this one; those who guessed along there go on with their score.
    """
    if game not in RULES:
        raise Rejected(HostReason.NO_SUCH_ACTION, do=game)
    lobby.seats_for(game, options or {})
    house = house or House()
    players = (lobby.seated(host, dms=house.dms),)
    table = _new_lobby(
        now,
        house,
        id=id_,
        guild=guild,
        channel=channel,
        game=game,
        options=dict(options or {}),
        wishes=dict(wishes or {}),
        host=host.by,
        players=players,
        guessers=() if last is None else guessing.carried_over(last, now),
    )
    log = (LogEntry(Actor.USER, host.by, {"host": "open", "game": game, "options": table.options}),)
    return Decision(table, log, _first_messages(players))


def check_rematch(table: Table, by: UserId) -> None:
    """Refuse a rematch if the match is not over, or if this user did not stay to its end."""
    if table.stage is Stage.PLAYING:
        raise Rejected(HostReason.NOT_OVER)
    if table.stage is not Stage.OVER:
        seating.require_stage(table, Stage.PLAYING)
    if by != table.host:
        seat_of(table, by)


def open_rematch(
    table: Table, id_: TableId, by: UserId, now: Millis, settings: Mapping[UserId, Preferences] | None = None
) -> tuple[Decision, Decision]:
    """Return the finished table, now naming its rematch, and the new lobby with the seats shifted by one.

    The user who asked becomes the host, since they are certainly there. Players who left are not seated again; AI
    players are. `settings` are the users' current private settings.
    """
    check_rematch(table, by)
    stayed = [player for player in table.players if not player.left and not is_former_id(player.user)]
    players = tuple(_seated_again(player, (settings or {}).get(player.user)) for player in stayed[1:] + stayed[:1])
    opened = _new_lobby(
        now,
        table.house,
        id=id_,
        guild=table.guild,
        channel=table.channel,
        game=table.game,
        options=table.options,
        wishes=table.wishes,
        host=by,
        players=players,
        guessers=guessing.carried_over(table),
    )
    log = (LogEntry(Actor.USER, by, {"host": "rematch", "game": table.game, "options": table.options}),)
    old = Decision(table._replace(rematch=id_, seq=table.seq + 1), (), (OutboxItem(OutboxKind.TABLE),))
    notice = OutboxItem(OutboxKind.NOTICE, payload={"key": commands.Notice.REMATCH, "by": by})
    others = any(player.ai is None and player.user != by for player in players)
    return old, Decision(opened, log, (*_first_messages(players), *([notice] if others else [])))


def _seated_again(player: Player, settings: Preferences | None) -> Player:
    now = settings or player
    return Player(
        player.user,
        player.name,
        player.dm,
        slow=now.slow,
        pinged=now.pinged,
        ai=player.ai,
        learning=max(0, player.learning - 1),  # they have just finished a match
        language=player.language,
    )


def _new_lobby(now: Millis, house: House, **what: Any) -> Table:
    return Table(stage=Stage.LOBBY, house=house, opened=now, seq=1, closes=now + house.lobby_minutes * MINUTE, **what)


def _first_messages(players: tuple[Player, ...]) -> tuple[OutboxItem, ...]:
    # A DM in the lobby finds out whether DMs arrive. Those who got them at the last table get the next with the deal.
    dms = [OutboxItem(OutboxKind.DM, player.user) for player in players if player.dm is Dm.UNTRIED]
    return (OutboxItem(OutboxKind.TABLE), *dms)


def _leave(draft: Draft, command: commands.Leave) -> None:
    match draft.table.stage:
        case Stage.LOBBY:
            lobby.leave(draft, command)
        case Stage.PLAYING:
            _leave_match(draft, command)
        case Stage.OVER:
            raise Rejected(HostReason.TABLE_OVER)
        case Stage.CLOSED:
            raise Rejected(HostReason.TABLE_CLOSED)


def _leave_match(draft: Draft, command: commands.Leave) -> None:
    """Leave a match for good. When the last person leaves, the table closes."""
    seat = seat_of(draft.table, command.by)
    if len(draft.table.people) == 1 and draft.table.host == command.by:
        draft.change_player(seat, left=True)
        draft.log(Actor.USER, command.by, {"host": "leave", "seat": seat})
        votes.close_table(draft, command.by)
        seating.send_final_dms(draft)
        return
    turns.leave(draft, command)


def _set_preferences(draft: Draft, command: commands.SetPreferences) -> None:
    """Take over a player's private settings; they apply from the next question on."""
    seat = draft.table.seat_of(command.by)
    if seat is None or not draft.table.is_open:
        return
    player = draft.table.players[seat]
    if (player.slow, player.pinged) != (command.slow, command.pinged):
        draft.change_player(seat, slow=command.slow, pinged=command.pinged)


def _set_language(draft: Draft, command: commands.SetLanguage) -> None:
    """Remember which language a player reads, and bring their DM into it."""
    seat = draft.table.seat_of(command.by)
    if seat is None or not draft.table.is_open or draft.table.players[seat].language == command.language:
        return
    draft.change_player(seat, language=command.language)
    if draft.table.players[seat].dm in (Dm.UNTRIED, Dm.OPEN):
        draft.send(OutboxKind.DM, command.by)


def _dm_tried(draft: Draft, command: commands.DmTried) -> None:
    """Remember whether DMs reach a player, unless they have left meanwhile."""
    seat = draft.table.seat_of(command.by)
    if seat is not None and draft.table.players[seat].dm is not command.dm:
        draft.change_player(seat, dm=command.dm)
        if draft.table.is_open:
            draft.send(OutboxKind.TABLE)
        elif command.dm is Dm.OPEN:  # it was on its way when the match ended, so it shows an old state
            draft.send(OutboxKind.DM, command.by)


def _tick(draft: Draft, command: commands.Tick) -> None:
    """Do what is due: close a lobby, end a pause, deal, play for late players, send reminders."""
    table, now = draft.table, draft.now
    if table.stage is Stage.LOBBY and table.closes is not None and table.closes <= now:
        draft.log(Actor.CLOCK, None, {"host": "close"})
        lobby.close(draft, None)
    if table.stage is not Stage.PLAYING:
        return
    if table.pause is not None:
        if table.pause.why is None and table.pause.since + MAX_PAUSE_MILLIS <= now:
            draft.log(Actor.CLOCK, None, {"host": "go_on"})
            votes.end_pause(draft, None)
        return
    if table.next_deal is not None:
        if table.next_deal <= now:
            turns.deal_next(draft)
        return
    if table.guessing is not None and table.guessing.waits:
        if table.guessing.due <= now:
            turns.advance(draft, table.match)
        return
    _play_for_late_players(draft)
    if draft.table.stage is Stage.PLAYING:
        remind(draft)


def _play_for_late_players(draft: Draft) -> None:
    """Play for everybody whose time is up. Each answer may close other prompts, so they are read again each time."""
    late = {
        (deadline.seat, deadline.prompt)
        for deadline in draft.table.deadlines
        if stand_ins.is_late(draft.table, deadline, draft.now)
    }
    while late and draft.table.stage is Stage.PLAYING:
        prompts = draft.game.prompts(draft.table.match)
        due = next((prompt for prompt in prompts if (prompt.seat, prompt.id) in late), None)
        if due is None:
            return
        late.discard((due.seat, due.id))
        if draft.table.players[due.seat].acting_ai is None:
            turns.time_out(draft, due)
        else:
            stand_ins.answer(draft, due, None)


_JUDGES: Final[dict[type, Judge]] = {
    commands.Join: lobby.join,
    commands.Leave: _leave,
    commands.Kick: lobby.kick,
    commands.PassHost: lobby.pass_host,
    commands.ChooseStarter: lobby.choose_starter,
    commands.ShuffleSeats: lobby.shuffle_seats,
    commands.MoveUp: lobby.move_up,
    commands.SetRules: lobby.set_rules,
    commands.AddAi: ai_lobby.add,
    commands.FillWithAi: ai_lobby.fill,
    commands.RemoveAi: ai_lobby.remove,
    commands.Watch: ai_lobby.watch,
    commands.Start: lobby.start,
    commands.Play: turns.play,
    commands.PlayAi: stand_ins.play,
    commands.DealNow: turns.deal_now,
    commands.GuessAlong: guessing.join,
    commands.Guess: turns.guess,
    commands.AskPause: votes.ask_pause,
    commands.Back: votes.back,
    commands.VoteOut: votes.vote_out,
    commands.Stop: votes.stop,
    commands.SetPreferences: _set_preferences,
    commands.SetLanguage: _set_language,
    commands.DmTried: _dm_tried,
    commands.Suspend: votes.suspend,
    commands.Resume: votes.resume,
    commands.PutOff: votes.put_off,
    commands.Close: votes.close,
    commands.Forget: erasure.forget,
    commands.Tick: _tick,
}

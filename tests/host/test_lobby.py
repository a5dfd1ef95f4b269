from __future__ import annotations

import pytest

from bot.engine.core import Rejected
from bot.games.coyote.rules.editions import Problem
from bot.host.commands import (
    ChooseStarter,
    Close,
    DmTried,
    HostReason,
    Join,
    Kick,
    Leave,
    MoveUp,
    Notice,
    OutboxKind,
    PassHost,
    Play,
    SetLanguage,
    SetPreferences,
    SetRules,
    ShuffleSeats,
    Start,
    Stop,
    Tick,
)
from bot.host.decide import open_rematch, open_table
from bot.host.model import FIRST_MATCHES, Dm, House, Stage, TableId
from tests.host.evening import ANA, BEGIN, BEN, CHLOE, DMITRI, EMI, Evening, kinds, notices


def lobby(*users: int, house: House | None = None) -> Evening:
    return Evening(*users, started=False, house=house)  # type: ignore[arg-type]  # users are integers at run time


def test_a_new_table_is_a_lobby_with_its_host() -> None:
    evening = lobby(ANA)
    table = evening.table
    assert (table.stage, table.host, table.seq) == (Stage.LOBBY, ANA, 1)
    assert table.closes == BEGIN + 60 * 60_000
    assert kinds(evening.last) == [(OutboxKind.TABLE, None), (OutboxKind.DM, ANA)]


def test_impossible_options_are_refused_at_once() -> None:
    with pytest.raises(Rejected) as refusal:
        open_table(TableId("t"), 1, 2, Join(ANA, "Ana"), BEGIN, game="coyote", options={"threshold": 9})
    assert refusal.value.reason is Problem.OUT_OF_RANGE
    with pytest.raises(Rejected):
        open_table(TableId("t"), 1, 2, Join(ANA, "Ana"), BEGIN, game="chess")


def test_joining_takes_the_next_seat_and_keeps_the_lobby_open() -> None:
    evening = lobby(ANA)
    evening.now += 1000
    joined = evening.do(Join(BEN, "Ben", slow=2, pinged=False))
    assert [player.user for player in joined.table.players] == [ANA, BEN]
    assert (joined.table.players[1].slow, joined.table.players[1].pinged) == (2, False)
    assert joined.table.closes == evening.now + 60 * 60_000
    assert kinds(joined) == [(OutboxKind.TABLE, None), (OutboxKind.DM, BEN)]
    assert evening.refused(Join(BEN, "Ben")).reason is HostReason.ALREADY_SEATED


def test_house_rules_without_dms_send_none() -> None:
    evening = lobby(ANA, house=House(dms=False))
    assert kinds(evening.do(Join(BEN, "Ben"))) == [(OutboxKind.TABLE, None)]
    assert evening.player(BEN).dm is Dm.OFF


def test_a_table_has_as_many_seats_as_its_game() -> None:
    evening = Evening(ANA, started=False, options={"edition": "peek"})
    for user in range(100, 105):
        evening.do(Join(user, "guest"))  # type: ignore[arg-type]
    refusal = evening.refused(Join(EMI, "Emi"))
    assert (refusal.reason, refusal.details) == (HostReason.TABLE_FULL, {"seats": 6})


def test_if_the_host_leaves_the_next_player_becomes_the_host() -> None:
    evening = lobby(ANA, BEN, CHLOE)
    evening.do(PassHost(ANA, BEN))
    evening.do(Leave(BEN))
    assert evening.table.host == CHLOE
    evening.do(Leave(CHLOE))
    assert evening.table.host == ANA
    closed = evening.do(Leave(ANA))
    assert (closed.table.stage, closed.table.ended_by) == (Stage.CLOSED, ANA)
    assert evening.refused(Join(EMI, "Emi")).reason is HostReason.TABLE_CLOSED
    assert evening.refused(Leave(ANA)).reason is HostReason.TABLE_CLOSED


def test_a_kicked_player_cannot_join_again() -> None:
    evening = lobby(ANA, BEN)
    refusal = evening.refused(Kick(BEN, ANA))
    assert (refusal.reason, refusal.details) == (HostReason.HOST_ONLY, {"host": ANA})
    assert evening.refused(Kick(ANA, ANA)).reason is HostReason.NOT_YOURSELF
    assert evening.refused(Kick(ANA, EMI)).reason is HostReason.NOT_AT_TABLE
    kicked = evening.do(Kick(ANA, BEN))
    assert notices(kicked) == [{"key": Notice.REMOVED, "user": BEN, "by": ANA, "pings": True}]
    assert evening.refused(Join(BEN, "Ben")).reason is HostReason.WAS_KICKED
    assert evening.refused(Leave(BEN)).reason is HostReason.NOT_SEATED


def test_a_kicked_player_who_wants_no_pings_gets_none() -> None:
    evening = lobby(ANA, BEN)
    evening.do(SetPreferences(BEN, 1, pinged=False))
    (told,) = notices(evening.do(Kick(ANA, BEN)))
    assert not told["pings"]


def test_only_the_host_starts_and_only_with_enough_players() -> None:
    evening = lobby(ANA, BEN)
    assert evening.refused(Start(BEN)).details == {"host": ANA}
    assert evening.refused(Start(EMI)).reason is HostReason.NOT_SEATED
    refusal = evening.refused(Start(ANA))
    assert refusal.reason is HostReason.TOO_FEW
    assert refusal.details == {"players": 2, "lowest": 3, "missing": 1}
    evening.do(Join(CHLOE, "Chloé"))
    assert evening.do(Start(ANA)).table.stage is Stage.PLAYING
    for command in (Start(ANA), Join(EMI, "Emi"), Kick(ANA, BEN), ChooseStarter(ANA, BEN)):
        assert evening.refused(command).reason is HostReason.ALREADY_STARTED


def test_the_host_chooses_who_begins() -> None:
    evening = lobby(ANA, BEN, CHLOE)
    assert evening.refused(ChooseStarter(ANA, EMI)).reason is HostReason.NOT_AT_TABLE
    evening.do(ChooseStarter(ANA, CHLOE))
    evening.do(ChooseStarter(ANA, None))
    evening.do(ChooseStarter(ANA, CHLOE))
    evening.do(Start(ANA))
    assert evening.in_turn == CHLOE


def test_a_chosen_starter_who_leaves_is_dropped() -> None:
    evening = lobby(ANA, BEN, CHLOE, DMITRI)
    evening.do(ChooseStarter(ANA, CHLOE))
    evening.do(Leave(CHLOE))
    assert evening.table.starter is None
    evening.do(Start(ANA))


def test_starting_deals_and_pings_one_player() -> None:
    evening = lobby(ANA, BEN, CHLOE)
    evening.do(ChooseStarter(ANA, BEN))
    begun = evening.do(Start(ANA))
    assert [(entry.actor, next(iter(entry.action.values()))) for entry in begun.log] == [
        ("user", "start"),
        ("dealer", "deal"),
    ]
    sent = kinds(begun)
    assert sent.count((OutboxKind.TABLE, None)) == 1
    assert [user for kind, user in sent if kind is OutboxKind.PING] == [BEN]
    assert {user for kind, user in sent if kind is OutboxKind.DM} == {ANA, BEN, CHLOE}
    assert [deadline.seat for deadline in begun.table.deadlines] == [1]


def test_a_lobby_that_is_not_started_closes_with_a_notice() -> None:
    evening = lobby(ANA, house=House(lobby_minutes=5))
    assert evening.wait(299).table.stage is Stage.LOBBY
    closed = evening.wait(1)
    assert (closed.table.stage, closed.table.ended_by) == (Stage.CLOSED, None)
    assert notices(closed) == [{"key": "lobby_closed", "by": None}]
    assert evening.refused(Start(ANA)).reason is HostReason.TABLE_CLOSED


def test_only_the_host_or_a_manager_can_cancel() -> None:
    evening = lobby(ANA, BEN)
    assert evening.refused(Stop(BEN)).reason is HostReason.MAY_NOT_STOP
    stopped = evening.do(Stop(EMI, manager=True))
    assert (stopped.table.stage, stopped.table.ended_by) == (Stage.CLOSED, EMI)
    assert notices(stopped) == [{"key": "stopped", "by": EMI}]
    assert evening.refused(Stop(ANA)).reason is HostReason.TABLE_CLOSED


def test_nobody_can_play_before_the_start() -> None:
    assert lobby(ANA, BEN).refused(Play(ANA, "call")).reason is HostReason.NOT_STARTED


def test_whether_a_dm_arrived_is_shown_once() -> None:
    evening = lobby(ANA, BEN)
    assert kinds(evening.do(DmTried(BEN, Dm.SHUT))) == [(OutboxKind.TABLE, None)]
    before = evening.table
    assert evening.do(DmTried(BEN, Dm.SHUT)).table is before
    assert evening.do(DmTried(EMI, Dm.OPEN)).table is before
    evening.do(Join(CHLOE, "Chloé"))
    assert (OutboxKind.DM, BEN) not in kinds(evening.do(Start(ANA)))


def test_a_dm_sent_while_the_table_ended_is_updated() -> None:
    evening = Evening(ANA, BEN, CHLOE)
    evening.do(DmTried(ANA, Dm.OPEN))
    assert (OutboxKind.DM, ANA) in kinds(evening.do(Close("server")))
    assert (OutboxKind.DM, BEN) not in kinds(evening.last)
    assert kinds(evening.do(DmTried(BEN, Dm.OPEN))) == [(OutboxKind.DM, BEN)]
    assert kinds(evening.do(DmTried(CHLOE, Dm.SHUT))) == []


def test_private_settings_are_applied_silently() -> None:
    evening = lobby(ANA, BEN)
    assert evening.do(SetPreferences(BEN, 4, pinged=False)).outbox == ()
    assert (evening.player(BEN).slow, evening.player(BEN).pinged) == (4, False)


def test_a_dm_follows_the_language_of_its_reader() -> None:
    evening = lobby(ANA, BEN)
    assert kinds(evening.do(SetLanguage(BEN, "de"))) == [(OutboxKind.DM, BEN)]
    assert kinds(evening.do(SetLanguage(BEN, "de"))) == []
    evening.do(DmTried(ANA, Dm.SHUT))
    assert kinds(evening.do(SetLanguage(ANA, "fr"))) == []
    assert evening.player(BEN).language == "de"


def test_a_rematch_seats_the_same_people_shifted_by_one() -> None:
    evening = Evening(ANA, BEN, CHLOE, options={"edition": "scout"})
    with pytest.raises(Rejected) as refusal:
        open_rematch(evening.table, TableId("t2"), ANA, evening.now)
    assert refusal.value.reason is HostReason.NOT_OVER
    evening.play_on()
    for command in (Play(ANA, "call"), Leave(ANA), Stop(ANA), Join(EMI, "Emi")):
        assert evening.refused(command).reason is HostReason.TABLE_OVER
    before = evening.table
    assert evening.do(Tick()).table is before
    old, new = open_rematch(evening.table, TableId("t2"), BEN, evening.now)
    assert (old.table.rematch, old.table.seq) == ("t2", before.seq + 1)
    assert [player.user for player in new.table.players] == [BEN, CHLOE, ANA]
    assert (new.table.host, new.table.stage, new.table.options) == (BEN, Stage.LOBBY, {"edition": "scout"})
    assert [item.payload for item in new.outbox if item.kind is OutboxKind.NOTICE] == [{"key": "rematch", "by": BEN}]
    with pytest.raises(Rejected):
        open_rematch(evening.table, TableId("t2"), EMI, evening.now)


def test_in_a_rematch_only_those_whose_dms_were_never_tried_get_one_in_the_lobby() -> None:
    evening = Evening(ANA, BEN, CHLOE, options={"edition": "scout"})
    evening.do(DmTried(ANA, Dm.OPEN))
    evening.do(DmTried(BEN, Dm.SHUT))
    evening.play_on()
    _, new = open_rematch(evening.table, TableId("t2"), BEN, evening.now)
    assert [item.user for item in new.outbox if item.kind is OutboxKind.DM] == [CHLOE]
    assert {player.user: player.dm for player in new.table.players} == {
        ANA: Dm.OPEN,
        BEN: Dm.SHUT,
        CHLOE: Dm.UNTRIED,
    }


def test_people_are_new_to_a_game_for_their_first_matches() -> None:
    evening = Evening(ANA, started=False, options={"edition": "scout"})
    evening.do(Join(BEN, "Ben", learning=FIRST_MATCHES))
    evening.do(Start(ANA))
    assert [player.learning for player in evening.table.players] == [0, FIRST_MATCHES]
    evening.play_on()
    _, new = open_rematch(evening.table, TableId("t2"), ANA, evening.now)
    assert [player.learning for player in new.table.players] == [FIRST_MATCHES - 1, 0]


def test_the_start_tells_who_has_finished_a_first_match_elsewhere() -> None:
    evening = Evening(ANA, started=False, options={"edition": "scout"})
    evening.do(Join(BEN, "Ben", learning=FIRST_MATCHES))
    evening.do(Start(ANA, ((BEN, FIRST_MATCHES - 1),)))
    assert [player.learning for player in evening.table.players] == [0, FIRST_MATCHES - 1]


def test_seats_can_be_shuffled_and_arranged_by_the_host() -> None:
    evening = Evening(ANA, BEN, CHLOE, started=False)
    evening.do(ChooseStarter(ANA, CHLOE))
    evening.do(MoveUp(ANA, CHLOE))
    assert [player.user for player in evening.table.players] == [ANA, CHLOE, BEN]
    evening.do(MoveUp(ANA, ANA))
    assert [player.user for player in evening.table.players] == [CHLOE, BEN, ANA]
    assert evening.last.log[0].action == {"host": "seats", "order": [1, 2, 0]}
    assert (evening.table.host, evening.table.starter) == (ANA, CHLOE)
    orders = {tuple(p.user for p in evening.do(ShuffleSeats(ANA)).table.players) for _ in range(40)}
    assert len(orders) == 6
    assert evening.refused(ShuffleSeats(BEN)).reason is HostReason.HOST_ONLY
    assert evening.refused(MoveUp(ANA, DMITRI)).reason is HostReason.NOT_AT_TABLE
    evening.do(Start(ANA))
    assert evening.refused(ShuffleSeats(ANA)).reason is HostReason.ALREADY_STARTED


def test_the_host_can_change_the_rules_before_the_game() -> None:
    evening = Evening(ANA, BEN, CHLOE, started=False)
    changes = (("threshold", 3, 2),)
    new = SetRules(ANA, {"threshold": 2}, House(turn_seconds=20), {"threshold": 2}, {}, changes)
    evening.do(new)
    assert (evening.table.options, evening.table.house.turn_seconds) == ({"threshold": 2}, 20)
    told = [item.payload for item in evening.last.outbox if item.kind is OutboxKind.NOTICE]
    assert told == [{"key": "rules_changed", "by": ANA, "changes": [["threshold", 3, 2]]}]
    assert evening.refused(new).reason is HostReason.STALE, "made from rules that have changed meanwhile"
    again = new._replace(based_on={"threshold": 2})
    assert evening.refused(again._replace(by=BEN)).reason is HostReason.HOST_ONLY
    full = again._replace(options={"edition": "scout", "max_players": 2})
    assert evening.refused(full).reason is HostReason.TOO_MANY_SEATED
    evening.do(Start(ANA))
    assert evening.table.match.rules.threshold == 2
    assert evening.refused(again).reason is HostReason.ALREADY_STARTED

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.engine.frozen import encode
from bot.engine.registry import RULES
from bot.games.coyote.rules.actions import Reason
from bot.host import views
from bot.host.codec import dump
from bot.host.commands import MAX_LINE_LENGTH, DealNow, HostReason, Leave, Notice, OutboxKind, PassHost, Play, Stop
from bot.host.decision import Actor
from bot.host.model import Ai, House, Stage
from bot.host.reveal_beats import BEAT_MILLIS, BEATS, beats_of
from tests.host.evening import ANA, BEN, CHLOE, DMITRI, EMI, Evening, kinds, notices


def test_a_bid_passes_the_turn_and_is_logged_with_its_thinking_time() -> None:
    evening = Evening()
    bidder, prompt = evening.in_turn, evening.prompts[0].id
    evening.now += 1500
    made = evening.bid(7)
    (entry,) = made.log
    assert (entry.actor, entry.user, entry.thought) == (Actor.USER, bidder, 1500)
    assert entry.action["do"] == "bid"
    assert evening.in_turn != bidder
    assert kinds(made) == [(OutboxKind.TABLE, None), (OutboxKind.PING, evening.in_turn)]
    assert evening.prompts[0].id != prompt


def test_what_a_player_says_with_a_move_is_told_once_and_not_logged() -> None:
    evening = Evening()
    bidder = evening.in_turn
    made = evening.do(Play(bidder, "bid", {"number": 7}, line="Beat that! " + "x" * 200))
    (spoken,) = notices(made)
    assert spoken == {"key": Notice.SPOKEN, "user": bidder, "line": spoken["line"]}
    assert spoken["line"].startswith("Beat that!")
    assert len(spoken["line"]) == MAX_LINE_LENGTH
    assert "Beat" not in encode([entry.action for entry in made.log])
    assert "Beat" not in dump(made.table)
    assert notices(evening.do(Play(evening.in_turn, "bid", {"number": 8}, line=""))) == []


def test_nothing_is_said_with_a_move_that_is_refused() -> None:
    evening = Evening()
    before = len(evening.sent)
    evening.refused(Play(evening.in_turn, "dance", line="Look at me!"))
    assert len(evening.sent) == before


def test_a_refused_press_says_why() -> None:
    evening = Evening()
    first = evening.in_turn
    old = evening.prompts[0].id
    evening.bid(7)
    turn = evening.in_turn
    other = next(player.user for player in evening.table.players if player.user not in (first, turn))

    late = evening.refused(Play(first, "bid", {"number": 8}, old))
    assert (late.reason, late.details["asked"]) == (HostReason.STALE, (turn,))
    early = evening.refused(Play(other, "bid", {"number": 8}, evening.prompts[0].id))
    assert (early.reason, early.details["asked"]) == (Reason.NOT_YOUR_TURN, (turn,))
    low = evening.refused(Play(turn, "bid", {"number": 7}))
    assert (low.reason, low.details["lowest"]) == (Reason.BID_TOO_LOW, 8)
    assert evening.refused(Play(EMI, "call")).reason is HostReason.NOT_SEATED


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("dance", {}),
        ("bid", {}),
        ("bid", {"number": "7"}),
        ("bid", {"number": True}),
        ("bid", {"number": 7, "height": 3}),
        ("bid", {"number": 10**30, "plus": ["x"]}),
        ("leave", {}),
        ("coin", {"coin": {}}),
    ],
)
def test_forged_actions_are_refused(do: str, fields: dict[str, object]) -> None:
    evening = Evening()
    assert evening.refused(Play(evening.in_turn, do, fields)).reason is HostReason.NO_SUCH_ACTION


def test_a_player_cannot_act_for_another_or_for_the_dealer() -> None:
    evening = Evening()
    turn = evening.in_turn
    other = next(player.user for player in evening.table.players if player.user != turn)
    seat = evening.table.seat_of(turn)
    assert evening.refused(Play(other, "bid", {"number": 3, "seat": seat})).reason is Reason.NOT_YOUR_TURN
    assert evening.refused(Play(turn, "deal", {"order": [1]})).reason is Reason.NOT_NOW


def test_steps_of_a_reveal_do_not_shorten_the_break() -> None:
    def next_deal(house: House) -> int:
        evening = Evening(house=house._replace(pause_seconds=12))
        evening.bid(7)
        due = evening.call().table.next_deal
        assert due is not None
        return due - evening.now

    assert BEATS["coyote"] == 3
    assert next_deal(House()) == 12_000 + 2 * BEAT_MILLIS
    assert 2 * BEAT_MILLIS < 4000
    assert next_deal(House(reveal="instantly")) == 12_000
    assert next_deal(House(pictures=False)) == 12_000, "words come at once"


def test_a_round_without_a_call_is_revealed_at_once_and_needs_no_longer_break() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, house=House(pause_seconds=12))
    evening.bid(3)
    assert evening.do(Leave(BEN)).table.next_deal == evening.now + 12_000


def test_nobody_waits_for_steps_that_nobody_sees() -> None:
    table = Evening().table
    assert beats_of(table) == 3
    away = tuple([player._replace(away=True) for player in table.players])
    assert beats_of(table._replace(players=away)) == 1
    left = tuple([player._replace(left=True) for player in table.players])
    assert beats_of(table._replace(players=left)) == 1
    ais = tuple([player._replace(ai=Ai("Tala", "bold", 2)) for player in table.players])
    assert beats_of(table._replace(players=ais)) == 1
    assert beats_of(table._replace(players=(*ais[:-1], table.players[-1]))) == 3
    assert BEATS["plenty-coups"] == 1


def test_the_dealer_waits_after_the_reveal() -> None:
    evening = Evening(house=House(pause_seconds=12, reveal="instantly"))
    evening.bid(7)
    caller = evening.in_turn
    called = evening.call()
    assert called.table.next_deal == evening.now + 12_000
    assert called.table.deadlines == ()
    assert kinds(called) == [(OutboxKind.RECORD, None), (OutboxKind.TABLE, None)]
    refusal = evening.refused(Play(caller, "bid", {"number": 3}))
    assert (refusal.reason, refusal.details) == (HostReason.BETWEEN_ROUNDS, {"next_deal": called.table.next_deal})
    before = evening.table
    assert evening.wait(11).table is before
    dealt = evening.wait(1)
    assert dealt.table.next_deal is None
    assert [entry.actor for entry in dealt.log] == [Actor.DEALER]
    assert sum(kind is OutboxKind.DM for kind, _ in kinds(dealt)) == 3
    assert evening.refused(DealNow(caller)).reason is HostReason.NOT_BETWEEN_ROUNDS


def test_a_record_shows_a_bystander_the_bids_and_the_reveal() -> None:
    evening = Evening()
    evening.bid(7)
    evening.bid(9)
    item = evening.call().outbox[0]
    record = views.record_of(evening.table, json.loads(encode(item.payload)))
    assert [rung.number for rung in record.before.view.ladder] == [7, 9]
    assert all(seat.worn is None for seat in record.before.view.seats)
    assert (record.after.view.last.bid, record.after.view.last.number) == (9, 1)
    assert record.after.view == views.view(evening.table, None)


def test_any_player_can_end_the_break() -> None:
    evening = Evening()
    evening.bid(7)
    evening.call()
    assert evening.refused(DealNow(EMI)).reason is HostReason.NOT_SEATED
    evening.do(DealNow(CHLOE))
    assert evening.table.next_deal is None
    assert evening.table.match.match.rounds == 2


def test_without_a_break_the_next_round_is_dealt_at_once() -> None:
    evening = Evening(house=House(pause_seconds=0))
    evening.bid(7)
    called = evening.call()
    assert called.table.next_deal is None
    assert {OutboxKind.RECORD, OutboxKind.TABLE, OutboxKind.DM, OutboxKind.PING} == {kind for kind, _ in kinds(called)}
    record = views.record_of(called.table, json.loads(encode(called.outbox[0].payload)))
    assert record.after.view.last.number == 1
    assert record.after.view.bid is None


def test_the_same_player_is_not_pinged_twice_for_one_turn() -> None:
    evening = Evening(options={"variant": True})
    flipped = evening.do(Play(evening.in_turn, "coin", {"coin": "extra"}))
    assert {kind for kind, _ in kinds(flipped)} == {OutboxKind.TABLE, OutboxKind.DM}


def test_pings_can_be_switched_off() -> None:
    evening = Evening(house=House(pings=False))
    evening.bid(3)
    assert not any(item.kind is OutboxKind.PING for item in evening.sent)


def trickster() -> Evening:
    """A table in the middle of the bets."""
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"edition": "peek", "variant": True})
    evening.bid(3)
    evening.call()
    return evening


def test_bets_are_prompted_together_each_with_its_own_deadline() -> None:
    evening = trickster()
    assert len(evening.prompts) == 2
    assert len(evening.table.deadlines) == 2
    first, second = evening.prompts
    due = evening.table.deadlines[1].due
    evening.now += 2000
    evening.answer(first)
    assert [deadline.seat for deadline in evening.table.deadlines] == [second.seat]
    assert evening.table.deadlines[0].due == due, "the bet of another player gives no extra time"
    evening.now += 1000
    assert evening.answer(second).log[0].thought == 3000
    assert evening.table.next_deal is not None


def test_two_late_bets_are_both_played() -> None:
    evening = trickster()
    late = {evening.table.players[prompt.seat].user for prompt in evening.prompts}
    decided = evening.wait(90)
    assert {entry.user for entry in decided.log if entry.actor is Actor.CLOCK} == late
    assert {notice["user"] for notice in notices(decided)} == late
    assert evening.table.next_deal is not None


def test_leaving_is_final_and_the_game_decides_about_the_round() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI)
    evening.bid(3)
    left = evening.do(Leave(BEN))
    assert evening.table.seat_of(BEN) is None
    assert evening.table.next_deal is not None, "the round is void"
    assert {"key": "left", "user": BEN} in notices(left)
    assert (OutboxKind.RECORD, None) in kinds(left)
    assert evening.refused(Leave(BEN)).reason is HostReason.NOT_SEATED
    evening.wait(12)
    assert BEN not in {user for kind, user in kinds(evening.last) if kind is OutboxKind.DM}


def test_if_the_host_leaves_the_match_another_player_becomes_the_host() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI)
    evening.do(Leave(ANA))
    assert evening.table.host == BEN
    assert {"key": "new_host", "user": BEN} in notices(evening.last)
    evening.do(PassHost(BEN, DMITRI))
    assert evening.table.host == DMITRI


def test_the_last_player_at_the_table_wins() -> None:
    evening = Evening()
    evening.do(Leave(ANA))
    over = evening.do(Leave(BEN))
    assert over.table.stage is Stage.OVER
    assert (over.table.deadlines, over.table.next_deal) == ((), None)
    assert views.view(over.table, None).winner == evening.table.seat_of(CHLOE)


def test_an_eliminated_player_may_leave_and_sees_nothing_live() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"edition": "tomahawk", "threshold": 2}, seed=4)
    while not evening.table.match.match.out:
        if evening.table.next_deal is not None:
            evening.do(DealNow(evening.table.players[evening.table.match.match.living[0]].user))
        else:
            evening.answer(evening.prompts[0])
    out = evening.table.players[evening.table.match.match.out[0]].user
    if evening.table.next_deal is not None:
        assert evening.refused(DealNow(out)).reason is HostReason.ELIMINATED
        evening.wait(12)
    seats = views.view(evening.table, out).seats
    assert all(seat.worn is None for seat in seats)
    assert evening.refused(Play(out, "call")).reason is Reason.NOT_PLAYING
    match = evening.table.match
    evening.do(Leave(out))
    assert evening.table.match is match


def test_players_get_their_own_view_and_others_a_bystanders() -> None:
    evening = Evening()
    seat = evening.table.seat_of(ANA)
    assert seat is not None
    assert views.view(evening.table, ANA).viewer == seat
    assert views.view(evening.table, ANA).seats[seat].worn is None
    assert views.view(evening.table, EMI).viewer is None
    assert views.view(evening.table, None) == views.view(evening.table, EMI)
    evening.do(Stop(ANA))
    assert views.view(evening.table, BEN).viewer is None, "a stopped match shows no feather to anybody"
    assert views.view(Evening(started=False).table, ANA) is None


def test_stopping_says_who_did_it() -> None:
    evening = Evening()
    assert evening.refused(Stop(BEN)).details == {"host": ANA, "who": "host"}
    stopped = evening.do(Stop(BEN, manager=True))
    assert notices(stopped) == [{"key": "stopped", "by": BEN}]
    assert (stopped.table.stage, stopped.table.deadlines) == (Stage.CLOSED, ())
    assert evening.refused(Play(ANA, "call")).reason is HostReason.TABLE_CLOSED


@pytest.mark.parametrize(
    ("who_stops", "host", "guest", "stranger"),
    [("host", True, False, False), ("players", True, True, False), ("managers", False, False, False)],
)
def test_house_rules_decide_who_may_stop_a_game(who_stops: str, host: bool, guest: bool, stranger: bool) -> None:
    for user, may in ((ANA, host), (BEN, guest), (EMI, stranger)):
        evening = Evening(house=House(who_stops=who_stops))
        if may:
            assert evening.do(Stop(user)).table.ended_by == user
        else:
            assert evening.refused(Stop(user)).details["who"] == who_stops
            assert evening.do(Stop(user, manager=True)).table.ended_by == user
    assert Evening(started=False, house=House(who_stops=who_stops)).do(Stop(ANA)).table.stage is Stage.CLOSED


def test_a_game_without_breaks_goes_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "coyote", replace(RULES["coyote"], has_breaks=False))
    evening = Evening(house=House(pause_seconds=12))
    evening.bid(7)
    ended = evening.call()
    assert [kind for kind, _ in kinds(ended)].count(OutboxKind.RECORD) == 1
    assert evening.table.next_deal is None
    assert evening.prompts[0].seat >= 0

from __future__ import annotations

import pytest

from bot.engine.registry import RULES
from bot.host.commands import (
    AskPause,
    Back,
    HostReason,
    Join,
    Leave,
    OutboxKind,
    Play,
    Resume,
    SetPreferences,
    Start,
    Stop,
    Suspend,
    VoteOut,
)
from bot.host.deadlines import MAX_PAUSE_MILLIS, next_due, shifted
from bot.host.decision import Actor
from bot.host.model import House, Stage, UserId
from tests.host.evening import ANA, BEN, CHLOE, DMITRI, EMI, Evening, kinds, notices


def test_a_turn_lasts_the_time_in_the_house_rules_times_the_players_factor() -> None:
    evening = Evening(ANA, started=False, house=House(turn_seconds=60))
    for user in (BEN, CHLOE):
        evening.do(Join(user, "slow", slow=4))
    evening.do(Start(ANA))
    for _ in range(3):
        (deadline,) = evening.table.deadlines
        slow = 1 if evening.in_turn == ANA else 4
        assert (deadline.total, deadline.due) == (60_000 * slow, evening.now + 60_000 * slow)
        evening.bid((evening.table.match.bidding.bid or 0) + 1)


def test_without_a_clock_nothing_is_due() -> None:
    evening = Evening(house=House(turn_seconds=None))
    assert evening.table.deadlines == ()
    assert next_due(evening.table) is None
    before = evening.table
    assert evening.wait(10**7).table is before


def test_a_time_out_plays_the_default() -> None:
    evening = Evening()
    late = evening.in_turn
    before = evening.table
    assert evening.wait(89.9).table is before
    decided = evening.wait(0.1)
    (entry,) = decided.log
    assert (entry.actor, entry.user, entry.thought) == (Actor.CLOCK, late, None)
    assert (entry.action["do"], entry.action["number"]) == ("bid", 1)
    assert notices(decided) == [{"key": "timed_out", "user": late, "do": "bid", "number": 1}]
    assert evening.player(late).missed == 1
    assert not evening.player(late).away


def test_a_move_in_time_resets_the_time_outs() -> None:
    evening = Evening(options={"threshold": 5})
    late = evening.in_turn
    evening.wait(90)
    while evening.in_turn != late:
        evening.bid((evening.table.match.bidding.bid or 0) + 1)
    evening.bid(50)
    assert evening.player(late).missed == 0


WITHOUT_AI = House(ai_for_away=False)


def absent(evening: Evening) -> UserId:
    """Let the current player miss turns until they are away; return that player."""
    late = evening.in_turn
    while not evening.player(late).away:
        if evening.table.next_deal is not None:
            evening.wait(12)
        elif evening.in_turn == late:
            evening.wait(90)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    return late


def test_after_two_time_outs_in_a_row_a_seat_is_away_and_its_turns_are_short() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5}, house=WITHOUT_AI)
    late = absent(evening)
    assert [notice["key"] for notice in notices(evening.last)] == ["away"]
    assert evening.player(late).missed == 2
    pinged_before = sum(item.kind is OutboxKind.PING and item.user == late for item in evening.sent)
    while evening.table.next_deal is not None or evening.in_turn != late:
        if evening.table.next_deal is not None:
            evening.wait(12)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    assert evening.table.deadlines[0].total == 4000
    assert notices(evening.wait(4)) == [], "once is enough"
    assert sum(item.kind is OutboxKind.PING and item.user == late for item in evening.sent) == pinged_before


def test_after_a_time_out_a_player_is_pinged_about_their_next_question() -> None:
    evening = Evening(game="plenty-coups")
    turn = evening.in_turn
    assert [item.user for item in evening.last.outbox if item.kind is OutboxKind.PING] == [turn]
    made = evening.wait(90)
    assert evening.in_turn == turn, "the table took cards for them, and they are still in turn"
    assert [(item.user, item.payload) for item in made.outbox if item.kind is OutboxKind.PING] == [
        (turn, {"prompt": evening.prompts[0].id})
    ]


def test_a_player_who_is_back_has_the_full_time() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5}, house=WITHOUT_AI)
    late = absent(evening)
    assert evening.refused(Back(EMI)).reason is HostReason.NOT_SEATED
    other = next(player.user for player in evening.table.players if player.user != late)
    assert evening.refused(Back(other)).reason is HostReason.NOT_AWAY
    while evening.table.next_deal is not None or evening.in_turn != late:
        if evening.table.next_deal is not None:
            evening.wait(12)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    evening.now += 3000
    back = evening.do(Back(late))
    assert back.table.deadlines[0].due == evening.now + 90_000
    assert notices(back) == [{"key": "back", "user": late}]
    assert (evening.player(late).away, evening.player(late).missed) == (False, 0)


def test_a_move_brings_an_away_player_back() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5})
    late = absent(evening)
    while evening.table.next_deal is not None or evening.in_turn != late:
        if evening.table.next_deal is not None:
            evening.wait(12)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    evening.bid((evening.table.match.bidding.bid or 0) + 1)
    assert not evening.player(late).away


def test_most_of_the_others_vote_an_away_player_out() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5})
    late = absent(evening)
    first, second, third = (player.user for player in evening.table.players if player.user != late)
    assert evening.refused(VoteOut(first, second)).reason is HostReason.NOT_AWAY
    assert evening.refused(VoteOut(first, first)).reason is HostReason.NOT_YOURSELF
    assert evening.refused(VoteOut(EMI, late)).reason is HostReason.NOT_SEATED
    evening.do(VoteOut(first, late))
    assert evening.table.seat_of(late) is not None
    assert evening.refused(VoteOut(first, late)).details == {"missing": 1}
    gone = evening.do(VoteOut(third, late))
    assert evening.table.seat_of(late) is None
    assert {"key": "voted_out", "user": late} in notices(gone)
    assert gone.table.out_votes == ()


def test_leaving_can_complete_a_vote() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, EMI, options={"threshold": 5})
    late = absent(evening)
    first, second, third, _ = (player.user for player in evening.table.players if player.user != late)
    evening.do(VoteOut(first, late))
    evening.do(VoteOut(second, late))
    assert evening.table.seat_of(late) is not None, "two of four are not most of them"
    gone = evening.do(Leave(third))
    assert evening.table.seat_of(late) is None, "two of three are"
    assert {"key": "voted_out", "user": late} in notices(gone)
    assert gone.table.out_votes == ()


def test_a_player_who_is_out_cannot_be_voted_out() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, EMI, options={"threshold": 5}, house=WITHOUT_AI)
    late = absent(evening)
    first, second, third, _ = (player.user for player in evening.table.players if player.user != late)
    evening.do(VoteOut(first, late))
    evening.do(VoteOut(second, late))
    while evening.table.seat_of(late) in RULES["coyote"].seated(evening.table.match):
        if evening.table.next_deal is not None:
            evening.wait(12)
        elif evening.in_turn == late:
            evening.wait(4)
        else:
            bid = evening.table.match.bidding.bid
            evening.bid(-900 if bid is None else bid + 1)  # low enough to hold, so the call by the clock costs a coin
    assert evening.refused(Back(late)).reason is HostReason.ELIMINATED
    gone = evening.do(Leave(third))
    assert [notice["key"] for notice in notices(gone)] == ["left"]
    assert evening.table.seat_of(late) is not None, "the player keeps a seat for the rematch"


def test_coming_back_removes_the_votes() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5})
    late = absent(evening)
    voter = next(player.user for player in evening.table.players if player.user != late)
    evening.do(VoteOut(voter, late))
    assert evening.do(Back(late)).table.out_votes == ()


def test_a_pause_needs_everybody_and_its_end_a_majority_while_clocks_stand_still() -> None:
    evening = Evening()
    evening.now += 30_000
    evening.do(AskPause(ANA))
    assert evening.refused(AskPause(ANA)).details == {"missing": (BEN, CHLOE)}
    evening.do(AskPause(BEN))
    assert evening.table.pause is None
    paused = evening.do(AskPause(CHLOE))
    assert paused.table.pause is not None
    assert (paused.table.pause.asked_by, paused.table.pause_votes) == (ANA, ())
    assert evening.refused(Play(evening.in_turn, "bid", {"number": 3})).reason is HostReason.PAUSED
    before = evening.table
    assert evening.wait(3600).table is before
    evening.do(AskPause(ANA))
    assert evening.refused(AskPause(ANA)).details == {"missing": (BEN, CHLOE)}
    assert evening.table.pause is not None
    evening.do(AskPause(BEN))  # Chloé has gone for dinner
    assert evening.table.pause is None
    assert evening.table.deadlines[0].due == evening.now + 60_000
    assert evening.bid(3).log[0].thought == 30_000, "a pause is not thinking"


def test_leaving_can_complete_an_agreement() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI)
    for user in (ANA, BEN, CHLOE):
        evening.do(AskPause(user))
    assert evening.do(Leave(DMITRI)).table.pause is not None


def asleep(evening: Evening, *sleepers: UserId) -> None:
    """Let people miss their turns until they are away; all others raise."""
    while not all(evening.player(user).away for user in sleepers):
        if evening.table.next_deal is not None:
            evening.wait(12)
        elif evening.in_turn in sleepers:
            evening.wait(90)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)


def test_the_vote_of_a_player_who_is_out_does_not_count() -> None:
    evening = Evening(options={"threshold": 5}, house=WITHOUT_AI)
    evening.do(AskPause(ANA))
    for _ in range(5):
        while evening.table.next_deal is not None or evening.in_turn != ANA:
            if evening.table.next_deal is not None:
                evening.wait(12)
            else:
                evening.bid((evening.table.match.bidding.bid or 0) + 1)
        evening.bid(900)
        evening.call()
    assert evening.refused(AskPause(ANA)).reason is HostReason.ELIMINATED
    asleep(evening, BEN, CHLOE)
    assert evening.table.pause is None, "no present player has voted for it"


def test_a_pause_ends_if_nobody_is_left_to_end_it() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5}, house=WITHOUT_AI)
    asleep(evening, CHLOE, DMITRI)
    for user in (ANA, BEN):
        evening.do(AskPause(user))
    evening.do(Leave(ANA))
    assert evening.table.pause is not None
    gone = evening.do(Leave(BEN))
    assert (gone.table.stage, gone.table.pause) == (Stage.PLAYING, None)
    assert next_due(gone.table) is not None
    assert {"key": "resumed", "by": None} in notices(gone)


def test_a_round_that_ends_in_a_pause_is_dealt_after_it() -> None:
    evening = Evening(ANA, BEN, CHLOE, DMITRI, house=House(reveal="instantly"))
    for user in (ANA, BEN, CHLOE, DMITRI):
        evening.do(AskPause(user))
    evening.now += 50_000
    evening.do(Leave(DMITRI))
    for user in (ANA, BEN, CHLOE):
        evening.do(AskPause(user))
    assert evening.table.next_deal == evening.now + 12_000


def test_a_pause_ends_by_itself_after_a_while() -> None:
    evening = Evening()
    for user in (ANA, BEN, CHLOE):
        evening.do(AskPause(user))
    assert next_due(evening.table) == evening.now + MAX_PAUSE_MILLIS
    resumed = evening.wait(MAX_PAUSE_MILLIS / 1000)
    assert resumed.table.pause is None
    assert notices(resumed) == [{"key": "resumed", "by": None}]
    assert resumed.table.deadlines[0].due == evening.now + 90_000


def test_a_suspended_table_does_not_move() -> None:
    evening = Evening()
    evening.now += 10_000
    evening.do(Suspend("send_messages"))
    assert next_due(evening.table) is None
    refusal = evening.refused(Play(evening.in_turn, "bid", {"number": 3}))
    assert (refusal.reason, refusal.details["why"]) == (HostReason.PAUSED, "send_messages")
    assert evening.refused(AskPause(ANA)).reason is HostReason.PAUSED
    before = evening.table
    assert evening.do(Suspend("again")).table is before
    evening.now += 10**7
    assert evening.do(Resume()).table.deadlines[0].due == evening.now + 80_000
    before = evening.table
    assert evening.do(Resume()).table is before
    evening.do(Stop(ANA))
    assert evening.do(Suspend("late")).table.pause is None


def test_an_agreed_pause_continues_after_a_suspension() -> None:
    evening = Evening()
    for user in (ANA, BEN, CHLOE):
        evening.do(AskPause(user))
    agreed = evening.table.pause
    evening.now += 10_000
    evening.do(Suspend("outage"))
    refusal = evening.refused(Play(evening.in_turn, "bid", {"number": 3}))
    assert (refusal.details["why"], refusal.details["asked_by"]) == ("outage", None)
    evening.now += 10_000
    back = evening.do(Resume())
    assert (back.table.pause, notices(back)) == (agreed, [])
    assert next_due(evening.table) == evening.now - 20_000 + MAX_PAUSE_MILLIS
    for user in (ANA, BEN):
        evening.do(AskPause(user))
    assert evening.table.pause is None
    assert evening.table.deadlines[0].due == evening.now + 90_000


def test_slow_games_remind_when_half_and_a_tenth_of_the_time_is_left() -> None:
    hour = 3600
    evening = Evening(house=House(turn_seconds=10 * hour))
    turn = evening.in_turn
    assert next_due(evening.table) == evening.now + 5 * hour * 1000
    half = evening.wait(5 * hour)
    assert kinds(half) == [(OutboxKind.REMIND, turn)]
    assert half.outbox[0].payload == {"left": 5 * hour * 1000}
    before = evening.table
    assert evening.wait(10).table is before
    tenth = evening.wait(4 * hour - 10)
    assert kinds(tenth) == [(OutboxKind.REMIND, turn)]
    assert next_due(evening.table) == evening.now + hour * 1000
    assert evening.wait(hour).log[0].actor is Actor.CLOCK


def test_a_player_without_pings_gets_no_reminders() -> None:
    evening = Evening(house=House(turn_seconds=36_000))
    evening.do(SetPreferences(evening.in_turn, 1, pinged=False))
    assert evening.wait(18_000).outbox == ()
    assert next_due(evening.table) == evening.now + 14_400_000
    evening.do(SetPreferences(evening.in_turn, 1, pinged=True))
    assert kinds(evening.wait(14_400)) == [(OutboxKind.REMIND, evening.in_turn)]


def test_of_two_missed_reminders_only_the_last_is_sent() -> None:
    evening = Evening(house=House(turn_seconds=36_000))
    assert len(evening.wait(33_000).outbox) == 1
    before = evening.table
    assert evening.wait(1).table is before


@pytest.mark.parametrize("house", [House(turn_seconds=599), House(turn_seconds=36_000, reminders=False)])
def test_short_turns_have_no_reminders_and_house_rules_can_turn_them_off(house: House) -> None:
    evening = Evening(house=house)
    assert next_due(evening.table) == evening.table.deadlines[0].due


def test_house_rules_without_pings_have_no_reminders() -> None:
    evening = Evening(house=House(turn_seconds=36_000, pings=False))
    assert evening.wait(18_000).outbox == ()
    assert evening.wait(14_400).outbox == ()


def test_downtime_takes_no_time_from_anybody() -> None:
    evening = Evening()
    evening.now += 50_000
    away = 3_600_000
    restored = shifted(evening.table, away + 10_000)
    assert restored.deadlines[0].due - (evening.now + away) == 50_000, "the 40 seconds left, and the grace"
    assert shifted(evening.table, 0) is evening.table
    between = Evening()
    between.bid(3)
    between.call()
    assert shifted(between.table, 500).next_deal == (between.table.next_deal or 0) + 500
    lobby = Evening(started=False).table
    assert shifted(lobby, 500).closes == (lobby.closes or 0) + 500
    for user in (ANA, BEN, CHLOE):
        evening.do(AskPause(user))
    paused = shifted(evening.table, away)
    assert paused.pause is not None
    assert evening.table.pause is not None
    assert paused.deadlines[0].due - paused.pause.since == 40_000
    evening.do(Stop(ANA))
    assert shifted(evening.table, 500) is evening.table


def test_a_table_of_away_players_ends_by_itself() -> None:
    evening = Evening(house=WITHOUT_AI)
    for _ in range(500):
        due = next_due(evening.table)
        if due is None:
            break
        evening.wait((due - evening.now) / 1000)
    assert evening.table.stage is Stage.OVER


def test_settings_apply_from_the_next_prompt_on() -> None:
    evening = Evening()
    turn, due = evening.in_turn, evening.table.deadlines[0].due
    evening.do(SetPreferences(turn, 2, pinged=False))
    assert evening.table.deadlines[0].due == due

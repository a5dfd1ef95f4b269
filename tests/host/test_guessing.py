"""Guessing along: people who do not play guess in secret between a call and its reveal, and no player waits long."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.frozen import encode
from bot.engine.registry import RULES
from bot.host import codec
from bot.host.commands import (
    AddAi,
    AskPause,
    Forget,
    Guess,
    GuessAlong,
    HostReason,
    Join,
    Leave,
    OutboxKind,
    Play,
    Start,
    Stop,
    Tick,
    Watch,
)
from bot.host.deadlines import next_due
from bot.host.decide import open_rematch, open_table
from bot.host.erasure import forget_in, forget_in_payload
from bot.host.guessing import EVENING_MILLIS, MAX_GUESSERS, waited_for
from bot.host.model import Guesser, House, SettledGuess, Stage, Table, TableId, UserId
from bot.host.views import record_of
from tests.host.evening import ANA, BEGIN, BEN, CHLOE, EMI, SECOND, Evening

ZOE, YAN = UserId(98), UserId(99)
"""People in the channel who have no seat."""
GUESSING = {"guess_along": 5}
QUICK = House(pause_seconds=0)


def evening(*, house: House = QUICK, **options: Any) -> Evening:
    return Evening(ANA, BEN, CHLOE, house=house, options={**GUESSING, "threshold": 2, **options})


def with_one_out(house: House = QUICK, **options: Any) -> Evening:
    """Play until somebody is out, and the others are in the next round."""
    held = evening(house=house, **options)
    while len(RULES["coyote"].seated(held.table.match)) == 3:
        held.bid(999) if held.table.match.bidding.bid is None else held.call()
    return held


def out(held: Evening) -> UserId:
    (seat,) = held.table.match.match.out
    user: UserId = held.table.players[seat].user
    return user


def bid_and_call(held: Evening, number: int = 999) -> tuple[UserId, UserId]:
    """Bid and call; return the bidder and the caller."""
    bidder = held.in_turn
    held.bid(number)
    caller = held.in_turn
    held.call()
    return bidder, caller


def seat(held: Evening, user: UserId) -> Any:
    return held.table.seat_of(user)


def record(held: Evening) -> Any:
    payload = [item.payload for item in held.sent if item.kind is OutboxKind.RECORD][-1]
    return record_of(held.table, json.loads(encode(payload)))


def is_pending(held: Evening) -> bool:
    return held.table.guessing is not None and held.table.guessing.waits


# -- when a reveal waits


def test_if_nobody_watches_no_reveal_waits() -> None:
    held = evening()
    bid_and_call(held)
    assert held.table.match.match.last is not None
    assert held.table.guessing is None


def test_a_reveal_waits_for_somebody_who_is_out_and_no_longer_than_the_house_rule() -> None:
    held = with_one_out()
    before = held.table.match.match.last
    bid_and_call(held)
    assert is_pending(held)
    assert next_due(held.table) == held.now + 5 * SECOND
    held.wait(4.9)
    assert is_pending(held)
    held.wait(0.1)
    assert held.table.guessing is None
    assert held.table.match.match.last != before


def test_the_reveal_comes_as_soon_as_everybody_has_guessed() -> None:
    held = with_one_out()
    loser = out(held)
    _, caller = bid_and_call(held)
    held.do(Guess(loser, seat(held, caller)))
    assert held.table.guessing is None
    assert held.table.guessed == (SettledGuess(loser, True),)
    assert record(held).guessed == held.table.guessed


def test_without_the_house_rule_nobody_guesses() -> None:
    held = with_one_out(guess_along=0)
    loser = out(held)
    bid_and_call(held)
    assert held.table.guessing is None
    assert held.refused(Guess(loser, seat(held, ANA))).reason in (HostReason.NO_GUESSING, HostReason.TABLE_OVER)


def test_somebody_who_never_guesses_is_waited_for_only_twice() -> None:
    held = Evening(ANA, BEN, CHLOE, EMI, house=QUICK, options={**GUESSING, "threshold": 2, "next_starter": "winner"})
    while len(RULES["coyote"].seated(held.table.match)) == 4:
        held.bid(999) if held.table.match.bidding.bid is None else held.call()
    waits = 0
    while held.table.stage is Stage.PLAYING and len(RULES["coyote"].seated(held.table.match)) == 3:
        bid_and_call(held)
        if is_pending(held):
            waits += 1
            held.wait(5)
    assert waits <= 2
    assert all(each.missed <= 2 for each in held.table.guessers)


def test_a_spectator_who_says_so_is_waited_for() -> None:
    held = evening()
    held.do(GuessAlong(ZOE))
    _, caller = bid_and_call(held)
    assert is_pending(held)
    assert waited_for(held.table, held.table.match) == {ZOE}
    held.do(Guess(YAN, seat(held, caller)))
    assert is_pending(held), "the guess of somebody else does not end the wait"
    held.do(Guess(ZOE, seat(held, caller)))
    assert {each.user for each in held.table.guessed} == {ZOE, YAN}


def test_the_last_guess_of_a_person_counts() -> None:
    held = with_one_out()
    held.do(GuessAlong(ZOE))
    bidder, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, bidder)))
    held.do(Guess(ZOE, seat(held, caller)))
    held.wait(5)
    assert held.table.guessed == (SettledGuess(ZOE, True),)


def test_in_peek_a_guess_is_taken_during_the_bets_and_never_brings_the_reveal() -> None:
    held = Evening(ANA, BEN, CHLOE, EMI, house=QUICK, options={"edition": "peek", "variant": True, **GUESSING})
    held.do(GuessAlong(ZOE))
    bidder, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, caller)))
    assert held.table.match.match.last is None
    for prompt in held.prompts:
        user = held.table.players[prompt.seat].user
        held.do(Play(user, "bet", {"on": seat(held, bidder)}, prompt.id))
    assert held.table.guessed == (SettledGuess(ZOE, True),), "nobody is waited for any more"


def test_after_slow_bets_the_reveal_does_not_wait_again() -> None:
    held = Evening(ANA, BEN, CHLOE, EMI, house=QUICK, options={"edition": "peek", "variant": True, **GUESSING})
    held.do(GuessAlong(ZOE))
    bidder, _ = bid_and_call(held)
    held.now += 6 * SECOND
    for prompt in held.prompts:
        held.do(Play(held.table.players[prompt.seat].user, "bet", {"on": seat(held, bidder)}, prompt.id))
    assert held.table.match.match.last is not None


# -- who may guess, and what they learn


def test_players_do_not_guess() -> None:
    held = with_one_out()
    bidder, caller = bid_and_call(held)
    for user in (bidder, caller):
        assert held.refused(Guess(user, seat(held, caller))).reason is HostReason.PLAYERS_DO_NOT_GUESS
        assert held.refused(GuessAlong(user)).reason is HostReason.PLAYERS_DO_NOT_GUESS


def test_somebody_who_left_their_seat_to_an_ai_has_seen_feathers() -> None:
    held = evening(house=House(pause_seconds=0, ai_for_left=True))
    held.do(Leave(CHLOE))
    assert held.refused(GuessAlong(CHLOE)).reason is HostReason.PLAYERS_DO_NOT_GUESS


def test_somebody_whose_look_shows_everything_does_not_guess_and_is_not_waited_for() -> None:
    held = with_one_out(House(pause_seconds=0, out_may_look=True))
    loser = out(held)
    assert held.refused(GuessAlong(loser)).reason is HostReason.SEES_ALL
    bid_and_call(held)
    assert held.table.guessing is None


def test_where_only_ais_play_everything_is_shown_and_nothing_guessed() -> None:
    held = Evening(ANA, started=False, house=QUICK, options=GUESSING)
    for _ in range(3):
        held.do(AddAi(ANA))
    held.do(Watch(ANA))
    held.do(Start(ANA))
    assert held.refused(GuessAlong(ANA)).reason is HostReason.SEES_ALL


def test_a_guess_must_fit_the_question() -> None:
    held = with_one_out()
    loser = out(held)
    assert held.refused(Guess(loser, seat(held, ANA))).reason is HostReason.NOTHING_TO_GUESS
    _, caller = bid_and_call(held)
    assert held.table.guessing is not None
    question = held.table.guessing.question
    assert held.refused(Guess(loser, seat(held, caller), question + 1)).reason is HostReason.STALE
    assert held.refused(Guess(loser, seat(held, loser))).reason is HostReason.NO_SUCH_ACTION
    held.do(Guess(loser, seat(held, caller), question))


def test_the_number_of_guessers_is_bounded() -> None:
    held = evening()
    for number in range(MAX_GUESSERS):
        held.do(GuessAlong(UserId(1000 + number)))
    assert held.refused(GuessAlong(ZOE)).reason is HostReason.TOO_MANY_GUESS
    held.do(GuessAlong(UserId(1000)))


def test_a_guess_is_neither_sent_nor_logged() -> None:
    held = with_one_out()
    held.do(GuessAlong(ZOE))
    bidder, caller = bid_and_call(held)
    for user in (bidder, caller):
        decision = held.do(Guess(ZOE, seat(held, user)))
        assert decision.outbox == ()
        assert [line.action for line in decision.log] == [{"host": "guess"}]


def test_nobody_moves_while_the_reveal_waits() -> None:
    held = with_one_out()
    bidder, caller = bid_and_call(held)
    for user in (bidder, caller):
        assert held.refused(Play(user, "call")).reason is not None
    assert held.table.deadlines == ()


# -- what happens meanwhile


def test_a_player_who_leaves_makes_the_guesses_void() -> None:
    held = Evening(ANA, BEN, CHLOE, EMI, house=QUICK, options=GUESSING)
    held.do(GuessAlong(ZOE))
    held.do(GuessAlong(YAN))
    bidder, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, caller)))
    held.do(Leave(bidder))
    assert held.table.guessing is None
    assert held.table.guessed == ()
    assert all(each.made == 0 and each.missed == 0 for each in held.table.guessers)


def test_a_pause_gives_the_time_back() -> None:
    held = with_one_out()
    bidder, caller = bid_and_call(held)
    held.now += 2 * SECOND
    held.do(AskPause(bidder))
    held.do(AskPause(caller))
    assert held.table.pause is not None
    held.wait(3600)
    assert is_pending(held)
    held.do(AskPause(bidder))
    held.do(AskPause(caller))
    assert held.table.guessing is not None
    assert held.table.guessing.due == held.now + 3 * SECOND
    held.wait(3)
    assert held.table.guessing is None


def test_a_stopped_table_waits_for_nothing() -> None:
    held = with_one_out()
    bid_and_call(held)
    held.do(Stop(held.table.host, manager=True))
    assert held.table.guessing is None
    assert next_due(held.table) is None


def test_everything_survives_being_written() -> None:
    held = with_one_out()
    held.do(GuessAlong(ZOE))
    _, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, caller)))
    table = held.table
    columns = codec.Columns(table.id, table.guild, table.channel, table.stage, table.seq)
    assert codec.load(columns, codec.dump_setup(table), codec.dump(table)) == table


# -- the score


def test_the_score_is_kept_for_the_match_and_the_evening() -> None:
    held = with_one_out()
    held.do(GuessAlong(ZOE))
    bidder, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, bidder)))
    held.wait(5)
    while held.table.stage is Stage.PLAYING:
        _, caller = bid_and_call(held)
        held.do(Guess(ZOE, seat(held, caller)))
        held.wait(5)
    (zoe,) = [each for each in held.table.guessers if each.user == ZOE]
    assert (zoe.right, zoe.made) in ((0, 1), (1, 2))
    _, opened = open_rematch(held.table, TableId("t2"), ANA, held.now)
    assert opened.table.guessers == (Guesser(ZOE, made_before=zoe.made, right_before=zoe.right),)


@pytest.mark.parametrize(("later", "kept"), [(0, 1), (EVENING_MILLIS, 1), (EVENING_MILLIS + 1, 0)])
def test_the_next_table_of_the_same_evening_keeps_the_score(later: int, kept: int) -> None:
    before = evening().table._replace(guessers=(Guesser(ZOE, 3, 2), Guesser(YAN)))
    host = Join(ANA, "Ana")
    opened = open_table(TableId("t2"), 1, 2, host, BEGIN + later, game="coyote", last=before).table
    assert opened.guessers == ((Guesser(ZOE, made_before=3, right_before=2),) if kept else ())


# -- deleting somebody


def guessed_at() -> Table:
    held = with_one_out()
    held.do(GuessAlong(ZOE))
    _, caller = bid_and_call(held)
    held.do(Guess(ZOE, seat(held, caller)))
    return held.table._replace(guessed=(SettledGuess(ZOE, True), SettledGuess(YAN, False)))


def test_a_deleted_person_guesses_no_more() -> None:
    held = evening()
    held.last = held.last._replace(table=guessed_at())
    held.do(Forget(ZOE, UserId(-(10**15))))
    assert held.table.guessers == ()
    assert held.table.guessing is not None
    assert held.table.guessing.guesses == ()
    assert [each.user for each in held.table.guessed] == [YAN]


def test_a_deleted_person_is_taken_out_of_stored_tables_and_waiting_messages() -> None:
    table = guessed_at()
    left = json.loads(forget_in(codec.dump(table), ZOE, UserId(-(10**15))))
    assert left["guessers"] == []
    assert left["guessing"]["guesses"] == []
    assert [each["user"] for each in left["guessed"]] == [YAN]
    payload = encode({"guessed": table.guessed, "guessed_before": table.guessed})
    told = json.loads(forget_in_payload(payload, ZOE, UserId(-(10**15))))
    assert [each["user"] for each in (*told["guessed"], *told["guessed_before"])] == [YAN, YAN]


def test_a_tick_too_early_changes_nothing() -> None:
    held = with_one_out()
    bid_and_call(held)
    before = held.table
    held.do(Tick())
    assert held.table is before

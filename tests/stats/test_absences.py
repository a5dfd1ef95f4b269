"""People for whom an AI finished the match: it stays rated, and they are ranked at best where they stood."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.engine.core import Outcome, Seat
from bot.engine.registry import RULES
from bot.engine.standing import place_now
from bot.host.commands import Back, DealNow, Leave, Notice, PlayAi, Tick
from bot.host.model import House, Stage, UserId
from bot.stats.model import GameRecord
from bot.stats.record import Entry, Log, tally
from tests.host.evening import ANA, BEGIN, BEN, CHLOE, DMITRI, Evening, notices

EVERYBODY = (ANA, BEN, CHLOE, DMITRI)
HOUSE = House(pause_seconds=0)


def record_of(evening: Evening) -> GameRecord:
    users = {Seat(seat): player.user for seat, player in enumerate(evening.table.players)}
    entries = [Entry(BEGIN, entry.actor, entry.action, entry.thought) for entry in evening.log]
    return tally(Log(users, {"counts": evening.table.house.counts, "count_ai": evening.table.house.count_ai}, entries))


def outcome_of(evening: Evening) -> Outcome:
    outcome = RULES["coyote"].outcome(evening.table.match)
    assert outcome is not None
    return outcome


def goes_away(evening: Evening, who: UserId) -> int:
    """Let somebody miss turns until an AI stands in; return the place that they are told."""
    while evening.player(who).stand_in is None:
        if evening.in_turn == who:
            evening.now = evening.table.deadlines[0].due
            evening.do(Tick())
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    (told,) = [notice for notice in notices(evening.last) if notice["key"] == Notice.STAND_IN]
    place: int = told["place"]
    seat = evening.table.seat_of(who)
    assert seat is not None
    assert place == place_now(RULES["coyote"], evening.table.match, seat)
    return place


def ai_wins(evening: Evening, *away: UserId) -> None:
    """Play on. The others bid far too high, and the AIs call; they open so low that nobody could be wrong."""
    for _ in range(500):
        if evening.table.stage is not Stage.PLAYING:
            return
        prompt, bid = evening.prompts[0], evening.table.match.bidding.bid
        user = evening.table.players[prompt.seat].user
        evening.now += 1000
        if user in away:
            evening.do(PlayAi(prompt.seat, prompt.id, {"do": "bid", "number": -100} if bid is None else {"do": "call"}))
        else:
            evening.bid(900 if bid is None or bid < 900 else bid + 1)
    raise AssertionError("the match does not end")


def evening_of_four() -> Evening:
    return Evening(*EVERYBODY, options={"edition": "feathers", "threshold": 3}, house=HOUSE)


def test_the_match_stays_rated_and_the_absentee_gets_no_better_place_than_they_had() -> None:
    evening = evening_of_four()
    best = goes_away(evening, BEN)
    assert best > 1
    ai_wins(evening, BEN)
    assert outcome_of(evening).places[1] == 1, "the AI won"
    record = record_of(evening)
    assert record.counts
    assert record.ai
    assert record.seats[1].place == best
    assert [seat.place for seat in record.seats] != list(outcome_of(evening).places)
    assert sorted(seat.place for seat in record.seats) == [1, 2, 3, 4]


def test_the_absentee_keeps_a_worse_place_than_they_had() -> None:
    evening = evening_of_four()
    best = goes_away(evening, BEN)
    while evening.table.stage is Stage.PLAYING:
        prompt, bid = evening.prompts[0], evening.table.match.bidding.bid
        evening.now += 1000
        if evening.table.players[prompt.seat].user == BEN:
            evening.do(PlayAi(prompt.seat, prompt.id, {"do": "bid", "number": 900 if bid is None else bid + 1}))
        elif bid is None or bid < 900:
            evening.bid(-900 if bid is None else bid + 1)
        else:
            evening.call()
    record = record_of(evening)
    assert record.seats[1].place == outcome_of(evening).places[1] >= best


@pytest.mark.parametrize("way", ["back", "plays", "deals"])
def test_somebody_who_is_back_can_get_any_place_again(way: str) -> None:
    evening = Evening(*EVERYBODY, options={"threshold": 3}, house=House())
    while evening.player(BEN).stand_in is None or evening.table.next_deal is not None:
        if evening.table.next_deal is not None:
            evening.wait(12)
        elif evening.in_turn == BEN:
            evening.wait(90)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    while evening.in_turn != BEN:
        evening.bid((evening.table.match.bidding.bid or 0) + 1)
    prompt = evening.prompts[0]
    evening.do(PlayAi(prompt.seat, prompt.id, {"do": "bid", "number": (evening.table.match.bidding.bid or 0) + 1}))
    match way:
        case "back":
            evening.do(Back(BEN))
        case "plays":
            while evening.in_turn != BEN:
                evening.bid((evening.table.match.bidding.bid or 0) + 1)
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
        case _:
            evening.call()
            evening.do(DealNow(BEN))
    evening.play_on()
    record = record_of(evening)
    assert record.counts
    assert [seat.place for seat in record.seats] == list(outcome_of(evening).places)


def test_who_lets_an_ai_climb_and_is_back_at_the_end_keeps_their_place() -> None:
    evening = evening_of_four()
    best = goes_away(evening, BEN)
    for _ in range(500):
        living = RULES["coyote"].seated(evening.table.match)
        prompt, bid = evening.prompts[0], evening.table.match.bidding.bid
        user = evening.table.players[prompt.seat].user
        evening.now += 1000
        if len(living) == 2 and user != BEN and bid is not None:
            break
        if user == BEN:
            evening.do(PlayAi(prompt.seat, prompt.id, {"do": "bid", "number": -100} if bid is None else {"do": "call"}))
        else:
            evening.bid(900 if bid is None or bid < 900 else bid + 1)
    evening.do(Back(BEN))
    while evening.table.stage is Stage.PLAYING:
        prompt, bid = evening.prompts[0], evening.table.match.bidding.bid
        if evening.table.players[prompt.seat].user == BEN:
            evening.bid(-100) if bid is None else evening.call()
        else:
            evening.bid(900 if bid is None or bid < 900 else bid + 1)
    assert outcome_of(evening).places[1] == 1
    assert record_of(evening).seats[1].place == best > 1


def test_an_ai_that_takes_over_for_good_leaves_the_match_rated() -> None:
    house = HOUSE._replace(ai_for_left=True)
    evening = Evening(*EVERYBODY, options={"threshold": 3}, house=house)
    evening.do(Leave(BEN))
    (told,) = [notice for notice in notices(evening.last) if notice["key"] == Notice.LEFT_TO_AI]
    assert told["place"] == 4, "they were all equal"
    ai_wins(evening, BEN)
    record = record_of(evening)
    assert record.counts
    assert record.seats[1].place == 4


def test_in_a_match_that_does_not_count_nobody_is_told_a_place() -> None:
    evening = Evening(*EVERYBODY, house=HOUSE._replace(ai_for_left=True, counts=False))
    evening.do(Leave(BEN))
    assert "place" not in notices(evening.last)[0]


def test_in_plenty_coups_prestige_and_horses_say_who_stands_better() -> None:
    evening = Evening(ANA, BEN, CHLOE, game="plenty-coups")
    rules, match = RULES["plenty-coups"], evening.table.match
    assert [place_now(rules, match, Seat(seat)) for seat in range(3)] == [3, 3, 3], "all are equal at first"
    ahead = next(camp for camp in match.camps.values() if camp.owner == 1)
    better = match.with_camps(replace(ahead, prestige=ahead.prestige + 1))
    assert [place_now(rules, better, Seat(seat)) for seat in range(3)] == [3, 1, 3]

"""AI players at a table: in the lobby, in the match, and standing in for people."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from bot.ai_players.brains import BRAINS
from bot.ai_players.characters import ROSTER, TEMPERAMENTS
from bot.ai_players.pace import MAX_THINKING_MILLIS, MIN_THINKING_MILLIS
from bot.engine.core import Rejected, Seat
from bot.engine.frozen import encode
from bot.engine.registry import RULES
from bot.games.coyote.ai.brain import think
from bot.host import codec
from bot.host.ai_seats import character, seed_for, speed, thinking_time
from bot.host.ai_turns import AI_STUCK_MILLIS
from bot.host.codec import Columns
from bot.host.commands import (
    AddAi,
    AskPause,
    Back,
    ChooseStarter,
    DealNow,
    FillWithAi,
    HostReason,
    Join,
    Kick,
    Leave,
    OutboxKind,
    PassHost,
    Play,
    PlayAi,
    RemoveAi,
    Start,
    Stop,
    Tick,
    VoteOut,
    Watch,
)
from bot.host.deadlines import deadlines_for, next_due
from bot.host.decide import decide, open_rematch
from bot.host.decision import Actor
from bot.host.lobby import MAX_SEATS
from bot.host.model import Ai, Deadline, House, Remark, Stage, Table, TableId, UserId
from bot.host.reveal_beats import BEAT_MILLIS
from bot.host.views import is_laid_open, open_view, record_of
from bot.store.rows import seats_of
from tests.host.evening import ANA, BEN, CHLOE, DMITRI, Evening, kinds, notices

FEATHERS: dict[str, Any] = {"edition": "feathers"}


def with_ais(count: int = 3, *people: UserId, started: bool = True, **of: Any) -> Evening:
    evening = Evening(*(people or (ANA,)), started=False, **of)
    for _ in range(count):
        evening.do(AddAi(ANA))
    if started:
        evening.do(Start(ANA))
    return evening


def thought(evening: Evening, deadline: Deadline) -> PlayAi:
    """Return the answer of a seat's AI to its open prompt."""
    table, game = evening.table, RULES[evening.table.game]
    ai = table.players[deadline.seat].acting_ai
    assert ai is not None
    (prompt,) = [each for each in evening.prompts if each.seat == deadline.seat]
    seed = seed_for(table, deadline.seat, prompt.id)
    found = think(game.view_for(table.match, deadline.seat), prompt, character(table, ai), seed)
    assert found.reason is not None
    key, slots = found.reason
    remark = Remark(deadline.seat, key, tuple(sorted(slots.items())))
    return PlayAi(deadline.seat, prompt.id, game.dump_action(found.action), remark)


def ai_deadlines(evening: Evening) -> list[Deadline]:
    return [each for each in evening.table.deadlines if evening.table.players[each.seat].acting_ai is not None]


def ai_moves(evening: Evening) -> bool:
    """Let the next AI answer at its deadline; return False if none has a prompt."""
    waiting = sorted(ai_deadlines(evening), key=lambda deadline: deadline.due)
    if not waiting:
        return False
    evening.now = max(evening.now, waiting[0].due)
    evening.do(Tick())
    evening.do(thought(evening, waiting[0]))
    return True


def go_round(evening: Evening) -> None:
    """Let the AIs play until it is a person's turn, or the match is over."""
    for _ in range(3000):
        if evening.table.stage is not Stage.PLAYING:
            return
        if evening.table.next_deal is not None:
            evening.now = evening.table.next_deal
            evening.do(Tick())
        elif not ai_moves(evening):
            return
    raise AssertionError("no person ever has a turn")


def test_thoughts_cannot_be_predicted_without_the_secret_of_the_match() -> None:
    first = with_ais()
    assert first.table.secret is not None
    other = first.table._replace(secret=first.table.secret ^ 1)
    assert seed_for(first.table, Seat(1), 4) != seed_for(other, Seat(1), 4), (
        "the table's id is no secret, so it must not be enough"
    )
    kept = codec.load(
        Columns(*(getattr(first.table, name) for name in Columns._fields)),
        codec.dump_setup(first.table),
        codec.dump(first.table),
    )
    assert kept.secret == first.table.secret, "after a restart the AI must think the same"
    assert with_ais(started=False).table.secret is None
    assert "secret" not in json.dumps([entry.action for entry in first.log]), (
        "the log is exported, so it must not contain the secret"
    )


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_the_moment_of_a_move_is_unpredictable(temperament: str) -> None:
    table, ai = with_ais().table, Ai("Ferret", temperament, 2)
    times = [thinking_time(table, ai, Seat(1), prompt) for prompt in range(2000)]
    assert MIN_THINKING_MILLIS <= min(times) <= max(times) <= MAX_THINKING_MILLIS
    assert max(Counter(times).values()) < 0.02 * len(times), "no moment may be much likelier than the others"


# -- the lobby


def test_an_ai_gets_an_id_that_no_person_has() -> None:
    evening = with_ais(2, started=False)
    first, second = evening.table.players[1:]
    assert (first.user, second.user) == (-1, -2)
    assert first.ai is not None
    assert first.ai.name == first.name != second.name
    assert first.user < 0
    assert evening.table.people == evening.table.players[:1]
    assert [entry.action["host"] for entry in evening.log[1:]] == ["add_ai", "add_ai"]
    assert {kind for kind, _ in kinds(evening.last)} == {OutboxKind.TABLE}, "an AI gets no DM"


def test_the_host_can_choose_name_temperament_and_strength() -> None:
    evening = with_ais(0, started=False)
    evening.do(AddAi(ANA, "Magpie", strength=3))
    evening.do(AddAi(ANA, None, "gambler"))
    assert evening.table.players[1].ai == Ai("Magpie", "bluffer", 3)
    gambler = evening.table.players[2].ai
    assert gambler is not None
    assert (gambler.temperament, gambler.strength) == ("gambler", 2)
    evening.do(AddAi(ANA, "Hazel", "counter", 1))
    assert evening.table.players[3].ai == Ai("Hazel", "counter", 1)
    for wrong in (AddAi(ANA, "Magpie"), AddAi(ANA, "Nobody"), AddAi(ANA, strength=9), AddAi(ANA, temperament="rude")):
        assert evening.refused(wrong).reason is HostReason.NO_SUCH_AI


def test_filling_the_table_once_makes_six_players_and_twice_fills_every_seat() -> None:
    evening = with_ais(0, options=FEATHERS, started=False)
    evening.do(FillWithAi(ANA))
    assert len(evening.table.players) == 6
    evening.do(FillWithAi(ANA, 3))
    assert len(evening.table.players) == 12
    assert len({player.name for player in evening.table.players}) == 12
    assert evening.refused(FillWithAi(ANA)).reason is HostReason.TABLE_FULL
    assert evening.refused(AddAi(ANA)).reason is HostReason.TABLE_FULL
    assert len(ROSTER) >= MAX_SEATS, "a stand-in is always found"


def test_only_the_host_adds_and_removes_ais() -> None:
    evening = with_ais(1, ANA, BEN, started=False)
    for wish in (AddAi(BEN), FillWithAi(BEN), RemoveAi(BEN, UserId(-1)), Watch(BEN)):
        assert evening.refused(wish).reason is HostReason.HOST_ONLY
    assert evening.refused(RemoveAi(ANA, BEN)).reason is HostReason.NOT_AN_AI
    assert evening.refused(RemoveAi(ANA, UserId(-5))).reason is HostReason.NOT_AN_AI
    evening.do(RemoveAi(ANA, UserId(-1)))
    assert [player.user for player in evening.table.players] == [ANA, BEN]


def test_ais_need_house_rules_that_allow_them_and_a_game_with_a_brain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_ais(0, house=House(ai_seats=False), started=False).refused(AddAi(ANA)).reason is HostReason.NO_AI_SEATS
    monkeypatch.delitem(BRAINS, "coyote")
    assert with_ais(0, started=False).refused(FillWithAi(ANA)).reason is HostReason.NO_BRAIN


def test_an_ai_is_never_the_host() -> None:
    evening = with_ais(2, ANA, BEN, started=False)
    assert evening.refused(PassHost(ANA, UserId(-1))).reason is HostReason.NOT_A_PERSON
    evening.do(ChooseStarter(ANA, UserId(-2)))
    evening.do(Leave(ANA))
    assert evening.table.host == BEN, "the next person, not the next seat"
    evening.do(Leave(BEN))
    assert evening.table.stage is Stage.CLOSED, "AIs alone keep no lobby open"


def test_a_kicked_ai_can_be_added_again() -> None:
    evening = with_ais(1, started=False)
    name = evening.table.players[1].name
    evening.do(Kick(ANA, UserId(-1)))
    assert evening.table.kicked == ()
    evening.do(AddAi(ANA, name))


# -- turns


def test_an_ai_answers_at_its_deadline_and_does_not_time_out() -> None:
    evening = with_ais(3)
    go_round_to_ai(evening)
    (deadline,) = evening.table.deadlines
    assert MIN_THINKING_MILLIS <= deadline.total <= MAX_THINKING_MILLIS
    assert next_due(evening.table) == deadline.due
    evening.now = deadline.due
    before = evening.table
    assert evening.do(Tick()).table is before, "an AI's deadline is not a time-out"
    played = evening.do(thought(evening, deadline))
    assert (played.log[0].actor, played.log[0].user) == (Actor.AI, evening.table.players[deadline.seat].user)
    assert played.log[0].thought == deadline.total
    assert notices(played) == []


def go_round_to_ai(evening: Evening) -> None:
    if not ai_deadlines(evening):
        evening.bid(1)


def test_no_turn_is_played_twice() -> None:
    evening = with_ais(3)
    go_round_to_ai(evening)
    command = thought(evening, evening.table.deadlines[0])
    evening.now = evening.table.deadlines[0].due
    evening.do(command)
    after = evening.table
    assert evening.do(command).table is after


def test_ais_have_deadlines_even_without_a_turn_clock() -> None:
    evening = with_ais(3, house=House(turn_seconds=None))
    go_round_to_ai(evening)
    assert len(evening.table.deadlines) == 1
    go_round(evening)
    if evening.table.stage is Stage.PLAYING:
        assert evening.in_turn == ANA
        assert not ai_deadlines(evening)


@pytest.mark.parametrize("action", [None, {"do": "bid", "number": -5000}, {"do": "dance"}, {"do": "leave"}, {}])
def test_without_a_legal_thought_the_default_is_played(action: Any) -> None:
    evening = with_ais(3)
    go_round_to_ai(evening)
    (deadline,) = evening.table.deadlines
    default = RULES["coyote"].dump_action(evening.prompts[0].timeout)
    played = evening.do(PlayAi(deadline.seat, deadline.prompt, action, Remark(deadline.seat, "ai.x")))
    assert (played.log[0].actor, played.log[0].action) == (Actor.AI, default)
    assert all(remark.seat != deadline.seat for remark in played.table.remarks), "a default has no remark"
    assert not evening.table.players[deadline.seat].missed


def test_the_clock_answers_for_a_brain_that_is_stuck() -> None:
    evening = with_ais(3)
    go_round_to_ai(evening)
    deadline = evening.table.deadlines[0]
    evening.now = deadline.due + AI_STUCK_MILLIS
    played = evening.do(Tick())
    assert played.log[0].actor is Actor.AI
    assert not played.table.players[deadline.seat].away


def test_ais_get_no_pings_or_dms() -> None:
    evening = with_ais(4)
    for _ in range(4):
        go_round(evening)
        if evening.table.stage is not Stage.PLAYING:
            break
        evening.answer(evening.prompts[0])
    users = [item.user for item in evening.sent if item.user is not None]
    assert users
    assert all(user > 0 for user in users)


def test_remarks_are_kept_until_the_reveal() -> None:
    evening = with_ais(3, options=FEATHERS)
    go_round_to_ai(evening)
    while evening.table.next_deal is None:
        if not ai_moves(evening):
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
        elif evening.table.next_deal is None:
            assert evening.table.remarks
            assert evening.table.explained == ()
    assert evening.table.remarks == ()
    said = evening.table.explained
    assert len({remark.seat for remark in said}) == len(said) > 0
    (payload,) = [item.payload for item in evening.last.outbox if item.kind is OutboxKind.RECORD]
    assert record_of(evening.table, json.loads(encode(payload))).remarks == said


def test_an_ais_move_remark_and_timing_do_not_depend_on_its_own_feather() -> None:
    evening = with_ais(3, options=FEATHERS)
    go_round_to_ai(evening)
    (deadline,) = evening.table.deadlines
    match, seat = evening.table.match, deadline.seat
    (mine,) = match.round.cards.worn[seat]
    found = set()
    for place, other in enumerate(match.match.pile):
        worn = list(match.round.cards.worn)
        worn[seat] = (other,)
        pile = list(match.match.pile)
        pile[place] = mine
        swapped = match._replace(
            round=match.round._replace(cards=match.round.cards._replace(worn=tuple(worn))),
            match=match.match._replace(pile=tuple(pile)),
        )
        evening.last = evening.last._replace(table=evening.table._replace(match=swapped, deadlines=()))
        (asked,) = deadlines_for(evening.table, RULES["coyote"].questions(swapped), evening.now)
        found.add((asked.total, encode(thought(evening, asked))))
    assert len(found) == 1
    assert len(match.match.pile) > 20


# -- agreement


def test_only_people_vote_on_a_pause() -> None:
    evening = with_ais(3)
    assert evening.do(AskPause(ANA)).table.pause is not None
    evening.now += 60_000
    assert evening.do(AskPause(ANA)).table.pause is None


def test_a_paused_ai_waits() -> None:
    evening = with_ais(3)
    go_round_to_ai(evening)
    command = thought(evening, evening.table.deadlines[0])
    left = evening.table.deadlines[0].due - evening.now
    evening.do(AskPause(ANA))
    paused = evening.table
    assert evening.do(command).table is paused
    evening.now += 3_600_000
    evening.do(AskPause(ANA))
    assert evening.table.deadlines[0].due == evening.now + left


# -- stand-ins


def away_with_stand_in(*, house: House | None = None) -> tuple[Evening, UserId]:
    """Let the first player miss turns until an AI stands in."""
    evening = Evening(ANA, BEN, CHLOE, DMITRI, options={"threshold": 5}, house=house or House())
    late = evening.in_turn
    while evening.player(late).stand_in is None:
        if evening.table.next_deal is not None:
            evening.wait(12)
        elif evening.in_turn == late:
            evening.wait(90)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    return evening, late


def until_asked(evening: Evening, user: UserId) -> None:
    while evening.table.next_deal is not None or evening.in_turn != user:
        if evening.table.next_deal is not None:
            evening.wait(12)
        else:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)


def test_an_ai_stands_in_for_an_away_player_with_the_same_feathers() -> None:
    evening, late = away_with_stand_in()
    assert [notice["key"] for notice in notices(evening.last)] == ["stand_in"]
    seat = evening.table.seat_of(late)
    assert seat is not None
    until_asked(evening, late)
    worn = RULES["coyote"].view_for(evening.table.match, None)
    assert ai_moves(evening)
    assert RULES["coyote"].view_for(evening.table.match, None).number >= worn.number
    (entry,) = [entry for entry in evening.last.log if entry.actor is Actor.AI]
    assert entry.user == late, "the AI's move counts for the person's seat"
    assert evening.table.is_rated, "a stand-in does not matter"


@pytest.mark.parametrize("way", ["back", "play", "pause"])
def test_anything_that_the_person_does_gives_the_seat_back(way: str) -> None:
    evening, late = away_with_stand_in()
    until_asked(evening, late)
    stale = thought(evening, evening.table.deadlines[0])
    match way:
        case "back":
            evening.do(Back(late))
            assert evening.table.deadlines[0].due == evening.now + 90_000
        case "pause":
            evening.do(AskPause(late))
        case _:
            evening.bid((evening.table.match.bidding.bid or 0) + 1)
    assert evening.player(late).stand_in is None
    assert not evening.player(late).away
    assert "back_in_seat" in [notice["key"] for notice in notices(evening.last)]
    now = evening.table
    assert evening.do(stale).table is now, "the AI no longer plays for them"


def test_a_remark_names_the_stand_in_even_after_the_person_is_back() -> None:
    evening, late = away_with_stand_in()
    stand_in = evening.player(late).stand_in
    assert stand_in is not None
    until_asked(evening, late)
    words = Remark(Seat(0), "ai.open.steady", (("bid", "1"), ("chance", "99"), ("seen", "20")))
    thinks = thought(evening, evening.table.deadlines[0])
    raised = {"do": "bid", "number": (evening.table.match.bidding.bid or 0) + 1}
    evening.do(thinks._replace(action=raised, remark=words._replace(seat=thinks.seat)))
    evening.do(Back(late))
    (remark,) = evening.table.remarks
    assert dict(remark.slots)["by"] == stand_in.name


def test_the_table_remembers_who_made_the_last_move_of_somebody_who_was_away() -> None:
    evening, late = away_with_stand_in()
    stand_in = evening.player(late).stand_in
    assert stand_in is not None
    until_asked(evening, late)
    assert evening.player(late).moved_by is None
    thinks = thought(evening, evening.table.deadlines[0])
    evening.do(thinks._replace(action={"do": "bid", "number": (evening.table.match.bidding.bid or 0) + 1}))
    evening.do(Back(late))
    assert evening.player(late).moved_by == stand_in.name, "coming back does not make the bid theirs"
    until_asked(evening, late)
    evening.bid((evening.table.match.bidding.bid or 0) + 1)
    assert evening.player(late).moved_by is None


def test_an_away_player_can_still_be_voted_out() -> None:
    evening, late = away_with_stand_in()
    others = [user for user in (ANA, BEN, CHLOE, DMITRI) if user != late]
    for user in others[:2]:
        evening.do(VoteOut(user, late))
    assert evening.table.seat_of(late) is None
    assert next(player for player in evening.table.players if player.user == late).stand_in is None


def test_leaving_is_final_and_voids_the_round() -> None:
    evening = with_ais(3, ANA, BEN)
    evening.do(Leave(BEN))
    assert evening.table.seat_of(BEN) is None
    seat = next(n for n, player in enumerate(evening.table.players) if player.user == BEN)
    assert seat not in RULES["coyote"].seated(evening.table.match)


def test_house_rules_may_let_an_ai_take_over_from_a_player_who_left() -> None:
    evening = with_ais(2, ANA, BEN, house=House(ai_for_left=True))
    before = evening.table.match
    left = evening.do(Leave(BEN))
    assert [notice["key"] for notice in notices(left)] == ["left_to_ai"]
    assert evening.table.match is before, "the round goes on with the same feathers"
    player = next(player for player in evening.table.players if player.user == BEN)
    assert player.left
    assert player.stand_in is not None
    assert evening.refused(Back(BEN)).reason is HostReason.NOT_SEATED
    assert evening.do(AskPause(ANA)).table.pause is not None, "the vote of a player who left is not needed"
    evening.do(AskPause(ANA))
    for _ in range(400):
        go_round(evening)
        if evening.table.stage is not Stage.PLAYING:
            break
        evening.answer(evening.prompts[0])
    assert evening.table.stage is Stage.OVER


def test_a_host_who_leaves_hands_over_the_role_and_the_seat() -> None:
    evening = with_ais(2, ANA, BEN, house=House(ai_for_left=True))
    evening.do(Leave(ANA))
    assert evening.table.host == BEN


# -- when nobody is left, or somebody only watches


@pytest.mark.parametrize("house", [House(), House(ai_for_left=True)])
def test_a_table_closes_with_its_last_person(house: House) -> None:
    evening = with_ais(3, ANA, BEN, house=house)
    evening.do(Leave(ANA))
    assert evening.table.stage is Stage.PLAYING
    closed = evening.do(Leave(BEN))
    assert (closed.table.stage, closed.table.ended_by) == (Stage.CLOSED, BEN)
    assert next_due(closed.table) is None


def test_a_game_of_ais_is_watched_to_its_end() -> None:
    evening = with_ais(4, started=False, options={"threshold": 2})
    evening.do(Watch(ANA))
    assert evening.table.host == ANA
    assert evening.table.people == ()
    evening.do(Start(ANA))
    assert evening.refused(Play(ANA, "bid", {"number": 3})).reason is HostReason.NOT_SEATED
    go_round(evening)
    assert evening.table.stage is Stage.OVER
    assert all(not item.user for item in evening.sent if item.kind in (OutboxKind.PING, OutboxKind.REMIND))


def get_out(evening: Evening) -> None:
    """Let Ana bid too high, or call, until she is out; the game stops at the reveal."""
    while Seat(0) in RULES["coyote"].seated(evening.table.match):
        go_round(evening)
        if evening.table.match.bidding.bid is None:
            evening.bid(90)
        else:
            evening.do(Play(ANA, "call", {}))


def watched_ais() -> Evening:
    evening = with_ais(4, started=False)
    evening.do(Watch(ANA))
    evening.do(Start(ANA))
    return evening


def test_the_last_person_who_is_out_still_deals() -> None:
    evening = with_ais(4, options={"threshold": 2})
    get_out(evening)
    (entry, *_) = evening.do(DealNow(ANA)).log
    assert (entry.actor, entry.user, entry.action) == (Actor.USER, ANA, {"host": "deal_now", "seat": 0})
    assert evening.table.next_deal is None
    assert evening.refused(DealNow(ANA)).reason is HostReason.NOT_BETWEEN_ROUNDS


def test_somebody_who_is_out_deals_for_ais_but_not_for_people() -> None:
    evening = with_ais(4, options={"threshold": 2})
    get_out(evening)
    with_ais_alone = evening.table._replace(host=BEN)
    first, second, *others = with_ais_alone.players
    assert Seat(1) in RULES["coyote"].seated(with_ais_alone.match)
    with_ben = with_ais_alone._replace(players=(first, second._replace(ai=None, user=BEN), *others))
    with pytest.raises(Rejected) as refusal:
        decide(with_ben, DealNow(ANA), evening.now, evening.rng)
    assert refusal.value.reason is HostReason.ELIMINATED
    for table, by in ((with_ben, BEN), (with_ais_alone, ANA)):
        assert decide(table, DealNow(by), evening.now, evening.rng).table.next_deal is None


def test_a_host_who_watches_deals() -> None:
    evening = watched_ais()
    while evening.table.next_deal is None:
        ai_moves(evening)
    assert evening.refused(DealNow(BEN)).reason is HostReason.NOT_SEATED
    (entry, *_) = evening.do(DealNow(ANA)).log
    assert entry.action == {"host": "deal_now"}
    assert evening.table.next_deal is None


BYSTANDER = UserId(99)


def test_a_look_shows_everything_only_where_no_person_can_play() -> None:
    table = watched_ais().table
    assert is_laid_open(table)
    assert is_laid_open(table._replace(house=House(open_looks=False))), "nobody has ever played here"
    assert all(seat.worn for seat in open_view(table, BYSTANDER).view.seats)

    evening = with_ais(4, options={"threshold": 2})
    assert not is_laid_open(evening.table)
    with pytest.raises(ValueError, match="must not see"):
        open_view(evening.table, BYSTANDER)
    get_out(evening)
    assert is_laid_open(evening.table)
    assert not is_laid_open(evening.table._replace(house=House(open_looks=False)))
    assert not is_laid_open(evening.table._replace(stage=Stage.CLOSED))

    away, late = away_with_stand_in()
    players = tuple([player._replace(stand_in=away.player(late).stand_in) for player in away.table.players])
    assert not is_laid_open(away.table._replace(players=players)), "they may come back"
    left = tuple([player._replace(left=True) for player in players])
    assert is_laid_open(away.table._replace(players=left))


def test_ais_play_faster_once_all_people_are_out_but_not_if_one_is_away() -> None:
    evening = with_ais(4, options={"threshold": 2})
    assert speed(evening.table) == 1
    get_out(evening)
    # Ana can still read the reveal that put her out.
    assert evening.table.next_deal == evening.now + House().pause_seconds * 1000 + 2 * BEAT_MILLIS
    assert speed(evening.table) == 4
    go_round(evening)
    assert evening.table.stage is Stage.OVER

    assert speed(watched_ais().table) == 2

    away, late = away_with_stand_in()
    assert speed(away.table) == 1
    stand_in = away.player(late).stand_in
    players = tuple([player._replace(stand_in=stand_in) for player in away.table.players])
    assert speed(away.table._replace(players=players)) == 2


def test_watching_needs_another_player() -> None:
    evening = with_ais(0, started=False)
    assert evening.refused(Watch(ANA)).reason is HostReason.NOBODY_TO_WATCH
    evening.do(AddAi(ANA))
    evening.do(Watch(ANA))
    assert evening.refused(Watch(ANA)).reason is HostReason.NOT_SEATED
    evening.do(Join(ANA, "Ana"))
    assert evening.table.seat_of(ANA) == 1
    evening.do(Watch(ANA))
    assert evening.do(Stop(ANA)).table.stage is Stage.CLOSED


def test_a_watched_lobby_stays_open_when_guests_leave() -> None:
    evening = with_ais(2, ANA, BEN, started=False)
    evening.do(Watch(ANA))
    evening.do(Leave(BEN))
    assert evening.table.stage is Stage.LOBBY


def test_ais_play_in_the_rematch() -> None:
    evening = with_ais(3, options={"threshold": 2})
    for _ in range(200):
        go_round(evening)
        if evening.table.stage is not Stage.PLAYING:
            break
        evening.answer(evening.prompts[0])
    assert evening.table.stage is Stage.OVER
    _, opened = open_rematch(evening.table, TableId("t2"), ANA, evening.now)
    names = [player.name for player in evening.table.players]
    assert [player.name for player in opened.table.players] == names[1:] + names[:1]
    assert sum(player.ai is not None for player in opened.table.players) == 3
    assert OutboxKind.NOTICE not in [item.kind for item in opened.outbox]  # the only person opened it
    with pytest.raises(Rejected):
        open_rematch(evening.table, TableId("t3"), BEN, evening.now)


# -- the store


def columns(table: Table) -> Columns:
    return Columns(table.id, table.guild, table.channel, table.stage, table.seq)


def test_a_table_with_ais_can_be_saved_and_loaded() -> None:
    evening, _ = away_with_stand_in()
    for table in (evening.table, with_ais(3).table):
        assert codec.load(columns(table), codec.dump_setup(table), codec.dump(table)) == table


def test_seat_rows_leave_out_ai_players() -> None:
    assert seats_of(with_ais(3, ANA, BEN).table) == [(0, ANA, True), (1, BEN, True)]

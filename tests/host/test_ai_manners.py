"""AI players know when to be kind, speak only when a round was about them, and never say the same line twice."""

from __future__ import annotations

import json

from bot.ai_players.pace import MAX_THINKING_MILLIS, MIN_THINKING_MILLIS
from bot.engine.core import Seat
from bot.engine.frozen import encode
from bot.host.ai_seats import character, thinking_time
from bot.host.commands import AddAi, DealNow, Join, OutboxKind, Play, PlayAi, Start
from bot.host.model import FIRST_MATCHES, Ai, House, Player, Remark
from bot.host.views import record_of
from bot.screens.reasons import has_reasons, reasons_button, reasons_screen
from bot.screens.remarks import remark_line, wordings
from bot.text.catalogue import catalogue
from tests.host.evening import ANA, BEN, Evening

AI = Ai("Pebble", "steady", 2)
SAY = catalogue().for_game("coyote")


def with_ais(ais: int = 3, learning: int = 0) -> Evening:
    evening = Evening(ANA, started=False, options={"edition": "feathers"}, house=House(pause_seconds=30))
    evening.do(Join(BEN, "Ben", learning=learning))
    for _ in range(ais):
        evening.do(AddAi(ANA))
    evening.do(Start(ANA))
    return evening


def move(evening: Evening, do: str, **fields: object) -> None:
    """Let the player in turn move; an AI player remarks on it."""
    (prompt,) = evening.prompts
    player = evening.table.players[prompt.seat]
    if player.ai is None:
        evening.do(Play(player.user, do, dict(fields), prompt.id))
    else:
        remark = Remark(prompt.seat, "ai.call.steady", (("seen", "7"), ("bid", "9"), ("chance", "50")))
        evening.do(PlayAi(prompt.seat, prompt.id, {"do": do, "seat": prompt.seat, **fields}, remark))


def play_round(evening: Evening) -> None:
    """Everybody bids once, then the last bid is called."""
    for number in range(1, 1 + len(evening.table.players)):
        move(evening, "bid", number=number)
    move(evening, "call")


def behind_the_button(evening: Evening) -> list[str]:
    """Return the lines that somebody reads who asks why the AIs made their moves."""
    shown = reasons_screen(SAY, evening.table).walk_children()
    lines = [line for each in shown for line in str(getattr(each, "content", "")).splitlines()]
    return [line.removeprefix("- ") for line in lines if line.startswith("- ")]


def test_ais_are_gentle_while_somebody_plays_their_first_match() -> None:
    assert character(with_ais(learning=FIRST_MATCHES).table, AI).is_gentle
    assert not character(with_ais(learning=FIRST_MATCHES - 1).table, AI).is_gentle
    assert not character(with_ais().table, AI).is_gentle


def test_ais_take_more_time_at_a_newcomers_table() -> None:
    usual, slower = with_ais().table, with_ais(learning=FIRST_MATCHES).table
    slower = slower._replace(secret=usual.secret)
    for prompt in range(50):
        quick = thinking_time(usual, AI, Seat(3), prompt)
        assert MIN_THINKING_MILLIS <= quick <= MAX_THINKING_MILLIS
        assert thinking_time(slower, AI, Seat(3), prompt) == quick * 3 // 2


def test_ais_are_patient_until_a_person_has_had_a_turn_in_the_first_round() -> None:
    evening = with_ais()
    was_patient = []
    for number in range(1, 6):
        asked = evening.table.players[evening.prompts[0].seat]
        was_patient.append(character(evening.table, AI).is_patient)
        move(evening, "bid", number=number)
        if asked.ai is None:
            break
    assert all(was_patient)
    assert not character(evening.table, AI).is_patient
    move(evening, "call")
    evening.do(DealNow(ANA))
    assert not character(evening.table, AI).is_patient


def test_a_turn_that_the_clock_played_is_a_turn() -> None:
    evening = Evening(ANA, BEN, options={"edition": "scout"})
    evening.wait(90)
    assert any(player.has_moved for player in evening.table.players)


def test_nobody_is_patient_where_no_person_plays() -> None:
    table = with_ais().table
    players = tuple([Player(each.user, each.name, ai=each.ai or AI) for each in table.players])
    assert not character(table._replace(players=players), AI).is_patient


def test_only_the_caller_and_the_bidder_speak_in_the_reveal() -> None:
    evening = with_ais()
    play_round(evening)
    last = evening.table.match.match.last
    said = {remark.seat: remark.is_aside for remark in evening.table.explained}
    assert said
    assert all(is_aside == (seat not in (last.caller, last.bidder)) for seat, is_aside in said.items())
    (payload,) = [item.payload for item in evening.last.outbox if item.kind is OutboxKind.RECORD]
    assert record_of(evening.table, json.loads(encode(payload))).remarks == evening.table.explained


def test_the_others_stand_behind_a_button() -> None:
    evening = with_ais()
    assert not has_reasons(evening.table)
    play_round(evening)
    assert reasons_button(SAY, evening.table) is not None
    spoken = "\n".join(str(getattr(each, "content", "")) for each in reasons_screen(SAY, evening.table).walk_children())
    for remark in evening.table.explained:
        assert evening.table.players[remark.seat].name in spoken


def test_no_line_is_told_twice_in_a_match() -> None:
    evening = with_ais()
    lines: list[str] = []
    asides: list[str] = []
    for _ in range(6):
        play_round(evening)
        told = [remark for remark in evening.table.explained if not remark.is_aside]
        found = [remark_line(SAY, evening.table, remark) for remark in told]
        public = [line.partition("“")[2].removesuffix("”") for line in found if line is not None]
        asides += [words for words in behind_the_button(evening) if words not in public]
        lines += public
        if not evening.prompts or evening.table.next_deal is None:
            break
        evening.do(DealNow(ANA))
    assert len(lines) == len(set(lines)) > 0
    assert len(asides) == len(set(asides)) > 0
    assert not set(lines) & set(asides)
    assert len(lines) <= len(wordings(SAY, "ai.call.steady"))

"""Every refusal has a sentence, for all possible details."""

from enum import StrEnum
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Bid, Reason
from bot.games.coyote.rules.editions import Problem, rules_from
from bot.host.commands import HostReason
from bot.host.model import Stage
from bot.screens.refusals import refusal_screen, refusal_text
from bot.stats.reasons import StatsReason
from tests.games.coyote.contract import OPENINGS, answer, candidate
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.screens.scenes import SAY, a_table

EVERY: list[StrEnum] = [*Reason, *Problem, *HostReason, *StatsReason]
ALWAYS: dict[StrEnum, dict[str, Any]] = {
    Problem.UNKNOWN_EDITION: {"value": "x", "allowed": ("feathers", "peek")},
    Problem.UNKNOWN_OPTION: {"option": "x"},
    Problem.NOT_ALLOWED: {"option": "coins", "value": "x"},
    Problem.OUT_OF_RANGE: {"option": "threshold", "value": 9, "lowest": 2, "highest": 5},
    Problem.NOT_A_DECK: {"value": "x"},
    Problem.DECK_TOO_SMALL: {"cards": 3, "needed": 6},
    Problem.DECK_TOO_LARGE: {"cards": 300, "highest": 200},
    Problem.TOO_FEW_PLAYERS: {"players": 1, "lowest": 3},
    Problem.TOO_MANY_PLAYERS: {"players": 13, "highest": 12},
    Problem.LIMITS_CROSSED: {"lowest": 6, "highest": 3},
    HostReason.NOT_AWAY: {"whom": 1002},
    HostReason.TOO_MANY_SEATED: {"players": 8, "seats": 6},
    HostReason.OTHER_GAME: {"game": "High Card", "group": "highcard"},
    StatsReason.A_BOT: {"whom": 5},
    StatsReason.NEVER_PLAYED: {"whom": 5},
    StatsReason.KEEPS_OUT: {"whom": 5},
    StatsReason.NEVER_MET: {"whom": 5, "other": 6},
    StatsReason.NO_SUCH_GAME: {"game": 7, "newest": 6},
    StatsReason.NO_SUCH_PERIOD: {"value": "yesterday"},
    StatsReason.SEASON_EMPTY: {"season": 3},
    StatsReason.SEASON_CLOSED: {"season": 3},
}
BIDDING = {"turn": Seat(2), "after": Seat(3), "bid": 14, "lowest": 15, "highest": 999, "may_call": True}
OPENING = BIDDING | {"bid": None, "lowest": 1, "may_call": False}


@pytest.mark.parametrize("reason", EVERY, ids=lambda reason: f"{type(reason).__name__}.{reason.name}")
@pytest.mark.parametrize("details", [BIDDING, OPENING], ids=["bidding", "opening"])
def test_every_reason_has_a_sentence(reason: StrEnum, details: dict[str, Any]) -> None:
    refused = Rejected(reason, **(details if isinstance(reason, Reason) else ALWAYS.get(reason, {})))
    told = refusal_text(SAY, refused, a_table(5), number=12)
    assert told.endswith((".", "!", "?"))
    assert "None" not in told
    assert told != SAY("refused.unknown")
    check_limits(refusal_screen(SAY, refused, a_table(5), prompt=7, message=1, number=12))


@pytest.mark.parametrize("reason", EVERY, ids=lambda reason: f"{type(reason).__name__}.{reason.name}")
def test_a_sentence_that_mentions_look_has_its_button(reason: StrEnum) -> None:
    refused = Rejected(reason, **(BIDDING if isinstance(reason, Reason) else ALWAYS.get(reason, {})))
    for user in (1, 1002):
        told, *buttons = rendered(refusal_screen(SAY, refused, a_table(5), user=user)).splitlines()
        assert "👁 Look" not in told or any("👁 Look" in button for button in buttons), told


def test_no_button_leads_to_a_closed_table() -> None:
    table, refused = a_table(5), Rejected(HostReason.TABLE_CLOSED)
    for stage, ways in ((Stage.PLAYING, 1), (Stage.OVER, 1), (Stage.CLOSED, 0)):
        screen = refusal_screen(SAY, refused, table._replace(stage=stage), message=1)
        assert str(screen.to_components()).count("https://") == ways


@pytest.mark.parametrize("reason", [*Reason], ids=lambda reason: reason.name)
def test_no_sentence_needs_details_that_the_rules_do_not_give(reason: Reason) -> None:
    assert SAY.slots(f"refused.game.{reason.value}") <= {*BIDDING, "number"}


def test_an_unknown_reason_still_gets_a_sentence() -> None:
    class Odd(StrEnum):
        REASON = "reason"

    assert refusal_text(SAY, Rejected(Odd.REASON)) == SAY("refused.unknown")


def test_sentences_name_the_problem() -> None:
    table = a_table(5)
    low = Rejected(Reason.BID_TOO_LOW, **BIDDING)
    assert refusal_text(SAY, low, table, number=12) == "12 doesn't beat 14. Try 15 or more, or call."
    owed = Rejected(Reason.BID_TOO_LOW, **BIDDING | {"may_call": False})
    assert refusal_text(SAY, owed, table, number=12) == "12 doesn't beat 14. Try 15 or more."
    high = Rejected(Reason.BID_TOO_HIGH, **BIDDING)
    assert refusal_text(SAY, high, table, number=1200).endswith("Name a smaller number, or call.")
    for reason, typed in ((Reason.BID_TOO_LOW, 12), (Reason.BID_TOO_HIGH, 1200)):
        top = Rejected(reason, **BIDDING | {"bid": 999, "lowest": 1000})
        told = refusal_text(SAY, top, table, number=typed)
        assert told == "Nothing beats 999: bids go no higher. You can still call."
    again = Rejected(Reason.BID_TOO_LOW, **BIDDING | {"lowest": 10, "may_call": False})
    assert refusal_text(SAY, again, table, number=3) == "3 is too low. Name a number other than 14, 10 or more."
    opening = Rejected(Reason.BID_TOO_LOW, **OPENING)
    assert refusal_text(SAY, opening, table, number=0) == "That's too low to open with. Try 1 or more."
    turn = Rejected(Reason.NOT_YOUR_TURN, **BIDDING)
    assert refusal_text(SAY, turn, table) == "It's <@1003>'s turn. The bid to beat is 14."
    assert refusal_text(SAY, turn, table, user=1004) == "It's <@1003>'s turn; you're after them. The bid to beat is 14."
    another = Rejected(Reason.NOT_YOUR_TURN, **BIDDING | {"lowest": 10})
    for user in (1001, 1004):
        told = refusal_text(SAY, another, table, user=user)
        assert told == "It's <@1003>'s turn: 14 was refused, and another number comes in its place."
    first = Rejected(Reason.NOT_YOUR_TURN, **OPENING)
    assert refusal_text(SAY, first, table, user=1004) == "It's <@1003>'s turn; you're after them. Nobody has bid yet."
    assert refusal_text(SAY, first, table, user=1001) == "It's <@1003>'s turn, and nobody has bid yet."
    assert (
        refusal_text(SAY, Rejected(HostReason.HOST_ONLY, host=1001), table)
        == "Only the host can do that. <@1001> is the host."
    )
    full = Rejected(HostReason.TABLE_FULL, seats=6)
    assert refusal_text(SAY, full, table).startswith("All 6 seats are taken.")
    few = Rejected(HostReason.TOO_FEW, players=1, lowest=3, missing=2)
    assert refusal_text(SAY, few, table).endswith("or press **Fill the table** for AI players.")
    without = table._replace(house=table.house._replace(ai_seats=False))
    needed = "2 more players are needed before you can start. Wait for them to join."
    assert refusal_text(SAY, few, without) == needed
    stale = Rejected(HostReason.STALE, asked=(1002, 1003))
    assert refusal_text(SAY, stale, table).endswith("it waits for <@1002> and <@1003> now.")
    mine = Rejected(HostReason.STALE, asked=(1002,))
    assert refusal_text(SAY, mine, table, user=1002).endswith("it's waiting for you now.")
    assert refusal_text(SAY, mine, table, user=1003).endswith("it waits for <@1002> now.")
    voted = Rejected(HostReason.ALREADY_VOTED, missing=(1002,))
    assert refusal_text(SAY, voted, table) == "Your vote is already counted. <@1002> may still add theirs."
    assert "has asked" not in refusal_text(SAY, Rejected(HostReason.PAUSED, asked_by=None, why="x"), table)
    lobby = table._replace(stage=Stage.LOBBY)
    assert "Press **Join**" in refusal_text(SAY, Rejected(HostReason.NOT_SEATED), lobby)
    over = table._replace(stage=Stage.OVER)
    assert "its players open the rematch" in refusal_text(SAY, Rejected(HostReason.NOT_SEATED), over)
    alone = Rejected(Problem.TOO_FEW_PLAYERS, players=1, lowest=3)
    assert refusal_text(SAY, alone, table).startswith("One player is too few: this edition needs 3.")


def test_sentences_depend_on_the_user() -> None:
    table, lobby = a_table(5), a_table(5, stage=Stage.LOBBY, match=None)
    host, guest, stranger = {"user": 1001}, {"user": 1002}, {"user": 1}

    begun = Rejected(HostReason.ALREADY_STARTED, host=1001)
    assert "wait for the next one" in refusal_text(SAY, begun, table, **stranger)
    assert "before a game, and this one has begun" in refusal_text(SAY, begun, table, **guest)

    there = Rejected(HostReason.NOT_AWAY, whom=1002)
    assert refusal_text(SAY, there, table, **guest).startswith("You aren't away")
    assert refusal_text(SAY, there, table, **host).startswith("<@1002> isn't away")

    seated = Rejected(HostReason.ALREADY_SEATED)
    assert refusal_text(SAY, seated, lobby, **host).endswith("Press **Start** when everyone is here.")
    assert refusal_text(SAY, seated, lobby, **guest).endswith("Wait for <@1001> to start.")

    stop = Rejected(HostReason.MAY_NOT_STOP, host=1001)
    assert "stop the game" in refusal_text(SAY, stop, table, **guest)
    assert "**Leave**" in refusal_text(SAY, stop, table, **guest)
    assert "**Leave**" not in refusal_text(SAY, stop, table, **stranger)
    assert "cancel the table" in refusal_text(SAY, stop, lobby, **guest)
    assert "**Leave**" in refusal_text(SAY, stop, lobby, **guest)
    assert "cancel the table" in refusal_text(SAY, stop, lobby, **stranger)
    assert "**Leave**" not in refusal_text(SAY, stop, lobby, **stranger)


def test_the_opener_is_not_told_to_raise_or_call() -> None:
    owed = refusal_text(SAY, Rejected(Reason.MUST_RAISE, **OPENING), a_table(5))
    assert owed == "You've flipped a coin, so now you must bid. Name a number."
    assert refusal_text(SAY, Rejected(Reason.MUST_RAISE, **BIDDING), a_table(5)) == "You must raise now: 15 or more."
    high = refusal_text(SAY, Rejected(Reason.BID_TOO_HIGH, **OPENING), a_table(5))
    assert high == "Bids go no higher than 999. Name a smaller number."


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"threshold": 9}, "**Out at** can be 2 to 5 coins; you wrote 9. Did you mean 5?"),
        ({"threshold": "<@1>"}, "**Out at** can be 2 to 5 coins; you wrote ‹＠1›. Did you mean 2?"),
        ({"edition": "chess"}, "There's no edition called chess. It can be Scouts, Camps, Feathers, or Peek."),
        ({"variant": 3}, "**Optional actions** can't be 3. Try one of these: off or on."),
        ({"edition": "peek", "coins": {}}, "**Picture coins** can't be {} in this edition. Leave it out."),
    ],
)
def test_impossible_house_rules_are_explained(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(Rejected) as refused:
        rules_from(options)
    assert refusal_text(SAY, refused.value).replace("\u00a0", " ").replace("ˍ", "_") == expected


def test_every_refusal_of_the_rules_can_be_shown() -> None:
    rng = Random(5)
    told = set()
    for options, players in OPENINGS[::3]:
        state = rules.setup(options, players)
        table = a_table(players)
        for _ in range(60):
            questions = rules.prompts(state)
            if not questions:
                break
            for _ in range(6):
                action = candidate(state, rng)
                try:
                    rules.apply(state, action)
                except Rejected as refused:
                    number = {"number": action.number} if isinstance(action, Bid) else {}
                    told.add(refusal_text(SAY, refused, table, **number))
            question = rng.choice(questions)
            move = rules.deal(state, rng) if question.seat == DEALER else answer(question, rng)
            state = rules.apply(state, move).state
    assert len(told) > 50

"""Buttons, selects, forms and typed moves become moves of the right tribe; anything else is refused kindly."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.games.plenty_coups.rules import codec
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.presses import ANSWERING, PHASES, PLAYING, PRESSES, TAKING, offered_moves
from bot.games.plenty_coups.ui.tokens import DO, read_token
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.host.commands import MAX_LINE_LENGTH, HostReason
from bot.host.model import Stage, Table, UserId
from bot.screens.custom_ids import CustomId
from bot.screens.layout import Form, PrivateScreen
from bot.screens.presses import Answer, Move, Press, Situation, typed
from tests.games.plenty_coups.rules.cases import do, given
from tests.games.plenty_coups.ui.table_scenes import SUMMER, TWO, seated
from tests.games.plenty_coups.ui.tables import SAY
from tests.screens.rendering import rendered

ANA, BEN = UserId(1001), UserId(1002)


def asked(table: Table, press: Press, user: UserId = ANA) -> Situation[Any]:
    return Situation(SAY, table, user, press)


def pressed(
    table: Table, verb: str, picked: str | None = None, user: UserId = ANA, prompt: int | None = None, **of: Any
) -> Answer:
    """Press something for the open prompt, or for another."""
    open_prompt = GAME.questions(table.match)[0][1]
    custom_id = CustomId(verb, table.id, open_prompt if prompt is None else prompt, of.get("argument"))
    return PRESSES.verbs[verb](asked(table, Press(custom_id, picked, of.get("fields", {})), user))


def said(table: Table, move: str, phases: tuple[Phase, ...] = PLAYING, user: UserId = ANA, **more: str) -> Answer:
    """Type a move."""
    press = typed(PlentyVerb.MOVE, move=move, **{PHASES: " ".join(phases)}, **more)
    return PRESSES.verbs[PlentyVerb.MOVE](asked(table, press, user))


def refused(*args: Any, **of: Any) -> Any:
    with pytest.raises(Rejected) as refusal:
        pressed(*args, **of)
    return refusal.value.reason


def test_every_move_has_the_name_that_the_codec_knows() -> None:
    hosts = ("deal", "shuffle", "leave", "undo")
    assert {verb: name for name, verb in codec.VERBS.items() if name not in hosts} == DO


@pytest.mark.parametrize(
    "token",
    [
        "",
        "dance",
        "raid",
        "raid.yellow",
        "raid.pink.black4",
        "raid.yellow.black9",
        "raid.yellow.black4.x",
        "undo.x",
        "raid.yellow.black4+black3",
        "take",
        "take.",
        "take.black4+",
        "leave",
        "deal.black1",
        "shuffle.black1",
        "x" * 500,
    ],
)
def test_junk_is_no_move(token: str) -> None:
    assert read_token(token) is None
    assert refused(seated(SUMMER), PlentyVerb.MOVE, token) is HostReason.NO_SUCH_ACTION


def test_somebody_who_cannot_move_at_all_is_told_that_first() -> None:
    table = seated(SUMMER)
    assert refused(table, PlentyVerb.MOVE, None, BEN) is Reason.NOT_YOUR_DECISION
    assert refused(table, PlentyVerb.MOVE, None, prompt=99) is HostReason.STALE
    assert refused(table._replace(stage=Stage.CLOSED), PlentyVerb.MOVE) is HostReason.TABLE_CLOSED
    assert refused(table._replace(stage=Stage.CLOSED), PlentyVerb.FILLED, argument="gift") is HostReason.TABLE_CLOSED


def test_a_move_is_made_for_the_tribe_that_is_asked() -> None:
    move = pressed(seated(SUMMER), PlentyVerb.MOVE, "raid.green.black4")
    assert isinstance(move, Move)
    assert (move.do, move.fields) == ("raid", {"tribe": "black", "target": "green", "warrior": "black4"})
    third = pressed(seated(TWO), PlentyVerb.MOVE, "take.horse+stick")
    assert isinstance(third, Move)
    assert third.fields == {"tribe": "yellow", "cards": ["horse", "stick"]}
    assert third.shows_look
    other = pressed(seated(SUMMER), PlentyVerb.MOVE, "breed", BEN)
    assert isinstance(other, Move)
    assert other.fields == {"tribe": "yellow"}, "the game refuses it: it is not Ben's decision"


def test_a_button_carries_its_move() -> None:
    table = seated(given(black="stick horse"), do("black", "disdain", target="yellow"))
    custom_id = CustomId(PlentyVerb.MOVE, table.id, 1, "decline")
    move = PRESSES.verbs[PlentyVerb.MOVE](asked(table, Press(custom_id, "decline"), BEN))
    assert isinstance(move, Move)
    assert (move.do, move.fields) == ("decline", {"tribe": "yellow"})


def test_what_was_done_last_is_taken_back() -> None:
    table = seated(SUMMER, do("black", "breed"))
    for move in (pressed(table, PlentyVerb.UNDO), said(table, "undo"), said(table, "undo", TAKING)):
        assert isinstance(move, Move)
        assert (move.do, move.fields) == ("undo", {"tribe": "black"})


def test_a_form_opens_only_for_what_is_possible_now() -> None:
    table = seated(SUMMER)
    assert isinstance(pressed(table, PlentyVerb.MOVE, "form.gift"), Form)
    assert refused(table, PlentyVerb.MOVE, "form.donate") is Reason.UNDER_RAID
    assert refused(table, PlentyVerb.MOVE, "form.") is Reason.NOT_NOW
    assert refused(table, PlentyVerb.MOVE, "form.gift", BEN) is Reason.NOT_YOUR_DECISION
    assert refused(table, PlentyVerb.MOVE, "form.gift", prompt=99) is HostReason.STALE


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"whom": "green"}, None),
        ({"whom": "green", "words": "   "}, None),
        ({"whom": "green", "line": "2"}, SAY("plenty.disdain.line.2")),
        ({"whom": "green", "line": "99"}, None),
        ({"whom": "green", "line": "2", "words": " Come and get it. "}, "Come and get it."),
        ({"whom": "green", "words": "x" * 500}, "x" * MAX_LINE_LENGTH),
    ],
)
def test_a_disdain_may_carry_a_line(fields: dict[str, str], line: str | None) -> None:
    move = pressed(seated(SUMMER), PlentyVerb.FILLED, argument="disdain", fields=fields)
    assert isinstance(move, Move)
    assert (move.do, move.fields, move.line) == ("disdain", {"tribe": "black", "target": "green"}, line)


def test_only_a_disdain_carries_a_line() -> None:
    fields = {"whom": "green", "what": "horse.stick", "words": "Look here!"}
    gift = pressed(seated(SUMMER), PlentyVerb.FILLED, argument="gift", fields=fields)
    assert isinstance(gift, Move)
    assert gift.fields == {"tribe": "black", "target": "green", "discard": "horse", "card": "stick"}
    assert gift.line is None
    bred = said(seated(SUMMER), "breed", line="Look here!")
    assert isinstance(bred, Move)
    assert bred.line is None
    disdain = said(seated(SUMMER), "disdain.green", line="Look here!")
    assert isinstance(disdain, Move)
    assert disdain.line == "Look here!"


@pytest.mark.parametrize("fields", [{}, {"whom": "pink"}, {"what": "black9"}, {"whom": "green.x", "what": "horse"}])
@pytest.mark.parametrize("form", ["gift", "donate", "raid.green", "disdain", "dance", None])
def test_a_forged_form_is_refused(form: str | None, fields: dict[str, str]) -> None:
    reason = refused(seated(SUMMER), PlentyVerb.FILLED, argument=form, fields=fields)
    assert reason is HostReason.NO_SUCH_ACTION


@pytest.mark.parametrize(
    ("words", "token"),
    [
        ("breed", "breed"),
        ("  BREED a horse ", "breed"),
        ("raid chloé black 4", "raid.green.black4"),
        ("raid black 4", "raid.green.black4"),
        ("Defend with 🏹 Weapon 3", "defend.weapon3"),
        ("hunt stick", "hunt.stick"),
        ("gift.yellow.horse.stick", "gift.yellow.horse.stick"),
    ],
)
def test_a_move_can_be_typed_in_words(words: str, token: str) -> None:
    move = said(seated(SUMMER), words)
    assert isinstance(move, Move)
    found = read_token(token)
    assert found is not None
    assert (move.do, move.fields) == (found[0], {"tribe": "black", **found[1]})


def test_words_that_fit_several_moves_or_none_are_answered_with_a_list() -> None:
    several = said(seated(SUMMER), "raid chloé")
    assert isinstance(several, PrivateScreen)
    shown = rendered(several)
    assert shown.startswith("“raid chloé” fits 2 moves. Which one do you mean?")
    assert "raid.green.black4" in shown
    assert "hunt.black4" not in shown
    none = said(seated(SUMMER), "**surrender** @everyone")
    assert isinstance(none, PrivateScreen)
    assert rendered(none).startswith("I can't find “∗∗surrender∗∗ ＠everyone” among")
    assert "hunt.black4" in rendered(none)


def test_a_command_belongs_to_its_phases() -> None:
    table = seated(SUMMER)
    laid = seated(
        given(black="stick horse red1", yellow="arm2"),
        do("black", "gift", target="yellow", discard="horse", card="red1"),
    )
    begun = seated(given(phase="start"))
    hunted = seated(SUMMER, do("black", "hunt", discard="horse"))
    disdained = seated(given(black="stick horse", yellow="arm4"), do("black", "disdain", target="yellow"))
    for at, move, phases, user, told in (
        (begun, "hunt", PLAYING, ANA, "First take from the offer."),
        (table, "take.horse+stick", TAKING, ANA, "You have your cards for this turn."),
        (table, "prove.stick", ANSWERING, ANA, "You have your cards for this turn."),
        (hunted, "take.horse+stick", TAKING, ANA, "You're back from the hunt."),
        (laid, "raid.red.arm2", PLAYING, BEN, "First a card lies before you."),
        (disdained, "hunt", PLAYING, BEN, "First there's a disdain to answer."),
    ):
        screen = said(at, move, phases, user)
        assert isinstance(screen, PrivateScreen)
        assert rendered(screen).startswith(told)
        assert f"Round {GAME.view_for(at.match, None).round} · your hand" in rendered(screen)
    with pytest.raises(Rejected) as refusal:
        said(laid, "give.horse", ANSWERING, ANA)
    assert refusal.value.reason is Reason.NOT_YOUR_DECISION
    given_back = said(laid, "give weapon 2", ANSWERING, BEN)
    assert isinstance(given_back, Move)
    assert given_back.do == "give"


def test_what_is_suggested_while_somebody_types() -> None:
    table = seated(SUMMER, do("black", "breed"))

    def offered(words: str, phases: tuple[Phase, ...] = PLAYING, user: UserId = ANA) -> list[str]:
        return [token for _, token in offered_moves(asked(table, typed(PlentyVerb.MOVE), user), words, phases)]

    assert "raid.green.black4" in offered("")
    gifts = [token.startswith("gift.") for token in offered("")]
    assert gifts == sorted(gifts), "gifts come last, because they fill the list up to where Discord cuts it"
    assert offered("").index("undo") == gifts.index(True) - 1
    assert offered("raid chloé black") == ["raid.green.black4"]
    assert offered("", TAKING) == ["undo"]
    assert offered("", user=BEN) == []
    assert offered("zzz") == []
    begun = seated(given(phase="start"))
    found = offered_moves(asked(begun, typed(PlentyVerb.MOVE)), "weapon 3", TAKING)
    assert all("weapon3" in token for _, token in found)
    assert len(found) == 3

"""Buttons, selects, forms and typed moves become moves of the right tribe; anything else is refused kindly."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.engine.core import Rejected, Seat
from bot.games.plenty_coups.rules import codec
from bot.games.plenty_coups.rules.actions import Hunt, Reason
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.moves import legal_moves
from bot.games.plenty_coups.ui.presses import ANSWERING, PHASES, PLAYING, PRESSES, TAKING, offered_moves
from bot.games.plenty_coups.ui.tokens import DO, read_token, token_of
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.host.commands import MAX_LINE_LENGTH, HostReason
from bot.host.model import Stage, Table, UserId
from bot.screens.custom_ids import CustomId
from bot.screens.layout import MOST_OPTIONS, Form, PrivateScreen
from bot.screens.presses import Answer, Move, Press, Situation, typed
from bot.text.catalogue import catalogue, languages
from tests.games.plenty_coups.rules.cases import do, given, raid
from tests.games.plenty_coups.ui.table_scenes import SUMMER, TWO, look, seated
from tests.games.plenty_coups.ui.tables import SAY
from tests.screens.rendering import rendered

ANA, BEN, DOV = UserId(1001), UserId(1002), UserId(1004)


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
    for typed_move in ("breed", "Breed a horse with a horse card", "breed a horse"):
        bred = said(seated(SUMMER), typed_move, line="Look here!")
        assert isinstance(bred, PrivateScreen), "nothing is dropped silently"
        told = rendered(bred)
        assert told.startswith("A line goes only with a disdain, so nothing has been done yet. Here is the move")
        assert "    breed: Breed a horse" in told
        assert "hunt.black4" not in told
        assert isinstance(said(seated(SUMMER), typed_move, line="  "), Move)
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
        (table, "prove.stick", ANSWERING, ANA, "Nobody has asked you anything. It's your turn;"),
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


CROWDED = given(
    "black yellow green red blue white",
    black="yellow2 green1 stick horse arm2",
    proposals={"yellow": "black1"},
    horses={"black": 3},
)
"""A hand of five at a full table: more moves than a list can hold."""


def suggested(table: Table, words: str, phases: tuple[Phase, ...] = PLAYING, user: UserId = ANA) -> list[str]:
    return [token for _, token in offered_moves(asked(table, typed(PlentyVerb.MOVE), user), words, phases)]


def test_what_is_suggested_while_somebody_types() -> None:
    table = seated(SUMMER, do("black", "breed"))
    assert "raid.green.black4" in suggested(table, "")
    assert suggested(table, "raid chloé black") == ["raid.green.black4"]
    assert suggested(table, "", TAKING) == ["undo"]
    assert suggested(table, "take it", TAKING) == ["undo"]
    assert suggested(table, "undo") == ["undo"]
    assert suggested(table, "", user=BEN) == []
    assert suggested(table, "zzz") == []
    begun = seated(given(phase="start"))
    found = suggested(begun, "weapon 3", TAKING)
    assert all("weapon3" in token for token in found)
    assert len(found) == 3


def test_too_many_suggestions_leave_room_for_every_kind_of_move() -> None:
    for table in (seated(CROWDED), seated(CROWDED, do("black", "breed"))):
        every = legal_moves(GAME.prompts(table.match)[0])
        assert len(every) > MOST_OPTIONS
        listed = suggested(table, "")
        assert len(listed) <= MOST_OPTIONS
        kinds = {token.removeprefix("form.").partition(".")[0] for token in listed}
        assert {DO[type(move)] for move in every} <= kinds | {"double_raid"}
        hunts = {token_of(move) for move in every if isinstance(move, Hunt)}
        assert hunts <= set(listed)
        assert ("undo" in listed) == GAME.view_for(table.match, Seat(0)).may_undo
        assert "form.gift" in listed
        assert isinstance(said(table, "form.gift"), Form), "what is suggested can be sent"
        shown = said(table, "gift")
        assert isinstance(shown, PrivateScreen)
        assert "form.gift" in rendered(shown), "and so can what does not fit into a select"
    assert "form.gift" not in suggested(seated(CROWDED), "exchange ben discard horse")


@pytest.mark.parametrize("target", ["yellow", "green", "red", "blue", "white"])
@pytest.mark.parametrize("word", ["colour", "player"])
def test_a_typed_colour_is_the_target_and_not_the_card(target: str, word: str) -> None:
    colours = ["yellow", "green", "red", "blue", "white"]
    names = dict(zip(colours, ["Ben", "Chloé", "Dov", "Eva", "Finn"], strict=True))
    called = target if word == "colour" else names[target]
    alone = seated(given("black yellow green red blue white", black=f"{target}2 arm2 horse"))
    move = said(alone, f"raid {called}")
    assert isinstance(move, Move)
    assert (move.do, move.fields["target"]) == ("raid", target)
    several = seated(given("black yellow green red blue white", black=f"{target}2 {target}3 white1 arm2"))
    assert {token.split(".")[1] for token in suggested(several, f"raid {called}")} == {target}
    shown = said(several, f"raid {called}")
    assert isinstance(shown, PrivateScreen)
    assert f"raid.{target}.{target}2" in rendered(shown)


def test_a_tribe_that_cannot_be_raided_is_not_mistaken_for_a_card() -> None:
    table = seated(
        given("black yellow green", black="green2 arm2 horse", raids=(raid("black", "green", "red2", 2),)),
    )
    for words in ("raid green", "raid gre", "raid green 2"):
        screen = said(table, words)
        assert isinstance(screen, PrivateScreen), words
        assert rendered(screen).startswith(f"“{words}” may mean this, but I'm not sure")
        assert "raid.yellow.green2" in rendered(screen)
    for words in ("raid yellow", "raid yellow green", "raid yellow green 2", "raid ben green"):
        move = said(table, words)
        assert isinstance(move, Move), words
        assert (move.fields["target"], move.fields["warrior"]) == ("yellow", "green2")


def test_a_number_behind_a_colour_may_be_a_card() -> None:
    table = seated(given("black yellow green", black="green2 blue2 arm2"))
    screen = said(table, "raid green 2")
    assert isinstance(screen, PrivateScreen)
    shown = rendered(screen)
    for token in ("raid.green.green2", "raid.green.blue2", "raid.yellow.green2"):
        assert token in shown
    assert "raid.yellow.blue2" not in shown


def test_taking_back_is_never_guessed() -> None:
    table = seated(SUMMER, do("black", "breed"))
    guess = said(table, "take")
    assert isinstance(guess, PrivateScreen)
    assert "    undo: Take it back" in rendered(guess)
    meant = said(table, "Take it back")
    assert isinstance(meant, Move)
    assert meant.do == "undo"


RECAP = (
    ("breed",),
    ("raid",),
    ("double_raid",),
    ("defend",),
    ("double_defend",),
    ("coup",),
    ("gift", "free_gift"),
    ("propose", "accept", "neutral"),
    ("disdain",),
    ("donate",),
    ("hunt",),
)
"""The moves that the page of the nine actions names, in its order; double ones stand behind the single ones."""
EVERYTHING = (
    given(black="stick horse black4 red3 red2", horses={"black": 3}, coups_open=1),
    given(black="stick arm2 arm4", raids=(raid("green", "black", "green2", 2),)),
    given(black="red1 horse", alliances=({"black": "red2", "red": "black3"},), red="arm2"),
    given(black="yellow4 green3 white2 arm2", proposals={"yellow": "black1"}),
)


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_action_is_found_by_the_name_that_the_rules_give_it(language: str) -> None:
    say = catalogue(language).for_game("plenty-coups")
    body = say("rules.topic.plenty_actions.body")
    lines = [line for line in body.splitlines() if re.match(r"\d\. ", line)]
    names = [name for line in lines for name in re.findall(r"(?<!\*)\*{1,2}([^*]+)\*{1,2}(?!\*)", line)]
    assert len(names) == len(RECAP)
    for name, kinds in zip(names, RECAP, strict=True):
        found = set()
        for script in EVERYTHING:
            table = seated(script)
            moves = offered_moves(Situation(say, table, ANA, typed(PlentyVerb.MOVE)), name, PLAYING)
            found |= {token.removeprefix("form.").partition(".")[0] for _, token in moves}
        assert set(kinds) <= found, name


@pytest.mark.parametrize("word", ["gift", "exchange gifts", "accept", "alliance", "donate", "double", "strike", "ally"])
def test_other_words_for_a_move_find_it_too(word: str) -> None:
    assert any(suggested(seated(script), word) for script in EVERYTHING)


def test_somebody_who_answers_nothing_hears_that_nobody_asked_and_what_is_open() -> None:
    for table, expected in (
        (seated(given(phase="start")), "Nobody has asked you anything. Take from the offer; "),
        (seated(given(round=11)), "Nobody has asked you anything. It's your turn; "),
        (
            seated(given(black="horse arm2"), do("black", "hunt", discard="arm2")),
            "Nobody has asked you anything. You're back from the hunt: ",
        ),
    ):
        shown = said(table, "stick", ANSWERING)
        assert isinstance(shown, PrivateScreen)
        assert expected in rendered(shown)


def test_in_deep_winter_nobody_is_told_that_they_have_their_cards() -> None:
    shown = said(seated(given(round=11)), "stick", TAKING)
    assert isinstance(shown, PrivateScreen)
    assert "The offer is snowed in, and nobody takes cards any more." in rendered(shown)


def test_in_the_last_round_moves_without_effect_come_last() -> None:
    last = given(round=12, black="black4 yellow2 arm3", turn="black", raids=(raid("red", "green", "red1", 2),))
    offered = [value.partition(".")[0] for _, value in offered_moves(asked(seated(last), typed("move")), "", PLAYING)]
    raids = [value for _, value in offered_moves(asked(seated(last), typed("move")), "raid", PLAYING)]
    assert raids[0].startswith("raid.green.")  # it drives off a raid
    assert offered.index("raid") < offered.index("donate")
    assert offered[-1] == "hunt"
    red = given(round=12, red="black4 yellow2 arm3", turn="red")
    dead = [value.partition(".")[0] for _, value in offered_moves(asked(seated(red), typed("move"), DOV), "", PLAYING)]
    assert set(dead[dead.index("raid") :]) == {"raid", "propose", "hunt"}
    assert "raids, but the game ends before that comes home" in rendered(look(seated(red), 1004))


def test_what_is_given_says_first_what_kind_of_gift_it_is() -> None:
    table = seated(given(black="arm3 horse", horses={"black": 3}))
    labels = [name for name, _ in offered_moves(asked(table, typed("move")), "give", PLAYING)]
    assert all(label.startswith(("Exchange gifts with ", "Give 2 horses to ")) for label in labels)

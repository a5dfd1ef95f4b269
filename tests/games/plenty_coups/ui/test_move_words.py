"""What each move would do, in words: true in every situation, with its price."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.ui.camps import raid_lines
from bot.games.plenty_coups.ui.move_words import move_words
from bot.games.plenty_coups.ui.moves import legal_moves
from bot.games.plenty_coups.ui.views import PrivateView
from tests.games.plenty_coups.rules.cases import given, raid
from tests.games.plenty_coups.ui.table_scenes import position, seated
from tests.games.plenty_coups.ui.tables import SAY

ALLIED = ({"black": "yellow2", "yellow": "black2"},)
FULL = {"black": 4, "yellow": 4}


def about(script: dict[str, Any], token: str) -> str:
    """Return what the player in turn reads about a move."""
    table, state = seated(script), position(script)
    (prompt,) = GAME.prompts(state)
    view = PrivateView(GAME.view_for(state, prompt.seat))
    words = [move_words(SAY, table, view, action) for action in legal_moves(prompt)]
    return next(each.about for each in words if each.token == token)


@pytest.mark.parametrize(
    ("script", "token", "expected"),
    [
        ({"black": "red3"}, "raid.yellow.red3", "unless they defend with 3 or more in weapons"),
        ({"black": "red1"}, "raid.yellow.red1", "unless they defend with 2 or more in weapons"),
        ({"black": "black4"}, "raid.yellow.black4", "unless they defend with 5 or more in two weapons"),
        ({"black": "red3 red4"}, "double_raid.yellow.red3+red4", "unless they defend with 7 or more in two weapons"),
        # In winter's last two rounds, nobody defends with two weapons.
        ({"black": "red3", "round": 11}, "raid.yellow.red3", "unless they defend with one weapon of 3 or more"),
        ({"black": "black4", "round": 11}, "raid.yellow.black4", "only a stronger raid could still prevent it"),
        ({"black": "black4", "round": 10}, "raid.yellow.black4", "unless they defend with 5 or more in two weapons"),
        (
            {"yellow": "yellow4", "round": 10, "turn": "yellow"},
            "raid.black.yellow4",
            "only a stronger raid could still prevent it",
        ),
        ({"black": "red3", "horses": {"yellow": 0}}, "raid.yellow.red3", "but a coup may follow"),
        (
            {"black": "red3", "horses": {"yellow": 0}, "prestige": FULL},
            "raid.yellow.red3",
            "your markers allow no coup for it",
        ),
        ({"black": "red3", "round": 12}, "raid.yellow.red3", "the game ends before it can come home"),
    ],
)
def test_a_raid_says_what_can_stop_it(script: dict[str, Any], token: str, expected: str) -> None:
    assert expected in about(given(**script), token)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ({}, "; a horse on your next turn, unless they defend"),
        ({"round": 11}, "; they can't defend, so a horse on your next turn"),
        ({"horses": {"yellow": 0}}, "; no horse to take, but a coup may follow"),
        ({"horses": {"yellow": 0}, "prestige": FULL}, "; there's no horse to take, and no coup"),
        ({"round": 12}, ", but the game ends before yours comes home"),
    ],
)
def test_a_raid_that_drives_another_off_says_so(script: dict[str, Any], expected: str) -> None:
    script = given(black="black4", raids=(raid("green", "yellow", "blue2", 2),), **script)
    assert about(script, "raid.yellow.black4") == f"Attack 5: drives off 🌲 Chloé's raid{expected}"


@pytest.mark.parametrize(("horses", "expected"), [(0, "1 horse"), (1, "2 horses")])
def test_breeding_says_how_many_horses_there_will_be(horses: int, expected: str) -> None:
    script = given(black="horse", horses={"black": horses}, plain=2)
    assert about(script, "breed") == f"You'll have {expected}; 1 is left on the plain"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ({}, "They gain 1 prestige; plus 1"),
        ({"options": {"accepter_gains": True}}, "You both gain 1 prestige; plus 1"),
        ({"options": {"accepter_gains": True}, "prestige": {"yellow": 4}}, "You gain 1 prestige; plus 1"),
        ({"options": {"accepter_gains": True}, "prestige": FULL}, "Nobody gains prestige; plus 1"),
        (
            {"alliances": ({"black": "green2", "green": "black2"},)},
            "They gain 1 prestige; ends your alliance with 🌲 Chloé",
        ),
    ],
)
def test_accepting_says_who_gains_and_what_ends(script: dict[str, Any], expected: str) -> None:
    script = given(black="yellow3", proposals={"yellow": "black3"}, **script)
    assert about(script, "accept.yellow.yellow3").startswith(expected)


@pytest.mark.parametrize(("prestige", "expected"), [(3, "you gain 1 prestige"), (4, "you're allies")])
def test_a_proposal_promises_no_prestige_that_there_is_no_marker_for(prestige: int, expected: str) -> None:
    script = given(black="yellow3", prestige={"black": prestige})
    assert about(script, "propose.yellow.yellow3") == f"Stands until your next turn; if they accept, {expected}"


@pytest.mark.parametrize(
    ("neutral", "expected"),
    [
        ({}, " attack with 1 more for you"),
        ({"black": "blue2"}, " attack with 1 more for you; those of 🔷 Blue no longer do"),
        ({"green": "white2"}, " attack with 1 more for you, and no longer for 🌲 Chloé"),
        ({"black": "blue2", "green": "white2"}, ": 1 more for you, not 🌲 Chloé; those of 🔷 Blue lose it"),
    ],
)
def test_a_neutral_ally_says_which_alliances_end(neutral: dict[str, str], expected: str) -> None:
    script = given(black="white3", neutral=neutral)
    assert about(script, "neutral.white3") == f"Its warriors{expected}"


@pytest.mark.parametrize(
    ("prestige", "expected"),
    [
        ({"black": 1, "yellow": 1}, "costs you 1 prestige; they discard a stick or a 4, or lose 1, too"),
        ({"black": 1}, "costs you 1 prestige; they have none to lose"),
        ({"yellow": 1}, "they discard a stick or a 4, or lose 1 prestige; you have none to lose"),
        ({}, "neither of you has prestige to lose"),
    ],
)
def test_disdain_of_an_ally_says_what_it_costs(prestige: dict[str, int], expected: str) -> None:
    script = given(black="stick", alliances=ALLIED, prestige=prestige)
    assert about(script, "disdain.yellow").startswith("Ends your alliance")
    assert about(script, "disdain.yellow").endswith(expected)


@pytest.mark.parametrize(
    ("round_", "value", "expected"),
    [
        (9, 5, "⭐ <@1002> has one turn to repel it with 5 or more in two weapons."),
        (10, 5, "⭐ <@1002> has one turn to repel it with 5 or more in two weapons."),
        (11, 4, "⭐ <@1002> has one turn to repel it with one weapon of 4 or more."),
        (11, 5, "It comes home on ⚫️ <@1001>'s next turn, unless a stronger raid drives it off."),
    ],
)
def test_the_table_says_which_weapons_can_still_repel_a_raid(round_: int, value: int, expected: str) -> None:
    cards = "black4" if value > 4 else "red4"
    script = given(round=round_, raids=(raid("black", "yellow", cards, value),))
    view = GAME.view_for(position(script), None)
    (line,) = raid_lines(SAY, seated(script), view)
    assert line.endswith(expected)

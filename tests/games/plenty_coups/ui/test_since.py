"""What a player reads at the top of the hand: what became of raids, herd and gifts, and who proposes an alliance."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.ui.since import gift_lines, proposal_lines, since_lines
from bot.games.plenty_coups.ui.views import PrivateView, camp_of
from bot.host.model import Table
from tests.games.plenty_coups.rules.cases import do, given, raid
from tests.games.plenty_coups.ui.table_scenes import look, seated
from tests.games.plenty_coups.ui.tables import SAY
from tests.screens.rendering import rendered

# In winter, a turn is one card and one action.
WINTER: dict[str, Any] = given(
    round=10,
    black="black2 arm2 arm4 stick",
    yellow="arm3 horse red1",
    green="blue4 white1 black1",
    red="green2 horse horse",
    horses={"red": 4},
    raids=(raid("black", "green", "yellow1", 1),),
)
REPELLED = (
    do("black", "raid", target="yellow", cards="black2"),
    do("yellow", "timeout"),
    do("yellow", "defend", cards="arm3"),
    do("green", "timeout"),
)
SINCE = "**Since your last turn**"
LOST = "-# ⭐ <@1002> repels the raid of ⚫️ <@1001> (attack 3) with **weapon 3**."


def lines(table: Table, which: Any, seat: int = 0) -> list[str]:
    view = PrivateView(GAME.view_for(table.match, Seat(seat)))
    return [line.replace("\u00a0", " ") for line in which(SAY, table, view, camp_of(view, [*Tribe][seat]))]


def test_a_player_learns_what_became_of_their_raids_while_others_played() -> None:
    table = seated(
        WINTER,
        *REPELLED,
        do("green", "end"),
        do("red", "timeout"),
        do("red", "raid", target="green", cards="green2"),
    )
    assert lines(table, since_lines) == [
        SINCE,
        LOST,
        "-# 🔺 <@1004> raids 🌲 <@1003> with **green warrior 2**: attack **2**."
        " The raid of ⚫️ <@1001> on 🌲 <@1003> is over and brings nothing.",
    ]
    assert SINCE in rendered(look(table, 1001))
    # Yellow had no part in what came after its own turn.
    assert lines(table, since_lines, 1) == []


def test_a_player_learns_who_bought_off_a_raid_or_gave_horses() -> None:
    table = seated(
        WINTER,
        *REPELLED,
        do("green", "propose", target="black", card="black1"),
        do("red", "timeout"),
        do("red", "donate", target="black", discard="horse"),
    )
    assert lines(table, since_lines) == [
        SINCE,
        LOST,
        "-# The raid of ⚫️ <@1001> on 🌲 <@1003> is bought off with a horse and goes home.",
        "-# 🔺 <@1004> discards **a horse card** and gives two horses to ⚫️ <@1001>.",
    ]


def test_what_a_tribe_does_itself_is_no_news_to_it() -> None:
    assert lines(seated(WINTER, REPELLED[0]), since_lines) == []
    assert lines(seated(WINTER), since_lines) == []


def test_a_raid_that_comes_home_in_the_new_turn_is_told_with_the_rest() -> None:
    came_home = seated(WINTER, *REPELLED, do("green", "end"), do("red", "timeout"), do("red", "end"))
    assert lines(came_home, since_lines) == [
        SINCE,
        LOST,
        "-# The raid of ⚫️ <@1001> on 🌲 <@1003> comes home with a horse.",
    ]


def test_both_who_exchanged_gifts_are_told_the_cards_until_their_next_turn_is_over() -> None:
    exchange = (
        do("black", "gift", target="yellow", discard="arm2", card="arm4"),
        do("yellow", "give", card="horse"),
    )
    others = (do("yellow", "timeout"), do("yellow", "end"), do("green", "timeout"), do("green", "end"))
    back = (do("red", "timeout"), do("red", "end"))
    told = ["🎁 You exchanged gifts with ⭐ <@1002>: you gave **🏹 Weapon 4** and got **🐎 Horse card**."]
    for steps in ((), others, (*others, *back)):
        assert lines(seated(WINTER, *exchange, *steps), gift_lines) == told
    assert lines(seated(WINTER, *exchange), gift_lines, 1) == [
        "🎁 You exchanged gifts with ⚫️ <@1001>: you gave **🐎 Horse card** and got **🏹 Weapon 4**."
    ]
    assert lines(seated(WINTER, *exchange, *others, *back, do("black", "end")), gift_lines) == []
    views = [GAME.view_for(seated(WINTER, *exchange).match, seat) for seat in (None, Seat(2), Seat(3))]
    assert all(camp.given is None for view in views for camp in view.camps)


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ({}, "Accept it in your turn with a yellow warrior."),
        ({"black": "arm3"}, "To accept it takes a yellow warrior, and you hold none."),
        ({"neutral": {"black": "white2"}}, "Accept it in your turn with a yellow warrior of 2 or more."),
        (
            {"neutral": {"black": "white4"}},
            "To accept it takes a yellow warrior of 4 or more, and you hold none.",
        ),
        (
            {"alliances": ({"black": "green3", "green": "black4"},)},
            "Its card isn't higher than your present ally's, so you can't accept it.",
        ),
    ],
)
def test_a_proposal_says_what_accepts_it(of: dict[str, Any], expected: str) -> None:
    table = seated(given(**{"black": "yellow3", "proposals": {"yellow": "black2"}, **of}))
    assert lines(table, proposal_lines) == [f"🤝 ⭐ <@1002> proposes an alliance to you. {expected}"]
    assert lines(table, proposal_lines, 2) == []


def test_a_card_accepts_an_alliance_only_where_one_is_proposed() -> None:
    waiting: dict[str, Any] = {"turn": "red", "black": "yellow3"}
    assert "accepts" not in rendered(look(seated(given(**waiting)), 1001))
    proposed = rendered(look(seated(given(**waiting, proposals={"yellow": "black2"})), 1001))
    assert "accepts the alliance of ⭐ <@1002>" in proposed
    assert "proposes an alliance to ⭐" not in proposed


def test_a_disdain_that_still_waits_for_an_answer_is_asked_and_not_told() -> None:
    script = given(
        round=5,
        black="arm4 horse horse horse",
        yellow="stick horse arm2",
        prestige={"black": 2},
        actions_left=1,
    )
    bred = (do("black", "breed"), do("yellow", "timeout"))
    disdained = seated(script, *bred, do("yellow", "disdain", target="black"))
    assert lines(disdained, since_lines) == []
    answered = seated(script, *bred, do("yellow", "disdain", target="black"), do("black", "prove", card="arm4"))
    told = "-# ⭐ <@1002> disdains ⚫️ <@1001>. ⚫️ <@1001> answers with **weapon 4** and loses nothing."
    assert lines(answered, since_lines) == [SINCE, told]

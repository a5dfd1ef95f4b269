"""An expert does what a sensible player would do, in positions where that is clear."""

from __future__ import annotations

from itertools import product

import pytest

from bot.ai_players.characters import TEMPERAMENTS, Character
from bot.engine.core import Seat
from bot.games.plenty_coups.ai.memory import remembered
from bot.games.plenty_coups.ai.odds import at_least_one, knowledge_of, survival
from bot.games.plenty_coups.ai.position import position_of
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.ai.tables import answer, chosen, disdained, scripted, turn_of, written
from tests.games.plenty_coups.rules.cases import raid

THREE = "black yellow green"


def odds_of_coming_home(state: State, viewer: int = 0) -> float:
    """Return how likely the first raid is to come home, as a player sees it at the end of the turn."""
    view = GAME.view_for(state, Seat(viewer))
    recalled = remembered(view.news)
    return survival(
        position_of(view, recalled), knowledge_of(view, Seat(viewer), recalled), next(iter(state.raids.values()))
    )


def test_a_coup_is_struck_when_a_raid_is_home() -> None:
    assert chosen(scripted(tribes=THREE, black="stick horse red1 arm2 arm3", coups_open=1)) == "StrikeCoup"


def test_a_raid_is_driven_away_if_that_costs_one_weapon() -> None:
    done = turn_of(
        scripted(tribes=THREE, black="arm3 arm2 red1 horse blue2", raids=(raid("yellow", "black", "red3", 3),))
    )
    assert "Defend weapon3" in done


def test_a_higher_weapon_is_used_if_a_coup_can_follow() -> None:
    done = turn_of(
        scripted(tribes=THREE, black="arm2 arm3 stick red1 blue1", raids=(raid("yellow", "black", "red2", 2),))
    )
    assert done == ["Defend weapon3", "StrikeCoup"]


def test_the_lowest_weapon_is_used_if_no_coup_can_follow() -> None:
    done = turn_of(
        scripted(tribes=THREE, black="arm2 arm4 horse red1 blue1", raids=(raid("yellow", "black", "red2", 2),))
    )
    assert "Defend weapon2" in done
    assert "Defend weapon4" not in done


def test_breeding_twice_beats_hunting() -> None:
    assert turn_of(scripted(tribes=THREE, black="horse horse arm2 arm2 arm3", horses={"black": 5})) == [
        "Breed",
        "Breed",
    ]


def test_a_hand_of_weapons_calls_for_a_hunt() -> None:
    assert chosen(scripted(tribes=THREE, black="arm2 arm2 arm3 arm3 arm4")).startswith("Hunt weapon2")


def test_the_stronger_raid_goes_where_nothing_can_stop_it() -> None:
    """Black holds its own 4, which counts as 5: no single weapon stops it."""
    done = turn_of(scripted(tribes=THREE, black="black4 stick arm4 arm4 arm3", horses={"yellow": 7, "green": 1}))
    assert "Raid YELLOW black4" in done


def test_prestige_is_defended_with_a_proof() -> None:
    answer = chosen(
        disdained(
            "yellow", "black", tribes=THREE, yellow="stick arm2 arm3", black="stick arm2 red1", prestige={"black": 2}
        )
    )
    assert answer == "Prove stick"


def test_the_cheapest_proof_is_enough() -> None:
    held = "black4 arm4 horse"
    answer = chosen(
        disdained("yellow", "black", tribes=THREE, yellow="stick arm2 arm3", black=held, prestige={"black": 2})
    )
    assert answer == "Prove weapon4"


def test_disdain_without_prestige_costs_no_good_card() -> None:
    answer = chosen(disdained("yellow", "black", tribes=THREE, yellow="stick arm2 arm3", black="black4 red1 arm2"))
    assert answer == "Decline"


def test_in_the_last_round_only_immediate_gains_matter() -> None:
    last = {"tribes": THREE, "round": 12, "turn": "green"}
    assert chosen(scripted(**last, green="green4 horse stick", horses={"green": 5}, prestige={"green": 4})) == "Breed"
    gives = chosen(
        scripted(**last, green="green4 arm2", horses={"green": 5, "black": 2, "yellow": 1}, prestige={"green": 1})
    )
    assert gives.startswith("Donate")
    assert chosen(scripted(**last, green="green4 arm2", horses={"green": 2}, prestige={"green": 4})) == "End"


def test_two_horses_are_not_given_away_if_the_herd_would_be_empty() -> None:
    state = scripted(tribes=THREE, round=12, turn="green", green="arm2", horses={"green": 2}, prestige={"green": 1})
    assert chosen(state) == "End", "an empty herd costs the prestige again"
    state = scripted(
        tribes=THREE,
        round=12,
        turn="green",
        green="horse horse",
        horses={"green": 2, "black": 1, "yellow": 2},
        plain=0,
        prestige={"green": 2, "black": 2, "yellow": 2},
    )
    assert chosen(state) == "End", "not even to break a tie"


def test_no_temperament_makes_a_pointless_move() -> None:
    """In the last round no raid comes home and no hunt pays; and a tribe without prestige has none to lose."""
    last = scripted(tribes=THREE, round=12, turn="green", green="green4 arm2 stick", horses={"green": 1})
    idle = scripted(tribes=THREE, round=3, black="stick stick arm2 arm2 arm3")
    for temperament, strength in product(TEMPERAMENTS, (2, 3)):
        for seed in range(8):
            ai = Character("an AI", temperament, strength)
            assert written(answer(last, ai, seed).action) == "End", ai
            assert not written(answer(idle, ai, seed).action).startswith("Disdain"), ai


def test_the_last_round_may_still_spoil_another_raid() -> None:
    state = scripted(
        tribes=THREE,
        round=12,
        black="black4 arm2",
        horses={"black": 6, "yellow": 6, "green": 5},
        raids=(raid("green", "yellow", "red2", 2),),
    )
    assert chosen(state) == "Raid YELLOW black4", "green would win a point and draw level"


def test_nobody_gambles_a_sure_point_away() -> None:
    """However well the match stands, breeding the sixth horse is better than a hunt."""
    for mine, theirs in ((4, 0), (0, 4), (2, 2)):
        state = scripted(
            tribes=THREE,
            round=11,
            turn="green",
            green="horse horse arm2",
            horses={"green": 5},
            prestige={"green": mine, "black": theirs, "yellow": theirs},
        )
        for temperament in TEMPERAMENTS:
            assert written(answer(state, Character("an AI", temperament, 3)).action) == "Breed", (mine, temperament)


def test_an_alliance_that_decides_the_game_is_accepted() -> None:
    state = scripted(
        round=9,
        black="yellow2 arm2 arm2 arm3 red1",
        proposals={"yellow": "black3"},
        prestige={"black": 2, "yellow": 2, "green": 3, "red": 3},
    )
    assert "Accept YELLOW yellow2" in turn_of(state)


def test_horses_go_to_the_weakest() -> None:
    state = scripted(
        tribes=THREE,
        round=11,
        turn="green",
        green="arm2 arm2",
        horses={"green": 5, "black": 5, "yellow": 1},
        prestige={"green": 3, "black": 3, "yellow": 0},
    )
    assert chosen(state) == "Donate YELLOW weapon2"


# -- two players and the third tribe: black is seat 0 and the elder, yellow the third tribe, green seat 1


def test_the_third_tribe_is_played_for_its_controller() -> None:
    """In an odd round the elder decides for yellow: it raids and disdains green, never black."""
    state = scripted(
        tribes=THREE,
        players=2,
        round=5,
        turn="yellow",
        yellow="yellow4 stick arm2 arm3 red1",
        prestige={"green": 3, "black": 1},
    )
    done = turn_of(state)
    assert any(each.startswith(("Raid GREEN", "Disdain GREEN")) for each in done)
    assert not any("BLACK" in each and not each.startswith(("LayGift", "Donate")) for each in done)


def test_the_third_tribe_gives_its_horses_to_its_controller() -> None:
    state = scripted(
        tribes=THREE, players=2, round=11, turn="yellow", yellow="arm2", black="arm3", horses={"yellow": 6, "black": 5}
    )
    assert chosen(state) == "Donate BLACK weapon2"


def test_the_third_tribe_gives_its_controller_a_good_card_for_a_poor_one() -> None:
    state = scripted(
        tribes=THREE,
        players=2,
        round=5,
        turn="yellow",
        yellow="arm2 arm2 arm2 arm2 black4",
        black="red1 blue1 white1",
        horses={"yellow": 1},
    )
    gift = chosen(state)
    assert gift.startswith("LayGift BLACK")
    assert gift.endswith("black4")


def test_the_third_tribe_does_not_defend_against_its_controller() -> None:
    against = (raid("black", "yellow", "red1", 1),)
    mine = scripted(tribes=THREE, players=2, round=5, black="arm2", yellow="arm4 arm4 arm4", raids=against)
    theirs = scripted(tribes=THREE, players=2, round=6, black="arm2", yellow="arm4 arm4 arm4", raids=against)
    assert odds_of_coming_home(mine) > 0.7, (
        "black decides for yellow in this round, and only green might displace the raid"
    )
    assert odds_of_coming_home(theirs) < 0.5 * odds_of_coming_home(mine)


def test_the_answer_to_a_rivals_gift_is_the_poorest_card() -> None:
    state = scripted(tribes=THREE, players=2, round=6, turn="yellow", yellow="arm2 red1", black="black4 stick blue1")
    prompt = GAME.prompts(state)[0]
    gift = next(choice for choice in prompt.choices if choice.verb.__name__ == "LayGift")
    to_black = next(action for action in gift.actions(prompt.seat) if action.target.name == "BLACK")
    assert chosen(GAME.apply(state, to_black).state) == "Give blue1"


# -- odds


def test_higher_raids_survive_more_often() -> None:
    chances = [
        odds_of_coming_home(
            scripted(tribes=THREE, black="arm2", raids=(raid("black", "yellow", f"red{min(value, 4)}", value),))
        )
        for value in (2, 3, 4, 5)
    ]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_a_raid_that_cannot_come_home_is_worth_nothing() -> None:
    assert (
        odds_of_coming_home(scripted(tribes=THREE, round=12, black="arm2", raids=(raid("black", "yellow", "red4", 4),)))
        == 0
    )


def test_weapons_that_are_gone_stop_nothing() -> None:
    """With all weapons in sight, only another raid can end a raid."""
    weapons = "arm4 arm4 arm4 arm4 arm3 arm3 arm3 arm3 arm2 arm2 arm2 arm2"
    safe = scripted(tribes=THREE, black=weapons, raids=(raid("black", "yellow", "red4", 4),), offer="horse horse")
    assert odds_of_coming_home(safe) > 0.95


@pytest.mark.parametrize(
    ("draws", "good", "size", "chance"),
    [(3, 0, 10, 0), (1, 5, 10, 0.5), (2, 1, 2, 1), (3, 4, 12, 1 - 8 * 7 * 6 / (12 * 11 * 10))],
)
def test_odds_of_drawing(draws: int, good: int, size: int, chance: float) -> None:
    assert at_least_one(draws, good, size) == pytest.approx(chance)

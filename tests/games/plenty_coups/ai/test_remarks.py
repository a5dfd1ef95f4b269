"""What AI players say after a match is true, and whole sentences are there for all of it."""

from __future__ import annotations

from random import Random

from bot.ai_players.characters import Character
from bot.games.plenty_coups.ai.brain import think
from bot.games.plenty_coups.ai.odds import knowledge_of
from bot.games.plenty_coups.ai.position import position_of
from bot.games.plenty_coups.ai.remarks import of_move
from bot.games.plenty_coups.rules.actions import Breed, Decline, Defend, DoubleRaid, Hunt, Raid, StrikeCoup, Take
from bot.games.plenty_coups.rules.game import GAME
from bot.text.catalogue import catalogue
from tests.games.plenty_coups.ai.tables import answer, anyone, disdained, positions, prompt_of, scripted
from tests.games.plenty_coups.rules.cases import raid

SAY = catalogue()
TEXTS = {key for key in SAY.keys if key.startswith("plenty_ai.")}
RARE = {
    "plenty_ai.defend.honour",
    "plenty_ai.decline.by_choice",
    "plenty_ai.donate.points",
    "plenty_ai.neutral",
    "plenty_ai.raid.no_weapon",
}
VERBS = {
    "raid": (Raid, DoubleRaid),
    "breed": (Breed,),
    "coup": (StrikeCoup,),
    "hunt": (Hunt,),
    "decline": (Decline,),
}


def test_remarks_are_true_to_the_move() -> None:
    said: set[str] = set()
    for players in (2, 3, 4, 6):
        rng = Random(players)
        for seed in range(3):
            for state, prompt in positions({}, players, seed, wild=0.3):
                view = GAME.view_for(state, prompt.seat)
                thought = think(view, prompt, anyone(rng), rng.getrandbits(32))
                if thought.reason is None:
                    continue
                key, slots = thought.reason
                said.add(key)
                action, camp = thought.action, state.camps[thought.action.tribe]
                assert slots["round"] == str(state.turn.round)
                group = key.split(".")[1]
                assert isinstance(action, VERBS.get(group, object)), key
                if slots.get("target"):
                    assert slots["target"] != camp.tribe.name.lower()
                if key == "plenty_ai.breed.point":
                    assert int(slots["horses"]) == camp.horses + 1 > 5
                if key == "plenty_ai.coup.on_return":
                    assert state.turn.coups_open
                if key.startswith("plenty_ai.third."):
                    assert camp.owner is None
                    assert players == 2
                if "chance" in slots:
                    assert 0 <= int(slots["chance"]) <= 100
                if key in ("plenty_ai.raid.strong", "plenty_ai.raid.double"):
                    assert int(slots["value"]) > 4
    assert TEXTS - said <= RARE
    assert said <= TEXTS


def test_taking_cards_needs_no_explanation() -> None:
    for state, prompt in positions({}, 3, 1):
        if any(choice.verb is Take for choice in prompt.choices):
            assert answer(state).reason is None


def test_weapons_are_counted() -> None:
    """With three of the four weapons 4 in sight, a raid of 4 has only one to fear."""
    state = scripted(tribes="black yellow green", black="red4 arm4 arm4 arm4 blue1", offer="horse horse")
    view, prompt = GAME.view_for(state, prompt_of(state).seat), prompt_of(state)
    attack = next(
        action
        for choice in prompt.choices
        if choice.verb is Raid
        for action in choice.actions(prompt.seat)
        if action.warrior.value == 4
    )
    reason = of_move(view, position_of(view, {}), knowledge_of(view, prompt.seat, {}), attack)
    assert reason is not None
    assert reason[0] == "plenty_ai.raid.one_weapon"


def test_a_proof_that_is_kept_is_admitted() -> None:
    state = disdained(
        "yellow", "black", tribes="black yellow green", yellow="stick", black="black4", prestige={"black": 1}
    )
    prompt = prompt_of(state)
    view = GAME.view_for(state, prompt.seat)
    reason = of_move(
        view, position_of(view, {}), knowledge_of(view, prompt.seat, {}), Decline(prompt.seat, state.turn.actor)
    )
    assert reason == ("plenty_ai.decline.by_choice", {"round": "5", "target": "yellow"})


def test_a_move_that_gains_much_weighs_more() -> None:
    coup = answer(
        scripted(tribes="black yellow green", round=12, black="stick horse", coups_open=1, horses={"black": 5})
    )
    assert coup.weight > 0
    hunt = answer(scripted(tribes="black yellow green", round=2, black="arm2 arm2 arm3 arm3 arm4"))
    assert hunt.weight == 0


def test_beginners_speak_too() -> None:
    state = scripted(tribes="black yellow green", black="arm3 arm4", raids=(raid("yellow", "black", "red3", 3),))
    said = {
        thought.reason[0]
        for seed in range(30)
        if (thought := answer(state, Character("Pebble", "steady", 1), seed)).reason is not None
        and isinstance(thought.action, Defend)
    }
    assert said == {"plenty_ai.beginner.defend"}

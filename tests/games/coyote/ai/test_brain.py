"""The brain answers legally, is pure, and uses nothing that its seat cannot see."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import ROSTER, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Prompt, Seat
from bot.games.coyote.ai.bidding import read_bids
from bot.games.coyote.ai.brain import think
from bot.games.coyote.ai.hypotheses import collect_known, guesses
from bot.games.coyote.ai.odds import odds, see
from bot.games.coyote.ai.temperaments import TEMPERAMENT_SETTINGS
from bot.games.coyote.rules import game as coyote
from bot.games.coyote.rules.actions import Bid, Call, Deal
from bot.games.coyote.rules.state import State
from bot.text.catalogue import catalogue
from tests.games.coyote.contract import OPENINGS, twin

SAY = catalogue()
MATCHES = int(os.environ.get("SOAK", "1"))
LONGEST = 5000
SAMPLE = 5
"""Percentage of moments in a beginners' match at which stronger players think too."""

every_opening = pytest.mark.parametrize(
    ("options", "players"),
    [pytest.param(options, players, id=f"{number}-{players}") for number, (options, players) in enumerate(OPENINGS)],
)


def anyone(rng: Random, strength: int) -> Character:
    return Character(rng.choice(ROSTER).name, rng.choice(TEMPERAMENTS), strength)


def check(state: State, prompt: Prompt, ai: Character, rng: Random) -> Any:
    """Let the brain think in two worlds that differ only in hidden cards; return the action."""
    seed = rng.getrandbits(32)
    thought = think(coyote.view_for(state, prompt.seat), prompt, ai, seed)
    assert prompt.allows(thought.action), thought.action
    other = twin(state, prompt.seat, rng)
    assert think(coyote.view_for(other, prompt.seat), prompt, ai, seed) == thought, (
        "the thought depends on hidden cards"
    )
    assert coyote.apply(state, thought.action)
    assert thought.reason is not None
    key, slots = thought.reason
    assert set(slots) >= SAY.slots(key)
    assert SAY(key, **slots)
    return thought.action


@every_opening
def test_every_answer_is_legal_and_independent_of_hidden_cards(options: dict[str, Any], players: int) -> None:
    for match in range(MATCHES):
        rng = Random(match * 1000 + players)
        state = coyote.setup(options, players, None)
        for _ in range(LONGEST):
            prompts = coyote.prompts(state)
            if not prompts:
                break
            prompt = rng.choice(prompts)
            if prompt.seat == DEALER:
                action: Any = coyote.deal(state, rng)
            else:
                action = check(state, prompt, anyone(rng, 1), rng)
                if rng.random() * 100 < SAMPLE:
                    action = check(state, prompt, anyone(rng, rng.choice((2, 3))), rng)
            state = coyote.apply(state, action).state
        assert coyote.outcome(state)


@pytest.mark.parametrize("edition", ["feathers", "scout", "tomahawk", "peek"])
@pytest.mark.parametrize("variant", [False, True])
def test_experts_finish_their_matches(edition: str, variant: bool) -> None:
    rng = Random(11)
    state = coyote.setup({"edition": edition, "variant": variant}, 3, None)
    for _ in range(LONGEST):
        prompts = coyote.prompts(state)
        if not prompts:
            break
        prompt = prompts[0]
        action = coyote.deal(state, rng) if prompt.seat == DEALER else check(state, prompt, anyone(rng, 3), rng)
        state = coyote.apply(state, action).state
    assert coyote.outcome(state)


def test_guesses_add_up_to_the_plain_odds() -> None:
    rng = Random(3)
    for options in ({}, {"edition": "peek"}, {"edition": "scout"}, {"edition": "tomahawk"}):
        for _ in range(12):
            state = coyote.setup(options, 4, Seat(0))
            state = coyote.apply(state, coyote.deal(state, rng)).state
            view = coyote.view_for(state, Seat(0))
            sight, plain = see(view), odds(view)
            guessed = guesses(collect_known(view, sight, plain))
            beliefs = read_bids(view, guessed, 1.0)
            low, high = collect_known(view, sight, plain).window
            if len(guessed) < len(sight.pool):
                continue
            for bid in range(low, high + 1):
                believed = sum(belief.probability * belief.guess.total.at_least(bid) for belief in beliefs)
                assert believed == pytest.approx(plain.at_least(bid)), "without bids, guesses and plain odds agree"
            for guess in guessed:
                for seat, sees in guess.sights.items():
                    if guess.own != state.round.cards.worn[0] or options:
                        continue
                    theirs = odds(coyote.view_for(state, seat))
                    for bid in range(low, high + 1):
                        assert sees.at_least(bid) == pytest.approx(theirs.at_least(bid)), (
                            "a guess about another seat gives that seat's own odds"
                        )


def test_high_bids_of_others_suggest_a_high_feather_on_me() -> None:
    """Players who see only a 2 or a 3 on each other and still bid 12 and 16 must see a high feather on me."""
    from bot.games.coyote.rules.actions import Announced

    rng = Random(1)
    state = coyote.setup({}, 3, Seat(1))
    cards = list(state.rules.cards)
    for front in (20, 3, 2):
        cards.remove(front)
    rng.shuffle(cards)
    state = coyote.apply(state, Deal(DEALER, (20, 3, 2, *cards))).state
    view = coyote.view_for(state, Seat(0))
    plain = odds(view).at_least(18)
    heard = view._replace(ladder=(Announced(Seat(1), 12, None, None), Announced(Seat(2), 16, None, None)), bid=16)
    beliefs = read_bids(heard, guesses(collect_known(heard, see(heard), odds(heard))), 1.0)
    assert sum(belief.probability * belief.guess.total.at_least(18) for belief in beliefs) > 1.5 * plain


def test_every_temperament_has_its_settings() -> None:
    assert set(TEMPERAMENT_SETTINGS) == set(TEMPERAMENTS)


def test_remarks_fit_the_move() -> None:
    """A remark mentions calling only if it was allowed, bids only if there were any, and quotes the right chances."""
    rng = Random(5)
    said: set[str] = set()
    for number, (options, players) in enumerate([each for each in OPENINGS if each[1] < 6][::4]):
        state = coyote.setup(options, players, None)
        for _ in range(40):
            prompts = coyote.prompts(state)
            if not prompts:
                break
            prompt = prompts[0]
            action: Any = coyote.deal(state, rng) if prompt.seat == DEALER else None
            if action is None:
                view = coyote.view_for(state, prompt.seat)
                thought = think(view, prompt, anyone(rng, 1 + (number + len(said)) % 3), rng.getrandbits(32))
                assert thought.reason is not None
                action, (key, slots) = thought.action, thought.reason
                said.add(key)
                may_call = any(choice.verb is Call for choice in prompt.choices)
                if key.startswith(("ai.bluff.", "ai.cornered.", "ai.beginner.hopeful")) or key.endswith("_unlikely"):
                    assert may_call, key
                if key == "ai.forced":
                    assert not may_call
                if key.startswith("ai.read_"):
                    assert view.ladder, "there were no bids to read"
                    assert (int(slots["chance"]) > int(slots["plain"])) == key.startswith("ai.read_up")
                if key.startswith(("ai.call.", "ai.bluff.")):
                    assert int(slots["chance"]) <= 50
                if key.startswith(("ai.cornered.", "ai.raise.")):
                    assert int(slots["chance"]) >= 50
                if isinstance(action, Bid):
                    assert slots["bid"].replace("−", "-") == str(action.number)
            state = coyote.apply(state, action).state
    assert len(said) > 20

"""Properties that hold for every game; an entry in `CONTRACTS` adds a game.

`SOAK` is the number of random matches per opening; without it, a sample is played.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.engine.core import DEALER, Game, Leave, Prompt, Rejected, Seat
from bot.engine.frozen import encode
from bot.games.coyote.rules.codec import VERBS as COYOTE_VERBS
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.plenty_coups.rules.codec import VERBS as PLENTY_COUPS_VERBS
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from tests.games.coyote import contract as coyote
from tests.games.plenty_coups import contract as plenty_coups


class Contract(NamedTuple):
    """A game, and the functions that the tests need for it."""

    game: Game[Any, Any, Any]
    openings: tuple[tuple[dict[str, Any], int], ...]
    """Options and number of players of each opening."""
    check: Callable[[Any], None]
    """Assert the invariants of every state."""
    twin: Callable[[Any, Seat | None, Random], Any]
    """Return another state that the viewer must not be able to tell from this one."""
    candidate: Callable[[Any, Random], Any]
    """Return a random well-formed action other than leaving, legal or not."""
    verbs: tuple[Any, ...]
    """The types of all its actions."""
    answer: Callable[[Prompt, Random], Any] = Prompt.pick
    """Return a random answer to a prompt, chosen so that matches are interesting."""
    check_view: Callable[[Any, Any], None] = lambda _state, _view: None
    """Assert that a view shows exactly what the visibility table of the rules says."""
    check_open_view: Callable[[Any, Any], None] = lambda _state, _view: None
    """Assert that the open view shows everything."""
    is_public: Callable[[Any], bool] = lambda _verb: False
    """Returns whether everybody may see a seat's choices of this verb, because none depends on hidden cards."""
    leaving_ends_the_round: bool = False
    """Whether a player who leaves changes the prompts of the others."""

    def __repr__(self) -> str:
        return self.game.name


CONTRACTS = (
    Contract(
        COYOTE,
        coyote.OPENINGS,
        coyote.check,
        coyote.twin,
        coyote.candidate,
        tuple(COYOTE_VERBS.values()),
        coyote.answer,
        coyote.check_view,
        coyote.check_open_view,
        is_public=lambda _verb: True,
        leaving_ends_the_round=True,
    ),
    Contract(
        PLENTY_COUPS,
        plenty_coups.OPENINGS,
        plenty_coups.check,
        plenty_coups.twin,
        plenty_coups.candidate,
        tuple(PLENTY_COUPS_VERBS.values()),
        check_view=plenty_coups.check_view,
        check_open_view=plenty_coups.check_open_view,
        is_public=plenty_coups.is_public,
    ),
)

MATCHES = int(os.environ.get("SOAK", "1"))
LONGEST = 5000

every_opening = pytest.mark.parametrize(
    ("contract", "options", "players"),
    [
        pytest.param(contract, options, players, id=f"{contract.game.name}-{players}-{number}")
        for contract in CONTRACTS
        for number, (options, players) in enumerate(contract.openings)
    ],
)
# Seeds do not shrink to simpler ones, so hypothesis only chooses and remembers them.
seeds = given(seed=st.integers(0, 2**32 - 1))
sampled = settings(
    max_examples=MATCHES,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


class Moment(NamedTuple):
    """A state, its prompt, and the action that a random player took."""

    state: Any
    prompt: Prompt
    action: Any


def play(
    contract: Contract, options: dict[str, Any], players: int, rng: Random, leaving: float = 0
) -> Iterator[Moment]:
    """Play a random match until it has a winner."""
    game = contract.game
    state = game.setup(options, players, rng.choice([None, Seat(rng.randrange(players))]))
    for _ in range(LONGEST):
        prompts = game.prompts(state)
        assert game.questions(state) == tuple((prompt.seat, prompt.id) for prompt in prompts)
        if not prompts:
            break
        prompt = rng.choice(prompts)
        if rng.random() < leaving:
            action: Any = Leave(rng.choice(game.seated(state)))
        else:
            action = game.deal(state, rng) if prompt.seat == DEALER else contract.answer(prompt, rng)
        yield Moment(state, prompt, action)
        state = game.apply(state, action).state
    outcome = game.outcome(state)
    assert outcome, "the match does not end"
    assert outcome.winners == tuple(Seat(seat) for seat, place in enumerate(outcome.places) if place == 1)
    assert len(outcome.places) == players
    assert game.seated(state) == ()
    contract.check(state)


def _some(values: Collection[Any], rng: Random) -> list[Any]:
    """Return all values if they are few, else the ends of the range and one between."""
    known = list(values) if len(values) <= 12 else [*values][:: len(values) - 1]
    return known if len(values) <= 12 else [*known, rng.choice([*values])]


def tried(game: Game[Any, Any, Any], state: Any, action: Any) -> bool:
    """Return whether the action is accepted."""
    try:
        game.apply(state, action)
    except Rejected:
        return False
    return True


@every_opening
@seeds
@sampled
def test_random_matches_end(contract: Contract, options: dict[str, Any], players: int, seed: int) -> None:
    for state, prompt, _ in play(contract, options, players, Random(seed)):
        contract.check(state)
        assert contract.game.outcome(state) is None
        assert prompt.seat == DEALER or prompt.choices


@every_opening
@seeds
@sampled
def test_matches_end_when_players_leave(contract: Contract, options: dict[str, Any], players: int, seed: int) -> None:
    rng = Random(seed)
    game = contract.game
    left: set[Seat] = set()
    for state, prompt, action in play(contract, options, players, rng, leaving=0.02):
        contract.check(state)
        assert prompt.seat not in left, "a player who left still has a prompt"
        assert not left & set(game.seated(state))
        if isinstance(action, Leave):
            left.add(action.seat)
            after = game.apply(state, action).state
            assert not tried(game, after, action)
            still = game.prompts(after)
            if action.seat != prompt.seat and still and not contract.leaving_ends_the_round:
                assert still[0] == prompt, "a player who left changed another player's prompt"


@every_opening
def test_matches_end_if_every_turn_times_out(contract: Contract, options: dict[str, Any], players: int) -> None:
    rng = Random(players)
    game = contract.game
    state = game.setup(options, players, None)
    for _ in range(LONGEST):
        if not (prompts := game.prompts(state)):
            break
        prompt = prompts[0]
        assert prompt.seat == DEALER or prompt.allows(prompt.timeout)
        state = game.apply(state, game.deal(state, rng) if prompt.seat == DEALER else prompt.timeout).state
    assert game.outcome(state)


@every_opening
@seeds
@sampled
def test_exactly_the_offered_actions_are_accepted(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    rng = Random(seed)
    game = contract.game
    for state, prompt, _ in play(contract, options, players, rng):
        before = game.dump(state)
        for choice in prompt.choices:
            for values in product(*(_some(field, rng) for field in choice.fields)):
                action = choice.verb(prompt.seat, *values)
                assert prompt.allows(action)
                assert tried(game, state, action), f"offered, but refused: {action}"
        for _ in range(6):
            action = contract.candidate(state, rng)
            offered = any(each.allows(action) for each in game.prompts(state))
            if action.seat != DEALER or prompt.seat != DEALER:
                assert tried(game, state, action) == offered, f"{offered=}: {action}"
        assert not tried(game, state, Leave(Seat(99)))
        assert game.dump(state) == before


@every_opening
@seeds
@sampled
def test_the_log_replays_to_the_same_state(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    game = contract.game
    rng = Random(seed)
    moments = [*play(contract, options, players, rng, leaving=0.002)]
    log = json.loads(json.dumps([game.dump_action(moment.action) for moment in moments]))
    state = moments[0].state
    for moment, written in zip(moments, log, strict=True):
        assert state == moment.state
        assert game.dump(state) == game.dump(moment.state)
        action = game.load_action(written)
        assert action == moment.action
        assert type(action) is type(moment.action)
        state = game.apply(state, action).state


@every_opening
@seeds
@sampled
def test_a_state_survives_being_written_down(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    game = contract.game
    for state, prompt, action in play(contract, options, players, Random(seed), leaving=0.002):
        read = game.load(json.loads(encode(game.dump(state))))
        assert read == state
        assert game.dump(read) == game.dump(state)
        assert prompt in game.prompts(read)
        assert game.apply(read, action) == game.apply(state, action)


@every_opening
@seeds
@sampled
def test_views_do_not_depend_on_what_the_viewer_cannot_see(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    rng = Random(seed)
    game = contract.game
    for state, _, action in play(contract, options, players, rng):
        for viewer in (None, *map(Seat, range(players))):
            view = game.view_for(state, viewer)
            assert view == game.view_for(contract.twin(state, viewer, rng), viewer)
            assert view.prompt == next((open_ for open_ in game.prompts(state) if open_.seat == viewer), None)
            contract.check_view(state, view)
        after = game.apply(state, action).state
        if not game.prompts(after):
            for viewer in (None, *map(Seat, range(players))):
                assert game.view_for(after, viewer) == game.view_for(contract.twin(after, viewer, rng), viewer)
                contract.check_view(after, game.view_for(after, viewer))


@every_opening
@seeds
@sampled
def test_public_choices_do_not_depend_on_what_is_hidden(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    rng = Random(seed)
    game = contract.game
    for state, prompt, _ in play(contract, options, players, rng):
        shown = game.public_choices(prompt)
        assert shown == tuple(choice for choice in prompt.choices if contract.is_public(choice.verb))
        twins = game.prompts(contract.twin(state, None, rng))
        assert shown == next(game.public_choices(twin) for twin in twins if twin.seat == prompt.seat)


@every_opening
@seeds
@sampled
def test_the_open_view_is_a_bystanders_view_with_everything_shown(
    contract: Contract, options: dict[str, Any], players: int, seed: int
) -> None:
    for state, _, _ in play(contract, options, players, Random(seed)):
        contract.check_open_view(state, contract.game.open_view(state))

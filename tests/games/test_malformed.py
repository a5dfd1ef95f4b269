"""`apply` accepts or refuses any action without failing; a field of a wrong type never gets into a match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.engine.core import DEALER, Leave, Rejected, Seat
from bot.engine.frozen import encode
from bot.games.coyote.rules import actions as coyote
from tests.games.test_contract import CONTRACTS, MATCHES, Contract, Moment, play, tried

MOMENTS = 4
"""Number of moments checked per match."""

wrong_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(-3, 15),
        st.sampled_from([10**30, -(10**400)]),
        st.floats(),
        st.integers(-3, 15).map(float),
        st.complex_numbers(max_magnitude=3),
        st.text(max_size=5),
        st.sampled_from(["extra", "guess", "night", "?", "0", "5", "black"]),
        st.binary(max_size=2),
        st.builds(object),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
    ),
    max_leaves=4,
)
ALWAYS_WRONG: tuple[Any, ...] = (True, False, 0.0, 1.0, 5.5, float("inf"), float("nan"), "1", [1], (1,), {}, [[]])


class Shout(coyote.Bid):
    """A subclass of `Bid`, which equals a bid but must be refused."""


UNKNOWN: tuple[Any, ...] = (None, 5, "bid", (0, 5), [0, 5], {"do": "bid"}, object(), Shout(Seat(0), 5), coyote.Bid)


def actions_at(contract: Contract, moment: Moment, rng: Random) -> Iterator[Any]:
    """Yield one action of each verb: a legal one if there is any, else a candidate of the contract."""
    game, state = contract.game, moment.state
    found: dict[Any, Any] = {type(moment.action): moment.action}
    for prompt in game.prompts(state):
        for choice in prompt.choices:
            found.setdefault(choice.verb, choice.pick(prompt.seat, rng))
    found.setdefault(Leave, Leave(game.seated(state)[0]))
    while found.keys() != set(contract.verbs):
        candidate = contract.candidate(state, rng)
        found.setdefault(type(candidate), candidate)
    yield from found.values()


def corrupted(value: Any, wrong: Any) -> Iterator[Any]:
    """Yield copies of the value in which the whole, or one of its parts, is replaced by something wrong."""
    yield wrong
    if isinstance(value, tuple):
        for place, part in enumerate(value[:3]):
            for other in corrupted(part, wrong):
                parts = [*value[:place], other, *value[place + 1 :]]
                yield tuple.__new__(type(value), parts)
    elif isinstance(value, int):
        yield from (float(value), bool(value), complex(value), str(value), int(value), value + 10**30)


def is_exact(contract: Contract, action: Any) -> bool:
    """Return whether the action survives being written to a log and read back strictly."""
    game = contract.game
    try:
        return repr(game.load_action(json.loads(encode(game.dump_action(action))))) == repr(action)
    except (ValueError, TypeError, AttributeError, KeyError):
        return False


games = pytest.mark.parametrize("contract", CONTRACTS, ids=repr)


@games
@settings(
    max_examples=25 * MATCHES,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1), drawn=st.lists(wrong_values, min_size=2, max_size=2))
def test_no_field_of_a_wrong_type_is_accepted(contract: Contract, data: Any, seed: int, drawn: list[Any]) -> None:
    options, players = data.draw(st.sampled_from(contract.openings))
    rng = Random(seed)
    game = contract.game
    moments = list(play(contract, options, players, rng))
    for moment in rng.sample(moments, min(MOMENTS, len(moments))):
        state = moment.state
        before = repr(state)
        for action in actions_at(contract, moment, rng):
            for field in action._fields:
                for wrong in (*drawn, rng.choice(ALWAYS_WRONG)):
                    for value in corrupted(getattr(action, field), wrong):
                        sent = action._replace(**{field: value})
                        if tried(game, state, sent):
                            assert is_exact(contract, sent), f"accepted: {sent}"
        assert repr(state) == before


@games
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=5 * MATCHES, deadline=None)
def test_other_objects_are_refused(contract: Contract, seed: int) -> None:
    rng = Random(seed)
    options, players = rng.choice(contract.openings)
    moment = rng.choice(list(play(contract, options, players, rng)))
    others = [verb for other in CONTRACTS if other is not contract for verb in other.verbs]
    foreign = [verb(*[DEALER] * len(verb._fields)) for verb in others if verb is not Leave]
    for sent in (*UNKNOWN, *foreign):
        with pytest.raises(Rejected, match="malformed"):
            contract.game.apply(moment.state, sent)


@games
@pytest.mark.parametrize("seat", [True, 0.0, "0", None, [0], (0,), {}, float("nan"), 99, -2, 10**30])
def test_wrong_seats_are_refused_everywhere(contract: Contract, seat: Any) -> None:
    rng = Random(1)
    options, players = contract.openings[-1]
    moments = list(play(contract, options, players, rng))
    for moment in moments[:: max(1, len(moments) // 5)]:
        for action in actions_at(contract, moment, rng):
            with pytest.raises(Rejected):
                contract.game.apply(moment.state, action._replace(seat=seat))


@games
@pytest.mark.parametrize("starter", [True, 0.0, "0", [0], float("nan"), 99, -1])
def test_wrong_starters_are_refused(contract: Contract, starter: Any) -> None:
    options, players = contract.openings[-1]
    with pytest.raises(Rejected):
        contract.game.setup(options, players, starter)

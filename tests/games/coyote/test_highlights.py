"""The memorable moments of a match: bluffs, close calls, comebacks."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.engine.core import Seat
from bot.games.coyote.highlights import Bluff, Close, Comeback, Exact, LastCall, find_highlights
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.state import State
from bot.host.decision import Actor
from bot.stats.moments import Moment
from tests.games.coyote.contract import OPENINGS
from tests.games.coyote.rules.cases import A, B, C, Table, table


class Played:
    """A match that was played step by step."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.states: list[State] = []

    def add(self, state: State, events: Sequence[Any]) -> None:
        self.moments.append(Moment(0, Actor.USER, None, 1, tuple(events)))
        self.states.append(state)

    def view(self, step: int, seat: Seat | None) -> Any:
        return rules.view_for(self.states[step], seat)


def highlights(game: Table, *moves: str) -> dict[type, tuple[int, Any]]:
    """Return the highlights of a match with these moves, by kind, each with its step."""
    played = Played()
    for move in moves:
        game.play(move)
        played.add(game.state, game.events)
    return {type(each.what): (each.step, each.what) for each in find_highlights(played)}


def test_the_boldest_bluff_is_the_believed_bid_that_was_least_likely_to_hold() -> None:
    # A sees 3 and 20: a 10, 15 or ×2 would make it 33, perhaps a "?". C's 900 is called, so it was not believed.
    found = highlights(table("1 3 20"), "A bid 33", "B bid 34", "C bid 900", "A call")
    assert Exact not in found
    step, bluff = found[Bluff]
    assert (step, bluff.seat, bluff.bid) == (1, B, 34), "B sees 1 and 20, so 34 is less likely still"
    assert 0 < bluff.chance < 0.5


def test_a_bid_that_was_safe_is_no_bluff_however_far_it_misses() -> None:
    # Each sees 15 and 20, so 30 holds unless they wear something bad; Max→0, Max→− and the like are what they wear.
    found = highlights(table("max0 15 20", players=3), "A bid 30", "B bid 900", "C call")
    assert Bluff not in found


@pytest.mark.parametrize(
    ("edition", "moves", "bluff"),
    [
        pytest.param("feathers", ["A bid 900", "B call"], None, id="called"),
        pytest.param("feathers", ["A bid 900", "B bid 901", "C call"], Bluff(A, 900, 0.0), id="raised"),
        pytest.param(
            "feathers", ["A bid 900", "B coin skip", "C coin skip", "A bid 901", "B call"], None, id="own bid"
        ),
        pytest.param("scout", ["A bid 900", "B redo", "A bid 5", "B call"], None, id="refused"),
        pytest.param("scout", ["A bid 900", "B approve", "C call"], Bluff(A, 900, 0.0), id="approved"),
        pytest.param("tomahawk", ["A bid 900", "B reverse", "A bid 901", "C call"], None, id="bid again"),
        pytest.param(
            "feathers", ["A bid 900", "B bid 901", "C bid 902", "A call"], Bluff(A, 900, 0.0), id="the earlier"
        ),
    ],
)
def test_a_bid_is_believed_once_somebody_else_goes_on_from_it(
    edition: str, moves: list[str], bluff: Bluff | None
) -> None:
    assert highlights(table("1 2 3", edition, variant=True), *moves).get(Bluff) == (
        None if bluff is None else (0, bluff)
    )


def test_a_bid_that_ais_let_pass_out_of_patience_is_no_bluff_that_anybody_believed() -> None:
    game = table("1 2 3 4 5 6", players=3)
    played = Played()
    for move, actor, number in (
        ("A bid 900", Actor.AI, 1),
        ("B bid 901", Actor.AI, 1),  # B did not allow itself a call: C, a person, has had no turn yet
        ("C bid 902", Actor.USER, 1),
        ("A bid 903", Actor.AI, 1),
        ("B call", Actor.AI, 1),
    ):
        game.play(move)
        seat = Seat("ABC".index(move[0]))
        played.moments.append(Moment(0, actor, seat, number, tuple(game.events)))
        played.states.append(game.state)
    bluff = next(each.what for each in find_highlights(played) if isinstance(each.what, Bluff))
    assert bluff.bid == 901


def test_a_highlight_knows_its_round() -> None:
    game = table("1 2 3 4 5 6", players=3)
    played = Played()
    for move in ("A bid 900", "B bid 901", "C call"):
        game.play(move)
        played.moments.append(Moment(0, Actor.USER, A, 4, tuple(game.events)))
        played.states.append(game.state)
    assert [each.what.round for each in find_highlights(played) if isinstance(each.what, Bluff)] == [4]


def test_the_exact_hit_is_the_highest_bid_that_was_the_total() -> None:
    game = table("1 2 3 4 5 6 7 8 9", next_starter="loser")
    found = highlights(
        game,
        "A bid 6",
        "B call",
        "deal",
        "B bid 15",
        "C call",
        "deal",
        "C bid 24",
        "A call",
        "deal",
        "A bid 6",
        "B call",
    )
    assert found[Exact] == (7, Exact(C, 24))


def test_without_an_exact_hit_the_closest_call_is_remembered() -> None:
    found = highlights(table("1 2 3 4 5 6", next_starter="loser"), "A bid 8", "B call", "deal", "A bid 18", "B call")
    assert found[Close] == (1, Close(B, A, 8, 6)), "two off, and the other call is three off"


@pytest.mark.parametrize(
    ("tokens", "comeback"),
    [
        pytest.param((2, 0), Comeback(A, B, True), id="one coin from the end"),
        pytest.param((1, 0), Comeback(A, B, False), id="behind"),
        pytest.param((1, 1), None, id="level"),
        pytest.param((0, 2), None, id="ahead"),
    ],
)
def test_a_comeback_is_a_call_that_the_later_winner_survived_while_behind(
    tokens: tuple[int, int], comeback: Comeback | None
) -> None:
    game = table("7 8 9 10 7 8 9 10", players=2, tokens={"A": tokens[0], "B": tokens[1]})
    moves = ["A bid 1", "B call"]
    played = Played()
    played.add(game.state, ())
    while game.view().winner is None:
        for move in moves:
            game.play(move)
            played.add(game.state, game.events)
        if game.view().winner is None:
            game.play("deal")
            played.add(game.state, game.events)
    assert game.view().winner == A, "A bids 1 each time, and it always holds"
    found = next((each.what for each in find_highlights(played) if isinstance(each.what, Comeback)), None)
    assert found == comeback


def test_a_match_may_have_nothing_but_its_last_call() -> None:
    assert highlights(table("7 8 9"), "A bid 1", "B call") == {LastCall: (1, LastCall(B, A, 1))}


@pytest.mark.parametrize(("options", "players"), OPENINGS)
def test_every_kind_of_match_can_be_searched(options: dict[str, Any], players: int) -> None:
    rng, played = Random(f"{options} {players}"), Played()
    state = rules.setup(options, players)
    for _ in range(400):
        prompts = rules.prompts(state)
        if not prompts:
            break
        prompt = rng.choice(prompts)
        action = rules.deal(state, rng) if prompt.seat < 0 else prompt.pick(rng)
        state, events = rules.apply(state, action)
        played.add(state, events)
    found = find_highlights(played)
    assert len({each.step for each in found}) == len(found) <= 3

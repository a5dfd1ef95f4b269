"""The players of the arena: AI players, and simple opponents for each game. Each answers from its own view alone.

The simple opponents of Coyote: `plain` believes bids that hold with a probability of at least 0.2. It opens with 1, as
the default answer does. `gap` raises halfway from the standing bid (0 if there is none) to the highest bid that it
believes. `wild` ignores the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from bench.repeater import Repeater
from bot.ai_players.brains import BRAINS
from bot.ai_players.characters import Character
from bot.engine.core import Prompt
from bot.games.coyote.ai.odds import Odds, odds
from bot.games.coyote.ai.opponents import BELIEVED, middle
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.view import CoyoteView

REPEATER: Final = "repeater"
Player: TypeAlias = Callable[[Any, Prompt, Random], Any]
"""Answers a prompt from a view; all its random choices come from the generator."""


def plain(view: CoyoteView, prompt: Prompt, _rng: Random) -> Any:
    """Call a bid that holds with a probability below 0.2, else raise by one; open with 1."""
    if view.bid is None:
        return Bid(prompt.seat, 1)
    if view.bidder != prompt.seat and _odds(view).at_least(view.bid) < BELIEVED:
        return Call(prompt.seat)
    return Bid(prompt.seat, view.bid + 1)


def gap(view: CoyoteView, prompt: Prompt, _rng: Random) -> Any:
    """Call the same bids as `plain`, else go halfway to the highest bid that is believed; open halfway from 0."""
    most = _odds(view).highest(BELIEVED)
    if view.bid is None:
        return Bid(prompt.seat, middle(0, most))
    if view.bidder != prompt.seat and view.bid > most:
        return Call(prompt.seat)
    return Bid(prompt.seat, middle(view.bid, most))


def wild(view: CoyoteView, prompt: Prompt, rng: Random) -> Any:
    """Call with probability ¼, else raise by 1 to 5."""
    if view.bid is not None and view.bidder != prompt.seat and rng.random() < 0.25:
        return Call(prompt.seat)
    return Bid(prompt.seat, (view.bid or 0) + 1 + int(rng.random() * 5))


def aimless(_view: Any, prompt: Prompt, rng: Random) -> Any:
    """Give a random answer; works for every game."""
    return prompt.pick(rng)


class Pairing(NamedTuple):
    """One player against a table of others, and the share of matches that it should win at least or at most."""

    hero: str
    others: str
    least: float | None = None
    most: float | None = None


class Opposition(NamedTuple):
    """The simple opponents of one game, and what an AI player should achieve against them."""

    players: Mapping[str, Player]
    options: Mapping[str, Any]
    """The game's options, unless the command line sets others."""
    wanted: Mapping[str, float]
    """Which share of these matches the strongest AI player should win against opponents of a kind."""
    sizes: tuple[int, ...] = (4,)
    """How many players sit at a table."""
    matches: int = 4000
    """How many matches are played against each kind of opponents."""
    duel: bool = False
    """Whether the AI player has half of the seats, instead of one."""
    pairings: tuple[Pairing, ...] = ()
    """Who else meets whom, with one seat against the others, unless the command line asks for something else."""


OPPOSITIONS: Final = {
    "coyote": Opposition(
        {"plain": plain, "gap": gap, "wild": wild},
        {"edition": "feathers", "variant": False},
        {"plain": 0.30, "gap": 0.30, "wild": 0.90},
        pairings=(
            Pairing("ai3", "ai2", least=0.32),
            Pairing("ai2", "ai1", least=0.35),
            Pairing("ai3", "ai1", least=0.35),
            Pairing(REPEATER, "ai3", most=0.40),
        ),
    ),
    "plenty-coups": Opposition(
        {"aimless": aimless}, {}, {"ai1": 0.75, "aimless": 0.95}, sizes=(2, 3, 4), matches=1000, duel=True
    ),
}
"""The simple opponents by game. AI players of other games meet aimless ones."""
NO_OPPOSITION: Final = Opposition({"aimless": aimless}, {}, {})


def opposition(game: str) -> Opposition:
    """Return the simple opponents of a game."""
    return OPPOSITIONS.get(game, NO_OPPOSITION)


def ai(game: str, character: Character) -> Player:
    """Return a player that plays like this character."""
    brain = BRAINS[game]
    return lambda view, prompt, rng: brain(view, prompt, character, rng.getrandbits(32)).action


def named(game: str, name: str) -> Player:
    """Return a player by name; `ai1` to `ai3` are AI players of that strength, `repeater` knows the experts' code."""
    if name == REPEATER:
        return Repeater()
    known = opposition(game).players
    return known[name] if name in known else ai(game, Character(name, "steady", int(name.removeprefix("ai"))))


_cache: dict[tuple[Any, ...], Odds] = {}


def _odds(view: CoyoteView) -> Odds:
    """Return a seat's odds, which stay the same until a card moves."""
    key = (view.viewer, view.discard, tuple(seat.worn for seat in view.seats), view.pile)
    if key not in _cache:
        if len(_cache) > 64:
            _cache.clear()
        _cache[key] = odds(view)
    return _cache[key]

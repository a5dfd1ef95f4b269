"""The players of the arena: those that an AI must beat, and the AI itself. Each answers from its own view alone.

`plain` believes a bid that holds with 0.2. It opens with 1, one more than nothing, as the random player does and as a
time-out would. `gap` raises into the middle between the standing bid (nothing: 0) and the highest bid it believes.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bot.ai_players.characters import Character
from bot.engine.core import Prompt
from bot.games.coyote.ai.brain import think
from bot.games.coyote.ai.odds import Odds, odds
from bot.games.coyote.ai.opponents import BELIEVED, middle
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.view import CoyoteView

Player = Callable[[CoyoteView, Prompt, Random], Any]


def plain(view: CoyoteView, prompt: Prompt, _rng: Random) -> Any:
    """Call what holds with less than 0.2, else say one more. Opens with 1, one more than nothing."""
    if view.bid is None:
        return Bid(prompt.seat, 1)
    if view.bidder != prompt.seat and _odds(view).at_least(view.bid) < BELIEVED:
        return Call(prompt.seat)
    return Bid(prompt.seat, view.bid + 1)


def gap(view: CoyoteView, prompt: Prompt, _rng: Random) -> Any:
    """The same, but goes halfway to the highest bid that holds with 0.2; opens halfway from nothing."""
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


def ai(character: Character) -> Player:
    """Return a player who thinks like this character."""
    return lambda view, prompt, rng: think(view, prompt, character, rng.getrandbits(32)).action


def named(name: str) -> Player:
    """Return a player by name; `ai1` to `ai3` are AIs of that strength."""
    known = {"plain": plain, "gap": gap, "wild": wild}
    return known[name] if name in known else ai(Character(name, "steady", int(name.removeprefix("ai"))))


_kept: dict[tuple[Any, ...], Odds] = {}


def _odds(view: CoyoteView) -> Odds:
    """A seat's odds stay the same as long as no card moves."""
    key = (view.viewer, view.discard, tuple(seat.worn for seat in view.seats), view.pile)
    if key not in _kept:
        if len(_kept) > 64:
            _kept.clear()
        _kept[key] = odds(view)
    return _kept[key]

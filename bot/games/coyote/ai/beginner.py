"""Plays like a beginner: adds up numbers, ignores special cards, takes hidden ones for average, and is erratic."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Any, NamedTuple

from bot.engine.core import Prompt
from bot.games.coyote.ai.odds import see
from bot.games.coyote.rules.actions import Bet, Bid, Call
from bot.games.coyote.rules.view import CoyoteView, Phase

_HIDDEN_CARD = 5
"""What a beginner expects every hidden card to be worth."""


class Hunch(NamedTuple):
    """What a beginner does, the bid they had in mind, and how likely that bid seemed to hold."""

    action: Any
    bid: int
    chance: float
    trick: bool = False


def hunch(view: CoyoteView, prompt: Prompt, rng: Random) -> Hunch:
    """Answer the prompt like somebody who learned the rules five minutes ago."""
    sight = see(view)
    estimate = sum(card for card in sight.seen if isinstance(card, int)) + _HIDDEN_CARD * sight.hidden + rng.gauss(0, 3)

    def seems(bid: int) -> float:
        return 1 / (1 + exp(max(-30.0, min(30.0, (bid - estimate) / 4))))

    standing = view.bid if view.bid is not None else 0
    if view.phase is Phase.BETS:
        on = view.bidder if seems(standing) > rng.uniform(0.3, 0.7) else view.caller
        return Hunch(Bet(prompt.seat, on), standing, seems(standing))
    plain = [choice for choice in prompt.choices if choice.verb is Bid and choice.fields[1] == (None,)]
    more = [choice for choice in prompt.choices if choice.verb is not Call and choice not in plain]
    may_call = any(choice.verb is Call for choice in prompt.choices)
    if may_call and (not plain or seems(standing) < rng.uniform(0.2, 0.55)):
        return Hunch(Call(prompt.seat), standing, seems(standing))
    wish = (
        standing + rng.choice((1, 1, 1, 2, 2, 3, 5))
        if view.bid is not None
        else round(estimate * rng.uniform(0.3, 0.8))
    )
    if more and (not plain or rng.random() < 0.12):
        action = rng.choice(more).pick(prompt.seat, rng)
        number = standing
        if isinstance(action, Bid):
            number = _nearest([choice for choice in more if choice.verb is Bid], wish)
            action = action._replace(number=number)
        return Hunch(action, number, seems(number), trick=True)
    number = _nearest(plain, wish)
    return Hunch(Bid(prompt.seat, number), number, seems(number))


def _nearest(choices: list[Any], wish: int) -> int:
    """Return the number closest to `wish` that one of these choices allows."""
    numbers: list[int] = [min(max(wish, choice.fields[0][0]), choice.fields[0][-1]) for choice in choices]
    return min(numbers, key=lambda number: abs(number - wish))

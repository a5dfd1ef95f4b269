"""Answers prompts in Coyote for AI players, from their own seat's view alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from bot.ai_players.brains import Thought
from bot.ai_players.characters import BEGINNER, EXPERT, Character
from bot.engine.core import Prompt
from bot.games.coyote.ai import remarks
from bot.games.coyote.ai.beginner import hunch
from bot.games.coyote.ai.bidding import Judgement, judge
from bot.games.coyote.ai.special_actions import ideas
from bot.games.coyote.ai.temper import TEMPERS
from bot.games.coyote.rules.actions import Approve, Bet, Bid, Call
from bot.games.coyote.rules.editions import LOWEST_BID
from bot.games.coyote.rules.view import CoyoteView, Phase

_REGULAR_TRUST: Final = 0.5
"""How much a regular player learns from the others' bids, as a share of what an expert learns."""
_REGULAR_WAVER: Final = 0.05
"""How far a regular player misjudges what a move is worth, as a share of what the round is worth."""
_SPECIAL_ACTION_MARGIN: Final = 0.03
"""How much better than a plain bid or call a special action must be, as a share of what the round is worth."""


def think(view: CoyoteView, prompt: Prompt, ai: Character, seed: int) -> Thought:
    """Answer the viewer's prompt. Pure: the same input gives the same thought."""
    rng = Random(seed)
    if ai.strength == BEGINNER:
        guessed = hunch(view, prompt, rng)
        return Thought(guessed.action, remarks.of_beginner(view, guessed, may_call=_may_call(prompt)))
    spans = _spans(prompt)
    lowest = spans[0][0] if spans else view.bid or LOWEST_BID
    if view.bid is not None and any(choice.verb is Approve for choice in prompt.choices):
        lowest = min(lowest, view.bid)
    judged = judge(view, lowest, 1.0 if ai.strength == EXPERT else _REGULAR_TRUST)
    if view.phase is Phase.BETS:
        holds = judged.holds(view.bid or 0)
        on = view.bidder if holds >= 0.5 else view.caller
        return Thought(Bet(prompt.seat, on), remarks.of_bet(view, holds))
    return _best_move(view, prompt, ai, judged, rng)


def _best_move(view: CoyoteView, prompt: Prompt, ai: Character, judged: Judgement, rng: Random) -> Thought:
    """Choose what seems to be worth most to a player of this temperament and strength."""
    temper = TEMPERS[ai.temperament]
    round_worth = max(0.01, judged.neutral - judged.stakes.mine)
    waver = 0.0 if ai.strength == EXPERT else _REGULAR_WAVER * temper.waver * round_worth
    options: list[tuple[float, Any, str]] = []
    bold = rng.random() < 0.5  # a player who always bluffs is soon found out; caution can be constant
    bid = _best_bid(prompt, judged, temper.bluff * round_worth if bold or temper.bluff < 0 else 0.0)
    if bid is not None:
        options.append((bid[0] + rng.gauss(0, waver), Bid(prompt.seat, bid[1]), "bid"))
    may_call = _may_call(prompt)
    if may_call:
        options.append((judged.call + temper.nerve * round_worth + rng.gauss(0, waver), Call(prompt.seat), "call"))
    bar = max(value for value, *_ in options)
    for idea in ideas(view, prompt, judged):
        value = idea.worth + (temper.tricks - _SPECIAL_ACTION_MARGIN) * round_worth + rng.gauss(0, waver)
        if value > bar and prompt.allows(idea.action):
            options.append((value, idea.action, idea.name))
    _, action, name = max(options, key=lambda option: option[0])
    return Thought(action, remarks.of_move(ai, view, judged, action, name, may_call=may_call))


def _best_bid(prompt: Prompt, judged: Judgement, generous: float) -> tuple[float, int] | None:
    """Return the worth and the number of the best plain bid; None if no plain bid is allowed.

    Among the bids worth at most `generous` less than the very best, this is the highest; if `generous` is negative,
    the lowest of those worth at most `-generous` less.
    """
    allowed = _spans(prompt)
    if not allowed:
        return None
    outlook = judged.outlook
    worths = {
        outlook.first + place: value
        for place, value in enumerate(outlook.bids)
        if any(outlook.first + place in span for span in allowed)
    }
    if not worths:  # every allowed number is beyond the bids that were considered
        return outlook.bids[-1], allowed[-1][0]
    best = max(worths.values())
    if generous > 0:
        number = max(number for number, value in worths.items() if value >= best - generous)
    else:
        number = min(number for number, value in worths.items() if value >= best + generous - 1e-9)
    return worths[number], number


def _may_call(prompt: Prompt) -> bool:
    return any(choice.verb is Call for choice in prompt.choices)


def _spans(prompt: Prompt) -> list[Sequence[int]]:
    """Return the ranges of numbers that a plain bid may name."""
    spans: list[Any] = [
        choice.fields[0] for choice in prompt.choices if choice.verb is Bid and choice.fields[1] == (None,)
    ]
    return spans

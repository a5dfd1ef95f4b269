"""How an AI answers a question: from its own seat's view, the question, its character and a seed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from bot.ai_players.characters import BEGINNER, EXPERT, TEMPERS, Character
from bot.engine.core import Prompt
from bot.games.coyote.ai import remarks as words
from bot.games.coyote.ai.beginner import hunch
from bot.games.coyote.ai.bidding import Judgement, judge
from bot.games.coyote.ai.special_actions import ideas
from bot.games.coyote.rules.actions import Approve, Bet, Bid, Call
from bot.games.coyote.rules.editions import LOWEST_BID
from bot.games.coyote.rules.view import CoyoteView, Phase

__all__ = ["Character", "NotMyGame", "Thought", "pause", "plays", "think"]

GAME: Final = "coyote"
_TRUST: Final = 0.5
"""How much of what bids say a regular player takes in; an expert, all of it."""
_WAVER: Final = 0.05
"""How far a regular player misjudges what things are worth."""
_MARGIN: Final = 0.03
"""So much better than the plain thing to do must a special action be."""


class NotMyGame(Exception):
    """Asked to play a game that no AI has learned."""


class Thought(NamedTuple):
    """A legal answer to the prompt, and why: a text key and its slots (all texts), to be told only after the reveal."""

    action: Any
    words: tuple[str, dict[str, str]]


def plays(game: str) -> bool:
    """Tell whether AIs can take a seat at this game."""
    return game == GAME


def pause(seed: int, ai: Character) -> int:
    """Return how many milliseconds to think in front of the others; no card has a say in it."""
    rng = Random(f"pause {seed}")  # not the chance of the thought itself: how long it takes must not tell its mood
    return int((900 + min(9000.0, rng.lognormvariate(7.3, 0.5))) * TEMPERS[ai.temperament].pace)


def think(view: Any, prompt: Prompt, ai: Character, seed: int) -> Thought:
    """Answer `prompt`, which is a question to the viewer. Pure: the same input gives the same thought."""
    if not isinstance(view, CoyoteView):
        raise NotMyGame(type(view).__name__)
    rng = Random(seed)
    if ai.strength == BEGINNER:
        guessed = hunch(view, prompt, rng)
        return Thought(guessed.action, words.of_beginner(view, guessed, may_call=_may_call(prompt)))
    spans = _spans(prompt)
    lowest = spans[0][0] if spans else view.bid or LOWEST_BID
    if view.bid is not None and any(choice.verb is Approve for choice in prompt.choices):
        lowest = min(lowest, view.bid)
    judged = judge(view, lowest, 1.0 if ai.strength == EXPERT else _TRUST)
    if view.phase is Phase.BETS:
        holds = judged.holds(view.bid or 0)
        on = view.bidder if holds >= 0.5 else view.caller
        return Thought(Bet(prompt.seat, on), words.of_bet(view, holds))
    return _decided(view, prompt, ai, judged, rng)


def _decided(view: CoyoteView, prompt: Prompt, ai: Character, judged: Judgement, rng: Random) -> Thought:
    """Do what seems worth most, to somebody of this temperament and strength."""
    temper = TEMPERS[ai.temperament]
    round_worth = max(0.01, judged.neutral - judged.stakes.mine)
    waver = 0.0 if ai.strength == EXPERT else _WAVER * temper.waver * round_worth
    options: list[tuple[float, Any, str]] = []
    bold = rng.random() < 0.5  # whoever always bluffs is soon found out; caution is for every day
    bid = _bid(prompt, judged, temper.bluff * round_worth if bold or temper.bluff < 0 else 0.0)
    if bid is not None:
        options.append((bid[0] + rng.gauss(0, waver), Bid(prompt.seat, bid[1]), "bid"))
    may_call = _may_call(prompt)
    if may_call:
        options.append((judged.call + temper.nerve * round_worth + rng.gauss(0, waver), Call(prompt.seat), "call"))
    bar = max(value for value, *_ in options)
    for idea in ideas(view, prompt, judged):
        value = idea.worth + (temper.tricks - _MARGIN) * round_worth + rng.gauss(0, waver)
        if value > bar and prompt.allows(idea.action):
            options.append((value, idea.action, idea.name))
    _, action, name = max(options, key=lambda option: option[0])
    return Thought(action, words.of_move(ai, view, judged, action, name, may_call=may_call))


def _bid(prompt: Prompt, judged: Judgement, generous: float) -> tuple[float, int] | None:
    """Return the best plain bid and its worth.

    Of those that give away no more than `generous`, it is the highest, or the lowest if that is negative.
    """
    open_to_me = _spans(prompt)
    if not open_to_me:
        return None
    outlook = judged.outlook
    worths = {
        outlook.first + place: value
        for place, value in enumerate(outlook.bids)
        if any(outlook.first + place in span for span in open_to_me)
    }
    if not worths:  # only numbers that are far from anything sensible
        return outlook.bids[-1], open_to_me[-1][0]
    best = max(worths.values())
    if generous > 0:
        number = max(number for number, value in worths.items() if value >= best - generous)
    else:
        number = min(number for number, value in worths.items() if value >= best + generous - 1e-9)
    return worths[number], number


def _may_call(prompt: Prompt) -> bool:
    return any(choice.verb is Call for choice in prompt.choices)


def _spans(prompt: Prompt) -> list[Sequence[int]]:
    """Return the numbers that a plain bid may name, as spans."""
    spans: list[Any] = [
        choice.fields[0] for choice in prompt.choices if choice.verb is Bid and choice.fields[1] == (None,)
    ]
    return spans

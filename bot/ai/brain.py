"""How an AI answers a question: from its own seat's view, the question, its character and a seed, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from bot.ai.bidding import judge
from bot.ai.characters import TEMPERS, Character
from bot.ai.odds import odds
from bot.games.core import Prompt
from bot.games.coyote.actions import Bet, Bid, Call
from bot.games.coyote.view import CoyoteView, Phase

__all__ = ["Character", "NotMyGame", "Thought", "pause", "plays", "think"]

GAME: Final = "coyote"


class NotMyGame(Exception):
    """Asked to play a game that no AI has learned."""


class Thought(NamedTuple):
    """A legal answer to the prompt, and why: a text key and its slots (all texts), to be told only after the reveal."""

    action: Any
    words: tuple[str, dict[str, str]]


def plays(game: str) -> bool:
    """Tell whether AIs can take a seat at this game."""
    return game == GAME


def think(view: Any, prompt: Prompt, ai: Character, seed: int) -> Thought:
    """Answer `prompt`, which is a question to the viewer. Pure: the same input gives the same thought."""
    if not isinstance(view, CoyoteView):
        raise NotMyGame(type(view).__name__)
    seat = prompt.seat
    chances = odds(view)
    verbs = {choice.verb: choice for choice in prompt.choices}
    if view.phase is Phase.BETS:
        holds = chances.at_least(view.bid or 0)
        on = view.bidder if holds >= 0.5 else view.caller
        return Thought(Bet(seat, on), ("ai.bet.odds", {"bid": _number(view.bid or 0), "chance": _percent(holds)}))
    plain = [choice for choice in prompt.choices if choice.verb is Bid and choice.fields[1] == (None,)]
    if not plain:
        return Thought(Call(seat), ("ai.call.end", {"bid": _number(view.bid or 0)}))
    spans: list[Any] = [choice.fields[0] for choice in plain]
    lowest = spans[0][0]
    judged = judge(view, lowest)
    outlook = judged.outlook
    best = max(range(len(outlook.bids)), key=outlook.bids.__getitem__)
    if Call in verbs and judged.call >= outlook.bids[best]:
        return Thought(
            Call(seat),
            ("ai.call.odds", {"bid": _number(view.bid or 0), "chance": _percent(judged.holds(view.bid or 0))}),
        )
    bid = outlook.first + best
    return Thought(Bid(seat, bid), ("ai.bid.odds", {"bid": _number(bid), "chance": _percent(judged.holds(bid))}))


def pause(seed: int, ai: Character) -> int:
    """Return how many milliseconds to think in front of the others; no card has a say in it."""
    rng = Random(seed)
    return int((900 + rng.lognormvariate(7.3, 0.45)) * TEMPERS[ai.temperament].pace)


def _percent(share: float) -> str:
    return str(round(100 * share))


def _number(value: int) -> str:
    """Write a number with a true minus, as the screens do."""
    return str(value).replace("-", "−")


def _within(span: Any, number: int) -> int:
    return int(min(max(number, span[0]), span[-1]))

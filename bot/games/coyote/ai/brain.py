"""Answers prompts in Coyote for AI players, from their own seat's view alone."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from random import Random
from typing import Any, Final, NamedTuple

from bot.ai_players.brains import Thought
from bot.ai_players.characters import BEGINNER, EXPERT, Character
from bot.engine.core import Choice, Prompt
from bot.games.coyote.ai import remarks
from bot.games.coyote.ai.beginner import hunch
from bot.games.coyote.ai.bidding import Judgement, judge
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.ai.opponents import ANYONE_BUT_PEERS, SAFE
from bot.games.coyote.ai.special_actions import ideas
from bot.games.coyote.ai.temperaments import TEMPERAMENT_SETTINGS
from bot.games.coyote.rules.actions import Approve, Bet, Bid, Call, Flip
from bot.games.coyote.rules.editions import LOWEST_BID
from bot.games.coyote.rules.view import CoyoteView, Phase

_EXPERT_TRUST: Final = 1.0
"""How much an expert learns from the others' bids; 1 is Bayes' rule."""
_REGULAR_TRUST: Final = 0.5
"""The same for a regular player."""
_REGULAR_NOISE: Final = 0.2
"""How far a regular player misjudges what a move is worth, as a share of what the round is worth."""
_MIXING: Final = 0.015
"""How much less than the best a move may be worth for an expert to make it a third as often, as a share of what the
round is worth."""
_LEAST_MIXING: Final = 0.002
"""The same where nobody seems to read bids."""
_UNWATCHED: Final = 0.35
"""Where opponents read bids with at most this probability, an expert hides nothing."""
_WATCHED: Final = 0.55
"""Where they do so with at least this probability, it hides as much as it can."""
_GENTLE_OPENING: Final = 0.9
"""At a newcomer's table, opening bids hold with at least this probability, as far as the AI player can see."""
_GENTLE_RAISE: Final = 3
"""The highest raise at a newcomer's table."""
_SPECIAL_ACTION_MARGIN: Final = 0.03
"""How much better than a plain bid or call a special action must be, as a share of what the round is worth."""


def think(view: CoyoteView, prompt: Prompt, ai: Character, seed: int) -> Thought:
    """Answer the viewer's prompt. Pure: the same input gives the same thought."""
    rng = Random(seed)
    may_call = _may_call(prompt)
    prompt = with_manners(view, prompt, ai)
    if ai.strength == BEGINNER:
        guessed = hunch(view, prompt, rng)
        return Thought(guessed.action, remarks.of_beginner(view, guessed, may_call=may_call))
    judged = _judge(view, prompt, ai)
    if view.phase is Phase.BETS:
        holds = judged.holds(view.bid or 0)
        on = view.bidder if holds >= 0.5 else view.caller
        return Thought(Bet(prompt.seat, on), remarks.of_bet(view, holds))
    bold = rng.random() < 0.5  # a player who always bluffs is soon found out; caution can be constant
    options = _options(view, prompt, ai, judged, bold=bold)
    chosen = _mixed(options, judged, rng) if ai.strength == EXPERT else _misjudged(options, view, ai, judged, rng)
    held_back = ai.is_patient and may_call
    reason = remarks.of_move(ai, view, judged, chosen.action, chosen.name, may_call=may_call, held_back=held_back)
    return Thought(chosen.action, reason)


def policy(view: CoyoteView, prompt: Prompt, ai: Character) -> dict[Any, float]:
    """Return how likely an expert is to make each move, whatever the seed; bets are certain."""
    prompt = with_manners(view, prompt, ai)
    judged = _judge(view, prompt, ai)
    likely: dict[Any, float] = {}
    for bold in (True, False):
        options = _options(view, prompt, ai, judged, bold=bold)
        for option, weight in zip(options, _mixture(options, judged), strict=True):
            likely[option.action] = likely.get(option.action, 0.0) + weight / 2
    return likely


def with_manners(view: CoyoteView, prompt: Prompt, ai: Character) -> Prompt:
    """Return the prompt with only those choices that an AI player allows itself for the sake of newcomers."""
    spans = _spans(prompt)
    if not spans:
        return prompt
    choices = prompt.choices
    if ai.is_patient:
        choices = tuple(
            [
                each
                for each in choices
                if each.verb is not Call and (each.verb is not Flip or "guess" not in each.fields[0])
            ]
        )
    if ai.is_gentle:
        most = max(spans[0][0], odds(view).highest(_GENTLE_OPENING) if view.bid is None else view.bid + _GENTLE_RAISE)
        choices = tuple([_capped(each, most) for each in choices])
    return prompt._replace(choices=choices)


def _capped(choice: Choice, most: int) -> Choice:
    """Return a choice without bids above `most`, unless all are."""
    if choice.verb is not Bid:
        return choice
    numbers: Any = choice.fields[0]
    fit = range(numbers[0], min(numbers[-1], most) + 1)
    return choice._replace(fields=(fit or numbers[:1], *choice.fields[1:]))


def _judge(view: CoyoteView, prompt: Prompt, ai: Character) -> Judgement:
    spans = _spans(prompt)
    lowest = spans[0][0] if spans else view.bid or LOWEST_BID
    if view.bid is not None and any(choice.verb is Approve for choice in prompt.choices):
        lowest = min(lowest, view.bid)
    if ai.strength == EXPERT:
        return judge(view, lowest, _EXPERT_TRUST)
    return judge(view, lowest, _REGULAR_TRUST, ANYONE_BUT_PEERS)


class Option(NamedTuple):
    """A move that an AI player considers, and what it seems to be worth to it."""

    worth: float
    action: Any
    name: str


def _options(view: CoyoteView, prompt: Prompt, ai: Character, judged: Judgement, *, bold: bool) -> list[Option]:
    """Return the moves that a player of this temperament considers: bids, the call, and special actions."""
    temperament = TEMPERAMENT_SETTINGS[ai.temperament]
    worth = _round_worth(judged)
    generous = temperament.bluff * worth if bold or temperament.bluff < 0 else 0.0
    options = [Option(value, Bid(prompt.seat, number), "bid") for value, number in _bids(prompt, judged, generous)]
    if ai.strength != EXPERT:
        options = options[:1]
    elif options:  # the preferred bid is not made less often than the very best one
        options[0] = options[0]._replace(worth=max(option.worth for option in options))
    if _may_call(prompt):
        options.append(Option(judged.call + temperament.nerve * worth, Call(prompt.seat), "call"))
    bar = max((option.worth for option in options), default=-inf)
    for idea in ideas(view, prompt, judged):
        value = idea.worth + (temperament.tricks - _SPECIAL_ACTION_MARGIN) * worth
        if value > bar and prompt.allows(idea.action):
            options.append(Option(value, idea.action, idea.name))
    return options


def _misjudged(options: list[Option], view: CoyoteView, ai: Character, judged: Judgement, rng: Random) -> Option:
    """Return the move that seems best to a regular player, who misjudges each of them a little.

    Nobody errs so far as to call a bid that is nearly certain to hold.
    """
    if view.bid is not None and judged.holds(view.bid) >= SAFE:
        options = [option for option in options if not isinstance(option.action, Call)] or options
    noise = _REGULAR_NOISE * TEMPERAMENT_SETTINGS[ai.temperament].noise * _round_worth(judged)
    return max(options, key=lambda option: option.worth + rng.gauss(0, noise))


def _mixed(options: list[Option], judged: Judgement, rng: Random) -> Option:
    """Return one of the best moves by chance, so that nobody can tell from it what an expert sees."""
    return rng.choices(options, _mixture(options, judged))[0]


def _mixture(options: list[Option], judged: Judgement) -> list[float]:
    """Return how likely each move is: the less it is worth compared with the best, the less likely.

    Against opponents who cannot read bids, such as those who always raise by one, there is nothing to hide.
    """
    best = max(option.worth for option in options)
    hides = min(1.0, max(0.0, (judged.watched - _UNWATCHED) / (_WATCHED - _UNWATCHED)))
    scale = max(_LEAST_MIXING, _MIXING * hides) * _round_worth(judged)
    weights = [exp((option.worth - best) / scale) if option.worth > best - 4 * scale else 0.0 for option in options]
    everything = sum(weights)
    return [weight / everything for weight in weights]


def _round_worth(judged: Judgement) -> float:
    """Return what it is worth not to lose this round."""
    return max(0.01, judged.neutral - judged.stakes.mine)


def _bids(prompt: Prompt, judged: Judgement, generous: float) -> list[tuple[float, int]]:
    """Return the worths and numbers of all plain bids that were considered, the preferred one first.

    It is the highest of those worth at most `generous` less than the very best; if `generous` is negative, the lowest
    of those worth at most `-generous` less.
    """
    allowed = _spans(prompt)
    if not allowed:
        return []
    outlook = judged.outlook
    worths = {
        outlook.first + place: value
        for place, value in enumerate(outlook.bids)
        if any(outlook.first + place in span for span in allowed)
    }
    if not worths:  # every allowed number is beyond the bids that were considered, or so low that it surely holds
        highest = max(span[-1] for span in allowed)
        return [(outlook.bids[0], highest) if highest < outlook.first else (outlook.bids[-1], allowed[-1][0])]
    best = max(worths.values())
    if generous > 0:
        number = max(number for number, value in worths.items() if value >= best - generous)
    else:
        number = min(number for number, value in worths.items() if value >= best + generous - 1e-9)
    others = [(value, each) for each, value in worths.items() if each != number]
    return [(worths[number], number), *others]


def _may_call(prompt: Prompt) -> bool:
    return any(choice.verb is Call for choice in prompt.choices)


def _spans(prompt: Prompt) -> list[Sequence[int]]:
    """Return the ranges of numbers that a plain bid may name."""
    spans: list[Any] = [
        choice.fields[0] for choice in prompt.choices if choice.verb is Bid and choice.fields[1] == (None,)
    ]
    return spans

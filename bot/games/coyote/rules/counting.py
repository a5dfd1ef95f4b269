"""Counts what the feathers on the table are worth, and keeps every step of the arithmetic for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple

from bot.engine.frozen import Frozen
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card, Special
from bot.games.coyote.rules.editions import Rules


class StepKind(StrEnum):
    """The steps of a count, in the order in which every edition takes them."""

    TURN = "turn"
    """One "?" turned up `cards`, the last of which counts; no cards if none were left, and then it counts 0."""
    STRIKE = "strike"
    """One Max→0 struck out `cards`; none if it found nothing to hit."""
    FLIP = "flip"
    """One Max→− turned `cards` from green to red; none if no green card was left."""
    ADD = "add"
    """The positive `cards` add up to `value`."""
    DOUBLE_POSITIVES = "double positives"
    """One ×2 made the positive cards worth `value`."""
    SUBTRACT = "subtract"
    """With the negative `cards`, including flipped ones, the sum is `value`."""
    DOUBLE_ALL = "double all"
    """One ×2 made the whole sum `value`."""
    NIGHT = "night"
    """The night feather counts nothing and asks for a reshuffle."""


class CountStep(Frozen, frozen=True):
    """One step of the arithmetic: what happened, to which cards, and the resulting number."""

    kind: StepKind
    cards: tuple[Card, ...]
    value: int


class Count(Frozen, frozen=True):
    """A total with its explanation. `cards` are all cards that counted, including those turned up by "?"."""

    total: int
    cards: tuple[Card, ...]
    steps: tuple[CountStep, ...]


class Turned(NamedTuple):
    """What the "?" feathers turned up: one group of cards each, and whether the pile had enough."""

    groups: tuple[tuple[Card, ...], ...]
    enough: bool

    @property
    def cards(self) -> tuple[Card, ...]:
        """All turned cards, in the order in which they left the pile."""
        return tuple(chain.from_iterable(self.groups))


_STRIKE: Final = StepKind.STRIKE
_ADD: Final = StepKind.ADD
_DOUBLE_POSITIVES: Final = StepKind.DOUBLE_POSITIVES
_SUBTRACT: Final = StepKind.SUBTRACT
_NIGHT: Final = StepKind.NIGHT
_NOTHING: Final = Turned((), enough=True)


def turn_questions(cards: Sequence[Card], pile: Sequence[Card]) -> Turned:
    """Let every "?" turn up the top card of the pile, and another if that is a "?" as well (R11)."""
    if QUESTION not in cards:
        return _NOTHING
    groups = []
    taken = 0
    enough = True
    for _ in range(cards.count(QUESTION)):
        begin = taken
        while taken < len(pile) and pile[taken] == QUESTION:
            taken += 1
        if taken < len(pile):
            taken += 1
        else:
            enough = False
        groups.append(tuple(pile[begin:taken]))
    return Turned(tuple(groups), enough)


def count(cards: Sequence[Card], turned: Turned, rules: Rules) -> Count:
    """Count `cards` and what their "?" turned up, in the edition's order (sections 2 to 5; R14 to R17)."""
    everything = (*cards, *turned.cards) if turned.groups else tuple(cards)
    values = [card for card in everything if isinstance(card, int)]
    steps: list[CountStep] = []
    flipped: list[int] = []
    specials: list[Special] = []
    if len(values) < len(everything):
        specials = [card for card in everything if not isinstance(card, int)]
        for group in turned.groups:
            steps.append(CountStep(StepKind.TURN, group, 0))
        for _ in range(specials.count(MAX_ZERO)):
            steps.append(CountStep(_STRIKE, _take_highest(values, any_sign=rules.max_zero_hits == "any"), 0))
        for _ in range(specials.count(MAX_MINUS)):
            hit = _take_highest(values)
            steps.append(CountStep(StepKind.FLIP, hit, 0))
            flipped.extend([-value for value in hit])

    positives = tuple([value for value in values if value > 0])
    negatives = (*[value for value in values if value < 0], *flipped)
    doublings = specials.count(TIMES_TWO)
    total = sum(positives)
    steps.append(CountStep(_ADD, positives, total))
    if rules.x2_doubles == "positives":
        for _ in range(doublings):
            total *= 2
            steps.append(CountStep(_DOUBLE_POSITIVES, (), total))
    if negatives:
        total += sum(negatives)
        steps.append(CountStep(_SUBTRACT, negatives, total))
    if rules.x2_doubles == "all":
        for _ in range(doublings):
            total *= 2
            steps.append(CountStep(StepKind.DOUBLE_ALL, (), total))
    if NIGHT in specials:
        steps.append(CountStep(_NIGHT, (), total))
    return Count(total, everything, tuple(steps))


def _take_highest(values: list[int], *, any_sign: bool = False) -> tuple[int, ...]:
    """Remove and return the card that Max hits (R16), if any (R14); in `peek` it may have any sign (R15)."""
    candidates = values if any_sign else [value for value in values if value > 0]
    if not candidates:
        return ()
    hit = max(candidates)
    values.remove(hit)
    return (hit,)

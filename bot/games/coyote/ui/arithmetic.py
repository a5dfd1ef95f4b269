"""Explains a count in words, step by step: "7 + 3 + 10 = 20 · doubled: 40 · minus 5: **35**"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import Count, CountStep, StepKind
from bot.games.coyote.ui.words import face
from bot.screens.words import ARROW, DOT, number
from bot.text.catalogue import Catalogue

_STEPS_AFTER_SUM: Final = (StepKind.DOUBLE_POSITIVES, StepKind.SUBTRACT, StepKind.DOUBLE_ALL)


def explain_count(say: Catalogue, counted: Count) -> str:
    """Explain a total; the night feather has a sentence of its own elsewhere."""
    steps = [step for step in counted.steps if step.kind is not StepKind.NIGHT]
    parts = list(_steps(say, steps))
    # Only a sum that is told last has its total behind "=".
    told = [step for place, step in enumerate(steps) if not _is_left_out(steps, place)]
    key = "count.total_sum" if told and told[-1].kind is StepKind.ADD and told[-1].cards else "count.total"
    return say(key, steps=_capitalised(DOT.join(parts)), total=number(counted.total))


def _is_left_out(steps: list[CountStep], place: int) -> bool:
    """Return whether a step is not told, as its neighbours say it already."""
    return steps[place].kind is StepKind.ADD and _is_redundant(steps, place, has_more=_has_more(steps))


def _has_more(steps: list[CountStep]) -> bool:
    """Return whether something follows the sum of the positive feathers."""
    return any(step.kind in _STEPS_AFTER_SUM for step in steps)


def _steps(say: Catalogue, steps: list[CountStep]) -> Iterator[str]:
    has_more = _has_more(steps)
    for place, step in enumerate(steps):
        match step.kind:
            case StepKind.TURN:
                turned = ARROW.join(map(face, step.cards))
                yield say("count.turn", cards=turned) if turned else say("count.turn_none")
            case StepKind.STRIKE:
                yield say("count.strike", card=face(step.cards[0])) if step.cards else say("count.strike_none")
            case StepKind.FLIP:
                yield say("count.flip", card=face(step.cards[0])) if step.cards else say("count.flip_none")
            case StepKind.ADD if _is_left_out(steps, place):
                pass
            case StepKind.ADD:
                yield _added(say, step, has_more=has_more, first=place == 0)
            case StepKind.DOUBLE_POSITIVES if place == len(steps) - 1:
                yield say("count.doubled_last")
            case StepKind.DOUBLE_POSITIVES:
                yield say("count.doubled", value=number(step.value))
            case StepKind.SUBTRACT:
                yield say("count.minus", cards=say.listing([_without_sign(card) for card in step.cards]))
            case StepKind.DOUBLE_ALL:
                yield say("count.all_doubled")
            case StepKind.NIGHT:
                pass


def _is_redundant(steps: list[CountStep], place: int, *, has_more: bool) -> bool:
    """Return whether the neighbouring steps already imply a sum: a single number is left, or none."""
    before, cards = steps[place - 1] if place else None, steps[place].cards
    if before is None or before.kind not in (StepKind.STRIKE, StepKind.FLIP):
        return False
    if cards:
        return len(cards) == 1 and not has_more and before.kind is StepKind.STRIKE and bool(before.cards)
    doubled = any(step.kind in (StepKind.DOUBLE_POSITIVES, StepKind.DOUBLE_ALL) for step in steps)
    return not doubled and (has_more or before.kind is StepKind.FLIP)


def _added(say: Catalogue, step: CountStep, *, has_more: bool, first: bool) -> str:
    if not step.cards:
        return say("count.no_plus")
    total = " + ".join(map(face, step.cards))
    kind = "plus" if first else "plus_then"
    if has_more and len(step.cards) > 1:
        return say(f"count.{kind}", sum=total, value=number(step.value))
    return say(f"count.{kind}_last", sum=total)


def _without_sign(card: Card) -> str:
    return number(-card) if isinstance(card, int) else face(card)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]

"""How a round may go on: for every bid, what it is worth to have named it.

Backwards from the bids that nobody believes, the expectation of every answer is worked out for every feather that I may
wear. Others answer by what they would see then; I, when the turn comes back to me, must answer without knowing my
feather, by what the bid itself tells me.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.coyote.ai.hypotheses import Guess
from bot.games.coyote.ai.opponents import Kinds, middle

_REACH: Final = 5
_STEPS: Final = (1, 2, 3, 5)
"""By how much I think of raising when the turn comes back."""

Row: TypeAlias = list[float]


class Mind(NamedTuple):
    """One supposition, how much I believe in it, and what everybody is like if it is true."""

    guess: Guess
    belief: float
    kinds: dict[Seat, Kinds]


class Leaning(NamedTuple):
    """How one other answers each bid under one supposition."""

    kinds: Kinds
    most: int
    """The place of the last bid that is believed."""
    called: Row
    human: Row
    halfway: list[int]
    """The place of the bid in the middle, for each that is believed."""


class Course(NamedTuple):
    """One supposition, thought through."""

    belief: float
    holds: Row
    leanings: list[Leaning]
    table: list[Row]
    """For each seat that may be asked, me last: the worth of every bid that it is asked about."""


class Stakes(NamedTuple):
    """What it is worth to me when each of those who answer me loses the round, and when I do."""

    others: tuple[float, ...]
    mine: float


class Outlook(NamedTuple):
    """What every bid from `first` on is worth to me once I have named it."""

    first: int
    bids: tuple[float, ...]
    courses: list[Course]

    def best(self) -> int:
        """Return the place of the best bid."""
        return max(range(len(self.bids)), key=self.bids.__getitem__)


def look_ahead(minds: list[Mind], order: tuple[Seat, ...], stakes: Stakes, first: int, last: int) -> Outlook:
    """Work backwards from `last`. `order` is who answers me, one after the other; I come after the last of them."""
    size = last - first + 1
    room = size + _REACH
    courses = [
        Course(
            mind.belief,
            dense(mind.guess.total.holds, first - mind.guess.total.low, room, 1.0),
            [_leaning(mind, seat, first, room) for seat in order],
            [[0.0] * room for _ in range(len(order) + 1)],
        )
        for mind in minds
    ]
    before = (stakes.mine, *stakes.others)
    for place in range(room - 1, size - 1, -1):
        for course in courses:
            _hopeless(course, place, stakes, before)
    for place in range(size - 1, -1, -1):
        for course in courses:
            _answer(course, place, stakes.others, before)
        _answer_myself(courses, place, stakes)
    bids = [0.0] * size
    for course in courses:
        belief = course.belief
        for place, value in enumerate(course.table[0][:size]):
            bids[place] += belief * value
    return Outlook(first, tuple(bids), courses)


def _hopeless(course: Course, place: int, stakes: Stakes, before: tuple[float, ...]) -> None:
    """So high that it no longer matters how high: I would call, and so does everybody but the wild."""
    hold = course.holds[place]
    value = course.table[-1][place] = hold * stakes.mine + (1.0 - hold) * before[-1]
    for seat in range(len(course.leanings) - 1, -1, -1):
        chance = course.leanings[seat].called[place]
        value = chance * (hold * stakes.others[seat] + (1.0 - hold) * before[seat]) + (1.0 - chance) * value
        course.table[seat][place] = value


def dense(values: tuple[float, ...], skip: int, room: int, below: float) -> Row:
    """Return `room` values from place `skip` on; `below` stands before the first, its opposite after the last."""
    found = [below] * min(max(-skip, 0), room)
    found += values[max(skip, 0) : max(skip + room, 0)]
    return found + [1.0 - below] * (room - len(found))


def _leaning(mind: Mind, seat: Seat, first: int, room: int) -> Leaning:
    sees, kinds = mind.guess.sights[seat], mind.kinds[seat]
    doubts = dense(sees.doubts, first - sees.low, room, 0.0)
    most = sees.most - first
    believed = kinds.wild * 0.25
    doubted = believed + kinds.plain + kinds.middle
    called = [(believed if place <= most else doubted) + kinds.human * doubts[place] for place in range(room)]
    halfway = [min(middle(place, most), room - 1) for place in range(min(most + 1, room))]
    return Leaning(kinds, most, called, [kinds.human * (1.0 - doubt) for doubt in doubts], halfway)


def _answer(course: Course, place: int, lost: tuple[float, ...], before: tuple[float, ...]) -> None:
    """Work out what this bid is worth if each of the others is asked about it."""
    hold = course.holds[place]
    table = course.table
    for seat, (kinds, most, called, human, halfway) in enumerate(course.leanings):
        chance = called[place]
        value = chance * (hold * lost[seat] + (1.0 - hold) * before[seat])
        if chance < 0.999:
            after = table[seat + 1]
            one, two, three, four, five = after[place + 1 : place + 6]
            value += kinds.wild * 0.15 * (one + two + three + four + five)
            value += human[place] * (0.5 * one + 0.22 * two + 0.13 * three + 0.15 * five)
            if place <= most:
                value += kinds.plain * one + kinds.middle * after[halfway[place]]
        table[seat][place] = value


def _answer_myself(courses: list[Course], place: int, stakes: Stakes) -> None:
    """Decide what I would do if this bid came back to me, believing what it says about my feather."""
    mine, last = stakes.mine, stakes.others[-1]
    calling = one = two = three = five = 0.0
    for belief, holds, leanings, table in courses:
        weight = belief
        back = place
        for leaning in reversed(leanings):
            back -= 1
            weight *= 1.000001 - leaning.called[back if back > 0 else 0]
        hold = holds[place]
        calling += weight * (hold * mine + (1.0 - hold) * last)
        answered = table[0]
        one += weight * answered[place + 1]
        two += weight * answered[place + 2]
        three += weight * answered[place + 3]
        five += weight * answered[place + 5]
    best = max(one, two, three, five)
    step = _STEPS[(one, two, three, five).index(best)] if best > calling else 0
    for course in courses:
        hold = course.holds[place]
        course.table[-1][place] = course.table[0][place + step] if step else hold * mine + (1.0 - hold) * last

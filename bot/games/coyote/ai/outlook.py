"""Looks ahead: what every bid is worth to me once I have made it.

For each guess about my own feather, the worth of every answer is worked out backwards, from bids that nobody believes.
The others answer by what they would see if the guess were true. When the turn comes back to me, I must give the same
answer for all guesses, since I do not know my feather.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.coyote.ai.hypotheses import Guess
from bot.games.coyote.ai.opponents import Kinds, middle

_MAX_RAISE: Final = 5
"""The highest raise that is considered."""
_STEPS: Final = (1, 2, 3, 5)
"""The raises that I consider when the turn comes back to me."""

Row: TypeAlias = list[float]
"""A number for every bid from the first one considered."""


class Belief(NamedTuple):
    """A guess, its probability given all bids, and what kind of player everybody is if it is true."""

    guess: Guess
    probability: float
    kinds: dict[Seat, Kinds]


class Leaning(NamedTuple):
    """How one opponent answers each bid, if one guess is true."""

    kinds: Kinds
    most: int
    """The index of the highest bid that the opponent believes."""
    called: Row
    human: Row
    """For each bid, the probability that the opponent is a `human` one and raises it."""
    peer: Row
    """The same for a `peer`."""
    halfway: list[int]
    """For each believed bid, the index of the bid to which a `middle` opponent raises."""


class Course(NamedTuple):
    """How the round may continue if one guess is true."""

    probability: float
    holds: Row
    leanings: list[Leaning]
    table: list[Row]
    """For each seat that answers, me last: what each bid is worth to me when that seat has to answer it."""


class Stakes(NamedTuple):
    """What the round is worth to me if another player loses it, for each in the order of play, and if I lose it."""

    others: tuple[float, ...]
    mine: float


class Outlook(NamedTuple):
    """What every bid from `first` on is worth to me once I have made it."""

    first: int
    bids: tuple[float, ...]
    courses: list[Course]

    def best(self) -> int:
        """Return the index of the best bid."""
        return max(range(len(self.bids)), key=self.bids.__getitem__)


def look_ahead(beliefs: list[Belief], order: tuple[Seat, ...], stakes: Stakes, first: int, last: int) -> Outlook:
    """Return the outlook on the bids `first` to `last`. `order` has the seats that answer before my next turn."""
    size = last - first + 1
    room = size + _MAX_RAISE
    courses = [
        Course(
            belief.probability,
            dense(belief.guess.total.holds, first - belief.guess.total.low, room, 1.0),
            [_leaning(belief, seat, first, room) for seat in order],
            [[0.0] * room for _ in range(len(order) + 1)],
        )
        for belief in beliefs
    ]
    before = (stakes.mine, *stakes.others)
    for place in range(room - 1, size - 1, -1):
        for course in courses:
            _value_hopeless_bid(course, place, stakes, before)
    for place in range(size - 1, -1, -1):
        for course in courses:
            _value_answers(course, place, stakes.others, before)
        _value_my_answer(courses, place, stakes)
    bids = [0.0] * size
    for course in courses:
        probability = course.probability
        for place, value in enumerate(course.table[0][:size]):
            bids[place] += probability * value
    return Outlook(first, tuple(bids), courses)


def _value_hopeless_bid(course: Course, place: int, stakes: Stakes, before: tuple[float, ...]) -> None:
    """Value a bid beyond all reason: everybody calls it, me included; a `wild` opponent only sometimes."""
    hold = course.holds[place]
    value = course.table[-1][place] = hold * stakes.mine + (1.0 - hold) * before[-1]
    for seat in range(len(course.leanings) - 1, -1, -1):
        chance = course.leanings[seat].called[place]
        value = chance * (hold * stakes.others[seat] + (1.0 - hold) * before[seat]) + (1.0 - chance) * value
        course.table[seat][place] = value


def dense(values: tuple[float, ...], skip: int, room: int, below: float) -> Row:
    """Return `room` values from index `skip` on, padded with `below` at the start and 1 - `below` at the end."""
    found = [below] * min(max(-skip, 0), room)
    found += values[max(skip, 0) : max(skip + room, 0)]
    return found + [1.0 - below] * (room - len(found))


def _leaning(belief: Belief, seat: Seat, first: int, room: int) -> Leaning:
    sees, kinds = belief.guess.sights[seat], belief.kinds[seat]
    doubts = dense(sees.doubts, first - sees.low, room, 0.0)
    peer_doubts = dense(sees.peer_doubts, first - sees.low, room, 0.0)
    most = sees.most - first
    believed = kinds.wild * 0.25
    doubted = believed + kinds.plain + kinds.middle
    called = [
        (believed if place <= most else doubted) + kinds.human * doubts[place] + kinds.peer * peer_doubts[place]
        for place in range(room)
    ]
    halfway = [min(middle(place, most), room - 1) for place in range(min(most + 1, room))]
    human = [kinds.human * (1.0 - doubt) for doubt in doubts]
    peer = [kinds.peer * (1.0 - doubt) for doubt in peer_doubts]
    return Leaning(kinds, most, called, human, peer, halfway)


def _value_answers(course: Course, place: int, lost: tuple[float, ...], before: tuple[float, ...]) -> None:
    """Work out what this bid is worth when each of the others has to answer it."""
    hold = course.holds[place]
    table = course.table
    for seat, (kinds, most, called, human, peer, halfway) in enumerate(course.leanings):
        chance = called[place]
        value = chance * (hold * lost[seat] + (1.0 - hold) * before[seat])
        if chance < 0.999:
            after = table[seat + 1]
            one, two, three, four, five = after[place + 1 : place + 6]
            value += kinds.wild * 0.15 * (one + two + three + four + five)
            value += human[place] * (0.5 * one + 0.22 * two + 0.13 * three + 0.15 * five)
            value += peer[place] * (0.63 * one + 0.13 * two + 0.09 * three + 0.07 * four + 0.08 * five)
            if place <= most:
                value += kinds.plain * one + kinds.middle * after[halfway[place]]
        table[seat][place] = value


def _value_my_answer(courses: list[Course], place: int, stakes: Stakes) -> None:
    """Decide what I would do if this bid came back to me, given what it reveals about my feather."""
    mine, last = stakes.mine, stakes.others[-1]
    calling = one = two = three = five = 0.0
    for probability, holds, leanings, table in courses:
        weight = probability
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

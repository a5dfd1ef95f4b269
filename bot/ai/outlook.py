"""How a round may go on: for every bid, what it is worth to have named it.

Backwards from the bids that nobody believes, the expectation of every answer is worked out for every feather that I may
wear. Others answer by what they would see then; I, when the turn comes back to me, must answer without knowing my
feather, by what the bid itself tells me.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.ai.people import BELIEVED, HUMAN_STEPS, Kinds, doubt, middle
from bot.ai.reading import Guess
from bot.games.core import Seat

_REACH: Final = 5


class Mind(NamedTuple):
    """One supposition, how much I believe in it, and what everybody is like if it is true."""

    guess: Guess
    belief: float
    kinds: dict[Seat, Kinds]


class Outlook(NamedTuple):
    """What every bid from `first` on is worth to me."""

    first: int
    bids: tuple[float, ...]
    """The worth of having named the bid."""
    calls: tuple[float, ...]
    """The worth of calling it, if the next in front of me had named it."""


def look_ahead(minds: list[Mind], order: tuple[Seat, ...], worth: dict[Seat, float], first: int, last: int) -> Outlook:
    """Work backwards from `last`. `order` is who answers me, one after the other; I come after the last of them."""
    me = len(order)
    size = last - first + 1
    room = size + _REACH
    paid = [worth[seat] for seat in order]
    mine = worth[Seat(-1)]
    tables: list[list[list[float]]] = []
    people = []
    for mind in minds:
        holds = [mind.guess.total.at_least(bid) for bid in range(first, first + room)]
        tables.append([[0.0] * room for _ in range(me + 1)])
        people.append((holds, [_answers(mind, seat, first, room) for seat in order]))
    bids = [0.0] * size
    calls = [0.0] * size
    for place in range(room - 1, -1, -1):
        over = place >= size
        for (holds, leanings), table in zip(people, tables, strict=True):
            hold = holds[place]
            for seat, (called, plain, halfway, wild, human) in enumerate(leanings):
                behind = paid[seat - 1] if seat else mine
                showdown = hold * paid[seat] + (1.0 - hold) * behind
                if over:
                    table[seat][place] = showdown
                    continue
                after = table[seat + 1]
                chance = called[place]
                value = chance * showdown
                if chance < 1.0:
                    value += plain[place] * after[place + 1]
                    if halfway[place]:
                        share, goal = halfway[place]
                        value += share * after[goal if goal < room else room - 1]
                    if wild:
                        value += wild * sum(after[place + 1 : place + 6]) / 5.0
                    if human[place]:
                        value += human[place] * sum([share * after[min(place + step, room - 1)] for step, share in HUMAN_STEPS])
                table[seat][place] = value
        _answer_myself(minds, people, tables, (place, size, me), (paid[-1], mine), bids, calls)
    return Outlook(first, tuple(bids), tuple(calls))


def _answers(mind: Mind, seat: Seat, first: int, room: int):
    """Return how one other would answer every bid: calls, and raises of each kind."""
    sees, kinds = mind.guess.sights[seat], mind.kinds[seat]
    most = sees.highest(BELIEVED)
    called, plain, halfway, human = [], [], [], []
    wild = kinds.wild * 0.75
    cold = kinds.plain + kinds.middle
    for bid in range(first, first + room):
        doubts = doubt(sees.at_least(bid)) if kinds.human > 0.01 else 1.0
        chance = kinds.wild * 0.25 + kinds.human * doubts
        if bid > most:
            chance += cold
            plain.append(0.0)
            halfway.append(None)
        else:
            plain.append(kinds.plain)
            halfway.append((kinds.middle, middle(bid, most) - first))
        called.append(chance)
        human.append(kinds.human * (1.0 - doubts))
    return called, plain, halfway, wild, human


def _answer_myself(minds, people, tables, where, stakes, bids, calls) -> None:
    """Decide what I would do if this bid came back to me, believing what it says about my feather."""
    place, size, me = where
    before, mine = stakes
    if place >= size:
        for (holds, _), table in zip(people, tables, strict=True):
            hold = holds[place]
            table[me][place] = hold * mine + (1.0 - hold) * before
        return
    weights = []
    everything = calling = 0.0
    for mind, (holds, leanings) in zip(minds, people, strict=True):
        weight = mind.belief
        for back, (called, *_rest) in enumerate(reversed(leanings)):
            weight *= 1.0 - called[max(place - 1 - back, 0)] + 1e-6
        weights.append(weight)
        everything += weight
        calling += weight * (holds[place] * mine + (1.0 - holds[place]) * before)
    best, step = calling, 0
    for raised in (1, 2, 3, 5):
        value = 0.0
        for weight, table in zip(weights, tables, strict=True):
            value += weight * table[0][place + raised]
        if value > best:
            best, step = value, raised
    for (holds, _), table in zip(people, tables, strict=True):
        if step:
            table[me][place] = table[0][place + step]
        else:
            table[me][place] = holds[place] * mine + (1.0 - holds[place]) * before
    bids[place] = sum(mind.belief * table[0][place] for mind, table in zip(minds, tables, strict=True))
    calls[place] = calling / everything if everything else 0.0

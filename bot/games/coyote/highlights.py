"""Picks the memorable moments of a finished match: a bluff that was believed, a close call, a comeback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.rules.actions import Announced, RedoDemanded, RoundEnded
from bot.games.coyote.rules.results import Result
from bot.games.coyote.rules.view import CoyoteView
from bot.host.decision import Actor
from bot.stats.figures import MOST_HIGHLIGHTS
from bot.stats.moments import Highlight, Moment, Replayed

_BLUFF_BELOW: Final = 0.5
"""A bid that is at least this likely to hold is no bluff."""
_CLOSE_WITHIN: Final = 3
"""A call is close if the bid and the total differ by no more than this."""


class Exact(NamedTuple):
    """A bid that was called and was exactly the total."""

    seat: Seat
    bid: int
    round: int = 1


class Close(NamedTuple):
    """A call in which the bid missed the total by very little."""

    caller: Seat
    bidder: Seat
    bid: int
    total: int
    round: int = 1


class Bluff(NamedTuple):
    """A bid that others believed although its bidder could hardly believe it."""

    seat: Seat
    bid: int
    chance: float
    """How likely it was to hold, as far as the bidder could know."""
    round: int = 1


class Comeback(NamedTuple):
    """A call that went well for the later winner, who was in trouble."""

    seat: Seat
    other: Seat
    last_chance: bool
    """The winner would have been out otherwise; if not, they were behind the other."""


class LastCall(NamedTuple):
    """The call that decided the match."""

    caller: Seat
    bidder: Seat
    bid: int


Memorable: TypeAlias = Exact | Close | Bluff | Comeback | LastCall


class _Duel(NamedTuple):
    """A call and what came of it."""

    step: int
    caller: Seat
    bidder: Seat
    bid: int
    total: int
    loser: Seat
    round: int


def find_highlights(played: Replayed) -> tuple[Highlight, ...]:
    """Return the best moments of a match, each in a step of its own."""
    duels = list(_duels(played))
    found: dict[int, Highlight] = {}
    for highlight in (_bluff(played), _closest(duels), _comeback(played, duels), _last_call(duels)):
        if highlight is not None:
            found.setdefault(highlight.step, highlight)
    return tuple(found.values())[:MOST_HIGHLIGHTS]


def _duels(played: Replayed) -> Iterator[_Duel]:
    for step, moment in enumerate(played.moments):
        for event in moment.events:
            duel = _duel(step, moment.round, event.result) if isinstance(event, RoundEnded) else None
            if duel is not None:
                yield duel


def _duel(step: int, number: int, result: Result) -> _Duel | None:
    """Return the call with which a round ended; None if it ended otherwise."""
    caller, bidder, bid, loser = result.caller, result.bidder, result.bid, result.loser
    if caller is None or bidder is None or bid is None or loser is None or result.counted is None:
        return None
    return _Duel(step, caller, bidder, bid, result.counted.total, loser, number)


def _closest(duels: Sequence[_Duel]) -> Highlight | None:
    """Return the bid that was nearest to the total; of equals the highest, and of those the first."""
    best = min(duels, key=lambda duel: (abs(duel.total - duel.bid), -duel.bid), default=None)
    if best is None or abs(best.total - best.bid) > _CLOSE_WITHIN:
        return None
    if best.total == best.bid:
        return Highlight(best.step, Exact(best.bidder, best.bid, best.round))
    return Highlight(best.step, Close(best.caller, best.bidder, best.bid, best.total, best.round))


def _comeback(played: Replayed, duels: Sequence[_Duel]) -> Highlight | None:
    """Return the call that saved the winner when they stood worst; of equals, the last."""
    winner: Seat | None = played.view(len(played.moments) - 1, None).winner if played.moments else None
    found: list[tuple[bool, int, int, _Duel]] = []
    for duel in duels:
        if winner is None or winner not in (duel.caller, duel.bidder) or duel.loser == winner or not duel.step:
            continue
        before: CoyoteView = played.view(duel.step - 1, None)
        own, others = _lives(before, winner), _lives(before, duel.loser)
        if own < others:
            found.append((own == 1, others - own, duel.step, duel))
    if winner is None or not found:
        return None
    last_chance, _, step, duel = max(found, key=lambda each: each[:3])
    return Highlight(step, Comeback(winner, duel.loser, last_chance))


def _lives(view: CoyoteView, seat: Seat) -> int:
    """Return how many coins or peek cards separate a seat from being out."""
    own = view.seats[seat]
    return sum(own.eyes) if view.rules.has_eyes else view.rules.threshold - own.tokens


def _last_call(duels: Sequence[_Duel]) -> Highlight | None:
    return None if not duels else Highlight(duels[-1].step, LastCall(*duels[-1][1:4]))


def _bluff(played: Replayed) -> Highlight | None:
    """Return the believed bid that was least likely to hold; of equals, the first."""
    return min(_bluffs(played), key=lambda bluff: bluff.what.chance, default=None)


def _bluffs(played: Replayed) -> Iterator[Highlight]:
    """Yield the unlikely bids that another player went on from, instead of calling or refusing them."""
    standing: tuple[int, Bluff] | None = None
    patient = _patient_steps(played.moments)
    for step, moment in enumerate(played.moments):
        for event in moment.events:
            match event:
                case Announced(seat=seat, number=number):
                    believed = standing is not None and standing[1].seat != seat and step not in patient
                    if standing is not None and believed and standing[1].chance < _BLUFF_BELOW:
                        yield Highlight(*standing)
                    # The bidder's view after the bid: an extra feather that came with it is already in sight.
                    standing = step, Bluff(seat, number, odds(played.view(step, seat)).at_least(number), moment.round)
                case RedoDemanded() | RoundEnded():
                    standing = None


def _patient_steps(moments: Sequence[Moment]) -> range:
    """Return the steps at which AI players did not allow themselves to call: before any person had a turn.

    They wait only in the first round, and only if a person plays.
    """
    people = (Actor.USER, Actor.CLOCK)
    first = next((step for step, moment in enumerate(moments) if moment.seat is not None and moment.actor in people), 0)
    ended = next((step for step, moment in enumerate(moments) if moment.round > 1), first)
    return range(min(first, ended))

"""The lesson in Coyote: nine short rounds with stacked feathers, one new thing in each.

The learner sits in seat 0, a cautious AI in seat 1 and a bluffer in seat 2. Every round is one of *Feathers* (2010).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bot.engine.core import DEALER, Seat
from bot.games.coyote.rules.actions import Bid, Call, Deal, Flip
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card
from bot.games.coyote.rules.editions import EDITIONS, LOWEST_BID
from bot.games.coyote.rules.view import CoyoteView
from bot.host.lessons import LessonStep, Task

CAUTIOUS: Final = Seat(1)
BLUFFER: Final = Seat(2)

_Reply = Callable[[CoyoteView, Any], str | None]
_Step = LessonStep[CoyoteView]


def _dealt(*worn: Card, pile: tuple[Card, ...] = ()) -> Deal:
    """Deal these feathers to seats 0, 1 and 2, with these on top of the pile."""
    rest = list(EDITIONS["feathers"].cards)
    for card in (*worn, *pile):
        rest.remove(card)
    return Deal(DEALER, (*worn, *pile, *rest))


def _bid(lowest: int, highest: int) -> _Reply:
    """Ask for a bid between two numbers."""

    def reply(_view: CoyoteView, action: Any) -> str | None:
        if not isinstance(action, Bid):
            return "other"
        if action.number < lowest:
            return "low"
        return "high" if action.number > highest else None

    return reply


def _call(_view: CoyoteView, action: Any) -> str | None:
    """Ask for a call."""
    return None if isinstance(action, Call) else "other"


def _call_or_bid(highest: int) -> _Reply:
    """Let the learner decide, but not bid more than this."""

    def reply(_view: CoyoteView, action: Any) -> str | None:
        return None if isinstance(action, Call) or action.number <= highest else "high"

    return reply


def _skip(_view: CoyoteView, action: Any) -> str | None:
    """Ask for the picture coin "skip"."""
    if isinstance(action, Flip):
        return None if action.coin == "skip" else "coin"
    return "call" if isinstance(action, Call) else "other"


def _they_raise(first: int, second: int) -> Callable[[Any], list[Any]]:
    """Let both others raise: the cautious one by at least two, to no less than the first number."""

    def then(action: Bid) -> list[Any]:
        cautious = max(first, action.number + 2)
        return [Bid(CAUTIOUS, cautious), Bid(BLUFFER, max(second, cautious + 2))]

    return then


def _believed(action: Bid) -> list[Any]:
    """Let the cautious one believe the bid and raise it, and the bluffer call that."""
    return [Bid(CAUTIOUS, action.number + 2), Call(BLUFFER)]


def _doubted(action: Any) -> list[Any]:
    """Let the cautious one call a bid; a call ends the round by itself."""
    return [] if isinstance(action, Call) else [Call(CAUTIOUS)]


def _overbid(action: Any) -> list[Any]:
    """Let the cautious one, who sees 15, go one higher than that, and the bluffer call."""
    return [] if isinstance(action, Call) else [Bid(CAUTIOUS, 16), Call(BLUFFER)]


STEPS: Final[tuple[_Step, ...]] = (
    _Step(
        name="first",
        before=(_dealt(5, 7, 4),),
        tasks=(
            Task(name="open", reply=_bid(5, 15), then=_they_raise(12, 19)),
            Task(name="call", reply=_call),
        ),
    ),
    _Step(
        name="read",
        starter=CAUTIOUS,
        before=(_dealt(15, 3, 2), Bid(CAUTIOUS, 14), Bid(BLUFFER, 17)),
        tasks=(Task(name="raise", reply=_bid(18, 20), then=_doubted),),
    ),
    _Step(
        name="bluff",
        before=(_dealt(4, -5, 2),),
        tasks=(Task(name="open", reply=_bid(10, 20), then=_believed),),
    ),
    _Step(
        name="question",
        starter=BLUFFER,
        before=(_dealt(3, QUESTION, 6, pile=(9,)), Bid(BLUFFER, 8)),
        tasks=(Task(name="raise", reply=_bid(10, 16), then=_doubted),),
    ),
    _Step(
        name="max_zero",
        starter=CAUTIOUS,
        before=(_dealt(4, MAX_ZERO, 10), Bid(CAUTIOUS, 8), Bid(BLUFFER, 12)),
        tasks=(Task(name="call", reply=_call),),
    ),
    _Step(
        name="max_minus",
        before=(_dealt(5, 8, MAX_MINUS),),
        tasks=(
            Task(name="open", reply=_bid(-15, 0), then=_they_raise(LOWEST_BID, 9)),
            Task(name="call", reply=_call),
        ),
    ),
    _Step(
        name="times_two",
        starter=BLUFFER,
        before=(_dealt(7, TIMES_TWO, 6), Bid(BLUFFER, 10)),
        tasks=(Task(name="raise", reply=_bid(14, 22), then=_doubted),),
    ),
    _Step(
        name="night",
        starter=BLUFFER,
        before=(_dealt(6, NIGHT, 9), Bid(BLUFFER, 12)),
        tasks=(Task(name="decide", reply=_call_or_bid(15), then=_overbid),),
    ),
    _Step(
        name="coins",
        options={"variant": True},
        starter=CAUTIOUS,
        before=(_dealt(8, 4, 3), Bid(CAUTIOUS, 9), Bid(BLUFFER, 13)),
        tasks=(Task(name="skip", reply=_skip, then=lambda _action: [Call(CAUTIOUS)]),),
    ),
)

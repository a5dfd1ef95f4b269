"""What the editions' special actions are worth beside a plain bid or a call.

Each is valued with what `judge` has worked out. Where the cards or the order of play change, the value is an estimate:
what the action does to the odds of the bid that would follow, or whom it makes answer instead of me.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from bot.engine.core import Choice, Prompt, Seat
from bot.games.coyote.ai.bidding import Judgement, turned
from bot.games.coyote.ai.coin_value import lives, worth
from bot.games.coyote.ai.odds import odds_of
from bot.games.coyote.ai.outlook import Outlook
from bot.games.coyote.rules.actions import Approve, Bid, Flip, Peek, Redo, Turnabout, UseCoyote
from bot.games.coyote.rules.cards import Card, face
from bot.games.coyote.rules.view import CoyoteView

_COMFORT: Final = 0.1
"""Whoever is no worse off than this does not think about turning the direction."""
_HALF: Final = 0.5
"""How much of what a better bid is worth comes back to me: not every bid is called."""


class Idea(NamedTuple):
    """Something that could be done, what it is called, and what it is worth."""

    action: Any
    name: str
    worth: float


def ideas(view: CoyoteView, prompt: Prompt, judged: Judgement) -> Iterator[Idea]:
    """Yield every special action that is open, with its worth."""
    outlook = judged.outlook
    end = outlook.first + len(outlook.bids)
    # Whoever must say another number than one beyond all reason thinks about the highest with any sense in it.
    lowest = outlook.first if view.bid is None else min(max(outlook.first, view.bid + 1), end - 1)
    number = max(range(lowest, end), key=lambda bid: outlook.bids[bid - outlook.first])
    best = outlook.bids[number - outlook.first]
    for choice in prompt.choices:
        match choice.verb:
            case verb if verb is Flip:
                yield from _coins(view, prompt.seat, choice, judged, number)
            case verb if verb is Approve and view.bid is not None:
                yield Idea(Approve(prompt.seat), "approve", outlook.bids[max(0, view.bid - outlook.first)])
            case verb if verb is Turnabout and _squeezed(judged, best):
                # The bidder goes higher, and everybody else answers before it is my turn again.
                yield Idea(Turnabout(prompt.seat), "reverse", _from_second(turned(judged), lowest))
            case verb if verb is Redo:
                squeezed = max(best, judged.call)
                yield Idea(Redo(prompt.seat), "redo", squeezed + 0.08 * (judged.neutral - squeezed))
            case verb if verb is Peek and view.centre is None:
                yield Idea(Peek(prompt.seat), "peek", best + _peeking(judged, number))
            case verb if verb is UseCoyote:
                yield Idea(UseCoyote(prompt.seat), "coyote", best + _one_more(judged, number))
            case verb if verb is Bid and choice.fields[1] != (None,):
                yield from _with_bid(view, prompt.seat, choice, judged, number)


def _coins(view: CoyoteView, seat: Seat, choice: Choice, judged: Judgement, number: int) -> Iterator[Idea]:
    (coin,) = choice.fields[0]
    value = judged.outlook.bids[number - judged.outlook.first]
    match coin:
        case "skip" if view.bid is not None:
            yield Idea(Flip(seat, "skip"), "skip", _skipping(view, judged))
        case "reverse" if _squeezed(judged, value):
            yield Idea(Flip(seat, "reverse"), "reverse", max(turned(judged).bids))
        case "extra":
            if (gain := _one_more(judged, number)) > 0:
                yield Idea(Flip(seat, "extra"), "extra", value + gain)
        case "replace":
            fresh = judged.plain.at_least(number) - judged.holds(number)
            if fresh > 0:
                yield Idea(Flip(seat, "replace"), "replace", value + _stake(judged) * fresh)
        case "guess":
            card, sure = _likeliest_face(judged)
            yield Idea(Flip(seat, "guess", card), "guess", sure * judged.neutral + (1 - sure) * judged.stakes.mine)


def _with_bid(view: CoyoteView, seat: Seat, choice: Choice, judged: Judgement, number: int) -> Iterator[Idea]:
    (plus,) = choice.fields[1]
    if number not in choice.fields[0]:
        return
    place = number - judged.outlook.first
    value = judged.outlook.bids[place]
    match plus:
        case "double":
            yield Idea(Bid(seat, number, "double"), "double", value + _doubling(view, judged, place))
        case "reverse" if _squeezed(judged, value):
            backwards = turned(judged)
            best = max(range(place if view.bid is not None else 0, len(backwards.bids)), key=backwards.bids.__getitem__)
            yield Idea(Bid(seat, backwards.first + best, "reverse"), "reverse", backwards.bids[best])
        case "extra":
            target = next((each for each in judged.order if each in choice.fields[2]), None)
            if target is not None and (gain := _one_more(judged, number)) > 0:
                yield Idea(Bid(seat, number, "extra", target), "extra", value + gain)
        case "next":
            for target in choice.fields[2]:
                if target != judged.order[0]:  # who is next anyway need not be named
                    yield Idea(Bid(seat, number, "next", target), "next", _named(judged, place, target))


def _squeezed(judged: Judgement, best: float) -> bool:
    return max(best, judged.call) < judged.neutral - _COMFORT * (judged.neutral - judged.stakes.mine)


def _stake(judged: Judgement) -> float:
    return _HALF * (judged.neutral - judged.stakes.mine)


def _one_more(judged: Judgement, number: int) -> float:
    """Another unknown card joins: what it does to the odds of my bid."""
    looks = judged.looks
    if sum(looks.pool.values()) <= looks.hidden:
        return 0.0
    more = odds_of(looks._replace(hidden=looks.hidden + 1, pile=max(0, looks.pile - 1)))
    return _stake(judged) * (more.at_least(number) - judged.plain.at_least(number))


def _peeking(judged: Judgement, number: int) -> float:
    """The less I know whether my bid would hold, the more there is to see; and it costs an eye."""
    hold = judged.holds(number)
    return _stake(judged) * (hold * (1 - hold) - 0.17)


def _skipping(view: CoyoteView, judged: Judgement) -> float:
    """The next player answers the bid of another instead of mine."""
    order, others = judged.order, judged.stakes.others
    bidder = order.index(view.bidder) if view.bidder in order else 0
    worth_of = 0.0
    for course in judged.outlook.courses:
        raised = course.table[1][0]
        if order[0] == view.bidder:
            worth_of += course.belief * raised
            continue
        leaning = course.leanings[0]
        chance = leaning.called[0]
        hold = course.holds[0]
        showdown = hold * others[0] + (1 - hold) * others[bidder]
        worth_of += course.belief * (chance * showdown + (1 - chance) * raised)
    return worth_of


def _from_second(outlook: Outlook, number: int) -> float:
    place = number - outlook.first
    return sum(course.belief * course.table[1][place] for course in outlook.courses)


def _doubling(view: CoyoteView, judged: Judgement, place: int) -> float:
    """If the next one calls, two coins change hands instead of one."""
    left, me = lives(view), view.viewer or Seat(0)
    mine = worth(left, me, me, 2) - judged.stakes.mine
    theirs = worth(left, me, judged.order[0], 2) - judged.stakes.others[0]
    gain = 0.0
    for course in judged.outlook.courses:
        hold = course.holds[place]
        gain += course.belief * course.leanings[0].called[place] * (hold * theirs + (1 - hold) * mine)
    return gain


def _named(judged: Judgement, place: int, target: Seat) -> float:
    """The named one answers me; if they raise, play goes on from there."""
    seat = judged.order.index(target)
    stakes = judged.stakes
    value = 0.0
    for course in judged.outlook.courses:
        chance, hold = course.leanings[seat].called[place], course.holds[place]
        showdown = hold * stakes.others[seat] + (1 - hold) * stakes.mine
        value += course.belief * (chance * showdown + (1 - chance) * course.table[seat + 1][place + 1])
    return value


def _likeliest_face(judged: Judgement) -> tuple[Card, float]:
    """Return the face that I most likely wear (R43), and how likely that is."""
    faces: dict[Card, float] = {}
    for mind in judged.minds:
        if mind.guess.own:
            shown = face(mind.guess.own[0])
            faces[shown] = faces.get(shown, 0.0) + mind.belief
    if not faces:
        return 0, 0.0
    best = max(faces, key=faces.__getitem__)
    # At a big table one supposition speaks for its neighbours too.
    return best, faces[best] * min(1.0, len(judged.minds) / len(judged.looks.pool))

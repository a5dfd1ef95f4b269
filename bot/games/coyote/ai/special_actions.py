"""Values special actions, to compare them with a plain bid or a call.

Each is valued with what `judge` has worked out. If an action changes the cards or the order of play, its worth is an
estimate: how it changes the odds of my next bid, or who answers instead of me.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from bot.engine.core import Choice, Prompt, Seat
from bot.games.coyote.ai.bidding import Judgement, turned
from bot.games.coyote.ai.coin_value import lives, worth
from bot.games.coyote.ai.odds import odds_of
from bot.games.coyote.ai.outlook import Outlook
from bot.games.coyote.rules.actions import Announce, Approve, Bid, Flip, Peek, Redo, Turnabout, UseCoyote, Withdraw
from bot.games.coyote.rules.cards import Card, face
from bot.games.coyote.rules.view import CoyoteView

_SQUEEZE_MARGIN: Final = 0.1
"""How much worse than usual my position must be to consider a change of direction, as a share of the stakes."""
_CALL_RATE: Final = 0.5
"""How often a bid is assumed to be called, so that its odds matter."""


class Idea(NamedTuple):
    """A special action, its name in remarks, and what it is worth."""

    action: Any
    name: str
    worth: float


def ideas(view: CoyoteView, prompt: Prompt, judged: Judgement) -> Iterator[Idea]:
    """Yield every special action that is allowed, with its worth."""
    outlook = judged.outlook
    end = outlook.first + len(outlook.bids)
    # If even the standing bid is beyond all reason, use the highest bid that was considered.
    lowest = outlook.first if view.bid is None else min(max(outlook.first, view.bid + 1), end - 1)
    number = max(range(lowest, end), key=lambda bid: outlook.bids[bid - outlook.first])
    best = outlook.bids[number - outlook.first]
    for choice in prompt.choices:
        match choice.verb:
            case verb if verb is Flip:
                yield from _coin_ideas(view, prompt.seat, choice, judged, number)
            case verb if verb is Approve and view.bid is not None:
                yield Idea(Approve(prompt.seat), "approve", outlook.bids[max(0, view.bid - outlook.first)])
            case verb if verb is Turnabout and _squeezed(judged, best):
                # The bidder must raise, and everybody else answers before it is my turn again.
                yield Idea(Turnabout(prompt.seat), "reverse", _worth_if_second_answers(turned(judged), lowest))
            case verb if verb is Redo:
                squeezed = max(best, judged.call)
                yield Idea(Redo(prompt.seat), "redo", squeezed + 0.08 * (judged.neutral - squeezed))
            case verb if verb is Peek and view.centre is None:
                yield Idea(Peek(prompt.seat), "peek", best + _worth_of_peeking(judged, number))
            case verb if verb is UseCoyote:
                yield Idea(UseCoyote(prompt.seat), "coyote", best + _worth_of_extra_card(judged, number))
            case verb if verb is Withdraw:
                yield Idea(Withdraw(prompt.seat), "withdraw", judged.neutral)
            case verb if verb is Announce:
                with_bid = Choice(Bid, (range(number, number + 1), *choice.fields))
                for idea in _announcement_ideas(view, prompt.seat, with_bid, judged, number):
                    action = Announce(prompt.seat, idea.action.plus, idea.action.target)
                    yield idea._replace(action=action)
            case verb if verb is Bid and choice.fields[1] != (None,):
                yield from _announcement_ideas(view, prompt.seat, choice, judged, number)


def _coin_ideas(view: CoyoteView, seat: Seat, choice: Choice, judged: Judgement, number: int) -> Iterator[Idea]:
    (coin,) = choice.fields[0]
    value = judged.outlook.bids[number - judged.outlook.first]
    match coin:
        case "skip" if view.bid is not None:
            yield Idea(Flip(seat, "skip"), "skip", _worth_of_skipping(view, judged))
        case "reverse" if _squeezed(judged, value):
            yield Idea(Flip(seat, "reverse"), "reverse", max(turned(judged).bids))
        case "extra":
            if (gain := _worth_of_extra_card(judged, number)) > 0:
                yield Idea(Flip(seat, "extra"), "extra", value + gain)
        case "replace":
            fresh = judged.plain.at_least(number) - judged.holds(number)
            if fresh > 0:
                yield Idea(Flip(seat, "replace"), "replace", value + _stake(judged) * fresh)
        case "guess":
            card, sure = _likeliest_face(judged)
            yield Idea(Flip(seat, "guess", card), "guess", sure * judged.neutral + (1 - sure) * judged.stakes.mine)


def _announcement_ideas(view: CoyoteView, seat: Seat, choice: Choice, judged: Judgement, number: int) -> Iterator[Idea]:
    (plus,) = choice.fields[1]
    if number not in choice.fields[0]:
        return
    place = number - judged.outlook.first
    value = judged.outlook.bids[place]
    match plus:
        case "double":
            yield Idea(Bid(seat, number, "double"), "double", value + _worth_of_doubling(view, judged, place))
        case "reverse" if _squeezed(judged, value):
            backwards = turned(judged)
            best = max(range(place if view.bid is not None else 0, len(backwards.bids)), key=backwards.bids.__getitem__)
            yield Idea(Bid(seat, backwards.first + best, "reverse"), "reverse", backwards.bids[best])
        case "extra":
            target = next((each for each in judged.order if each in choice.fields[2]), None)
            if target is not None and (gain := _worth_of_extra_card(judged, number)) > 0:
                yield Idea(Bid(seat, number, "extra", target), "extra", value + gain)
        case "next":
            for target in choice.fields[2]:
                if target != judged.order[0]:  # naming the player who is next anyway is pointless
                    yield Idea(
                        Bid(seat, number, "next", target), "next", _worth_if_target_answers(judged, place, target)
                    )


def _squeezed(judged: Judgement, best: float) -> bool:
    return max(best, judged.call) < judged.neutral - _SQUEEZE_MARGIN * (judged.neutral - judged.stakes.mine)


def _stake(judged: Judgement) -> float:
    return _CALL_RATE * (judged.neutral - judged.stakes.mine)


def _worth_of_extra_card(judged: Judgement, number: int) -> float:
    """Return what one more unknown card is worth, by how it changes the odds of my bid."""
    sight = judged.sight
    if sum(sight.pool.values()) <= sight.hidden:
        return 0.0
    more = odds_of(sight._replace(hidden=sight.hidden + 1, pile=max(0, sight.pile - 1)))
    return _stake(judged) * (more.at_least(number) - judged.plain.at_least(number))


def _worth_of_peeking(judged: Judgement, number: int) -> float:
    """Return what peeking is worth: the less certain my bid, the more, minus the cost of an eye."""
    hold = judged.holds(number)
    return _stake(judged) * (hold * (1 - hold) - 0.17)


def _worth_of_skipping(view: CoyoteView, judged: Judgement) -> float:
    """Return what it is worth to me if the next player answers the standing bid in my place."""
    order, others = judged.order, judged.stakes.others
    bidder = order.index(view.bidder) if view.bidder in order else 0
    value = 0.0
    for course in judged.outlook.courses:
        raised = course.table[1][0]
        if order[0] == view.bidder:
            value += course.probability * raised
            continue
        leaning = course.leanings[0]
        chance = leaning.called[0]
        hold = course.holds[0]
        showdown = hold * others[0] + (1 - hold) * others[bidder]
        value += course.probability * (chance * showdown + (1 - chance) * raised)
    return value


def _worth_if_second_answers(outlook: Outlook, number: int) -> float:
    """Return what a bid is worth to me if the first seat in order makes it and the second answers."""
    place = number - outlook.first
    return sum(course.probability * course.table[1][place] for course in outlook.courses)


def _worth_of_doubling(view: CoyoteView, judged: Judgement, place: int) -> float:
    """Return what doubling is worth: if the next player calls, the loser pays two coins instead of one."""
    left, me = lives(view), view.viewer or Seat(0)
    mine = worth(left, me, me, 2) - judged.stakes.mine
    theirs = worth(left, me, judged.order[0], 2) - judged.stakes.others[0]
    gain = 0.0
    for course in judged.outlook.courses:
        hold = course.holds[place]
        gain += course.probability * course.leanings[0].called[place] * (hold * theirs + (1 - hold) * mine)
    return gain


def _worth_if_target_answers(judged: Judgement, place: int, target: Seat) -> float:
    """Return what my bid is worth if the named player answers it; if they raise, play continues after them."""
    seat = judged.order.index(target)
    stakes = judged.stakes
    value = 0.0
    for course in judged.outlook.courses:
        chance, hold = course.leanings[seat].called[place], course.holds[place]
        showdown = hold * stakes.others[seat] + (1 - hold) * stakes.mine
        value += course.probability * (chance * showdown + (1 - chance) * course.table[seat + 1][place + 1])
    return value


def _likeliest_face(judged: Judgement) -> tuple[Card, float]:
    """Return the face that I most likely wear (R43), and its probability."""
    faces: dict[Card, float] = {}
    for belief in judged.beliefs:
        if belief.guess.own:
            shown = face(belief.guess.own[0])
            faces[shown] = faces.get(shown, 0.0) + belief.probability
    if not faces:
        return 0, 0.0
    best = max(faces, key=faces.__getitem__)
    # At a big table each guess also stands for similar ones.
    return best, faces[best] * min(1.0, len(judged.beliefs) / len(judged.sight.pool))

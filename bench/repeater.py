"""A player of the arena who knows the experts' code, and repeats their moves for each feather that they may wear.

Experts decide everything by their code, apart from what the match's secret decides. So a move that is likely with one
feather on the repeater's head and unlikely with another tells the repeater which of them it is. How likely each move is
follows from public code and from what the repeater sees. It plays Coyote without special actions.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from bot.ai_players.characters import EXPERT, Character
from bot.engine.core import Choice, Prompt, Seat
from bot.games.coyote.ai.brain import policy
from bot.games.coyote.ai.odds import Odds, odds_of, see
from bot.games.coyote.rules.actions import Announced, Bid, Call
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import HIGHEST_BID, LOWEST_BID
from bot.games.coyote.rules.view import CoyoteView

MODEL: Final = Character("the others", "steady", EXPERT)
"""Whom the repeater takes the others for."""
SURE: Final = 0.9
"""The repeater names the highest number that holds with this probability."""
_SLIP: Final = 0.002
"""How likely a move is at least: the others may not be who the repeater thinks."""


class Repeater:
    """One seat. What it works out about a bid is kept until the next round."""

    def __init__(self) -> None:
        self._round: tuple[Any, ...] = ()
        self._likelihoods: dict[Card, list[float]] = {}

    def __call__(self, view: CoyoteView, prompt: Prompt, _rng: Random) -> Any:
        """Call if the standing bid is probably too high; else name the highest number that is surely there."""
        beliefs = self._beliefs(view)
        standing = view.bid

        def holds(number: int) -> float:
            return sum(weight * chances.at_least(number) for weight, chances in beliefs)

        first = LOWEST_BID if standing is None else standing + 1
        tops = sorted({total for _, chances in beliefs for total in chances.totals if total >= first}, reverse=True)
        sure = next((total for total in tops if holds(total) >= SURE), None)
        if standing is not None and view.bidder != prompt.seat and holds(standing) < 0.5:
            return Call(prompt.seat)
        if sure is not None:
            return Bid(prompt.seat, sure)
        return Bid(prompt.seat, 1 if standing is None else first)

    def _beliefs(self, view: CoyoteView) -> list[tuple[float, Odds]]:
        """Return the odds of the total for each feather that I may wear, with the feather's probability."""
        sight = see(view)
        now = (view.number, view.seats)
        heard = max(map(len, self._likelihoods.values()), default=0)
        if self._round != now or heard > len(view.ladder):
            self._round, self._likelihoods = now, {card: [] for card in sight.pool}
        found = []
        for card, copies in sight.pool.items():
            rest = {other: number - (other == card) for other, number in sight.pool.items()}
            rest = {other: number for other, number in rest.items() if number}
            chances = odds_of(sight._replace(seen=(*sight.seen, card), pool=rest, hidden=sight.hidden - 1))
            found.append((copies * self._likelihood(view, card), chances))
        everything = sum(weight for weight, _ in found)
        return [(weight / everything, chances) for weight, chances in found]

    def _likelihood(self, view: CoyoteView, card: Card) -> float:
        """Return how likely the others' bids in this round are if I wear this feather."""
        known = self._likelihoods[card]
        for place in range(len(known), len(view.ladder)):
            rung = view.ladder[place]
            if rung.seat == view.viewer:
                known.append(1.0)
                continue
            theirs, prompt = as_they_saw_it(view, card, rung.seat, view.ladder[:place])
            known.append(max(_SLIP, policy(theirs, prompt, MODEL).get(Bid(rung.seat, rung.number), 0.0)))
        product = 1.0
        for each in known:
            product *= each
        return product


def as_they_saw_it(
    view: CoyoteView, card: Card, seat: Seat, ladder: tuple[Announced, ...]
) -> tuple[CoyoteView, Prompt]:
    """Return another player's view and prompt at an earlier moment of this round, if I wear `card`."""
    mine = view.viewer
    seats = tuple(
        each._replace(worn=(card,))
        if each.seat == mine
        else each._replace(worn=None, covered=None)
        if each.seat == seat
        else each
        for each in view.seats
    )
    bid, bidder = (ladder[-1].number, ladder[-1].seat) if ladder else (None, None)
    numbers = range(LOWEST_BID if bid is None else bid + 1, HIGHEST_BID + 1)
    choices = [Choice(Bid, (numbers, (None,), (None,)))]
    if bid is not None:
        choices.append(Choice(Call))
    prompt = Prompt(len(ladder), seat, tuple(choices), None)
    theirs = view._replace(viewer=seat, seats=seats, turn=seat, bid=bid, bidder=bidder, ladder=ladder, prompt=prompt)
    return theirs, prompt

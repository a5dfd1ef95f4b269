"""Exact odds compared with Monte Carlo at 1 % standard error (6 players, 30 feathers), and the CPU time of AI moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from bench.figures import Figure, rates
from bot.ai_players.characters import Character
from bot.engine.core import DEALER, Seat
from bot.games.coyote.ai.brain import think
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, QUESTION, TIMES_TWO, Card
from bot.games.coyote.rules.view import CoyoteView

SAMPLES = 2500
"""At even odds, √(½·½/2500) is one per cent."""
VIEWS = 40
MOVES = 25


def views(question: bool) -> list[CoyoteView]:
    """Return views just after the deal, all with or all without a "?" in sight."""
    rng = Random(7)
    found: list[CoyoteView] = []
    while len(found) < VIEWS:
        state = rules.setup({}, 6, Seat(0))
        view = rules.view_for(rules.apply(state, rules.deal(state, rng)).state, Seat(0))
        if any(seat.worn == (QUESTION,) for seat in view.seats) == question:
            found.append(view)
    return found


def sampled(view: CoyoteView, rng: Random) -> list[int]:
    """Sample totals by Monte Carlo, with some care for speed: draw at most two cards, count only what can differ."""
    seen = [card for seat in view.seats for card in seat.worn or ()]
    rest: list[Card] = list(view.rules.cards)
    for card in seen:
        rest.remove(card)
    numbers = [card for card in seen if isinstance(card, int)]
    specials = {card for card in seen if not isinstance(card, int)}
    asks = QUESTION in specials
    size, random = len(rest), rng.random
    totals = []
    for _ in range(SAMPLES):
        first = int(random() * size)
        own = rest[first]
        drawn = [own]
        if asks or own == QUESTION:
            second = int(random() * (size - 1))
            drawn.append(rest[second + (second >= first)])
        acting = specials
        values = numbers
        for card in drawn:
            if isinstance(card, int):
                values = [*values, card]
            else:
                acting = {*acting, card}
        total = sum(values)
        if acting:
            positives = sorted([value for value in values if value > 0], reverse=True)
            negative = total - sum(positives)
            if MAX_ZERO in acting and positives:
                del positives[0]
            if MAX_MINUS in acting and positives:
                negative -= positives.pop(0)
            total = sum(positives) * (2 if TIMES_TWO in acting else 1) + negative
        totals.append(total)
    return totals


def _all(judge: Callable[[CoyoteView], object], chosen: Sequence[CoyoteView]) -> int:
    """Judge all views; return their number."""
    return len([judge(view) for view in chosen])


def figures() -> list[Figure]:
    """Measure everything alternately with its baseline."""
    lines = []
    for question, wanted in ((False, "at least 50"), (True, "at least 25")):
        chosen = views(question)
        rng = Random(1)
        measured = rates(
            {
                "exact": partial(_all, odds, chosen),
                "sampled": partial(_all, partial(sampled, rng=rng), chosen),
            }
        )
        sight = ", a “?” in sight" if question else ""
        against = f"Monte Carlo at 1 % error, {1e3 / measured['sampled']:.2f} ms"
        value = f"{1e6 / measured['exact']:.0f} µs"
        lines.append(Figure(f"Odds of a seat{sight}", value, measured["exact"] / measured["sampled"], against, wanted))
    lines += [
        _moves(edition, variant) for edition in ("feathers", "scout", "tomahawk", "peek") for variant in (False, True)
    ]
    return lines


def _moves(edition: str, variant: bool) -> Figure:
    """Measure the CPU time of an expert's moves, at tables of 3 to 12."""
    taken = []
    for players in (3, 4, 6, 9, 12):
        rng = Random(players)
        state = rules.setup({"edition": edition, "variant": variant, "max_players": 12}, players)
        for _ in range(MOVES):
            prompts = rules.prompts(state)
            if not prompts:
                break
            prompt = prompts[0]
            if prompt.seat == DEALER:
                state = rules.apply(state, rules.deal(state, rng)).state
                continue
            view = rules.view_for(state, prompt.seat)
            begin = time.thread_time()
            thought = think(view, prompt, Character("an expert", "counter", 3), rng.getrandbits(32))
            taken.append(1000 * (time.thread_time() - begin))
            state = rules.apply(state, thought.action).state
    taken.sort()
    name = f"An expert's move, {edition}{' with the variant' if variant else ''}, 3 to 12 players"
    value = f"{taken[len(taken) // 2]:.1f} / {taken[int(len(taken) * 0.99)]:.1f} ms"
    return Figure(name, value, baseline="", wanted="median / 99th percentile, at most 50 ms")

"""Replays of finished matches in which a test chooses the feathers."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.games.coyote.rules.actions import Action, Bid, Call, Deal, Flip
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.codec import dump_action
from bot.games.coyote.rules.editions import rules_from
from bot.host.decision import Actor
from bot.host.model import Stage, Table, TableId, UserId
from bot.stats.model import PastGame, PastSeat
from bot.stats.record import Entry, Log
from bot.stats.replay import Replay
from tests.screens.scenes import FIRST_USER, NOW, a_table


def deal(options: dict[str, Any], *top: Card, starter: int | None = 0) -> Deal:
    """Return a deal with these cards on top of the pile."""
    rest = list(rules_from(options).cards)
    for card in top:
        rest.remove(card)
    return Deal(DEALER, (*top, *rest), None if starter is None else Seat(starter))


def film(options: dict[str, Any], players: int, actions: Iterable[Action], actors: Sequence[Actor] = ()) -> Replay:
    """Return the replay of a match with these moves."""
    moves = list(actions)
    start = {"host": "start", "game": "coyote", "players": players, "options": options, "starter": None}
    entries = [Entry(NOW, Actor.USER, start)]
    for place, action in enumerate(moves):
        actor = actors[place] if place < len(actors) else Actor.USER
        entries.append(Entry(NOW + place, actor, dump_action(action)))
    users = {Seat(seat): UserId(FIRST_USER + seat) for seat in range(players)}
    return Replay(Log(users, {}, entries))


def finished(replay: Replay, number: int = 7, **of: Any) -> tuple[Table, PastGame]:
    """Return the table of a replay, and its game as in the history."""
    last = replay.view(len(replay) - 1, None)
    order = [last.winner, *reversed(last.out)]
    seats = tuple(
        PastSeat(Seat(n), UserId(FIRST_USER + n), False, order.index(n) + 1, 1000) for n in range(replay.players)
    )
    table = a_table(replay.players, stage=Stage.OVER, deadlines=(), **of)
    game = PastGame(
        number,
        TableId("k7Q2"),
        "coyote",
        last.rules.edition,
        last.number,
        NOW,
        NOW,
        False,
        True,
        1,
        seats,
    )
    return table, game


def a_film() -> tuple[Table, Replay, PastGame]:
    """Return a short match of three, with coins, in which Chloé goes out first."""
    options = {"edition": "feathers", "variant": True, "threshold": 2}
    moves: list[Action] = [
        deal(options, 7, 3, -5),
        Bid(Seat(0), 4),
        Flip(Seat(1), "extra"),
        Bid(Seat(1), 9),
        Call(Seat(2)),
    ]
    game = RULES["coyote"]
    state = game.setup(options, 3, None)
    for move in moves:
        state = game.apply(state, move).state
    rng = Random(3)
    while game.outcome(state) is None:
        (question, *_) = game.prompts(state)
        action: Action
        if question.seat == DEALER:
            action = game.deal(state, rng)
        elif state.bidding.bid is None:
            action = Bid(question.seat, 90)
        else:
            action = Call(question.seat)
        moves.append(action)
        state = game.apply(state, action).state
    replay = film(options, 3, moves, [Actor.DEALER, Actor.USER, Actor.USER, Actor.CLOCK])
    table, past = finished(replay)
    return table, replay, past

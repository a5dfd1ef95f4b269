"""Guessing along on every screen that shows it, for golden files and limit checks."""

from collections.abc import Iterator
from typing import Any

from bot.discord_ui.drawing import draw_latest_reveal, draw_look, draw_table
from bot.engine.core import Seat
from bot.host.guessing import MAX_GUESSERS
from bot.host.model import Guesser, Guessing, SettledGuess, Stage, Table, UserId
from bot.screens.layout import Screen
from tests.games.coyote.rules.cases import table as match_of
from tests.host.world import FakeClock
from tests.screens.scenes import FIRST_USER, NOW, SAY, a_table

WATCHER, OTHER = UserId(4_001), UserId(4_002)
MATCH: dict[str, Any] = {"players": 4, "out": "D", "guess_along": 5}


def _called(edition: str = "feathers", *moves: str, **options: Any) -> Table:
    match = match_of("3 4 5 1", edition, **{**MATCH, **options}).play("A bid 12", "B call", *moves).state
    guessing = Guessing(match.match.rounds, NOW + 5_000, waits=True)
    return a_table(4, match=match, deadlines=(), guessing=guessing)


def _look(table: Table, user: UserId) -> Screen:
    return draw_look(SAY, table, user, FakeClock(NOW), message=5_000, moves=True)


def scenes() -> Iterator[tuple[str, Screen]]:
    """Yield a call that waits for its reveal, looks of people who do not play, the reveal and the end."""
    table, clock = _called(), FakeClock(NOW)
    yield "a call waits for its reveal", draw_table(table, clock)
    yield "the look of a player meanwhile", _look(table, UserId(FIRST_USER))
    yield "the look of somebody who is out", _look(table, UserId(FIRST_USER + 3))
    guessed = Guessing(1, NOW + 5_000, waits=True, guesses=((WATCHER, Seat(1)),))
    yield "after a guess", _look(table._replace(guessing=guessed), WATCHER)
    bidding = table._replace(match=match_of("3 4 5 1", **MATCH).play("A bid 12").state, guessing=None)
    yield "somebody in the channel", _look(bidding, WATCHER)
    yield "who has said so", _look(bidding._replace(guessers=(Guesser(WATCHER),)), WATCHER)
    yield "with a score", _look(bidding._replace(guessers=(Guesser(WATCHER, 3, 2),)), WATCHER)
    yield "with a score of the evening", _look(bidding._replace(guessers=(Guesser(WATCHER, 3, 2, 9, 4),)), WATCHER)
    betting = _called("peek", "C bet A", variant=True, out="", eyes={})
    yield "while others bet", _look(betting._replace(guessing=guessed), WATCHER)
    over = table._replace(match=match_of("3 4 5 1", **MATCH).play("A bid 12", "B call", "reveal").state, guessing=None)
    for name, right in (("two right", (True, True, False)), ("one wrong", (False,)), ("all wrong", (False, False))):
        settled = tuple(SettledGuess(UserId(4_001 + place), each) for place, each in enumerate(right))
        yield f"a reveal, {name}", draw_latest_reveal(over._replace(guessed=settled), clock)
    many = tuple(SettledGuess(UserId(4_001 + place), True) for place in range(MAX_GUESSERS))
    yield "a reveal, very many right", draw_latest_reveal(over._replace(guessed=many), clock)
    last = match_of("3 4", players=2, tokens={"B": 2}, guess_along=5).play("A bid 5", "B call", "reveal").state
    end = a_table(2, match=last, stage=Stage.OVER, deadlines=())
    yield "the end", draw_table(end._replace(guessers=(Guesser(WATCHER, 4, 1), Guesser(OTHER, 2, 2, 5, 3))), clock)
    crowd = tuple(Guesser(UserId(10**18 + place), 99, 98, 99, 98) for place in range(MAX_GUESSERS))
    yield "the end with very many", draw_table(end._replace(guessers=crowd), clock)

"""`/versus`: two people compared."""

from __future__ import annotations

from typing import TypeVar

from bot.screens.custom_ids import Verb
from bot.screens.layout import EMBER, Screen, box, rule, text
from bot.screens.names import mention
from bot.screens.stats.history import game_line, replay_row
from bot.screens.stats.queries import Scope, VersusQuery
from bot.screens.stats.scopes import Offer, scope_line, scope_rows
from bot.screens.stats.words import words_of
from bot.screens.words import DOT
from bot.stats.model import Side, Versus
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)


def versus_screen(kind: type[S], say: Catalogue, found: Versus, offer: Offer) -> S:
    """Compare two people: the score between them, their duels, and how each of them stands."""
    asked = VersusQuery(found.a.user, found.b.user, Scope.of(found.board))
    a, b = mention(say, asked.a), mention(say, asked.b)
    between = _between(say, found) if found.games else [say("versus.not_here", a=a, b=b)]
    last = [game_line(say, game) for game in found.last]
    return kind(
        box(
            EMBER,
            text(say("versus.title", a=a, b=b), scope_line(say, asked.scope)),
            text(*between),
            rule(),
            text(*[_side(say, side) for side in (found.a, found.b) if side.totals.games]),
            rule(),
            text(say("versus.last"), *last) if last else None,
            *scope_rows(say, Verb.VERSUS, offer, asked.scope, lambda scope: str(asked.within(scope))),
            replay_row(say, found.last),
        )
    )


def _between(say: Catalogue, found: Versus) -> list[str]:
    a, b = found.a, found.b
    games = say("versus.games", count=found.games)
    score = say("versus.score", a=a.ahead, b=b.ahead)
    if a.ahead == b.ahead:
        verdict = say("versus.level")
    else:
        verdict = say("versus.ahead", mention=mention(say, (a if a.ahead > b.ahead else b).user))
    return [score, f"{verdict}{DOT}{games}", *words_of(found.board.game).duels(say, found)]


def _side(say: Catalogue, side: Side) -> str:
    totals = side.totals
    return say(
        "versus.side",
        mention=mention(say, side.user),
        rating=totals.rating,
        percent=say.percent(totals.win_rate),
        games=say("board.in_games", count=totals.games),
    )

"""`/stats`: one person's figures, their rating over time, and their rivals."""

from __future__ import annotations

from typing import TypeVar

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import SAGE, Screen, box, press, row, rule, text
from bot.screens.names import mention
from bot.screens.stats.graph import graph
from bot.screens.stats.leaderboard import board_button
from bot.screens.stats.queries import OfAll, OfOne, Scope
from bot.screens.stats.scopes import Offer, scope_line, scope_rows
from bot.screens.stats.words import words_of
from bot.screens.words import DOT, number, thinking
from bot.stats.model import ALL_TIME, Card, Point, Totals
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)


def card_screen(kind: type[S], say: Catalogue, card: Card, offer: Offer) -> S:
    """Show a person's figures in sentences."""
    asked = OfOne(card.user, Scope.of(card.board))
    totals = card.totals
    history = CustomId(Verb.HISTORY, argument=str(asked.user))
    return kind(
        box(
            SAGE,
            text(say("card.title", mention=mention(card.user)), scope_line(say, asked.scope)),
            text(*(_figures(say, card) if totals.games else [_nothing(say, card, asked.scope)])),
            rule(),
            text(*(_details(say, card) if totals.games else [])),
            text(*words_of(card.board.game).rivals(say, card)),
            rule(),
            text(*(_curve(say, card.curve) if asked.scope.period == ALL_TIME else [])),
            *scope_rows(say, Verb.STATS, offer, asked.scope, lambda scope: str(asked.within(scope))),
            row(press(say("card.button.history"), history, emoji="📜"), board_button(say, OfAll(scope=asked.scope))),
        )
    )


def _nothing(say: Catalogue, card: Card, scope: Scope) -> str:
    """Say why there are no figures: nothing was counted at all, or nothing in the chosen scope."""
    return say("card.nothing_at_all" if scope == Scope(game=scope.game) else "card.nothing", mention=mention(card.user))


def _figures(say: Catalogue, card: Card) -> list[str]:
    totals = card.totals
    if card.rank is not None:
        rank = say("card.rank", ordinal=say.ordinal(card.rank), count=card.ranked)
    elif totals.games < card.minimum:
        rank = say("card.unranked", count=card.minimum - totals.games)
    else:
        rank = ""
    rating = say("card.rating", rating=totals.rating) if totals.rated else say("card.unrated")
    won = say("card.won", count=totals.wins, games=say("board.in_games", count=totals.games))
    return [
        DOT.join(filter(None, (rating, rank))),
        DOT.join([won, say.percent(totals.win_rate)]),
        DOT.join(_places(say, totals)),
    ]


def _places(say: Catalogue, totals: Totals) -> list[str]:
    lines = []
    if totals.games == 1:
        lines.append(say("card.placed", ordinal=say.ordinal(totals.places)))
    else:
        lines.append(say("card.place", place=say.decimal(totals.mean_place or 0)))
    if totals.games > 1 and (totals.seconds or totals.thirds):
        lines.append(say("card.podium", seconds=totals.seconds, thirds=totals.thirds))
    if totals.best_run > 1:
        lines.append(say("card.run", count=totals.best_run))
    if 1 < totals.run < totals.best_run:
        lines.append(say("card.running", count=totals.run))
    return lines


def _details(say: Catalogue, card: Card) -> list[str]:
    lines = [*words_of(card.board.game).details(say, card.totals)]
    if card.totals.mean_thought is not None:
        lines.append(say("card.thought", time=thinking(say, card.totals.mean_thought)))
    return lines


def _curve(say: Catalogue, curve: tuple[Point, ...]) -> list[str]:
    """Draw the rating over time, and describe it in words."""
    if len(curve) < 2:
        return []
    ratings = [point.rating for point in curve]
    return [
        say("card.curve", count=len(ratings)),
        "\n".join(("```", *graph(ratings), "```")),
        say(
            "card.curve_words",
            first=number(ratings[0]),
            last=number(ratings[-1]),
            highest=number(max(ratings)),
            lowest=number(min(ratings)),
        ),
    ]

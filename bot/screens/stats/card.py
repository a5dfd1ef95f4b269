"""`/stats`: one person's figures, their rating over time, and their rivals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from bot.host.model import UserId
from bot.pictures.picture import Picture
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import SAGE, Item, PrivateScreen, Screen, box, gallery, press, row, rule, text
from bot.screens.names import mention, safe_name
from bot.screens.stats.graph import graph
from bot.screens.stats.leaderboard import board_button
from bot.screens.stats.queries import CardQuery, LeaderboardQuery, Scope
from bot.screens.stats.scopes import Offer, scope_line, scope_rows
from bot.screens.stats.words import edition_name, words_of
from bot.screens.words import DOT, number, thinking
from bot.stats.model import ALL_TIME, Card, Totals
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)

MOST_SERVERS: Final = 5
"""How many servers' figures fit into one message."""


def card_screen(kind: type[S], say: Catalogue, card: Card, offer: Offer, picture: Picture | None = None) -> S:
    """Show a person's figures in sentences, and their rating over time: as a picture or, without one, in characters."""
    asked = CardQuery(card.user, Scope.of(card.board))
    totals = card.totals
    history = CustomId(Verb.HISTORY, argument=str(asked.user))
    return kind(
        box(
            SAGE,
            text(say("card.title", mention=mention(say, card.user)), scope_line(say, asked.scope)),
            text(*(_figures(say, card) if totals.games else [_nothing(say, card, asked.scope)])),
            rule(),
            text(*(_details(say, card) if totals.games else [])),
            text(*words_of(card.board.game).rivals(say, card)),
            rule(),
            *_curve(say, shown_ratings(card), picture),
            *scope_rows(say, Verb.STATS, offer, asked.scope, lambda scope: str(asked.within(scope))),
            row(
                press(say("card.button.history"), history, emoji="📜"),
                board_button(say, LeaderboardQuery(scope=asked.scope)),
            ),
        )
    )


def everywhere_screen(
    say: Catalogue, user: UserId, servers: Sequence[tuple[str | None, Sequence[Card]]]
) -> PrivateScreen:
    """Show a person's own figures in each server, given by its name; None if the bot is no longer there."""
    parts: list[Item | None] = []
    for name, cards in servers:
        lines = [line for card in cards for line in (_edition_title(say, card), *_figures(say, card))]
        parts += [rule(), text(f"### {say('card.left_server') if name is None else safe_name(name)}", *lines)]
    return PrivateScreen(
        box(SAGE, text(say("card.title", mention=mention(say, user))), *parts, rule(), text(say("card.everywhere")))
    )


def _edition_title(say: Catalogue, card: Card) -> str:
    return f"**{edition_name(say, card.board.game, card.board.edition)}**"


def _nothing(say: Catalogue, card: Card, scope: Scope) -> str:
    """Say why there are no figures: nothing was counted at all, or nothing in the chosen scope."""
    return say(
        "card.nothing_at_all" if scope == Scope(game=scope.game) else "card.nothing", mention=mention(say, card.user)
    )


def _figures(say: Catalogue, card: Card) -> list[str]:
    totals = card.totals
    if card.rank is not None:
        rank = say("card.rank", ordinal=say.ordinal(card.rank, "place"), count=card.ranked)
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
        lines.append(say("card.placed", ordinal=say.ordinal(totals.places, "place")))
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


def shown_ratings(card: Card) -> list[int]:
    """Return the ratings over time that a card shows, the oldest first; nothing if there is no curve to draw."""
    if Scope.of(card.board).period != ALL_TIME or len(card.curve) < 2:
        return []
    return [point.rating for point in card.curve]


def _curve(say: Catalogue, ratings: list[int], picture: Picture | None) -> list[Item | None]:
    """Draw the rating over time, and describe it in words."""
    if not ratings:
        return []
    words = say(
        "card.curve_words",
        first=number(ratings[0]),
        last=number(ratings[-1]),
        highest=number(max(ratings)),
        lowest=number(min(ratings)),
    )
    title = say("card.curve", count=len(ratings))
    if picture is None:
        return [text(title, "\n".join(("```", *graph(ratings), "```")), words)]
    return [text(title), gallery(picture.name, picture.description), text(words)]

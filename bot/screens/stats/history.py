"""`/history`: finished games, newest first, each with the number that `/replay` knows it by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from discord import ui

from bot.host.model import UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, Screen, box, option, pick, row, rule, text
from bot.screens.names import mention, safe_name
from bot.screens.stats.paging import pager
from bot.screens.stats.scopes import edition_name
from bot.screens.words import DOT
from bot.stats.model import History, PastGame, PastSeat
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)
EVERYBODY: Final = "all"


def history_screen(kind: type[S], say: Catalogue, history: History, user: UserId | None) -> S:
    """Show a page of games: the server's, or one person's."""
    title = say("history.title") if user is None else say("history.title_of", mention=mention(user))
    argument = EVERYBODY if user is None else str(user)
    return kind(
        box(
            ASH,
            text(title, f"-# {say('history.count', count=history.games)}"),
            text(*[game_line(say, game, user) for game in history.lines]),
            rule(),
            replay_row(say, history.lines),
            pager(say, Verb.HISTORY, argument, history.number, history.pages),
        )
    )


def game_line(say: Catalogue, game: PastGame, user: UserId | None = None) -> str:
    """Tell a game: its number, who won, the place of whom it is about, and small what else there is to know."""
    winners = [whoever(say, seat) for seat in game.seats if seat.place == 1]
    won = say("history.won", number=game.number, mentions=say.listing(winners))
    own = next((seat for seat in game.seats if seat.user == user and user is not None), None)
    if own is not None and own.place > 1:
        won += DOT + say("history.place", ordinal=say.ordinal(own.place), count=len(game.seats))
    told = [f"<t:{game.ended // 1000}:d>", edition_name(say, game.edition)]
    told.append(say("history.players", count=len(game.seats)))
    if game.rounds:
        told.append(say("history.rounds", count=game.rounds))
    if not game.counted:
        told.append(say("history.unrated"))
    return f"{won}\n-# {DOT.join(told)}"


def whoever(say: Catalogue, seat: PastSeat) -> str:
    """Name whoever sat there, as far as they want to be named."""
    if seat.user is not None:
        return mention(seat.user)
    if seat.name is not None:
        return say("company.named", name=safe_name(seat.name))
    return say("history.ai") if seat.ai else say("history.somebody")


def replay_row(say: Catalogue, games: Sequence[PastGame]) -> ui.ActionRow[Any] | None:
    """Return the select that opens a replay of one of these games."""
    options = [
        option(
            say("history.option", number=game.number, edition=edition_name(say, game.edition)),
            str(game.number),
            say("history.option_about", count=len(game.seats), rounds=say("history.rounds", count=game.rounds)),
        )
        for game in games
    ]
    return row(pick(say("history.pick"), CustomId(Verb.REPLAY, argument="pick"), options)) if options else None

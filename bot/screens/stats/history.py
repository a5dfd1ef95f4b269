"""`/history`: finished games, newest first, each with the number that `/replay` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from discord import ui

from bot.host.model import UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, Screen, box, option, pick, row, rule, text
from bot.screens.names import mention, safe_name
from bot.screens.stats.paging import pager
from bot.screens.stats.words import played_name
from bot.screens.words import DOT
from bot.stats.model import History, PastGame, PastSeat
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)
EVERYBODY: Final = "all"
"""Stands for the games of all people, instead of one person's user id."""


def history_screen(kind: type[S], say: Catalogue, history: History, user: UserId | None) -> S:
    """Show a page of games: the server's, or one person's."""
    title = say("history.title") if user is None else say("history.title_of", mention=mention(say, user))
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
    """Describe a game: its number, who won, the place of `user`, and the rest in small print."""
    winners = [seat_name(say, seat) for seat in game.seats if seat.place == 1]
    won = say("history.won", number=game.number, mentions=say.listing(winners))
    own = next((seat for seat in game.seats if seat.user == user and user is not None), None)
    if own is not None and own.place > 1:
        won += DOT + say(
            "history.place",
            mention=seat_name(say, own),
            ordinal=say.ordinal(own.place, "place"),
            count=len(game.seats),
        )
    details = [f"<t:{game.ended // 1000}:d>", played_name(say, game.game, game.edition)]
    details.append(say("history.players", count=len(game.seats)))
    if game.rounds:
        details.append(say("history.rounds", count=game.rounds))
    if not game.counted:
        details.append(say("history.unrated"))
    return f"{won}\n-# {DOT.join(details)}"


def seat_name(say: Catalogue, seat: PastSeat) -> str:
    """Name the player of a seat, unless they opted out of being named."""
    if seat.user is not None:
        return mention(say, seat.user)
    if seat.name is not None:
        return say("ai_players.named", name=safe_name(seat.name))
    return say("history.ai") if seat.ai else say("history.somebody")


def replay_row(say: Catalogue, games: Sequence[PastGame]) -> ui.ActionRow[Any] | None:
    """Return the select that opens a replay of one of these games."""
    options = [
        option(
            say("history.option", number=game.number, edition=played_name(say, game.game, game.edition)),
            str(game.number),
            say("history.option_about", count=len(game.seats), rounds=say("history.rounds", count=game.rounds)),
        )
        for game in games
    ]
    return row(pick(say("history.pick"), CustomId(Verb.REPLAY, argument="pick"), options)) if options else None

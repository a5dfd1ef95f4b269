"""The choices that the statistics commands offer: editions and games, and the figures that leaderboards rank by."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.core import Rejected
from bot.engine.registry import main_game
from bot.screens.layout import MOST_OPTIONS
from bot.screens.stats.queries import ANY_EDITION, Scope
from bot.screens.stats.words import counted_games, edition_key, edition_name, played_name, ranking_key, ranking_name
from bot.stats.figures import GUESS_ALONG, WHOLE_GAME, figures_of
from bot.stats.reasons import StatsReason
from bot.text.catalogue import catalogue


class CommandChoice(NamedTuple):
    """One choice of a command's option."""

    name: str
    """In English."""
    key: str | None
    """The text's key, by which it is translated; None: it is the same in all languages."""
    value: str


def scope_choices() -> list[CommandChoice]:
    """Return the main game and its editions, then every other game and its own; at most as many as fit."""
    choices = [
        _edition_choice(game, edition)
        for game in counted_games()
        for edition in (WHOLE_GAME, *figures_of(game).editions)
        if len(counted_games()) > 1 or (game, edition) != (main_game(), WHOLE_GAME)  # the only thing to be shown
    ]
    return choices[:MOST_OPTIONS]


def ranking_choices() -> list[CommandChoice]:
    """Return everything that leaderboards can be ordered by, each once; at most as many as fit."""
    found: dict[str, CommandChoice] = {}
    for game in (*counted_games(), GUESS_ALONG):
        for by in figures_of(game).rankings:
            choice = _choice(ranking_name(catalogue(), game, by), ranking_key(game, by), by)
            found.setdefault(by, choice)  # a name that several games use is worded by the first
    return list(found.values())[:MOST_OPTIONS]


def read_scope(value: str | None) -> Scope | None:
    """Read the value of a choice of `scope_choices`; None if nothing was chosen. Raise Rejected if it was forged."""
    if value is None:
        return None
    if value not in [choice.value for choice in scope_choices()]:
        raise Rejected(StatsReason.NO_SUCH_EDITION)
    game, _, edition = value.rpartition(".")
    scope = Scope(WHOLE_GAME if edition == ANY_EDITION else edition)
    return scope.playing(game) if game else scope


def scope_ranking(by: str) -> Scope | None:
    """Return the game that alone ranks by a figure, so that nobody has to name it; None if several do, or none."""
    games = [game for game in (*counted_games(), GUESS_ALONG) if by in figures_of(game).rankings]
    return Scope().playing(games[0]) if len(games) == 1 else None


def _edition_choice(game: str, edition: str) -> CommandChoice:
    """Return the choice of a game or an edition; outside the main game, an edition also names the game."""
    value = _scope_value(game, edition)
    if game == main_game() and edition != WHOLE_GAME:
        return _choice(edition_name(catalogue(), game, edition), edition_key(game, edition), value)
    return CommandChoice(played_name(catalogue(), game, edition), None, value)


def _choice(name: str, key: str | None, value: str) -> CommandChoice:
    return CommandChoice(name, key if key is not None and key in catalogue() else None, value)


def _scope_value(game: str, edition: str) -> str:
    return edition or ANY_EDITION if game == main_game() else f"{game}.{edition or ANY_EDITION}"

"""What the commands about statistics offer to choose from: editions and games, and what leaderboards rank by."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.registry import main_game
from bot.screens.layout import MOST_OPTIONS
from bot.screens.stats.queries import ANY_EDITION, Scope
from bot.screens.stats.words import counted_games, edition_key, edition_name, played_name, ranking_key, ranking_name
from bot.stats.figures import WHOLE_GAME, figures_of
from bot.text.catalogue import catalogue


class CommandChoice(NamedTuple):
    """One choice of a command's option."""

    name: str
    """In English."""
    key: str | None
    """The text's key, by which it is translated; None: it is the same in all languages."""
    value: str


def scope_choices() -> list[CommandChoice]:
    """Return the editions of the main game, then every other game and its editions; at most as many as fit."""
    choices = [
        _edition_choice(game, edition)
        for game in counted_games()
        for edition in (WHOLE_GAME, *figures_of(game).editions)
        if (game, edition) != (main_game(), WHOLE_GAME)  # shown if nothing is chosen
    ]
    return choices[:MOST_OPTIONS]


def ranking_choices() -> list[CommandChoice]:
    """Return everything that leaderboards can be ordered by, each once; at most as many as fit."""
    rankings = dict.fromkeys(by for game in counted_games() for by in figures_of(game).rankings)
    return [_choice(ranking_name(catalogue(), by), ranking_key(by), by) for by in rankings][:MOST_OPTIONS]


def read_scope(value: str | None) -> Scope | None:
    """Read the value of a choice of `scope_choices`; None if nothing was chosen."""
    if value is None:
        return None
    game, _, edition = value.rpartition(".")
    scope = Scope(WHOLE_GAME if edition == ANY_EDITION else edition)
    return scope.playing(game) if game else scope


def _edition_choice(game: str, edition: str) -> CommandChoice:
    """Return the choice of an edition; that of another game than the main one names its game, too."""
    value = _scope_value(game, edition)
    if game == main_game():
        return _choice(edition_name(catalogue(), game, edition), edition_key(game, edition), value)
    return CommandChoice(played_name(catalogue(), game, edition), None, value)


def _choice(name: str, key: str | None, value: str) -> CommandChoice:
    return CommandChoice(name, key if key is not None and key in catalogue() else None, value)


def _scope_value(game: str, edition: str) -> str:
    return edition if game == main_game() else f"{game}.{edition or ANY_EDITION}"

"""What the commands about statistics offer to choose from: editions and games, and what leaderboards rank by."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.registry import main_game
from bot.screens.stats.queries import ANY_EDITION, Scope
from bot.screens.stats.words import FIGURE_WORDS, edition_key, edition_name, ranking_key, ranking_name
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
    """Return the editions of all games with words for their figures, and the whole of each but the main game."""
    return [
        _choice(edition_name(catalogue(), game, edition), edition_key(edition), _scope_value(game, edition))
        for game in _games()
        for edition in (WHOLE_GAME, *figures_of(game).editions)
        if (game, edition) != (main_game(), WHOLE_GAME)  # shown if nothing is chosen
    ]


def ranking_choices() -> list[CommandChoice]:
    """Return everything that leaderboards can be ordered by, each once."""
    rankings = dict.fromkeys(by for game in _games() for by in figures_of(game).rankings)
    return [_choice(ranking_name(catalogue(), by), ranking_key(by), by) for by in rankings]


def read_scope(value: str | None) -> Scope | None:
    """Read the value of a choice of `scope_choices`; None if nothing was chosen."""
    if value is None:
        return None
    game, _, edition = value.rpartition(".")
    scope = Scope(WHOLE_GAME if edition == ANY_EDITION else edition)
    return scope.playing(game) if game else scope


def _games() -> list[str]:
    return sorted(FIGURE_WORDS, key=lambda game: game != main_game())


def _choice(name: str, key: str, value: str) -> CommandChoice:
    return CommandChoice(name, key if key in catalogue() else None, value)


def _scope_value(game: str, edition: str) -> str:
    return edition if game == main_game() else f"{game}.{edition or ANY_EDITION}"

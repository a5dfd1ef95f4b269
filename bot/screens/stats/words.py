"""What a game provides for the statistics screens: the words for its editions and its own figures.

`bot.games.registry` fills `FIGURE_WORDS` from the games' kits. A game without words is shown with the shared figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.registry import main_game
from bot.screens.game import SCREENS
from bot.screens.game_names import game_title, spelled_out
from bot.screens.words import DOT
from bot.stats.figures import FIGURES, GUESS_ALONG, GUESSED, GUESSED_RIGHT, SHARED_RANKINGS, WHOLE_GAME
from bot.stats.model import Card, Totals, Versus
from bot.text.catalogue import Catalogue


def _score(say: Catalogue, by: str, totals: Totals) -> str:
    return say("board.score.own", score=totals.score(by), games=say("board.in_games", count=totals.games))


def _no_lines(_say: Catalogue, _about: object) -> Sequence[str]:
    return ()


def _no_text(_edition: str) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True)
class FigureWords:
    """The words for one game's figures."""

    whole_game: Callable[[Catalogue], str]
    """Names the boards that count all of its matches."""
    edition_key: Callable[[str], str | None] = _no_text
    """Returns the key of the text that names an edition; None: the edition is called by its own name."""
    score: Callable[[Catalogue, str, Totals], str] = _score
    """Says on a leaderboard how a person does by one of the game's own figures, and out of how many games or tries."""
    details: Callable[[Catalogue, Totals], Sequence[str]] = _no_lines
    """Returns the lines about the game's own figures on a person's card."""
    rivals: Callable[[Catalogue, Card], Sequence[str]] = _no_lines
    """Returns the lines about a person's victim and nemesis on their card."""
    duels: Callable[[Catalogue, Versus], Sequence[str]] = _no_lines
    """Returns the lines about what two people did to each other."""


def _guess_score(say: Catalogue, by: str, totals: Totals) -> str:
    return say(f"board.score.{GUESS_ALONG}.{by}", right=totals.own(GUESSED_RIGHT), count=totals.own(GUESSED))


FIGURE_WORDS: Final[dict[str, FigureWords]] = {
    GUESS_ALONG: FigureWords(whole_game=lambda say: say("board.guess_along"), score=_guess_score)
}
"""The words of every game that has some, by the game's name; and those of guessing along."""


def words_of(game: str) -> FigureWords:
    """Return a game's words, or plain ones."""
    return FIGURE_WORDS.get(game) or FigureWords(whole_game=lambda _say: game_title(game))


def edition_name(say: Catalogue, game: str, edition: str) -> str:
    """Name an edition, or the whole game."""
    if edition == WHOLE_GAME:
        return words_of(game).whole_game(say)
    key = edition_key(game, edition)
    return spelled_out(edition) if key is None or key not in say else say(key)


def edition_key(game: str, edition: str) -> str | None:
    """Return the key of the text that names a game's edition; None if there is none."""
    return words_of(game).edition_key(edition)


def counted_games() -> list[str]:
    """Return the games that can be played, and so counted, the main one first."""
    return sorted((game for game in FIGURES if game in SCREENS), key=lambda game: game != main_game())


def played_name(say: Catalogue, game: str, edition: str) -> str:
    """Name what was played in a match: the edition, with its game if the bot has several."""
    if len(counted_games()) < 2 and game == main_game():
        return edition_name(say, game, edition)
    title = game_title(game)
    return title if edition == WHOLE_GAME else f"{title}{DOT}{edition_name(say, game, edition)}"


def ranking_key(game: str, by: str) -> str:
    """Return the key of the text that names what a game's leaderboard is ordered by."""
    return f"board.by.{_figure(game, by)}"


def _figure(game: str, by: str) -> str:
    return by if by in SHARED_RANKINGS else f"{game}.{by}"


def ranking_name(say: Catalogue, game: str, by: str) -> str:
    """Name what a game's leaderboard is ordered by."""
    key = ranking_key(game, by)
    return say(key) if key in say else spelled_out(by)


def ranking_about(say: Catalogue, game: str, by: str) -> str | None:
    """Explain what a game's leaderboard is ordered by, in a few words."""
    key = f"board.about.{_figure(game, by)}"
    return say(key) if key in say else None


def score(say: Catalogue, game: str, by: str, totals: Totals) -> str:
    """Say how a person does by one figure, and out of how many games or tries."""
    if by not in SHARED_RANKINGS:
        return words_of(game).score(say, by, totals)
    games = say("board.in_games", count=totals.games)
    match by:
        case "rating":
            return say("board.score.rating", rating=totals.rating, games=games)
        case "win_rate":
            return say("board.score.win_rate", percent=say.percent(totals.win_rate), games=games)
        case "games":
            return say("board.score.games", count=totals.games)
        case _:
            return say(f"board.score.{by}", count=totals.score(by), games=games)

"""The figures of Plenty Coups in words: on cards, leaderboards and comparisons."""

from __future__ import annotations

from typing import Final

from bot.games.plenty_coups.figures import (
    ALLIANCES,
    COUPS,
    DISDAINS,
    HORSES,
    PRESTIGE,
    RAIDS,
    RAIDS_HOME,
    REPELLED,
)
from bot.screens.game_names import game_title
from bot.screens.names import mention
from bot.screens.stats.words import FigureWords
from bot.stats.model import Card, Totals, Versus
from bot.text.catalogue import Catalogue


def _whole_game(_say: Catalogue) -> str:
    return game_title("plenty-coups")


def _score(say: Catalogue, by: str, totals: Totals) -> str:
    if by == RAIDS_HOME:
        return say("board.score.plenty-coups.raids_home", count=totals.own(RAIDS_HOME), raids=totals.own(RAIDS))
    return say(f"board.score.plenty-coups.{by}", count=totals.own(by), games=say("board.in_games", count=totals.games))


def _details(say: Catalogue, totals: Totals) -> list[str]:
    """Say what was done in all games, and what a herd and a name came to on average."""
    own = totals.own
    lines = [
        say("plenty.stats.coups", count=own(COUPS)),
        say("plenty.stats.raids", count=own(RAIDS), home=own(RAIDS_HOME), repelled=own(REPELLED)),
        say("plenty.stats.people", count=own(ALLIANCES), disdains=own(DISDAINS)),
    ]
    if totals.games:
        horses, prestige = own(HORSES) / totals.games, own(PRESTIGE) / totals.games
        lines.append(say("plenty.stats.end", horses=say.decimal(horses), prestige=say.decimal(prestige)))
    return lines


def _rivals(say: Catalogue, card: Card) -> list[str]:
    return [
        say(key, mention=mention(say, rival.user), count=rival.amount)
        for key, rival in (("plenty.stats.victim", card.victim), ("plenty.stats.nemesis", card.nemesis))
        if rival is not None
    ]


def _duels(say: Catalogue, found: Versus) -> list[str]:
    a, b = found.a, found.b
    if not a.given and not b.given:
        return []
    return [say("plenty.stats.versus", a=mention(say, a.user), b=mention(say, b.user), taken=a.given, lost=b.given)]


FIGURE_WORDS: Final = FigureWords(whole_game=_whole_game, score=_score, details=_details, rivals=_rivals, duels=_duels)

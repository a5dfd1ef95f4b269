"""Coyote's figures in words: on cards, leaderboards and comparisons."""

from __future__ import annotations

from typing import Final

from bot.games.coyote.figures import BIDS, CALLS, CALLS_RIGHT, CAUGHT, DEALT, EXACT, SURVIVED, TAKEN
from bot.screens.names import mention
from bot.screens.stats.words import FigureWords
from bot.stats.model import Card, Totals, Versus
from bot.text.catalogue import Catalogue


def _whole_game(say: Catalogue) -> str:
    return say("figures.every_edition")


def _edition_key(edition: str) -> str:
    return f"edition.{edition}.name"


def _score(say: Catalogue, by: str, totals: Totals) -> str:
    if by == CALLS_RIGHT:
        return say("board.score.coyote.calls_right", count=totals.own(CALLS_RIGHT), calls=totals.own(CALLS))
    return say(f"board.score.coyote.{by}", count=totals.own(by), games=say("board.in_games", count=totals.games))


def _details(say: Catalogue, totals: Totals) -> list[str]:
    lines = []
    own = totals.own
    if own(CALLS):
        share = say.percent(own(CALLS_RIGHT) * 100 // own(CALLS) * 10)
        lines.append(say("card.calls", count=own(CALLS), right=own(CALLS_RIGHT), percent=share))
    if own(BIDS):
        lines.append(say("card.bids", count=own(BIDS), caught=own(CAUGHT), exact=own(EXACT)))
    if own(TAKEN) or own(DEALT):
        lines.append(say("card.coins", count=own(TAKEN), dealt=own(DEALT)))
    if totals.rounds:
        lines.append(say("card.rounds", survived=own(SURVIVED), count=totals.rounds))
    return lines


def _rivals(say: Catalogue, card: Card) -> list[str]:
    return [
        say(key, mention=mention(say, rival.user), count=rival.amount)
        for key, rival in (("card.victim", card.victim), ("card.nemesis", card.nemesis))
        if rival is not None
    ]


def _duels(say: Catalogue, found: Versus) -> list[str]:
    a, b = found.a, found.b
    if not a.given and not b.given:
        return []
    return [say("versus.coins", a=mention(say, a.user), b=mention(say, b.user), dealt=a.given, taken=b.given)]


FIGURE_WORDS: Final = FigureWords(
    whole_game=_whole_game, edition_key=_edition_key, score=_score, details=_details, rivals=_rivals, duels=_duels
)

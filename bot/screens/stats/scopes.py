"""Names editions and periods, and makes the two selects for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from bot.engine.registry import main_game
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import MOST_OPTIONS, Item, option, pick, row
from bot.screens.stats.queries import Scope
from bot.screens.stats.words import edition_name
from bot.screens.words import DOT
from bot.stats.figures import GUESS_ALONG, WHOLE_GAME
from bot.stats.model import ALL_TIME, Season
from bot.text.catalogue import Catalogue

T = TypeVar("T")
MAX_MONTHS: Final = 12
"""Cap on the months in the select of periods."""
FIRST_PAGE: Final = 1
"""The page that a select leads to, in the same message."""


class Offer(NamedTuple):
    """What a guild has played, and so what there is to choose from."""

    editions: tuple[tuple[str, str], ...] = ()
    """The games and editions that have boards, `WHOLE_GAME` among the editions."""
    months: tuple[str, ...] = ()
    """Newest first."""
    seasons: tuple[Season, ...] = ()
    """Newest first; the first one is running."""

    @property
    def without_guesses(self) -> Offer:
        """The same without the boards of guessing along, which say nothing about games that somebody played."""
        return self._replace(editions=tuple([each for each in self.editions if each[0] != GUESS_ALONG]))

    @property
    def default_scope(self) -> Scope:
        """What is shown if no game is asked for or known: the main game or, if it was never played here, another."""
        games = dict.fromkeys(game for game, _ in self.editions)
        return Scope() if main_game() in games else Scope().playing(next(iter(games), main_game()))


def period_name(say: Catalogue, period: str) -> str:
    """Name a period: "all time", "November 2026", "season 3"."""
    if period == ALL_TIME:
        return say("figures.all_time")
    kind, _, count = period.partition("-")
    return say("figures.season", number=count) if kind == "season" else say.month(int(kind), int(count))


def scope_line(say: Catalogue, scope: Scope) -> str:
    """Say in a small line what is counted."""
    return f"-# {edition_name(say, scope.game_name, scope.edition)}{DOT}{period_name(say, scope.period)}"


def scope_rows(
    say: Catalogue, verb: Verb, offer: Offer, scope: Scope, write: Callable[[Scope], str]
) -> list[Item | None]:
    """Return the selects; `write` turns the scope that an option chooses into the option's value."""
    chosen = (scope.game_name, scope.edition)
    editions = [
        option(
            edition_name(say, game, edition),
            write(scope._replace(edition=edition).playing(game)),
            chosen=(game, edition) == chosen,
        )
        for game, edition in _including(chosen, _editions(offer, chosen[0]))[:MOST_OPTIONS]
    ]
    periods = [
        option(label, write(scope._replace(period=period)), chosen=period == scope.period)
        for period, label in period_options(say, offer, scope.period)
    ]
    return [
        row(pick(say("figures.pick_edition"), CustomId(verb, prompt=FIRST_PAGE, argument="edition"), editions))
        if len(editions) > 1
        else None,
        row(pick(say("figures.pick_period"), CustomId(verb, prompt=FIRST_PAGE, argument="period"), periods))
        if len(periods) > 1
        else None,
    ]


def _editions(offer: Offer, chosen_game: str) -> tuple[tuple[str, str], ...]:
    """Return the boards to choose from: each game, and its editions if several of them were played."""
    found: list[tuple[str, str]] = []
    played = {game for game, _ in offer.editions}
    for game in sorted(played | {chosen_game}, key=lambda game: (game != main_game(), game)):
        editions = [edition for name, edition in offer.editions if name == game and edition != WHOLE_GAME]
        # The boards of a single edition would be the same as those of the whole game.
        found += [(game, WHOLE_GAME), *[(game, edition) for edition in editions if len(editions) > 1]]
    return tuple(found)


def period_options(say: Catalogue, offer: Offer, chosen: str = ALL_TIME) -> list[tuple[str, str]]:
    """Return the periods and their names: all time, months, seasons, each newest first; at most as many as fit."""
    known = [ALL_TIME]
    running = offer.seasons[0].period if offer.seasons else None
    seasons = [season.period for season in offer.seasons]
    months = list(offer.months[:MAX_MONTHS])
    known += [*months, *seasons[: MOST_OPTIONS - 2 - len(months)]]
    return [
        (period, say("figures.season_running", number=period.partition("-")[2]))
        if period == running
        else (period, _capitalised(period_name(say, period)))
        for period in _including(chosen, tuple(known))
    ]


def _including(chosen: T, known: tuple[T, ...]) -> list[T]:
    """Return the known values, each once, with the chosen one added if it is missing."""
    return list(dict.fromkeys([*known[:1], *([chosen] if chosen not in known else []), *known[1:]]))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]

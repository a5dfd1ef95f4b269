"""Which edition, which period: their names, and the two selects with which one chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import MOST_OPTIONS, Item, option, pick, row
from bot.screens.names import safe_name
from bot.screens.stats.queries import Scope
from bot.screens.words import DOT
from bot.stats.model import ALL_TIME, EVERY_EDITION, Season
from bot.text.catalogue import Catalogue

MOST_MONTHS: Final = 12
FIRST_PAGE: Final = 1
"""What a select shows is shown from its first page, in the same message."""


class Offer(NamedTuple):
    """What a server has played: what there is to choose from."""

    editions: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    """Newest first."""
    seasons: tuple[Season, ...] = ()
    """Newest first; the first is the one that runs."""


def edition_name(say: Catalogue, edition: str) -> str:
    """Name an edition, or all of them."""
    if edition == EVERY_EDITION:
        return say("figures.every_edition")
    key = f"edition.{edition}.name"
    return say(key) if key in say else safe_name(edition)


def period_name(say: Catalogue, period: str) -> str:
    """Name a period: "all time", "November 2026", "season 3"."""
    if period == ALL_TIME:
        return say("figures.all_time")
    kind, _, count = period.partition("-")
    return say("figures.season", number=count) if kind == "season" else say.month(int(kind), int(count))


def scope_line(say: Catalogue, scope: Scope) -> str:
    """Say in a small line what is counted."""
    return f"-# {edition_name(say, scope.edition)}{DOT}{period_name(say, scope.period)}"


def scope_rows(
    say: Catalogue, verb: Verb, offer: Offer, scope: Scope, write: Callable[[Scope], str]
) -> list[Item | None]:
    """Return the selects; `write` makes an option's value of what it chooses."""
    editions = [
        option(edition_name(say, edition), write(scope._replace(edition=edition)), chosen=edition == scope.edition)
        for edition in _with(scope.edition, (EVERY_EDITION, *offer.editions))
    ]
    periods = [
        option(label, write(scope._replace(period=period)), chosen=period == scope.period)
        for period, label in period_options(say, offer, scope.period)
    ]
    # Where one edition alone was played, "all" and that one would say the same.
    several = len(editions) > 2 or scope.edition != EVERY_EDITION
    return [
        row(pick(say("figures.pick_edition"), CustomId(verb, prompt=FIRST_PAGE, argument="edition"), editions))
        if several
        else None,
        row(pick(say("figures.pick_period"), CustomId(verb, prompt=FIRST_PAGE, argument="period"), periods))
        if len(periods) > 1
        else None,
    ]


def period_options(say: Catalogue, offer: Offer, chosen: str = ALL_TIME) -> list[tuple[str, str]]:
    """Return the periods and their names: all time, months, seasons, each newest first; at most as many as fit."""
    known = [ALL_TIME]
    running = offer.seasons[0].period if offer.seasons else None
    seasons = [season.period for season in offer.seasons]
    months = list(offer.months[:MOST_MONTHS])
    known += [*months, *seasons[: MOST_OPTIONS - 2 - len(months)]]
    return [
        (period, say("figures.season_running", number=period.partition("-")[2]))
        if period == running
        else (period, _capitalised(period_name(say, period)))
        for period in _with(chosen, tuple(known))
    ]


def _with(chosen: str, known: tuple[str, ...]) -> list[str]:
    """Return what is known, each once, and what was chosen among it."""
    return list(dict.fromkeys([*known[:1], *([chosen] if chosen not in known else []), *known[1:]]))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]

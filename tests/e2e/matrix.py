"""The games to play: kinds, sizes, ways to play, DMs, and the moment when the bot is killed."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from tests.e2e.driver import Driver
from tests.games.drivers import DRIVERS

WAYS = ("buttons", "commands")


class Row(NamedTuple):
    """One game to be played."""

    driver: Driver
    kind: str
    players: int
    way: str
    dms: bool
    kill: str

    def __str__(self) -> str:
        dms = "dms" if self.dms else "shut"
        return "-".join((self.driver.name, self.kind, str(self.players), self.way, dms, self.kill))


def kills(driver: Driver) -> tuple[str, ...]:
    """Return the moments at which the bot is killed."""
    return ("never", "lobby", *driver.kills, "over")


def everything(driver: Driver) -> list[Row]:
    """Return all games of one driver."""
    values = product(driver.kinds, driver.sizes, WAYS, (True, False), kills(driver))
    rows = (Row(driver, *each) for each in values)
    return [row for row in rows if driver.is_possible(row.kind, row.players, row.kill)]


def every_game() -> list[Row]:
    """Return all games of all drivers."""
    return [row for driver in DRIVERS for row in everything(driver)]


def _pairs(row: Row) -> Iterator[tuple[int, object, int, object]]:
    values = row[1:]
    for one, other in combinations(range(len(values)), 2):
        yield one, values[one], other, values[other]


def sample(driver: Driver) -> list[Row]:
    """Return a few games that together cover every possible pair of values; always the same ones."""
    rows = [row for row in everything(driver) if driver.is_quick(row.kind, row.players)]
    missing = {pair for row in rows for pair in _pairs(row)}
    chosen: list[Row] = []
    while missing:
        # On a tie, prefer the smaller table: big ones take long.
        best = max(rows, key=lambda row: (sum(pair in missing for pair in _pairs(row)), -row.players))
        chosen.append(best)
        missing.difference_update(_pairs(best))
    return chosen

"""The games to play: editions, variants, sizes, ways to play, DMs, and the moment when the bot is killed."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple


class Row(NamedTuple):
    """One game to be played."""

    edition: str
    variant: bool
    players: int
    way: str
    dms: bool
    kill: str

    def __str__(self) -> str:
        return "-".join(
            (
                self.edition,
                "variant" if self.variant else "plain",
                str(self.players),
                self.way,
                "dms" if self.dms else "shut",
                self.kill,
            )
        )


EDITIONS = ("scout", "tomahawk", "feathers", "peek")
SIZES = (2, 3, 4, 5, 6, 12)
WAYS = ("buttons", "commands")
KILLS = ("never", "lobby", "bidding", "bets", "between", "over")
SMALLEST = {"scout": 2, "tomahawk": 2, "feathers": 3, "peek": 3}


def possible(row: Row) -> bool:
    """Tell whether such a game exists: bets need the variant of `peek`, and every edition a minimum of players."""
    if row.kill == "bets" and not (row.edition == "peek" and row.variant):
        return False
    return row.players >= SMALLEST[row.edition]


def everything() -> list[Row]:
    """Return all games."""
    rows = (Row(*values) for values in product(EDITIONS, (False, True), SIZES, WAYS, (True, False), KILLS))
    return [row for row in rows if possible(row)]


def _pairs(row: Row) -> Iterator[tuple[int, object, int, object]]:
    values = ((row.edition, row.variant), *row[2:])  # a variant has other actions and screens
    for one, other in combinations(range(len(values)), 2):
        yield one, values[one], other, values[other]


def sample() -> list[Row]:
    """Return a few games that together cover every possible pair of values; always the same ones."""
    rows = everything()
    missing = {pair for row in rows for pair in _pairs(row)}
    chosen: list[Row] = []
    while missing:
        # On a tie, prefer the smaller table: big ones take long.
        best = max(rows, key=lambda row: (sum(pair in missing for pair in _pairs(row)), -row.players))
        chosen.append(best)
        missing.difference_update(_pairs(best))
    return chosen

"""The options of a match of Plenty Coups, and why some are refused."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from bot.engine.core import Json, Rejected, Seat
from bot.games.plenty_coups.rules.cards import Tribe

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 6


class Problem(StrEnum):
    """Why a match cannot be opened."""

    UNKNOWN_OPTION = "unknown_option"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    NOT_TRIBES = "not_tribes"
    NO_SUCH_STARTER = "no_such_starter"


class Options(NamedTuple):
    """The tribes by seat; with two players the third tribe, which belongs to nobody, comes last (section 8)."""

    tribes: tuple[Tribe, ...]


def read_options(options: Mapping[str, Json], players: int, starter: Seat | None) -> Options:
    """Make the options of a match from plain data; raise Rejected with a Problem if they are impossible."""
    for name in options:
        if name != "tribes":
            raise Rejected(Problem.UNKNOWN_OPTION, option=name, allowed=("tribes",))
    if players < FEWEST_PLAYERS:
        raise Rejected(Problem.TOO_FEW_PLAYERS, players=players, lowest=FEWEST_PLAYERS)
    if players > MOST_PLAYERS:
        raise Rejected(Problem.TOO_MANY_PLAYERS, players=players, highest=MOST_PLAYERS)
    if starter is not None and (type(starter) is not int or starter not in range(players)):
        raise Rejected(Problem.NO_SUCH_STARTER, starter=starter)
    camps = max(players, 3)
    names = [tribe.name.lower() for tribe in Tribe]
    wanted = options.get("tribes", names[:camps])
    if (
        not isinstance(wanted, list)
        or len(wanted) != camps
        or any(wanted.count(name) > 1 or name not in names for name in wanted)
    ):
        raise Rejected(Problem.NOT_TRIBES, value=wanted, needed=camps, allowed=tuple(names))
    return Options(tuple(Tribe(names.index(name)) for name in wanted))

"""The options of a match of Plenty Coups: what the rules leave open (section 14), and why some values are refused."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bot.engine.core import Json, Rejected, Seat
from bot.games.plenty_coups.rules.cards import Tribe

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 6
WINTER_ROUNDS: Final = 3
"""Rounds that winter adds to those before it."""


class Problem(StrEnum):
    """Why a match cannot be opened."""

    UNKNOWN_OPTION = "unknown_option"
    NOT_ALLOWED = "not_allowed"
    OUT_OF_RANGE = "out_of_range"
    LIMITS_CROSSED = "limits_crossed"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    NOT_TRIBES = "not_tribes"
    NO_SUCH_STARTER = "no_such_starter"


class Options(NamedTuple):
    """The rules of one match. Make them with `read_options`, which checks them."""

    tribes: tuple[Tribe, ...]
    """By seat; with two players the third tribe, which belongs to nobody, comes last (section 8)."""
    min_players: int = FEWEST_PLAYERS
    max_players: int = MOST_PLAYERS
    rounds: int = 9
    """How many rounds are played before winter, which has three more (section 4)."""
    winter_hunting: bool = True
    """Whether tribes may hunt in winter (R18)."""
    decline_when_able: bool = True
    """Whether a disdained tribe may decline although it could prove its worth (R16)."""
    accepter_gains: bool = False
    """Whether the tribe that accepts an alliance gains prestige too (R24)."""

    @property
    def last_round(self) -> int:
        """The number of the last round, in winter."""
        return self.rounds + WINTER_ROUNDS


RANGES: Final[Mapping[str, range]] = {
    "min_players": range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    "max_players": range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    "rounds": range(3, 10),
}
"""The possible values of the options that are whole numbers."""
SWITCHES: Final = ("winter_hunting", "decline_when_able", "accepter_gains")
"""The options that are on or off."""
MOST_ROUNDS: Final = RANGES["rounds"][-1] + WINTER_ROUNDS
"""The most rounds that a match can have, winter included."""


def options_from(options: Mapping[str, Json]) -> Options:
    """Make the options of a table of any size, still without tribes; raise Rejected if they are impossible."""
    for name in options:
        if name not in Options._fields:
            raise Rejected(Problem.UNKNOWN_OPTION, option=name, allowed=Options._fields)
    chosen = Options((), **{name: _checked(name, value) for name, value in options.items() if name != "tribes"})
    if chosen.min_players > chosen.max_players:
        raise Rejected(Problem.LIMITS_CROSSED, lowest=chosen.min_players, highest=chosen.max_players)
    return chosen


def read_options(options: Mapping[str, Json], players: int, starter: Seat | None) -> Options:
    """Make the options of a match from plain data; raise Rejected with a Problem if they do not fit the table."""
    chosen = options_from(options)
    if players < chosen.min_players:
        raise Rejected(Problem.TOO_FEW_PLAYERS, players=players, lowest=chosen.min_players)
    if players > chosen.max_players:
        raise Rejected(Problem.TOO_MANY_PLAYERS, players=players, highest=chosen.max_players)
    if starter is not None and (type(starter) is not int or starter not in range(players)):
        raise Rejected(Problem.NO_SUCH_STARTER, starter=starter)
    return chosen._replace(tribes=_tribes(options.get("tribes"), max(players, 3)))


def options_of(options: Options) -> dict[str, Json]:
    """Return the tribes and what differs from the rulings, as plain data that `read_options` takes."""
    standard = Options(options.tribes)._asdict()
    changed = {name: value for name, value in options._asdict().items() if value != standard[name]}
    return {"tribes": [tribe.name.lower() for tribe in options.tribes], **changed}


def _checked(name: str, value: Any) -> Any:
    """Return the value of a number or switch; raise Rejected if it is not allowed."""
    if name in SWITCHES:
        if not isinstance(value, bool):
            raise Rejected(Problem.NOT_ALLOWED, option=name, value=value, allowed=(False, True))
        return value
    allowed = RANGES[name]
    if type(value) is not int or value not in allowed:
        raise Rejected(Problem.OUT_OF_RANGE, option=name, value=value, lowest=allowed[0], highest=allowed[-1])
    return value


def _tribes(wanted: Any, camps: int) -> tuple[Tribe, ...]:
    """Return the tribes by seat; without a wish, the first ones."""
    names = [tribe.name.lower() for tribe in Tribe]
    if wanted is None:
        wanted = names[:camps]
    if (
        not isinstance(wanted, list)
        or len(wanted) != camps
        or any(wanted.count(name) > 1 or name not in names for name in wanted)
    ):
        raise Rejected(Problem.NOT_TRIBES, value=wanted, needed=camps, allowed=tuple(names))
    return tuple(Tribe(names.index(name)) for name in wanted)

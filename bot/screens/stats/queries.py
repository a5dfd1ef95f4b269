"""Reads and writes the arguments of the statistics' buttons and selects. Anybody can forge them.

A board is written `[<game>.]<edition>.<period>`; the main game's name is left out.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.engine.registry import main_game
from bot.host.model import UserId
from bot.stats.figures import FIGURES, NAME, RATING, WHOLE_GAME, figures_of
from bot.stats.model import ALL_TIME, Board

MAIN_GAME: Final = ""
"""Stands for the main game, whose name is not written out; see `main_game`."""
ANY_EDITION: Final = "any"
"""Stands for `WHOLE_GAME`, which is an empty string."""
NOTHING_HIDDEN: Final = "all"
"""Stands for a view with nothing hidden, instead of a seat's."""

_USER: Final = r"[1-9][0-9]{0,19}"
_ANY_PERIOD: Final = r"all|[0-9]{4}-(?:0[1-9]|1[0-2])|season-[1-9][0-9]{0,3}"
_SCOPE: Final = rf"(?:(?P<game>{NAME.pattern})\.)?(?P<edition>{NAME.pattern})\.(?P<period>{_ANY_PERIOD})"
_CARD: Final = re.compile(rf"(?P<a>{_USER})(?:\.{_SCOPE})?", re.ASCII)
_PAIR: Final = re.compile(rf"(?P<a>{_USER})\.(?P<b>{_USER})\.{_SCOPE}", re.ASCII)
_BOARD: Final = re.compile(rf"(?P<by>{NAME.pattern})\.{_SCOPE}", re.ASCII)
_PERIOD: Final = re.compile(_ANY_PERIOD, re.ASCII)
_STEP: Final = re.compile(
    r"(?P<game>[1-9][0-9]{0,8})(?:\.(?P<step>0|[1-9][0-9]{0,4})\.(?P<viewer>all|0|[1-9][0-9]?)(?:\.[a-z]{1,5})?)?",
    re.ASCII,
)


class Scope(NamedTuple):
    """What is counted: one edition or the whole game, one period or all time."""

    edition: str = WHOLE_GAME
    period: str = ALL_TIME
    game: str = MAIN_GAME

    def __str__(self) -> str:
        written = f"{self.edition or ANY_EDITION}.{self.period}"
        return f"{self.game}.{written}" if self.game else written

    @classmethod
    def of(cls, board: Board) -> Scope:
        """Return what a board counts."""
        return cls(board.edition, board.period).playing(board.game)

    def playing(self, game: str) -> Scope:
        """Return the same scope of another game."""
        return self._replace(game=MAIN_GAME if game == main_game() else game)

    @property
    def game_name(self) -> str:
        """The name under which the game is registered."""
        return self.game or main_game()

    def on(self, guild: int) -> Board:
        """Return the board of a guild that counts this."""
        return Board(guild, self.game_name, self.edition, self.period)


class CardQuery(NamedTuple):
    """One person's card."""

    user: UserId
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.user}.{self.scope}"

    def within(self, scope: Scope) -> CardQuery:
        """Return the same question about another scope."""
        return self._replace(scope=scope)


class VersusQuery(NamedTuple):
    """Two people, head to head."""

    a: UserId
    b: UserId
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.a}.{self.b}.{self.scope}"

    def within(self, scope: Scope) -> VersusQuery:
        """Return the same question about another scope."""
        return self._replace(scope=scope)


class LeaderboardQuery(NamedTuple):
    """A leaderboard."""

    by: str = RATING
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.by}.{self.scope}"

    def within(self, scope: Scope) -> LeaderboardQuery:
        """Return the same question about another scope; by rating if that game does not rank by this figure."""
        return LeaderboardQuery(self.by if self.by in figures_of(scope.game_name).rankings else RATING, scope)


class ReplayStep(NamedTuple):
    """A step of a replay, and who sees it."""

    game: int
    step: int = 0
    viewer: Seat | None = None
    """None: nothing is hidden."""

    def __str__(self) -> str:
        return f"{self.game}.{self.step}.{NOTHING_HIDDEN if self.viewer is None else self.viewer}"


def parse_card(value: str | None) -> CardQuery | None:
    """Read whose card is asked for; None if the bot never writes that."""
    found = _CARD.fullmatch(value or "")
    if found is None:
        return None
    scope = Scope() if found["edition"] is None else _scope(found)
    user = _user(found["a"])
    return None if user is None or scope is None else CardQuery(user, scope)


def parse_pair(value: str | None) -> VersusQuery | None:
    """Read which two people are to be compared; None if the bot never writes that."""
    found = _PAIR.fullmatch(value or "")
    if found is None:
        return None
    a, b, scope = _user(found["a"]), _user(found["b"]), _scope(found)
    return None if a is None or b is None or scope is None else VersusQuery(a, b, scope)


def parse_board(value: str | None) -> LeaderboardQuery | None:
    """Read which leaderboard is asked for; None if the bot never writes that."""
    found = _BOARD.fullmatch(value or "")
    if found is None:
        return None
    scope = _scope(found)
    if scope is None or found["by"] not in figures_of(scope.game_name).rankings:
        return None
    return LeaderboardQuery(found["by"], scope)


def parse_step(value: str | None) -> ReplayStep | None:
    """Read which step of which game is asked for; None if the bot never writes that."""
    found = _STEP.fullmatch(value or "")
    if found is None:
        return None
    if found["step"] is None:
        return ReplayStep(int(found["game"]))
    return ReplayStep(
        int(found["game"]),
        int(found["step"]),
        None if found["viewer"] == NOTHING_HIDDEN else Seat(int(found["viewer"])),
    )


def is_period(value: str) -> bool:
    """Return whether this is a period in its written form, even if no games were played in it."""
    return _PERIOD.fullmatch(value) is not None


def _user(written: str) -> UserId | None:
    """Read a user id; None if it is larger than a database can store."""
    return UserId(int(written)) if int(written) < 1 << 63 else None


def _scope(found: re.Match[str]) -> Scope | None:
    """Read what is counted; None if the bot does not host that game."""
    game = found["game"] or main_game()
    if game not in FIGURES:
        return None
    edition = WHOLE_GAME if found["edition"] == ANY_EDITION else found["edition"]
    return Scope(edition, found["period"]).playing(game)

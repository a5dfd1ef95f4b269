"""What the buttons and selects of statistics carry: who, which board, which step. Anybody can forge it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.model import UserId
from bot.stats.model import ALL_TIME, EVERY_EDITION, Board, By

EVERY: Final = "any"
"""Stands for `EVERY_EDITION`, which has no letters."""
OPEN: Final = "all"
"""Stands for the eyes that see every feather."""

_USER: Final = r"[1-9][0-9]{0,19}"
_SCOPE: Final = r"(?P<edition>[a-z_]{1,12})\.(?P<period>all|[0-9]{4}-(?:0[1-9]|1[0-2])|season-[1-9][0-9]{0,3})"
_CARD: Final = re.compile(rf"(?P<a>{_USER})(?:\.{_SCOPE})?", re.ASCII)
_PAIR: Final = re.compile(rf"(?P<a>{_USER})\.(?P<b>{_USER})\.{_SCOPE}", re.ASCII)
_BOARD: Final = re.compile(rf"(?P<by>[a-z_]{{1,12}})\.{_SCOPE}", re.ASCII)
_PERIOD: Final = re.compile(r"all|[0-9]{4}-(?:0[1-9]|1[0-2])|season-[1-9][0-9]{0,3}", re.ASCII)
_STEP: Final = re.compile(
    r"(?P<game>[1-9][0-9]{0,8})(?:\.(?P<step>0|[1-9][0-9]{0,4})\.(?P<eyes>all|0|[1-9][0-9]?)(?:\.[a-z]{1,5})?)?",
    re.ASCII,
)


class Scope(NamedTuple):
    """What is counted: one edition or all, one period or all time."""

    edition: str = EVERY_EDITION
    period: str = ALL_TIME

    def __str__(self) -> str:
        return f"{self.edition or EVERY}.{self.period}"

    @classmethod
    def of(cls, board: Board) -> Scope:
        """Return what a board counts."""
        return cls(board.edition, board.period)

    def on(self, guild: int) -> Board:
        """Return the board of a server that counts this."""
        return Board(guild, *self)


class OfOne(NamedTuple):
    """One person's card."""

    user: UserId
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.user}.{self.scope}"

    def within(self, scope: Scope) -> OfOne:
        """Return the same question about something else that is counted."""
        return self._replace(scope=scope)


class OfTwo(NamedTuple):
    """Two people, head to head."""

    a: UserId
    b: UserId
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.a}.{self.b}.{self.scope}"

    def within(self, scope: Scope) -> OfTwo:
        """Return the same question about something else that is counted."""
        return self._replace(scope=scope)


class OfAll(NamedTuple):
    """A leaderboard."""

    by: By = By.RATING
    scope: Scope = Scope()

    def __str__(self) -> str:
        return f"{self.by.value}.{self.scope}"

    def within(self, scope: Scope) -> OfAll:
        """Return the same question about something else that is counted."""
        return self._replace(scope=scope)


class Step(NamedTuple):
    """A step of a replay, and whose eyes see it."""

    game: int
    step: int = 0
    eyes: Seat | None = None
    """None: every feather."""

    def __str__(self) -> str:
        return f"{self.game}.{self.step}.{OPEN if self.eyes is None else self.eyes}"


def parse_card(value: str | None) -> OfOne | None:
    """Read whose card is asked for; None if nobody made that."""
    found = _CARD.fullmatch(value or "")
    if found is None:
        return None
    scope = Scope() if found["edition"] is None else _scope(found)
    user = _user(found["a"])
    return None if user is None else OfOne(user, scope)


def parse_pair(value: str | None) -> OfTwo | None:
    """Read which two are to be compared; None if nobody made that."""
    found = _PAIR.fullmatch(value or "")
    if found is None:
        return None
    a, b = _user(found["a"]), _user(found["b"])
    return None if a is None or b is None else OfTwo(a, b, _scope(found))


def parse_board(value: str | None) -> OfAll | None:
    """Read which leaderboard is asked for; None if nobody made that."""
    found = _BOARD.fullmatch(value or "")
    if found is None or found["by"] not in {by.value for by in By}:
        return None
    return OfAll(By(found["by"]), _scope(found))


def parse_step(value: str | None) -> Step | None:
    """Read which step of which game is asked for; None if nobody made that."""
    found = _STEP.fullmatch(value or "")
    if found is None:
        return None
    if found["step"] is None:
        return Step(int(found["game"]))
    return Step(int(found["game"]), int(found["step"]), None if found["eyes"] == OPEN else Seat(int(found["eyes"])))


def is_period(value: str) -> bool:
    """Tell whether this is how a period is written; there need not be a game in it."""
    return _PERIOD.fullmatch(value) is not None


def _user(written: str) -> UserId | None:
    """Read an id; None if it is more than Discord gives out, or a database takes."""
    return UserId(int(written)) if int(written) < 1 << 63 else None


def _scope(found: re.Match[str]) -> Scope:
    return Scope(EVERY_EDITION if found["edition"] == EVERY else found["edition"], found["period"])

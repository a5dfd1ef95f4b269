"""Writes special actions and bids as text for selects and custom_ids, and reads them back."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bot.screens.presses import Move

SHOWN_PRIVATELY: Final = ("peek", "coyote_card", "bet")
"""Actions whose effect only the player sees: the answer to them is the player's private look."""


class Act(NamedTuple):
    """One special action from a list, or a bid with its announcement, if any."""

    do: str
    """The action's name in the game's codec, which is "bid" even for a bid with an announcement."""
    kind: str | None = None
    """The announcement of a bid or before one, or the coin that is flipped."""
    target: int | None = None

    def __str__(self) -> str:
        return ".".join(str(part) for part in self if part is not None)

    @property
    def announced(self) -> str | None:
        """A bid's announcement, as the argument of the verbs `form` and `number`; None if it has none."""
        return str(self).partition(".")[2] or None

    @property
    def needs_number(self) -> bool:
        """Whether a number must be named with it."""
        return self.do == "bid"

    @property
    def needs_guess(self) -> bool:
        """Whether a feather must be named with it."""
        return self.do == "coin" and self.kind == "guess"

    def move(self, number: int | None = None, guess: int | str | None = None, *, confirmed: bool = False) -> Move:
        """Return the action, with the number or the feather that was asked for."""
        if self.do == "bid":
            fields = {"number": number, "plus": self.kind, "target": self.target}
            return Move("bid", fields, confirmed=confirmed, announced=self.announced, slots={"number": number})
        if self.do == "coin":
            return Move("coin", {"coin": self.kind, "value": guess})
        if self.do == "announce":
            return Move("announce", {"plus": self.kind, "target": self.target})
        return Move(self.do, {}, shows_look=self.do in SHOWN_PRIVATELY)


def call() -> Move:
    """Return the call "Coyote!"."""
    return Move("call", {})


def bet(on: int) -> Move:
    """Return a secret bet on a seat."""
    return Move("bet", {"on": on}, shows_look=True)


_BID: Final = re.compile(r"(?P<number>-?[0-9]{1,4})(?:\.(?P<kind>[a-z]{1,8})(?:\.(?P<target>[0-9]{1,2}))?)?", re.ASCII)
_ACT: Final = re.compile(
    r"(?P<do>bid|announce|coin|approve|reverse|redo|withdraw|peek|coyote_card)(?:\.(?P<kind>[a-z]{1,8})(?:\.(?P<target>[0-9]{1,2}))?)?",
    re.ASCII,
)
_WITH_KIND: Final = ("bid", "announce", "coin")


def parse_act(value: str) -> Act | None:
    """Read the value of an action in a list; None if it is not one of ours."""
    found = _ACT.fullmatch(value)
    if found is None or (found["kind"] is not None) != (found["do"] in _WITH_KIND):
        return None
    return Act(found["do"], found["kind"], None if found["target"] is None else int(found["target"]))


def bid_argument(number: int, act: Act | None = None) -> str:
    """Write a bid as the argument of the verbs `bid` and `sure`."""
    parts = (number, None, None) if act is None else (number, act.kind, act.target)
    return ".".join(str(part) for part in parts if part is not None)


def parse_bid(argument: str | None, *, confirmed: bool = False) -> Move | None:
    """Read the argument of the verbs `bid` and `sure`; None if it is not one of ours."""
    found = _BID.fullmatch(argument or "")
    if found is None:
        return None
    target = None if found["target"] is None else int(found["target"])
    return Act("bid", found["kind"], target).move(int(found["number"]), confirmed=confirmed)


def parse_announcement(argument: str | None) -> Act | None:
    """Read the argument of the verbs `form` and `number`: without one, a plain bid; None if it is not one of ours."""
    return Act("bid") if argument is None else parse_act(f"bid.{argument}")

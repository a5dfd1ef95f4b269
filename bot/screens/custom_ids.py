"""What a button, select or form carries: `c1:<table>:<prompt>:<verb>[:<argument>]`, and what an action in a list does.

Short, anchored and versioned, because buttons outlive restarts and releases, and anybody can forge them. Reading one
only says what it asks for; whether that is allowed is for the host and the rules to judge.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, Final, NamedTuple

MOST: Final = 100
NO_TABLE: Final = "0"
"""Stands for the table where there is none, as on a page of the rules."""
NO_PROMPT: Final = 0
"""Stands for the question where the verb answers none. The game's own questions may have this number too."""

TEMPLATE: Final = re.compile(
    r"c1:(?P<table>[0-9A-Za-z]{1,20}):(?P<prompt>0|[1-9][0-9]{0,8}):(?P<verb>[a-z]{2,12})"
    r"(?::(?P<argument>[-0-9A-Za-z_.+?]{1,40}))?",
    re.ASCII,
)


class Verb(StrEnum):
    """Everything that can be pressed, picked or filled in. The comment names the argument, if there is one."""

    # The lobby.
    JOIN = "join"
    RISE = "rise"
    """Leave; in a running game, ask first. Argument `yes`: asked."""
    START = "start"
    HOST = "host"
    """Open the host's menu."""
    KICK = "kick"
    """A select of user ids."""
    PASS = "pass"  # noqa: S105 - no password
    """A select of user ids."""
    STARTER = "starter"
    """A select of user ids; 0 lets chance decide."""
    AI = "ai"
    """Open the host's menu of AI players. Argument: the strength that is chosen."""
    ASK = "ask"
    """A select of AI players' names, 0 for anyone. Argument: the strength."""
    FILL = "fill"
    """Give free seats to AIs. Argument: nothing, or the strength."""
    SEND = "send"
    """A select of AI players at the table, by their (negative) ids."""
    WATCH = "watch"
    """Give up the host's own seat."""
    STOP = "stop"
    """Cancel the lobby or stop the game: ask first. Argument `yes`: asked."""

    # The game: each carries the id of the question that it answers.
    BID = "bid"
    """Argument: the number, perhaps with an announcement and its target (`15`, `15.double`, `15.next.3`)."""
    SURE = "sure"
    """The same, after "really?"."""
    FORM = "form"
    """Open the form for a bid. Argument: nothing, or an announcement (`double`, `next.3`)."""
    CALL = "call"
    ACT = "act"
    """A select of `act` values; see `Act`. As a button, the value is the argument (`peek`, `coyote_card`)."""
    BET = "bet"
    """Argument: the seat that is bet on."""

    # Forms that come back.
    NUMBER = "number"
    """A bid was filled in. Argument: nothing, or an announcement (`double`, `next`, `next.3`)."""
    GUESS = "guess"
    """One's own feather was guessed."""

    # Around the game.
    LOOK = "look"
    """Argument `again`: show it in the same private message."""
    MORE = "more"
    """Open the private menu."""
    DEAL = "deal"
    PAUSE = "pause"
    BACK = "back"
    VOTE = "vote"
    """Argument: the away player's user id; or a select of them."""
    TABLE = "table"
    """Post the table again."""
    TIME = "time"
    """A select of 1, 2 and 4."""
    PINGS = "pings"
    """Argument: `on` or `off`."""
    REMATCH = "rematch"
    NEW = "new"
    """Open a table with the house's rules."""
    CHOOSE = "choose"
    """Open the window in which somebody says how it differs from them."""
    CHOSEN = "chosen"
    """The window came back."""
    HELP = "help"
    RULES = "rules"
    """Argument: the topic; or a select of topics."""
    KEEP = "keep"
    """Never mind: close the question."""
    PRIVACY = "privacy"
    """Of whoever presses: `export`, `ask` (whether to delete), `delete`, statistics `on` or `off`."""

    # Statistics; `bot.screens.stats.queries` writes and reads the arguments. The prompt is the page that is shown in
    # the same message; without one, the answer is a message of its own.
    STATS = "stats"
    VERSUS = "versus"
    HISTORY = "history"
    BOARD = "board"
    REPLAY = "replay"
    """With a table: the game that was played there."""
    SEASON = "season"
    """Argument: the number of the season to close, after the question."""

    # House rules: they belong to no table.
    HPAGE = "hpage"
    """Argument: a page of the form; or a select of pages."""
    HPICK = "hpick"
    """A select of settings: show one."""
    HSET = "hset"
    """Argument: a setting; a select of its values."""
    HASK = "hask"
    """Argument: a setting; open the window in which its value is typed."""
    HFORM = "hform"
    """Argument: a setting; the window came back."""
    HDROP = "hdrop"
    """A select of saved decks: delete one."""
    HRESET = "hreset"
    """Argument: a setting; or `all`, which asks first; `all.yes`: asked."""
    HPRESET = "hpreset"
    """Without argument, the list; a select of presets, which asks first; `quick.yes`: asked."""
    HIMPORT = "himport"
    """Import the file on this very message."""
    HLOG = "hlog"
    """Argument: the number of a line, to show those before it."""


_VERBS: Final = frozenset(verb.value for verb in Verb)


class CustomId(NamedTuple):
    """A custom_id in its parts."""

    verb: Verb
    table: str = NO_TABLE
    prompt: int = NO_PROMPT
    argument: str | None = None

    def __str__(self) -> str:
        written = f"c1:{self.table}:{self.prompt}:{self.verb.value}"
        written = written if self.argument is None else f"{written}:{self.argument}"
        if TEMPLATE.fullmatch(written) is None or len(written) > MOST:
            raise ValueError(f"no custom_id can be made of {self!r}")
        return written


def parse(custom_id: str) -> CustomId | None:
    """Read a custom_id; None if it is not one of ours."""
    found = TEMPLATE.fullmatch(custom_id) if len(custom_id) <= MOST else None
    if found is None or found["verb"] not in _VERBS:
        return None
    return CustomId(Verb(found["verb"]), found["table"], int(found["prompt"]), found["argument"])


class Play(NamedTuple):
    """An action as the host takes it: `do` and `fields` as the game's codec knows them."""

    do: str
    fields: dict[str, Any]


class Act(NamedTuple):
    """One action of a list. `needs` says what must be asked for before it can be played."""

    do: str
    """As the game's codec calls it; a bid's announcement has `do` "bid"."""
    kind: str | None = None
    """The announcement of a bid, or the coin that is flipped."""
    target: int | None = None

    def __str__(self) -> str:
        return ".".join(str(part) for part in self if part is not None)

    @property
    def announced(self) -> str | None:
        """What a bid comes with, as an argument of `form` and `number`; None: nothing."""
        return str(self).partition(".")[2] or None

    @property
    def needs_number(self) -> bool:
        """Whether a number must be named with it."""
        return self.do == "bid"

    @property
    def needs_guess(self) -> bool:
        """Whether a feather must be named with it."""
        return self.do == "coin" and self.kind == "guess"

    def play(self, number: int | None = None, guess: int | str | None = None) -> Play:
        """Return the action, with what was asked for."""
        if self.do == "bid":
            return Play("bid", {"number": number, "plus": self.kind, "target": self.target})
        if self.do == "coin":
            return Play("coin", {"coin": self.kind, "value": guess})
        return Play(self.do, {})


_BID: Final = re.compile(r"(?P<number>-?[0-9]{1,4})(?:\.(?P<kind>[a-z]{1,8})(?:\.(?P<target>[0-9]{1,2}))?)?", re.ASCII)
_ACT: Final = re.compile(
    r"(?P<do>bid|coin|approve|reverse|redo|peek|coyote_card)(?:\.(?P<kind>[a-z]{1,8})(?:\.(?P<target>[0-9]{1,2}))?)?",
    re.ASCII,
)
_WITH_KIND: Final = ("bid", "coin")


def parse_act(value: str) -> Act | None:
    """Read the value of an action in a list; None if it is not one of ours."""
    found = _ACT.fullmatch(value)
    if found is None or (found["kind"] is not None) != (found["do"] in _WITH_KIND):
        return None
    return Act(found["do"], found["kind"], None if found["target"] is None else int(found["target"]))


def bid_argument(number: int, act: Act | None = None) -> str:
    """Write a bid as an argument of `bid` and `sure`."""
    parts = (number, None, None) if act is None else (number, act.kind, act.target)
    return ".".join(str(part) for part in parts if part is not None)


def parse_bid(argument: str | None) -> Play | None:
    """Read the argument of `bid` and `sure`; None if it is not one of ours."""
    found = _BID.fullmatch(argument or "")
    if found is None:
        return None
    target = None if found["target"] is None else int(found["target"])
    return Play("bid", {"number": int(found["number"]), "plus": found["kind"], "target": target})


def parse_announcement(argument: str | None) -> Act | None:
    """Read the argument of `form` and `number`: a plain bid if there is none; None if it is not one of ours."""
    return Act("bid") if argument is None else parse_act(f"bid.{argument}")

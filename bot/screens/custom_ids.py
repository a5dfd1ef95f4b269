"""Reads and writes the custom_ids of buttons, selects and forms: `c1:<table>:<prompt>:<verb>[:<argument>]`.

Short, anchored and versioned, because buttons outlive restarts and releases, and anybody can forge them. Reading one
only says what it asks for; whether that is allowed is for the host and the rules to judge. The verbs that every table
has are listed here; a game's own verbs are listed in `bot/games/<game>/ui/verbs.py`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

MAX_LENGTH: Final = 100
"""The most characters that Discord accepts."""
NO_TABLE: Final = "0"
"""Stands for the table where there is none, as on a page of the rules."""
NO_PROMPT: Final = 0
"""Stands for the prompt where the verb answers none. The game's own prompts may have this number too."""

TEMPLATE: Final = re.compile(
    r"c1:(?P<table>[0-9A-Za-z]{1,20}):(?P<prompt>0|[1-9][0-9]{0,8}):(?P<verb>[a-z]{2,12})"
    r"(?::(?P<argument>[-0-9A-Za-z_.+?]{1,75}))?",
    re.ASCII,
)


class Verb(StrEnum):
    """What can be pressed, picked or filled in at every table. The docstring names the argument, if there is one."""

    # The lobby.
    JOIN = "join"
    LEAVE = "leave"
    """Leave; in a running game, ask first. Argument `yes`: already confirmed."""
    START = "start"
    HOST = "host"
    """Open the host's menu."""
    KICK = "kick"
    """Remove somebody: a select of user ids, and then a question. Argument, the user's id: already confirmed."""
    PASS_HOST = "pass"  # noqa: S105 - not a password
    """Make another player the host: a select of user ids."""
    STARTER = "starter"
    """A select of user ids; 0 lets chance decide."""
    AI = "ai"
    """Open the host's menu of AI players. Argument: the strength that is chosen."""
    ADD_AI = "addai"
    """Add an AI player: a select of names, 0 for any. Argument: the strength."""
    FILL = "fill"
    """Give free seats to AI players. Argument: nothing, or the strength."""
    REMOVE_AI = "removeai"
    """Remove an AI player: a select of those at the table, by their (negative) ids."""
    SEATS = "seats"
    """Shuffle the seats; or a select of user ids: move one up."""
    TABLE_RULES = "trules"
    """Show the table's rules to its host, to be changed; or a select of settings: show one."""
    TABLE_RULE_SET = "tset"
    """Argument: a setting; a select of its values."""
    TABLE_RULE_ASK = "task"
    """Argument: a setting; open the form in which its value is typed."""
    TABLE_RULE_FORM = "tform"
    """Argument: a setting; that form was submitted."""
    WATCH = "watch"
    """Give up the host's own seat."""
    STOP = "stop"
    """Cancel the lobby or stop the game: ask first. Argument `yes`: already confirmed."""

    # At the table.
    LOOK = "look"
    """Argument `again`: show it in the same private message."""
    MORE = "more"
    """Open the private menu."""
    TERMS = "terms"
    """Show the rules and the deck of the table."""
    DEAL = "deal"
    ALONG = "along"
    """Guess in secret who is right. Argument: the seat; without one: say that one will guess along."""
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
    PICTURES = "pictures"
    """Argument: `on` or `off`."""
    LANGUAGE = "language"
    """A select of languages, and `auto`."""
    REMATCH = "rematch"
    WHY = "why"
    """Show why the AIs made their most important moves, once the match is over."""
    NEW = "new"
    """Open a table with the house rules. Argument: the game, if it is not the main one."""
    CHOOSE = "choose"
    """Open the form that asks how the table differs from the house rules. Argument: as of `NEW`."""
    CHOSEN = "chosen"
    """That form was submitted. Argument: as of `NEW`."""
    HELP = "help"
    """A select of pages."""
    RULES = "rules"
    """Argument: the topic; or a select of topics."""
    LESSON = "lesson"
    """Open a game's lesson. Argument: the game. With a step in place of the table: `next`, or `over` to begin again."""
    DOCTOR = "doctor"
    """Examine the channel again, in the same message."""
    KEEP = "keep"
    """Never mind: close the question."""
    PRIVACY = "privacy"
    """Argument: `export`, `ask` (whether to delete), `delete`, or statistics `on` or `off`; only for oneself."""

    # Statistics; `bot.screens.stats.queries` writes and reads the arguments. The prompt is the page that is shown in
    # the same message; without one, the answer is a message of its own.
    STATS = "stats"
    VERSUS = "versus"
    HISTORY = "history"
    BOARD = "board"
    REPLAY = "replay"
    """With a table: the game that was played there."""
    SHARE = "share"
    """Post the end of a finished game in the channel. Argument: its number; with a table: the game played there."""
    SEASON = "season"
    """Argument: the number of the season to close, already confirmed."""

    # House rules: they belong to no table.
    HOUSE_PAGE = "hpage"
    """Argument: a page of the form; or a select of pages."""
    HOUSE_PICK = "hpick"
    """A select of settings: show one."""
    HOUSE_SET = "hset"
    """Argument: a setting; a select of its values."""
    HOUSE_ASK = "hask"
    """Argument: a setting; open the form in which its value is typed."""
    HOUSE_FORM = "hform"
    """Argument: a setting; that form was submitted."""
    HOUSE_DROP = "hdrop"
    """A select of saved decks: delete one."""
    HOUSE_RESET = "hreset"
    """Argument: a setting; or `all`, which asks first; `all.yes`: already confirmed."""
    HOUSE_PRESET = "hpreset"
    """Without argument, the list; a select of presets, which asks first; `<game>.<preset>.yes`: already confirmed."""
    HOUSE_IMPORT = "himport"
    """Import the file that is attached to this message."""
    HOUSE_FILE = "hfile"
    """The form in which a file to import is handed over was submitted."""
    HOUSE_LOG = "hlog"
    """Argument: the number of a line, to show those before it."""


class CustomId(NamedTuple):
    """A custom_id in its parts."""

    verb: str
    """A `Verb`, or a verb of the table's game."""
    table: str = NO_TABLE
    prompt: int = NO_PROMPT
    argument: str | None = None

    def __str__(self) -> str:
        written = f"c1:{self.table}:{self.prompt}:{self.verb}"
        written = written if self.argument is None else f"{written}:{self.argument}"
        if TEMPLATE.fullmatch(written) is None or len(written) > MAX_LENGTH:
            raise ValueError(f"no custom_id can be made of {self!r}")
        return written


def parse(custom_id: str) -> CustomId | None:
    """Read a custom_id; None if it is not one of ours. Its verb may still be unknown."""
    found = TEMPLATE.fullmatch(custom_id) if len(custom_id) <= MAX_LENGTH else None
    if found is None:
        return None
    return CustomId(found["verb"], found["table"], int(found["prompt"]), found["argument"])

"""A table as the host keeps it: who sits where, what is being played, what the clock says. Plain, immutable data.

Times are whole milliseconds since the epoch, UTC. A user is a Discord id; a name on screen is never an identity.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple, NewType

from bot.engine.core import Seat
from bot.engine.frozen import Frozen, Lasting

UserId = NewType("UserId", int)
TableId = NewType("TableId", str)
"""Short and made of letters and digits: it travels in every custom_id."""
Millis = int


class Stage(StrEnum):
    """How far a table has come."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to the end: the final standing stays, and a rematch can be asked for."""
    CLOSED = "closed"
    """Ended without a winner: cancelled, stopped, or nobody started it."""


class Dm(StrEnum):
    """Whether a player's feathers reach them by DM."""

    UNTRIED = "untried"
    OPEN = "open"
    SHUT = "shut"
    """Discord said that this person cannot be written to; it is not tried again at this table."""
    OFF = "off"
    """The house, or the player, does without."""


class House(Frozen, frozen=True):
    """How this table is hosted. The rules of the game itself are the table's `options`."""

    turn_seconds: int | None = 90
    """The turn clock, 20 seconds to 7 days; None: no clock."""
    pause_seconds: int = 12
    """Between the reveal and the next deal."""
    away_after: int = 2
    """So many time-outs in a row make a seat away."""
    away_seconds: int = 4
    """How long an away seat's turn lasts."""
    reminders: bool = True
    """Slow play: remind the player in turn when half of the time, and when a tenth of it, is left."""
    pings: bool = True
    dms: bool = True
    thread: bool = False
    lobby_minutes: int = 60
    """A lobby that nobody starts closes after this long without anybody joining."""
    tables_at_once: int = 10
    language: str = "en"
    who_stops: str = "host"
    """Who may stop a match beside those who manage the channel: "host", "players", or nobody ("managers")."""
    ai_seats: bool = True
    """AI players may be added in the lobby."""
    ai_for_away: bool = True
    """An AI plays for whoever is away, until they are back."""
    ai_for_left: bool = False
    """An AI plays on for whoever leaves the match, instead of the round being void."""
    counts: bool = True
    """The match counts for statistics' ratings and leaderboards."""
    count_ai: bool = False
    """It counts even if an AI has played in it."""


class Ai(NamedTuple):
    """An AI player as the table keeps it; `bot.ai` knows what its temperament and strength mean."""

    name: str
    temperament: str
    strength: int


class Player(Lasting, frozen=True):
    """Somebody at the table. The index in `Table.players` is the seat."""

    user: UserId
    name: str
    """Inert, for labels where a mention cannot stand."""
    dm: Dm = Dm.UNTRIED
    missed: int = 0
    """Time-outs in a row."""
    away: bool = False
    left: bool = False
    """Got up, or was voted out, while the match ran."""
    slow: int = 1
    """Extended time: the player's turns last this many times as long (1, 2 or 4)."""
    pinged: bool = True
    """Whether the player wants to be pinged."""
    ai: Ai | None = None
    """The AI player in this seat; then `user` is negative."""
    stand_in: Ai | None = None
    """Who plays for this person while they are away, or to the end if they left."""

    @property
    def acting_ai(self) -> Ai | None:
        """The AI player that answers for this seat now; None: a person does."""
        return self.ai or self.stand_in


BY: Final = "by"
"""The slot of a remark that names the AI, if it plays on a person's seat."""


class Remark(NamedTuple):
    """Why an AI did what it last did in a round: a text's key and its slots. Secret until the reveal."""

    seat: Seat
    key: str
    slots: tuple[tuple[str, str], ...] = ()


class Deadline(Frozen, frozen=True):
    """When a seat's question is answered for it. While the table is paused, what is left is `due - pause.since`."""

    seat: Seat
    prompt: int
    due: Millis
    total: Millis
    reminders: int = 0
    """How many reminders have been sent."""


class Pause(NamedTuple):
    """The table stands still: by agreement of the players, or because it cannot be reached (`why`)."""

    since: Millis
    asked_by: UserId | None
    """Who asked first; None if nobody did and `why` says what is the matter."""
    why: str | None = None
    """A code of whoever suspended the table, such as a missing permission; only `Resume` ends this. A pause that was
    agreed before stays agreed."""


class Table(Frozen, frozen=True):
    """One table, from the lobby to the winner."""

    id: TableId
    guild: int
    channel: int
    """Where the table's messages go: a channel, or the thread that was opened for it."""
    stage: Stage
    game: str
    options: dict[str, Any]
    """The game's own options, as `Game.setup` takes them."""
    house: House
    host: UserId
    players: tuple[Player, ...]
    opened: Millis
    kicked: tuple[UserId, ...] = ()
    starter: UserId | None = None
    """Whom the host chose to begin; None: chance decides."""
    match: Any = None
    """The game's state; only `bot.host` and the store look inside, and only through the `Game`."""
    seq: int = 0
    """Counts what has been committed at this table."""
    asked_at: Millis | None = None
    """When the open questions were asked; thinking time is counted from here, without pauses and downtime."""
    deadlines: tuple[Deadline, ...] = ()
    next_deal: Millis | None = None
    """Between rounds: when the next one is dealt by itself."""
    closes: Millis | None = None
    """In the lobby: when it closes by itself."""
    pause: Pause | None = None
    pause_votes: tuple[UserId, ...] = ()
    """Who wants to pause, or, while paused, to go on."""
    out_votes: tuple[tuple[UserId, UserId], ...] = ()
    """(away player, voter)."""
    ended_by: UserId | None = None
    """Who stopped or cancelled the table; None if the clock did or it was played to the end."""
    rematch: TableId | None = None
    """The table that was opened by the Rematch button."""
    ai_played: bool = False
    """An AI has made a move in this match."""
    remarks: tuple[Remark, ...] = ()
    """What the AIs will say about the running round. It tells of feathers: nobody sees it before the reveal."""
    explained: tuple[Remark, ...] = ()
    """What they said about the last round that ended; public."""
    secret: int | None = None
    """Drawn at the start of the match and told to nobody: the chance in the AIs' thoughts comes from it."""

    @property
    def is_open(self) -> bool:
        """The table still takes its channel: it is in the lobby or playing."""
        return self.stage is Stage.LOBBY or self.stage is Stage.PLAYING

    @property
    def is_suspended(self) -> bool:
        """Nobody can play here until the place can be reached again."""
        return self.pause is not None and self.pause.why is not None

    @property
    def is_rated(self) -> bool:
        """Whether the match counts, as far as it has come."""
        with_ai = self.ai_played or any(player.ai is not None for player in self.players)
        return self.house.counts and (self.house.count_ai or not with_ai)

    @property
    def people(self) -> tuple[Player, ...]:
        """The persons who are here: seated, and not gone for good."""
        return tuple([player for player in self.players if player.ai is None and not player.left])

    def seat_of(self, user: UserId) -> Seat | None:
        """Return the user's seat if they sit here and have not left."""
        for seat, player in enumerate(self.players):
            if player.user == user and not player.left:
                return seat  # type: ignore[return-value]  # an int at run time, and asked for at every action
        return None

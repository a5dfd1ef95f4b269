"""A table as the host keeps it: seats, match, clocks and votes, as plain immutable data.

Times are whole milliseconds since the epoch, UTC. A user is a Discord id; a displayed name is never an identity.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NewType

from bot.engine.core import Seat
from bot.engine.frozen import Frozen, WrittenOnce

UserId = NewType("UserId", int)
TableId = NewType("TableId", str)
"""Short, and made of letters and digits: it is part of every custom_id."""
Millis = int


class Stage(StrEnum):
    """The stages of a table, from the lobby to the end."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to the end: the final standings stay, and a rematch can be opened."""
    CLOSED = "closed"
    """Ended without a winner: cancelled, stopped, or never started."""


class Dm(StrEnum):
    """Whether a player gets their private view by DM."""

    UNTRIED = "untried"
    OPEN = "open"
    SHUT = "shut"
    """Discord refused a DM to this user; it is not tried again at this table."""
    OFF = "off"
    """The house rules, or the player, switched DMs off."""


SERVER_LANGUAGE: Final = "server"
"""The house rule that tables speak the language to which the server is set in Discord."""


IN_STEPS: Final = "steps"
"""The house rule that a reveal shows one thing after the other, within a few seconds."""


class House(Frozen, frozen=True):
    """The house rules for hosting this table. The rules of the game itself are the table's `options`."""

    turn_seconds: int | None = 90
    """The turn clock, 20 seconds to 7 days; None: no clock."""
    pause_seconds: int = 12
    """The break between the reveal and the next deal."""
    away_after: int = 2
    """How many time-outs in a row make a player away."""
    away_seconds: int = 4
    """The turn clock of players who are away."""
    reminders: bool = True
    """In slow play, remind the player in turn when half, and when a tenth, of the time is left."""
    pings: bool = True
    dms: bool = True
    pictures: bool = True
    """Messages have pictures; people can still ask for words alone."""
    reveal: str = IN_STEPS
    """How a round is revealed where there are pictures: in steps, or "instantly"."""
    thread: bool = False
    lobby_minutes: int = 60
    """A lobby closes this long after the last player joined, if the match was not started."""
    tables_at_once: int = 10
    language: str = SERVER_LANGUAGE
    """What is said in public is in this language; a table that has been opened names one."""
    who_stops: str = "host"
    """Who may stop a match: the "host", the "players", or only "managers" of the channel, who always may."""
    ai_seats: bool = True
    """AI players may be added in the lobby."""
    ai_for_away: bool = True
    """An AI player stands in for a player who is away, until they are back."""
    ai_for_left: bool = False
    """An AI player takes over from a player who leaves the match, instead of the round being void."""
    open_looks: bool = True
    """Once all people are out and only AI players are in the match, looks show everything."""
    out_may_look: bool = False
    """Looks show everything to players who are out of the running match."""
    counts: bool = True
    """The match counts for ratings and leaderboards."""
    count_ai: bool = False
    """The match counts even if AI players have seats of their own."""


class Ai(Frozen, frozen=True):
    """An AI player as the table keeps it; to a brain it is a `bot.ai_players.characters.Character`."""

    name: str
    temperament: str
    strength: int


FIRST_MATCHES: Final = 3
"""For how many matches of a game somebody is new to it, and is told more."""


class Player(WrittenOnce, frozen=True):
    """A player at the table. The index in `Table.players` is the seat."""

    user: UserId
    name: str
    """For labels, where a mention is not possible; free of markup."""
    dm: Dm = Dm.UNTRIED
    missed: int = 0
    """Time-outs in a row."""
    away: bool = False
    left: bool = False
    """Left the running match, or was voted out of it."""
    slow: int = 1
    """Extended time: the player's turns last this many times as long (1, 2 or 4)."""
    pinged: bool = True
    """Whether the player wants to be pinged."""
    ai: Ai | None = None
    """The AI player that has this seat; `user` is negative then."""
    stand_in: Ai | None = None
    """The AI player that plays for this person while they are away, or to the end if they left."""
    moved_by: str | None = None
    """The AI player that made this person's last move for them; None: they made it themselves."""
    language: str = ""
    """The language in which the person was last spoken to; empty: unknown."""
    has_moved: bool = False
    """Whether the person has had a turn in this match: they have moved, or the clock has for them."""
    learning: int = 0
    """For how many more matches, this one included, the person is new to the game; in the first, `FIRST_MATCHES`."""

    @property
    def acting_ai(self) -> Ai | None:
        """The AI player that answers for this seat now; None: a person does."""
        return self.ai or self.stand_in


BY: Final = "by"
"""The slot of a remark that names the AI player, if it stands in for a person."""


class Remark(Frozen, frozen=True):
    """What an AI player says about a move: a text key and its slots. Secret until the round or the match is over."""

    seat: Seat
    key: str
    slots: tuple[tuple[str, str], ...] = ()
    weight: int = 0
    """How much the move mattered, where only the weightiest are told."""
    is_aside: bool = False
    """Told only to those who ask, since the end of the round was about other seats."""
    said_before: int = 0
    """How many times the same text was told in this match, so that other words can be chosen."""


class Guesser(Frozen, frozen=True):
    """Somebody who does not play and guesses along, or could: a player who is out, or anybody in the channel."""

    user: UserId
    made: int = 0
    """Guesses in this match that were settled."""
    right: int = 0
    made_before: int = 0
    """The same in the earlier matches of the evening."""
    right_before: int = 0
    missed: int = 0
    """How many reveals in a row have waited for a guess that never came."""


class Guessing(Frozen, frozen=True):
    """A pending reveal that bystanders guess at. The guesses are secret until then."""

    question: int
    """The id of the game's question."""
    due: Millis
    """How long the reveal waits for guesses; something else may take longer."""
    waits: bool = False
    """Whether the reveal waits for nothing but the guesses."""
    guesses: tuple[tuple[UserId, Seat], ...] = ()
    """Each user with the seat that they guess to be right."""


class SettledGuess(Frozen, frozen=True):
    """A guess after the reveal."""

    user: UserId
    right: bool


class Deadline(Frozen, frozen=True):
    """When the table answers a prompt in the player's place. During a pause, the time left is `due - pause.since`."""

    seat: Seat
    prompt: int
    due: Millis
    total: Millis
    reminders: int = 0
    """How many reminders were sent."""


class Pause(Frozen, frozen=True):
    """The table's clocks stand still: the players agreed to it, or the table cannot be reached (`why`)."""

    since: Millis
    asked_by: UserId | None
    """The first player who voted for it; None if the table was only suspended."""
    why: str | None = None
    """Why the table is suspended, as a code such as a missing permission. Only `Resume` ends a suspension; a pause that
    was agreed before continues after it."""


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
    """The user whom the host chose to begin; None: chance decides."""
    match: Any = None
    """The game's state. Only `bot.host` and the store use it, and only through the `Game`."""
    seq: int = 0
    """How many steps have been committed at this table."""
    asked_at: Millis | None = None
    """When the open prompts were given. Thinking time counts from here, without pauses and downtime."""
    deadlines: tuple[Deadline, ...] = ()
    next_deal: Millis | None = None
    """Between rounds: when the next one is dealt."""
    closes: Millis | None = None
    """In the lobby: when it closes unless something happens."""
    pause: Pause | None = None
    pause_votes: tuple[UserId, ...] = ()
    """Who voted for a pause or, during one, for its end."""
    out_votes: tuple[tuple[UserId, UserId], ...] = ()
    """Pairs of an away player and a voter."""
    ended_by: UserId | None = None
    """Who stopped or cancelled the table; None if the clock did or it was played to the end."""
    rematch: TableId | None = None
    """The table that was opened for the rematch."""
    remarks: tuple[Remark, ...] = ()
    """What AI players will say about the running round or match. It may reveal cards, so nobody sees it before then."""
    explained: tuple[Remark, ...] = ()
    """What AI players said about the last round that ended, or about the match; public."""
    told: tuple[tuple[str, int], ...] = ()
    """How many times each text of a remark was told in this match, in public or to those who ask."""
    wishes: dict[str, Any] = {}  # noqa: RUF012 - never changed
    """How the table differs from the server's rules, by settings' keys; `options` and `house` were made from it."""
    guessing: Guessing | None = None
    """The reveal that bystanders guess at now."""
    guessers: tuple[Guesser, ...] = ()
    """Everybody who has guessed along, said that they will, or was waited for."""
    guessed: tuple[SettledGuess, ...] = ()
    """The guesses at the last reveal; public."""
    secret: int | None = None
    """Drawn at the start of the match and shown to nobody: it seeds the AI players' thoughts."""

    @property
    def is_open(self) -> bool:
        """Whether the table occupies its channel: it is in the lobby or playing."""
        return self.stage is Stage.LOBBY or self.stage is Stage.PLAYING

    @property
    def is_suspended(self) -> bool:
        """Whether play has stopped because the table cannot be reached."""
        return self.pause is not None and self.pause.why is not None

    @property
    def is_rated(self) -> bool:
        """Whether the match counts for ratings. AI players who stand in for people do not matter."""
        with_ai = any(player.ai is not None for player in self.players)
        return self.house.counts and (self.house.count_ai or not with_ai)

    @property
    def people(self) -> tuple[Player, ...]:
        """The people who have a seat and have not left; AI players are not among them."""
        return tuple([player for player in self.players if player.ai is None and not player.left])

    def seat_of(self, user: UserId) -> Seat | None:
        """Return the user's seat; None if they have none or have left."""
        for seat, player in enumerate(self.players):
            if player.user == user and not player.left:
                return seat  # type: ignore[return-value]  # an int at run time; a call of `Seat` would cost time at every action
        return None

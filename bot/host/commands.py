"""The commands that a table takes, what is sent after them, and why a command may be refused.

A command names the user who gives it (`by`), unless the bot itself does. `bot.host.decide` carries them out.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from bot.engine.core import Json, Seat
from bot.engine.frozen import Frozen
from bot.host.model import Dm, House, Millis, Remark, UserId

MAX_LINE_LENGTH: Final = 100
"""How many characters a player can say with a move."""


class Join(NamedTuple):
    """Take a seat in the lobby."""

    by: UserId
    name: str
    slow: int = 1
    pinged: bool = True
    dm: Dm = Dm.UNTRIED
    """What is known of this user's DMs from other tables. At a table without DMs it becomes `OFF`."""
    learning: int = 0
    """As in `Player`."""
    language: str = ""
    """As in `Player`."""


class Leave(NamedTuple):
    """Leave the table: in the lobby without consequences, in a match for good."""

    by: UserId


class Kick(NamedTuple):
    """Host: remove a player from the lobby; they cannot join this table again."""

    by: UserId
    whom: UserId


class PassHost(NamedTuple):
    """Host: make another player the host."""

    by: UserId
    to: UserId


class ChooseStarter(NamedTuple):
    """Host: choose who begins; None leaves it to chance."""

    by: UserId
    who: UserId | None


class ShuffleSeats(NamedTuple):
    """Host: put the players in the lobby into a random order."""

    by: UserId


class MoveUp(NamedTuple):
    """Host: let a player in the lobby change seats with the one before them; the first one goes to the end."""

    by: UserId
    whom: UserId


class SetRules(Frozen, frozen=True):
    """Host: play by other rules, which the house rules have checked."""

    by: UserId
    options: dict[str, Any]
    house: House
    wishes: dict[str, Any]
    based_on: dict[str, Any]
    """The wishes of the table from which these were made; refused if they have changed meanwhile."""
    changes: tuple[tuple[str, Any, Any], ...] = ()
    """What everybody is told: a setting's key, its old and its new value."""


class AddAi(NamedTuple):
    """Host: give an AI player a seat in the lobby. Whatever is None is left to chance."""

    by: UserId
    name: str | None = None
    temperament: str | None = None
    strength: int | None = None


class FillWithAi(NamedTuple):
    """Host: give free seats to AI players, up to a comfortable number; the second time, all free seats."""

    by: UserId
    strength: int | None = None


class RemoveAi(NamedTuple):
    """Host: remove an AI player from the lobby; it can be added again."""

    by: UserId
    whom: UserId


class Watch(NamedTuple):
    """Host: give up one's seat, stay the host, and watch the others play."""

    by: UserId


class Start(NamedTuple):
    """Host: begin the match."""

    by: UserId
    learning: tuple[tuple[UserId, int], ...] = ()
    """As in `Player`, for those who may have finished a match elsewhere since they sat down."""


class Play(Frozen, frozen=True):
    """Answer a prompt: `do` and `fields` as `Game.load_action` reads them, without the seat.

    `prompt` is the id of the prompt on the pressed button. A slash command has none and means the open prompt.
    `line` is what the player says with the move: it is told in the channel and is no part of the match or its log.
    """

    by: UserId
    do: str
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed
    prompt: int | None = None
    line: str | None = None


class PlayAi(NamedTuple):
    """An AI player's answer to a prompt.

    `action` is as `Game.dump_action` writes it; None: the brain failed, so the prompt's default is played. Nothing
    happens if the prompt is no longer open, or if a person has taken the seat back.
    """

    seat: Seat
    prompt: int
    action: Json | None
    remark: Remark | None = None


class DealNow(NamedTuple):
    """Deal the next round without waiting for the end of the break."""

    by: UserId


class GuessAlong(NamedTuple):
    """Say that one will guess along: the next reveals wait for this user."""

    by: UserId


class Guess(NamedTuple):
    """Guess in secret which seat is right, while a reveal is pending; a later guess replaces an earlier one.

    `question` is the id of the game's question on the pressed button. A slash command has none and means the open one.
    """

    by: UserId
    on: Seat
    question: int | None = None


class AskPause(NamedTuple):
    """Vote for a pause, or for its end if the table is paused.

    A pause needs the votes of all players who are present, its end the votes of most of them.
    """

    by: UserId


class Back(NamedTuple):
    """Come back after being away."""

    by: UserId


class VoteOut(NamedTuple):
    """Vote to remove a player who is away; needs most of the other players who are present."""

    by: UserId
    whom: UserId


class Stop(NamedTuple):
    """End the table. Allowed to those whom the house rules name, and to managers of the channel."""

    by: UserId
    manager: bool = False


class SetPreferences(NamedTuple):
    """Apply a player's changed private settings: extra time, pings."""

    by: UserId
    slow: int
    pinged: bool


class SetLanguage(NamedTuple):
    """Issued by the bot itself: a player now reads another language in private."""

    by: UserId
    language: str


class DmTried(NamedTuple):
    """Issued by the publisher: whether a player's DM arrived."""

    by: UserId
    dm: Dm


class Suspend(NamedTuple):
    """Issued by the bot itself: the table cannot be reached (permission lost, outage), so its clocks stop."""

    why: str


class Resume(NamedTuple):
    """Issued by the bot itself: the table can be reached again."""


class PutOff(NamedTuple):
    """Issued by the bot itself: nobody could press since this moment. All clocks get that time back, and some extra."""

    since: Millis


class Close(NamedTuple):
    """Issued by the bot itself: the guild or channel was deleted."""

    why: str


class Forget(NamedTuple):
    """Issued by the bot itself: a user's data is deleted, and a former player's id replaces theirs at the table."""

    user: UserId
    former_id: UserId


class Tick(NamedTuple):
    """Issued by the scheduler: do what is due, if anything is."""


Command: TypeAlias = (
    Join
    | Leave
    | Kick
    | PassHost
    | ChooseStarter
    | ShuffleSeats
    | MoveUp
    | SetRules
    | AddAi
    | FillWithAi
    | RemoveAi
    | Watch
    | Start
    | Play
    | PlayAi
    | DealNow
    | GuessAlong
    | Guess
    | AskPause
    | Back
    | VoteOut
    | Stop
    | SetPreferences
    | SetLanguage
    | DmTried
    | Suspend
    | Resume
    | PutOff
    | Close
    | Forget
    | Tick
)


class OutboxKind(StrEnum):
    """What must be sent after a commit. A newer item replaces an older one of its kind, except where noted."""

    TABLE = "table"
    """The table message shows the current state; it is posted if there is none yet."""
    RECORD = "record"
    """Never replaced: a round is over. The table message becomes its record (without buttons), the reveal is a new
    message, and so is the next TABLE. `views.record_of` turns the payload into what a bystander saw."""
    DM = "dm"
    """What `user` alone may see, by DM if that works."""
    PING = "ping"
    """Never replaced: `user` is asked `payload["prompt"]`; sent once, and deleted once that question is answered."""
    REMIND = "remind"
    """Never replaced: half or a tenth of a slow turn is left for `user` (`payload["left"]`, milliseconds)."""
    NOTICE = "notice"
    """Never replaced: a short line in the channel. `payload["key"]` is a `Notice`, the rest are its slots."""


class Notice(StrEnum):
    """The short lines of `OutboxKind.NOTICE`. `user` is the player concerned, `by` the one who acted."""

    TIMED_OUT = "timed_out"
    """`user` did not answer; the verb `do` was played instead."""
    AWAY = "away"
    """`user` did not answer again; `do` was played, and their turns are short from now on."""
    STAND_IN = "stand_in"
    """As AWAY, and the AI player `ai` (a name) plays for `user` from now on. If the match is rated, `place` is the best
    that is left to them unless they come back."""
    BACK = "back"
    BACK_IN_SEAT = "back_in_seat"
    """`user` is back and takes over from the AI player `ai`."""
    LEFT = "left"
    LEFT_TO_AI = "left_to_ai"
    """`user` has left, and the AI player `ai` plays on. If the match is rated, `place` is the best that is left to
    them."""
    VOTED_OUT = "voted_out"
    REMOVED = "removed"
    """`by` has removed `user` from the lobby; `pings`: `user` is notified."""
    NEW_HOST = "new_host"
    PAUSED = "paused"
    RESUMED = "resumed"
    """`by` gave the deciding vote; None if the clock or the end of an outage ended the pause."""
    STOPPED = "stopped"
    LOBBY_CLOSED = "lobby_closed"
    """The match was not started in time, or the last player left."""
    REMATCH = "rematch"
    """`by` has seated everyone again."""
    RULES_CHANGED = "rules_changed"
    """`by`, the host, has changed the rules in the lobby: `changes` as in `SetRules`."""
    SPOKEN = "spoken"
    """`user` says `line` with a move. It is deleted once it was told."""


class OutboxItem(Frozen, frozen=True):
    """One thing to send, before the store makes it an `OutboxRow`."""

    kind: OutboxKind
    user: UserId | None = None
    payload: dict[str, Any] | None = None


class HostReason(StrEnum):
    """Why the host refuses a command. A game has reasons of its own."""

    NO_TABLE = "no_table"
    TABLE_OVER = "table_over"
    TABLE_CLOSED = "table_closed"
    NOT_SEATED = "not_seated"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    ALREADY_SEATED = "already_seated"
    TABLE_FULL = "table_full"
    WAS_KICKED = "was_kicked"
    HOST_ONLY = "host_only"
    NOT_AT_TABLE = "not_at_table"
    TOO_MANY_SEATED = "too_many_seated"
    """More people sit at the table than the rules would allow."""
    NOT_YOURSELF = "not_yourself"
    TOO_FEW = "too_few"
    STALE = "stale"
    PAUSED = "paused"
    BETWEEN_ROUNDS = "between_rounds"
    NOT_BETWEEN_ROUNDS = "not_between_rounds"
    NOT_AWAY = "not_away"
    ALREADY_VOTED = "already_voted"
    MAY_NOT_STOP = "may_not_stop"
    CHANNEL_TAKEN = "channel_taken"
    TOO_MANY_TABLES = "too_many_tables"
    NO_SUCH_ACTION = "no_such_action"
    ELIMINATED = "eliminated"
    """A player who is out of the match has no vote in it."""
    NOT_OVER = "not_over"
    """A rematch was requested while the match runs."""
    NO_AI_SEATS = "no_ai_seats"
    """The house rules forbid AI players."""
    NO_BRAIN = "no_brain"
    """AI players cannot play this game."""
    NO_SUCH_AI = "no_such_ai"
    NOT_AN_AI = "not_an_ai"
    NOT_A_PERSON = "not_a_person"
    """An AI player cannot be the host."""
    NOBODY_TO_WATCH = "nobody_to_watch"
    NOTHING_TO_GUESS = "nothing_to_guess"
    """No reveal is pending that bystanders could guess at."""
    NO_GUESSING = "no_guessing"
    """Nobody can guess along at this table."""
    PLAYERS_DO_NOT_GUESS = "players_do_not_guess"
    """Only people who are not in the match guess along; those who left a seat to an AI player saw feathers, too."""
    SEES_ALL = "sees_all"
    """Somebody whose look shows everything has nothing to guess."""
    TOO_MANY_GUESS = "too_many_guess"
    OTHER_GAME = "other_game"
    """A command of one game was typed at a table of another."""
    IN_A_DM = "in_a_dm"
    """Something that needs a server was asked for in a DM."""

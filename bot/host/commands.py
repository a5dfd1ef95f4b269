"""What can be asked of a table, what is then told, and why something was refused.

A command says who asks (`by`); the clock's own commands have nobody. `bot.host.decide` judges them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from bot.engine.core import Json, Seat
from bot.engine.frozen import Frozen
from bot.host.model import Dm, Millis, Remark, UserId


class Join(NamedTuple):
    """Take a seat in the lobby."""

    by: UserId
    name: str
    slow: int = 1
    pinged: bool = True
    dm: Dm = Dm.UNTRIED
    """What is known of this person's DMs from elsewhere; a house without DMs makes it `OFF`."""


class Leave(NamedTuple):
    """Get up: in the lobby freely, in a match for good."""

    by: UserId


class Kick(NamedTuple):
    """Host: send somebody away from the lobby; they can't come back to this table."""

    by: UserId
    whom: UserId


class PassHost(NamedTuple):
    """Host: hand the role to another player."""

    by: UserId
    to: UserId


class ChooseStarter(NamedTuple):
    """Host: say who begins; None lets chance decide."""

    by: UserId
    who: UserId | None


class AddAi(NamedTuple):
    """Host: give an AI player a seat in the lobby; a name or temperament of None leaves the choice to chance."""

    by: UserId
    name: str | None = None
    temperament: str | None = None
    strength: int | None = None


class FillWithAi(NamedTuple):
    """Host: give free seats to AI players, up to a good round; asked again, all that are left."""

    by: UserId
    strength: int | None = None


class RemoveAi(NamedTuple):
    """Host: send an AI player away; it may be asked back."""

    by: UserId
    whom: UserId


class Watch(NamedTuple):
    """Host: give up the own seat and stay the host, to watch the others play."""

    by: UserId


class Start(NamedTuple):
    """Host: begin the match."""

    by: UserId


class Play(Frozen, frozen=True):
    """Answer the game's question: `do` and `fields` as `Game.load_action` knows them, without the seat.

    `prompt` is the id of the question that was on the button; a slash command has none and means the open one.
    """

    by: UserId
    do: str
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed
    prompt: int | None = None


class PlayAi(NamedTuple):
    """What an AI has thought of, in answer to a question to its seat.

    `action` is as `Game.dump_action` writes it; None: it could not think, and the question's default is played.
    A question that is no longer open, or that a person answers again, is nobody's concern any more.
    """

    seat: Seat
    prompt: int
    action: Json | None
    remark: Remark | None = None


class DealNow(NamedTuple):
    """A player does not want to wait for the next deal."""

    by: UserId


class AskPause(NamedTuple):
    """A player wants to pause, or to go on if the table is paused.

    Agreed when every present player has asked to pause, or most of them to go on.
    """

    by: UserId


class Back(NamedTuple):
    """An away player is back."""

    by: UserId


class VoteOut(NamedTuple):
    """A player wants an away player to be out; done when most of the others who are present want it."""

    by: UserId
    whom: UserId


class Stop(NamedTuple):
    """Somebody whom the house lets, or who may manage the channel, ends the table."""

    by: UserId
    manager: bool = False


class Prefer(NamedTuple):
    """A player's private settings have changed: extended time, pings."""

    by: UserId
    slow: int
    pinged: bool


class DmTried(NamedTuple):
    """The publisher tells whether a player's DM arrived."""

    by: UserId
    dm: Dm


class Suspend(NamedTuple):
    """The table cannot be reached (permission lost, channel gone, outage): its clocks stand still."""

    why: str


class Resume(NamedTuple):
    """The table can be reached again."""


class PutOff(NamedTuple):
    """Nobody could press since a moment: the clocks go on with what was left then, and a little more."""

    since: Millis


class Close(NamedTuple):
    """Nobody's wish: the table's server or channel is gone for good."""

    why: str


class Forget(NamedTuple):
    """Nobody's wish at the table: somebody has had their data deleted, and is a former player here from now on."""

    user: UserId
    ghost: UserId


class Tick(NamedTuple):
    """The clock: do whatever is due. Nothing due: nothing happens."""


Command: TypeAlias = (
    Join
    | Leave
    | Kick
    | PassHost
    | ChooseStarter
    | AddAi
    | FillWithAi
    | RemoveAi
    | Watch
    | Start
    | Play
    | PlayAi
    | DealNow
    | AskPause
    | Back
    | VoteOut
    | Stop
    | Prefer
    | DmTried
    | Suspend
    | Resume
    | PutOff
    | Close
    | Forget
    | Tick
)


class Tell(StrEnum):
    """What must reach people after a commit. Of each kind the newest wins, except where it says "each"."""

    TABLE = "table"
    """The table message shows the present state; it is posted if there is none yet."""
    RECORD = "record"
    """Each: a round is over. The table message becomes its record (buttons gone), the reveal is a new message,
    and the next TABLE is a new message too. `views.record_of` makes of the payload what a bystander saw then."""
    DM = "dm"
    """One player's feathers (`user`), by DM if that works."""
    PING = "ping"
    """It is `user`'s turn; told once. The publisher withdraws it with the TABLE after which it no longer is."""
    REMIND = "remind"
    """Each: half or a tenth of a slow turn is left for `user` (`payload["left"]`, milliseconds)."""
    NOTICE = "notice"
    """Each: one small line in the channel: `payload["key"]` is a `Notice`, the rest are its slots."""


class Notice(StrEnum):
    """The small lines of Tell.NOTICE. `user` is whom it is about, `by` who did it."""

    TIMED_OUT = "timed_out"
    """`user` did not answer; `do` is the verb that was played instead."""
    AWAY = "away"
    """`user` did not answer again; `do` was played, and their turns pass quickly from now on."""
    STAND_IN = "stand_in"
    """As AWAY, and from now on `ai` (a name) plays for `user`."""
    BACK = "back"
    BACK_IN_SEAT = "back_in_seat"
    """`user` is back, and has the seat back from the AI `ai`."""
    LEFT = "left"
    LEFT_TO_AI = "left_to_ai"
    """`user` has left, and the AI `ai` plays the seat on."""
    VOTED_OUT = "voted_out"
    NEW_HOST = "new_host"
    PAUSED = "paused"
    RESUMED = "resumed"
    """`by` was the last to agree; None if the clock or the end of an outage did it."""
    STOPPED = "stopped"
    LOBBY_CLOSED = "lobby_closed"
    """Nobody started it in time, or the last player left."""
    REMATCH = "rematch"
    """`by` has seated everyone again."""


class Telling(Frozen, frozen=True):
    """One row of the outbox."""

    kind: Tell
    user: UserId | None = None
    payload: dict[str, Any] | None = None


class HostReason(StrEnum):
    """Why the host refused; the game's own refusals come through as they are."""

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
    """Whoever is out of the match has no say in it."""
    NOT_OVER = "not_over"
    """A rematch is asked for while the match runs."""
    NO_AI_SEATS = "no_ai_seats"
    """The house rules do without AI players."""
    NO_BRAIN = "no_brain"
    """No AI knows this game."""
    NO_SUCH_AI = "no_such_ai"
    NOT_AN_AI = "not_an_ai"
    NOT_A_PERSON = "not_a_person"
    """An AI cannot be the host."""
    NOBODY_TO_WATCH = "nobody_to_watch"

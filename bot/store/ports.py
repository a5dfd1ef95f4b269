"""Declares everything that the bot asks of its database, one protocol per room; a store fulfils them all.

Rooms below this one declare theirs themselves: `bot.host.ports.TableStore`, `bot.house_rules.repository.HouseStore`.
A read sees everything that this process has committed before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from bot.findings import Finding
from bot.host.lessons import Progress as LessonProgress
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Duties, Message, OutboxRow, Posting, Preferences, TableStore
from bot.house_rules.repository import HouseStore
from bot.stats.figures import RATING
from bot.stats.model import Board, Card, Ending, History, Page, PastGame, Season, Versus
from bot.stats.replay import Replay

Progress = Callable[[int, int], None]
"""Called from time to time with how much is done, and of how much."""
LINES_PER_PAGE: Final = 10
"""Lines on one page of a leaderboard or of the history."""
TABLES_PER_TRANSACTION: Final = 20
"""Tables of a departed guild that are deleted in one transaction, so that others can write in between."""


class MessageStore(Protocol):
    """Keeps what is still to be sent, and which messages are in Discord."""

    async def mark_done(
        self, done: Sequence[OutboxRow], *, placed: Sequence[Message] = (), settles: TableId | None = None
    ) -> None:
        """Remove rows from the outbox, unless newer ones replaced them, and remember the messages now in Discord.

        A message to a person who has no seat at the table any more is not remembered. `settles` names a table whose
        noted posting is among the messages, so that the note is no longer needed.
        """

    async def forget(self, message: Message) -> None:
        """Forget a message that is gone, unless another has taken its place."""


class Endings(Protocol):
    """Knows what statistics say about finished games."""

    async def ending_with_highlights(self, table: TableId) -> Ending | None:
        """Return what a finished game did to ratings, its highlights and events; None if it was not counted."""


class DeliveryStore(MessageStore, Protocol):
    """What the delivery to channels needs."""

    @property
    def stats(self) -> Endings:
        """What statistics say about finished games."""

    async def note_posting(self, table: TableId, posting: Posting | None) -> None:
        """Record a table message before it is sent; None drops the note, once it is known whether it arrived."""


class OutboxStore(DeliveryStore, Protocol):
    """What the publisher needs."""

    @property
    def downtime(self) -> Millis | None:
        """How long the bot was away before this start; None if it never ran on this database."""

    async def unsent(self) -> Sequence[TableId]:
        """Return the tables that have something in the outbox, or a message that may have been sent unnoticed."""

    async def outbox(self, table: TableId) -> tuple[OutboxRow, ...]:
        """Return what is still to be sent for a table, oldest first."""

    async def messages(self, table: TableId) -> Sequence[Message]:
        """Return a table's messages in Discord, one per kind and user."""

    async def posting(self, table: TableId) -> Posting | None:
        """Return the note on a table message that may or may not have been sent."""

    async def due(self) -> Sequence[tuple[TableId, Millis]]:
        """Return every table with a deadline, and when the next one is due."""


class RefusalStore(Protocol):
    """Keeps which interactions were refused; those that were applied are in the log."""

    def note_refused(self, interaction: int) -> None:
        """Record that an interaction was refused, without waiting for it; a failure is only logged."""

    def drop_refused(self, interactions: Collection[int]) -> None:
        """Delete such notes, without waiting for it."""

    async def refused(self) -> Collection[int]:
        """Return the interactions that were recorded as refused."""


class GuildStore(Protocol):
    """Keeps which guilds the bot is in."""

    async def servers(self) -> Collection[int]:
        """Return the guilds that the bot was in when it last heard of them."""

    async def playing_in(self) -> Collection[int]:
        """Return the guilds that have open tables."""

    async def bot_added(self, guilds: Iterable[int]) -> None:
        """Record that the bot is in these guilds, perhaps again."""

    async def bot_removed(self, guild: int, at: Millis) -> None:
        """Record that the bot is no longer in a guild, and since when."""


class OutageStore(Protocol):
    """Keeps which shards are lost, and knows which tables' clocks run."""

    async def lost(self) -> tuple[int, dict[int, Millis]]:
        """Return what was last noted: the number of shards, and for each lost shard, since when."""

    async def note_lost(self, shards: int, since: Mapping[int, Millis]) -> None:
        """Record the number of shards, and for each lost shard, since when."""

    async def ticking(self) -> Sequence[tuple[TableId, int]]:
        """Return every table whose clock runs, the most urgent first, and its guild."""


class PreferenceStore(Protocol):
    """Keeps the settings that people chose for themselves."""

    async def preferences(self, user: UserId) -> Preferences:
        """Return a person's settings, the defaults if there are none."""

    async def save_preferences(self, user: UserId, preferences: Preferences) -> None:
        """Store a person's settings."""


class LessonStore(Protocol):
    """Keeps how far people have come in the lessons."""

    async def lesson(self, user: UserId, game: str) -> LessonProgress | None:
        """Return how far a person has come in a game's lesson; None if they have not begun."""

    async def keep_lesson(
        self, user: UserId, game: str, before: LessonProgress | None, after: LessonProgress, interaction_id: int
    ) -> None:
        """Store how far a person has come, once for each interaction, and only if they still stand at `before`."""


class MetaStore(Protocol):
    """Keeps facts about the bot itself, such as the hash of the commands that Discord knows."""

    async def meta(self, key: str) -> str | None:
        """Return a fact; None if nothing was stored."""

    async def set_meta(self, key: str, value: str) -> None:
        """Store a fact."""


class OpenTables(NamedTuple):
    """How many tables of one kind are open."""

    game: str
    edition: str
    """Empty for a game without editions."""
    stage: str
    tables: int


class Load(NamedTuple):
    """What the store has to do at this moment."""

    waiting: int
    """Rows of the outbox."""
    oldest: Millis | None
    """When the oldest of them was made."""
    tables: Sequence[OpenTables]


class MonitoredStore(Protocol):
    """What the page of figures shows of a store."""

    @property
    def engine(self) -> tuple[str, str]:
        """The name and the version of the database, such as `("sqlite", "3.46.1")`."""

    async def load_now(self) -> Load:
        """Return what there is to do."""

    async def sizes(self) -> Mapping[str, int]:
        """Return how many bytes the database takes, by part: `database`, `log`; a part that is not known is missing."""


class Backups(Protocol):
    """Makes backups on a schedule, if the bot can make any of its database."""

    @property
    def problem(self) -> str | None:
        """Why the last backup failed; None if it did not."""

    @property
    def newest(self) -> float | None:
        """When the newest backup was made, in seconds since 1970; None if there is none."""

    @property
    def every(self) -> float:
        """The usual time between two backups in seconds; 0: none are made."""

    def start(self) -> None:
        """Start, unless the schedule is off."""

    async def stop(self) -> None:
        """Stop; a backup under way may still be finished."""


class BackupPlan(NamedTuple):
    """When the bot copies its database, if it can."""

    folder: Path
    every_hours: float
    """0: never by itself."""
    keep: int
    """How many backups stay."""


class FinishedGames(Protocol):
    """Knows how many games people have finished."""

    async def finished(self, user: UserId, game: str, most: int) -> int:
        """Return how many matches of a game somebody has finished on any server, counting up to `most`."""


class Statistics(Endings, FinishedGames, Protocol):
    """What was counted of finished games. Nothing here knows of a running one."""

    async def leaderboard(
        self,
        board: Board,
        by: str = RATING,
        page: int = 1,
        *,
        asker: UserId | None = None,
        minimum: int | None = None,
        size: int = LINES_PER_PAGE,
    ) -> Page:
        """Return one page. `minimum` is the number of games that the guild's house rules ask for; None: as before."""

    async def card(self, board: Board, user: UserId, *, minimum: int | None = None) -> Card:
        """Return everything about one person; `minimum` as for the leaderboard."""

    async def versus(self, board: Board, a: UserId, b: UserId) -> Versus:
        """Compare two people; everything is zero if they never played together."""

    async def have_met(self, guild: int, a: UserId, b: UserId) -> bool:
        """Return whether two people have finished a counted game together, of any kind."""

    async def history(
        self, guild: int, page: int = 1, *, user: UserId | None = None, size: int = LINES_PER_PAGE
    ) -> History:
        """Return one page of finished games, newest first: the guild's, or one person's."""

    async def game(self, guild: int, number: int) -> PastGame | None:
        """Return a finished game by its number in the guild."""

    async def ending(self, table: TableId) -> Ending | None:
        """Return the game that was played at a table, and how it changed ratings; None if it is not finished."""

    async def replay(self, guild: int, number: int) -> Replay | None:
        """Return a finished game to step through; None if there is none with this number."""

    async def guilds_of(self, user: UserId, most: int) -> tuple[int, ...]:
        """Return the guilds in which somebody has finished games, the last one first."""

    async def editions(self, guild: int) -> tuple[tuple[str, str], ...]:
        """Return the games and editions that have boards in a guild, `WHOLE_GAME` among the editions."""

    async def months(self, guild: int) -> tuple[str, ...]:
        """Return the months in which a guild has played, newest first."""

    async def seasons(self, guild: int) -> tuple[Season, ...]:
        """Return the seasons, newest first: the first one is running, the others are closed."""

    async def close_season(self, guild: int, now: Millis, number: int | None = None) -> Season:
        """Close the running season and return it; its boards stay as they are, and the next one begins empty.

        With a `number`, only if that season is running; the last closed season is returned either way.
        """

    async def has_games(self, guild: int, period: str) -> bool:
        """Return whether anything was counted in a period."""

    async def is_opted_out(self, user: UserId) -> bool:
        """Return whether a person opted out of statistics."""

    async def set_opted_out(self, user: UserId, opted_out: bool) -> None:
        """Opt a person out of statistics, or in again. Games in between are never counted for them."""

    async def set_absent(self, guild: int, user: UserId, now: Millis, *, absent: bool = True) -> None:
        """Record whether a person has left the guild; its boards leave out those who have."""

    async def absent_since(self, guild: int, before: Millis, most: int) -> tuple[UserId, ...]:
        """Return absent people who were last looked for before a moment, the longest ago first."""


class Privacy(Protocol):
    """Exports and deletes a person's data, and deletes the data of departed guilds."""

    @property
    def reaches_files(self) -> bool:
        """Whether deleted rows are also gone from the database's files, and old copies of it are deleted.

        Otherwise what is beneath the rows is in the hands of those who run the database.
        """

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything that is stored about a person, as plain data."""

    async def games(self, user: UserId) -> int:
        """Return how many tables name a person."""

    async def knows(self, user: UserId) -> bool:
        """Return whether anything is stored about a person."""

    async def names(self, user: UserId) -> Sequence[str]:
        """Return the names under which a person has sat at tables."""

    async def wipe(self, user: UserId, former_id: UserId, names: Sequence[str] = ()) -> bool:
        """Overwrite the remains of an erased person, as far as the database can; return False if that has to wait."""

    async def wipe_again(self) -> None:
        """Wipe what `wipe` could not."""

    async def departed(self, before: Millis) -> Sequence[int]:
        """Return the guilds that removed the bot before a moment."""

    async def clear(self, guild: int, before: Millis) -> Sequence[TableId]:
        """Delete some data of a departed guild; return the deleted tables, none if nothing is left.

        A guild that has added the bot again in the meantime keeps what it still has.
        """

    async def requested(self) -> Sequence[UserId]:
        """Return the people whom a restored backup has brought back, and who are to be erased again."""

    async def settle(self, user: UserId) -> None:
        """Record that somebody is erased again."""

    async def forget_erasures(self, days: float) -> None:
        """Forget who was erased before that many days: no backup can hold them any more."""

    async def prune(self, days: float, backups: Path | None = None) -> Sequence[str]:
        """Delete copies and backups that this bot made of the database once they are this old; return their names."""


HOUSE_NEWS: Final = "house:"
"""News: the house rules of the guild whose id follows have changed."""
USER_NEWS: Final = "user:"
"""News: the settings of the person whose id follows have changed."""
FACT_NEWS: Final = "fact:"
"""News: the fact whose key follows was stored."""
REDRAW_NEWS: Final = "redraw:"
"""Begins the news that somebody may have written over the messages of a table; its id follows."""
ALL_NEWS: Final = "all:"
"""News: something was deleted that may be anywhere in memory."""


class Watcher(Protocol):
    """Is told what happens in other processes."""

    def taken(self, tables: Sequence[TableId]) -> None:
        """This process looks after these tables from now on."""

    def changed(self, tables: Sequence[TableId]) -> None:
        """Other processes have changed these tables."""

    def told(self, news: str) -> None:
        """Another process has told something."""

    def missed(self) -> None:
        """Anything may have changed: some news may have been lost."""

    async def look_again(self) -> None:
        """Read the clocks and the outbox of all tables that this process looks after."""


class Membership(Duties, Protocol):
    """What one of many processes on a database shares with the others.

    A shard is served by one process, which also looks after the tables of its guilds. When that process dies, another
    one claims the shard.
    """

    @property
    def name(self) -> str:
        """The name of this process."""

    @property
    def lost(self) -> asyncio.Event:
        """Set when another process serves a shard of this one."""

    async def claim(self, of: int, ids: Sequence[int], most: int) -> Sequence[int]:
        """Claim some of the shards `ids`, at least one; wait until one is free."""

    async def wait_for_login(self, group: int) -> None:
        """Wait until a shard of this group may log in to Discord."""

    async def is_elected(self, job: str) -> bool:
        """Return whether this process is the one that does `job`; ask again before every piece of work."""

    async def resign(self, job: str) -> None:
        """Let another process do `job`."""

    async def steps(self) -> Mapping[TableId, int]:
        """Return at which step each table is that this process looks after."""

    def tell(self, news: str) -> None:
        """Tell the other processes something: what has changed, a colon, and where."""

    async def start(self, watcher: Watcher) -> None:
        """Look after the tables of the claimed shards from now on."""

    async def stop(self) -> None:
        """Let other processes serve the shards."""


class Store(
    TableStore,
    HouseStore,
    OutboxStore,
    RefusalStore,
    GuildStore,
    OutageStore,
    PreferenceStore,
    LessonStore,
    MetaStore,
    MonitoredStore,
    Protocol,
):
    """The database as the whole bot knows it. Made by `bot.store.opening`, ended by `close`."""

    @property
    def stats(self) -> Statistics:
        """What was counted of finished games."""

    @property
    def privacy(self) -> Privacy:
        """Exports and deletes people's data."""

    @property
    def membership(self) -> Membership | None:
        """What this process shares with others on the same database; None if it is the only one."""

    async def languages(self) -> Mapping[UserId, str]:
        """Return the language of everybody who has chosen one."""

    async def text_only(self) -> Collection[UserId]:
        """Return everybody who wants no pictures."""

    async def add_downtime(self, now: Millis, grace: Millis = 0) -> None:
        """Put off all clocks by the time since the last heartbeat plus `grace`; call it before tables are loaded."""

    async def close(self) -> None:
        """Write everything that waits, and let go of the database; later requests get `Fault.CLOSED`.

        A second call does nothing.
        """


class Database(Protocol):
    """The database as its operator knows it, with or without a bot that uses it. A failure raises `DatabaseRefused`."""

    async def open(self, now: Millis) -> Store:
        """Bring the schema up to date and put all clocks off by the time that the bot was down."""

    def backups(self) -> Backups:
        """Return the schedule of its backups."""

    def rebuild(self, progress: Progress) -> int:
        """Rebuild the statistics from the log while no bot uses the database; return the number of games."""

    def examine(self) -> Iterator[Finding]:
        """Check everything that it needs, and change nothing."""

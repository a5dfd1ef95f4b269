"""The store in a SQLite file: one process, one connection that writes, another that reads."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from bot.host import codec
from bot.host.codec import Columns
from bot.host.deadlines import GRACE_MILLIS, shifted
from bot.host.lessons import Progress
from bot.host.loaded_table import MAX_REMEMBERED_INTERACTIONS
from bot.host.model import Millis, Stage, TableId, UserId
from bot.host.ports import Change, Fault, Message, OutboxRow, Posting, Preferences, StoredTable, StoreFault
from bot.house_rules.repository import HouseLogRow
from bot.private_files import PRIVATE_FOLDER, make_private
from bot.store import keys, rows
from bot.store.faults import DatabaseRefused
from bot.store.ports import Load, OpenTables
from bot.store.sqlite import departed, erasing, lessons, postings, refusals
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.faults import translate
from bot.store.sqlite.owner import Owner
from bot.store.sqlite.privacy import Privacy
from bot.store.sqlite.rows import STATEMENTS, of_end, of_work
from bot.store.sqlite.schema import MIGRATIONS, files_of, migrate
from bot.store.sqlite.statistics import Statistics
from bot.store.sqlite.wiping import Wiper
from bot.store.sqlite.writer import Writer
from bot.store.units import Counters

log = logging.getLogger(__name__)

T = TypeVar("T")

PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",
    "temp_store = MEMORY",  # what SQLite keeps to undo a statement: a file would be slow, and would hold hidden cards
)
"""The settings of the connection that writes."""


class SqliteStore:
    """Keeps tables, outbox, messages and people. Made by `open`, ended by `close`; see `bot.store.ports.Store`."""

    def __init__(self, path: Path, owner: Owner, wiper: Wiper, writing: Connection, reading: Connection) -> None:
        self.path = path
        self._owner = owner
        self._wiper = wiper
        self._writing = writing
        self._reading = reading
        self._writer = Writer(writing, STATEMENTS)
        self._shift: Millis = 0
        self._closed = False
        self.downtime: Millis | None = None
        """How long the bot was down before this start; None: it never ran on this file."""
        self.membership = None
        """A file belongs to one process."""

    @classmethod
    async def open(
        cls, path: Path, now: Millis, *, grace: Millis = GRACE_MILLIS, migrations: Path = MIGRATIONS
    ) -> SqliteStore:
        """Open the file, bring its schema up to date, and put all clocks off by the time that the bot was down.

        Raise DatabaseRefused if another process uses it, a newer version wrote it, or it cannot be written.
        """
        try:
            path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        except OSError as fault:
            raise DatabaseRefused(f"{path.parent} cannot be made ({fault.strerror}).") from None
        owner = Owner(path)
        try:
            wiper = Wiper(path)
        except OSError as fault:
            owner.release()
            raise DatabaseRefused(f"{path} cannot be written ({fault.strerror}).") from None
        make_private(files_of(path))
        writing, reading = Connection(path), Connection(path, read_only=True)
        undo = AsyncExitStack()
        undo.callback(owner.release)
        undo.callback(wiper.close)
        try:
            await undo.enter_async_context(writing)
            await writing.run(lambda connection: _prepare(connection, path, migrations, wiper))
            await undo.enter_async_context(reading)
            store = cls(path, owner, wiper, writing, reading)
            undo.push_async_callback(store._writer.close)
            await store.add_downtime(now, grace)
        except BaseException as fault:
            await undo.aclose()
            if isinstance(fault, StoreFault):
                raise DatabaseRefused(f"{path} cannot be used: {fault}.") from fault
            if isinstance(fault, sqlite3.Error):
                raise DatabaseRefused(f"{path} cannot be used: {translate(fault)}.") from fault
            raise
        return store

    async def close(self) -> None:
        """Write everything that waits, and close the file; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        await self._writer.close()
        await self._reading.close()
        await self._writing.close()
        self._wiper.close()
        self._owner.release()

    @property
    def counters(self) -> Counters:
        """How much has been written, and in how many commits."""
        return self._writer.counters

    async def add_downtime(self, now: Millis, grace: Millis = 0) -> None:
        """Put off all clocks by the time since the last heartbeat plus `grace`; call it before tables are loaded.

        No rows are changed: each carries the sum of all such shifts at the time when it was written. So a start takes
        as long with ten thousand tables as with none, and changes of the machine's clock in between do not matter.
        """
        beat, shift = await self.meta(keys.HEARTBEAT), await self.meta(keys.SHIFT)
        self._shift = int(shift or 0)
        if beat is not None:
            self.downtime = (self.downtime or 0) + max(0, now - int(beat))
            self._shift += now - int(beat) + grace
        await self._writer.write([rows.of_meta(keys.HEARTBEAT, now), rows.of_meta(keys.SHIFT, self._shift)])

    # Tables

    def commit(self, changes: Sequence[Change]) -> asyncio.Future[None]:
        """Write the changes together or not at all."""
        return self._writer.write(partial(rows.of_changes, changes, self._shift, of_end))

    async def load(self, table: TableId) -> StoredTable | None:
        """Return a table and the newest interactions at it."""
        found = await self._read(
            "SELECT id, guild, channel, stage, seq, shift, setup, document FROM tables WHERE id = ?", table
        )
        if not found:
            return None
        id_, guild, channel, stage, seq, shift, setup, document = found[0]
        columns = Columns(TableId(id_), guild, channel, Stage(stage), seq)
        try:
            read = codec.load(columns, setup, document)
        except ValueError:  # it may quote a hidden card, which no log may name
            raise StoreFault(Fault.BROKEN, f"table {table} is damaged at step {seq}") from None
        applied = await self._read(
            "SELECT interaction_id FROM actions WHERE table_id = ? AND interaction_id IS NOT NULL"
            " ORDER BY seq DESC LIMIT ?",
            table,
            MAX_REMEMBERED_INTERACTIONS,
        )
        interactions = tuple(interaction for (interaction,) in reversed(applied))
        return StoredTable(shifted(read, self._shift - shift), interactions)

    async def at(self, channel: int) -> TableId | None:
        """Return the channel's open table, or else its newest one."""
        found = await self._read(
            "SELECT id FROM tables WHERE channel = ?"
            " ORDER BY stage IN ('lobby', 'playing') DESC, opened DESC, rowid DESC LIMIT 1",
            channel,
        )
        return TableId(found[0][0]) if found else None

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a guild."""
        found = await self._read("SELECT id FROM tables WHERE guild = ? AND stage IN ('lobby', 'playing')", guild)
        return tuple(TableId(id_) for (id_,) in found)

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which a person has a seat."""
        found = await self._read(
            "SELECT id FROM seats JOIN tables ON id = table_id"
            " WHERE user = ? AND still = 1 AND stage IN ('lobby', 'playing') ORDER BY opened, tables.rowid",
            user,
        )
        return tuple(TableId(id_) for (id_,) in found)

    async def due(self) -> list[tuple[TableId, Millis]]:
        """Return every table that waits for its clock, and until when."""
        found = await self._read(
            "SELECT id, next_due + ? FROM tables WHERE stage IN ('lobby', 'playing') AND next_due IS NOT NULL",
            self._shift,
        )
        return [(TableId(id_), due) for id_, due in found]

    async def ticking(self) -> list[tuple[TableId, int]]:
        """Return every table that waits for its clock, the most urgent first, and its guild."""
        found = await self._read(
            "SELECT id, guild FROM tables WHERE stage IN ('lobby', 'playing') AND next_due IS NOT NULL"
            " ORDER BY next_due"
        )
        return [(TableId(id_), guild) for id_, guild in found]

    async def write_heartbeat(self, now: Millis) -> None:
        """Record that the bot was alive at this moment."""
        await self._writer.write([rows.of_meta(keys.HEARTBEAT, now)])

    async def note_lost(self, shards: int, since: Mapping[int, Millis]) -> None:
        """Write down which of the bot's shards are out of reach, and since when, minus `shift` like all due moments."""
        lost = {"shards": shards, "since": {shard: moment - self._shift for shard, moment in since.items()}}
        await self._writer.write([rows.of_meta(keys.LOST, json.dumps(lost))])

    async def lost(self) -> tuple[int, dict[int, Millis]]:
        """Return what was last written down: the number of shards, and for each lost shard, since when."""
        lost = json.loads(await self.meta(keys.LOST) or '{"shards": 0, "since": {}}')
        return lost["shards"], {int(shard): moment + self._shift for shard, moment in lost["since"].items()}

    # Interactions that were refused; those that were applied are in the log

    def note_refused(self, interaction: int) -> None:
        """Write down that an interaction was refused, without waiting for it."""
        _unwatched(self._writer.write([rows.of_meta(f"{keys.REFUSED}{interaction}", "")]))

    def drop_refused(self, interactions: Collection[int]) -> None:
        """Delete such notes, without waiting for it."""
        _unwatched(self.work(partial(refusals.drop, interactions=tuple(interactions))))

    async def refused(self) -> frozenset[int]:
        """Return the interactions that were written down as refused."""
        return frozenset(await self.look(refusals.read))

    # The outbox, and the messages in Discord

    async def unsent(self) -> tuple[TableId, ...]:
        """Return the tables that have something in the outbox, or a message that may have been sent unnoticed."""
        return tuple(await self.look(postings.unsent))

    async def outbox(self, table: TableId) -> tuple[OutboxRow, ...]:
        """Return the outbox of a table, the oldest row first."""
        found = await self._read(
            "SELECT id, kind, user, payload, made_at, seq FROM outbox WHERE table_id = ? ORDER BY id", table
        )
        return tuple(rows.outbox_row(table, row) for row in found)

    async def mark_done(
        self, done: Sequence[OutboxRow], *, placed: Sequence[Message] = (), settles: TableId | None = None
    ) -> None:
        """Delete rows from the outbox unless newer ones have replaced them, and store the messages that were sent."""
        settled = [] if settles is None else [of_work(partial(postings.drop, tables=[settles]))]
        await self._writer.write([*map(rows.of_done, done), *map(rows.of_message, placed), *settled])

    async def posting(self, table: TableId) -> Posting | None:
        """Return the note of a table message from before it was sent, unless it is known what became of it."""
        written = await self.meta(f"{keys.POSTING}{table}")
        return None if written is None else Posting(*json.loads(written))

    async def note_posting(self, table: TableId, posting: Posting | None) -> None:
        """Write down such a note, or delete it."""
        if posting is None:
            await self.work(partial(postings.drop, tables=[table]))
        else:
            await self.set_meta(f"{keys.POSTING}{table}", json.dumps(posting))

    async def messages(self, table: TableId) -> tuple[Message, ...]:
        """Return the messages that belong to a table, one per kind and user."""
        found = await self._read(
            "SELECT kind, user, channel_id, message_id, sent_at, prompt FROM messages WHERE table_id = ?", table
        )
        return tuple(rows.message(table, row) for row in found)

    async def forget(self, message: Message) -> None:
        """Delete a message that no longer exists in Discord, unless another has replaced it."""
        await self._writer.write([rows.of_forgotten(message)])

    # House rules, as bot.house_rules.repository asks for them

    async def house(self, guild: int) -> tuple[int, str] | None:
        """Return the number of changes to a guild's house rules, and the document; None if there are no changes."""
        found = await self._read("SELECT seq, document FROM house_rules WHERE guild = ?", guild)
        return found[0] if found else None

    def keep_house(self, guild: int, seq: int, document: str, log: Sequence[HouseLogRow]) -> asyncio.Future[None]:
        """Write a guild's house rules and who changed them; Conflict if the disk does not have the previous one."""
        return self._writer.write([rows.of_house(guild, seq, document), *map(rows.of_house_log, log)])

    async def house_log(self, guild: int, before: int | None, most: int) -> list[tuple[int, HouseLogRow]]:
        """Return who changed which house rules, the newest change first."""
        found = await self._read(
            "SELECT id, at, user, key, old, new FROM house_log WHERE guild = ? AND id < ? ORDER BY id DESC LIMIT ?",
            guild,
            2**62 if before is None else before,
            most,
        )
        return [(id_, HouseLogRow(guild, at, UserId(user), *change)) for id_, at, user, *change in found]

    # People, and facts about the bot itself

    async def preferences(self, user: UserId) -> Preferences:
        """Return a person's private settings, the defaults if they have set nothing."""
        found = await self._read("SELECT slow, pinged, language, text_only FROM users WHERE id = ?", user)
        if not found:
            return Preferences()
        slow, pinged, language, text_only = found[0]
        return Preferences(slow, bool(pinged), language, bool(text_only))

    async def languages(self) -> dict[UserId, str]:
        """Return the language of everybody who has chosen one."""
        found = await self._read("SELECT id, language FROM users WHERE language IS NOT NULL")
        return {UserId(user): language for user, language in found}

    async def text_only(self) -> set[UserId]:
        """Return everybody who wants no pictures."""
        return {UserId(user) for (user,) in await self._read("SELECT id FROM users WHERE text_only = 1")}

    async def save_preferences(self, user: UserId, preferences: Preferences) -> None:
        """Write a person's private settings."""
        await self._writer.write([rows.of_preferences(user, preferences)])

    async def lesson(self, user: UserId, game: str) -> Progress | None:
        """Return how far a person has come in a game's lesson; None if they have not begun."""
        return await self.look(partial(lessons.read, user=user, game=game))

    async def keep_lesson(
        self, user: UserId, game: str, before: Progress | None, after: Progress, interaction_id: int
    ) -> None:
        """Write how far a person has come, once for each interaction, and only if they still stand at `before`."""
        await self.work(
            partial(lessons.write, user=user, game=game, before=before, after=after, interaction_id=interaction_id)
        )

    async def meta(self, key: str) -> str | None:
        """Return a fact about the bot itself, such as the hash of the commands that Discord knows."""
        found = await self._read("SELECT value FROM meta WHERE key = ?", key)
        return found[0][0] if found else None

    async def set_meta(self, key: str, value: str) -> None:
        """Write a fact about the bot itself."""
        await self._writer.write([rows.of_meta(key, value)])

    # Privacy

    async def visited(self, user: UserId) -> dict[TableId, bool]:
        """Return the tables that ever named a person, and whether each is open."""
        return await self.look(partial(erasing.visited, user=user))

    def erase(
        self, user: UserId, former_id: UserId, changes: Sequence[Change], held: Collection[TableId]
    ) -> asyncio.Future[None]:
        """Write the changes to the tables in `held`, and erase a person everywhere else."""
        unit = rows.of_changes(changes, self._shift, of_end)
        return self._writer.write([*unit, of_work(partial(erasing.erase, user=user, former_id=former_id, held=held))])

    @property
    def privacy(self) -> Privacy:
        """Exports and deletes people's data."""
        return Privacy(self)

    async def wipe(self, wanted: Sequence[bytes] = ()) -> bool:
        """Overwrite the remains of deleted rows; return False if another process keeps the file busy."""
        try:
            return await self._writing.run(partial(self._wiper.wipe, wanted=wanted))
        except sqlite3.Error as error:
            raise translate(error) from error

    # Statistics

    @property
    def stats(self) -> Statistics:
        """What was counted of finished games."""
        return Statistics(self)

    async def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function that only reads, in one transaction."""
        if self._closed:
            raise StoreFault(Fault.CLOSED, "the bot is stopping")
        try:
            return await self._reading.run(partial(_at_once, work))
        except sqlite3.Error as error:
            raise translate(error) from error

    def work(self, work: Callable[[sqlite3.Connection], None]) -> asyncio.Future[None]:
        """Run a function in the next transaction; if it raises, it has changed nothing."""
        return self._writer.write([of_work(work)])

    # Figures for the operator

    @property
    def engine(self) -> tuple[str, str]:
        """SQLite and its version."""
        return "sqlite", sqlite3.sqlite_version

    async def load_now(self) -> Load:
        """Return what waits in the outbox, and which tables are open."""
        return await self.look(_load)

    async def sizes(self) -> dict[str, int]:
        """Return the sizes of the file and of its write-ahead log."""
        return {name: _size(Path(f"{self.path}{ending}")) for name, ending in (("database", ""), ("log", "-wal"))}

    # Guilds: where the bot is (`in:<id>`), and since when it no longer is (`left:<id>`, for the janitor)

    async def servers(self) -> frozenset[int]:
        """Return the guilds that the bot is in, as far as it has heard."""
        found = await self._read("SELECT key FROM meta WHERE key >= ? AND key < ?", keys.IN, keys.after(keys.IN))
        return frozenset(int(key.removeprefix(keys.IN)) for (key,) in found)

    async def playing_in(self) -> frozenset[int]:
        """Return the guilds that have open tables."""
        found = await self._read("SELECT DISTINCT guild FROM tables WHERE stage IN ('lobby', 'playing')")
        return frozenset(id_ for (id_,) in found)

    async def bot_added(self, guilds: Iterable[int]) -> None:
        """Write down that the bot is in these guilds, perhaps again."""
        if there := list(guilds):
            await self.work(partial(departed.bot_added, guilds=there))

    async def bot_removed(self, guild: int, at: Millis) -> None:
        """Write down that the bot is no longer in a guild, and since when."""
        await self.work(partial(departed.bot_removed, guild=guild, at=at))

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        if self._closed:
            raise StoreFault(Fault.CLOSED, "the bot is stopping")
        try:
            return await self._reading.fetch(sql, values)
        except sqlite3.Error as error:
            raise translate(error) from error


def _unwatched(writing: asyncio.Future[None]) -> None:
    """Let something be written that nobody waits for; a failure is only logged."""

    def done(written: asyncio.Future[None]) -> None:
        if (fault := written.exception()) is not None:
            log.info("a note was not written: %s", fault)

    writing.add_done_callback(done)


def _at_once(work: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection) -> T:
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        connection.execute("COMMIT")


def _load(connection: sqlite3.Connection) -> Load:
    waiting, oldest = connection.execute("SELECT count(*), min(made_at) FROM outbox").fetchone()
    tables = connection.execute(
        "SELECT setup ->> '$.game', coalesce(setup ->> '$.options.edition', ''), stage, count(*)"
        " FROM tables WHERE stage IN ('lobby', 'playing') GROUP BY 1, 2, 3"
    ).fetchall()
    return Load(waiting, oldest, [OpenTables(*each) for each in tables])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _prepare(connection: sqlite3.Connection, path: Path, migrations: Path, wiper: Wiper) -> None:
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the writer runs checkpoints when nobody waits
    migrate(connection, path, migrations)
    erasing.finish(connection, wiper)

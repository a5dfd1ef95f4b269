"""The store in PostgreSQL, which many processes may share."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import asyncpg

from bot.host import codec
from bot.host.codec import Columns
from bot.host.deadlines import GRACE_MILLIS, shifted
from bot.host.lessons import Progress
from bot.host.loaded_table import MAX_REMEMBERED_INTERACTIONS
from bot.host.model import Millis, Stage, Table, TableId, UserId
from bot.host.ports import Change, Fault, Message, OutboxRow, Posting, Preferences, StoredTable, StoreFault
from bot.house_rules.repository import HouseLogRow
from bot.store import keys, rows
from bot.store.faults import Away, DatabaseRefused
from bot.store.ports import ALL_NEWS, FACT_NEWS, HOUSE_NEWS, USER_NEWS, Load, OpenTables
from bot.store.postgres import counting, departed, erasing, lessons
from bot.store.postgres.connections import Connection, Connections
from bot.store.postgres.elections import WIN_CHECK_SECONDS, Elections, key_of
from bot.store.postgres.faults import translate
from bot.store.postgres.leases import Leases
from bot.store.postgres.membership import Membership
from bot.store.postgres.privacy import Privacy
from bot.store.postgres.schema import MIGRATING, MIGRATIONS, is_older, migrate
from bot.store.postgres.statements import UNMETA
from bot.store.postgres.statistics import Statistics
from bot.store.postgres.wakeups import Wakeups
from bot.store.postgres.writer import Writer
from bot.store.rows import WORK
from bot.store.units import Counters, Row

log = logging.getLogger(__name__)

T = TypeVar("T")
OWNER: Final = "the bot"
"""The job of being the only process on this database."""
PREVIOUS_OWNER_SECONDS: Final = 5.0
"""How long a start waits for the previous process, whose connections the server may not have noticed to be gone."""
STARTING_MILLIS: Final = 60_000
"""Processes that start so soon after the first one were down together with it."""
_IN_USE: Final = "The database is in use by another process: stop that bot first, or set another DATABASE_URL."
_IN_USE_BY_OLDER: Final = (
    "The database has to be brought up to date, but other processes of the bot use it: stop all of them first."
)


class PostgresStore:
    """Keeps tables, outbox, messages and people. Made by `open`, ended by `close`; see `bot.store.ports.Store`."""

    def __init__(self, connections: Connections, version: str, member: str | None) -> None:
        self._connections = connections
        self._version = version
        self._writer = Writer(connections)
        self._shift: Millis = 0
        self._closed = False
        self.downtime: Millis | None = None
        """How long the bot was down before this start; None: it never ran on this database."""
        self.elections = Elections(connections)
        """Decides which process does what only one must do."""
        self.leases: Leases | None = None if member is None else Leases(connections)
        """Which tables this process looks after; None: it is the only process, and looks after all of them."""
        self.wakeups: Wakeups | None = None if member is None else Wakeups(connections, member)
        """Tells other processes what has changed, and hears it from them; None: there are no others."""
        self.membership: Membership | None = None
        """What this process shares with others; None: there are no others."""
        if self.leases is not None and self.wakeups is not None and member is not None:
            self.membership = Membership(self, connections, self.leases, self.wakeups, member)

    @classmethod
    async def open(
        cls,
        url: str,
        now: Millis,
        *,
        grace: Millis = GRACE_MILLIS,
        member: str | None = None,
        migrations: Path = MIGRATIONS,
    ) -> PostgresStore:
        """Connect, bring the schema up to date, and put all clocks off by the time that the bot was down.

        With `member`, the name of this process, others may use the database as well, all of them as members.
        Raise DatabaseRefused if the database cannot be used.
        """
        undo = AsyncExitStack()
        try:
            connections = await Connections.open(url, member="" if member is None else member, keeps_trying=False)
            undo.push_async_callback(connections.close)
            connection = await connections.connect(lasting=True)
            try:
                version = re.sub(r"[^\d.].*", "", await connection.fetchval("SHOW server_version"))
                store = cls(connections, version, member)
                undo.push_async_callback(store._writer.close)
                undo.push_async_callback(store.elections.close)
                await store._own(connection, migrations)
            finally:
                await connection.close()
            if store.leases is not None and store.wakeups is not None:
                undo.push_async_callback(store.leases.stop)
                await store.leases.start()
                store.leases.on_lost(store._enter_again)
                store.wakeups.start()
            await store.add_downtime(now, grace)
            connections.keeps_trying = True
        except BaseException as fault:
            await undo.aclose()
            if isinstance(fault, StoreFault | asyncpg.PostgresError | asyncpg.InterfaceError | OSError | ValueError):
                said = translate(fault) if isinstance(fault, Exception) else fault
                may_pass = isinstance(said, StoreFault) and said.fault in (Fault.AWAY, Fault.BUSY)
                raise (Away if may_pass else DatabaseRefused)(f"The database cannot be used: {said}.") from fault
            raise
        return store

    async def close(self) -> None:
        """Write everything that waits, and close all connections; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self.membership is not None:
            await self.membership.stop()
        if self.wakeups is not None:
            await self.wakeups.stop()
        if self.leases is not None:
            await self.leases.stop()
        await self._writer.close()
        await self.elections.close()
        await self._connections.close()

    @property
    def counters(self) -> Counters:
        """How much has been written, and in how many commits."""
        return self._writer.counters

    async def _own(self, connection: Connection, migrations: Path) -> None:
        """Keep other processes away, unless all are members, and bring the schema up to date.

        Nobody else may use the database meanwhile. Wait a little for a process that has just ended, and for one that
        brings the schema up to date.
        """
        loop, shared = asyncio.get_running_loop(), self.leases is not None
        until = loop.time() + PREVIOUS_OWNER_SECONDS
        while True:
            older = await is_older(connection, migrations)
            if await self.elections.win(OWNER, shared=shared and not older):
                await migrate(connection, migrations)  # or only make sure that it has not become newer meanwhile
                if older and shared:
                    await self.elections.share(OWNER)
                return
            if await self.elections.is_held(MIGRATING):
                until = loop.time() + PREVIOUS_OWNER_SECONDS
            elif loop.time() >= until:
                if self._connections.is_away:
                    raise StoreFault(Fault.AWAY, "the server cannot be reached")
                raise DatabaseRefused(_IN_USE_BY_OLDER if older and shared else _IN_USE)
            await asyncio.sleep(WIN_CHECK_SECONDS)

    async def add_downtime(self, now: Millis, grace: Millis = 0) -> None:
        """Put off all clocks by the time since the last heartbeat plus `grace`; call it before tables are loaded.

        While another process is alive the clocks run on, and nothing is put off.
        """
        found: list[Millis | None] = [None, 0]
        me = None if self.leases is None else self.leases.id

        async def work(connection: Connection) -> None:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", key_of("heartbeat"))
            beat = await connection.fetchval("SELECT value FROM meta WHERE key = $1", keys.HEARTBEAT)
            shift = int(await connection.fetchval("SELECT value FROM meta WHERE key = $1", keys.SHIFT) or 0)
            away: Millis | None = None
            if beat is not None:
                alive = me is not None and await connection.fetchval(
                    "SELECT 1 FROM processes WHERE until > clock_timestamp() AND id <> $1", me
                )
                away = await _away_before(connection, now) if alive else max(0, now - int(beat))
                shift += 0 if alive else now - int(beat) + grace
                if me is not None and not alive:
                    await _set_meta(connection, keys.AWAY, json.dumps([now, away]))
            await _set_meta(connection, keys.HEARTBEAT, now)
            await _set_meta(connection, keys.SHIFT, shift)
            found[:] = [away, shift]

        await self.work(work)
        away, shift = found
        self._shift = shift or 0
        if away is not None:
            self.downtime = (self.downtime or 0) + away

    def _enter_again(self) -> None:
        """Read again by how much clocks were put off, after others took this process for dead."""

        task = asyncio.create_task(self.read_shift(), name="entering again")
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def read_shift(self) -> bool:
        """Read by how much clocks were put off; return whether another process has put them off meanwhile."""
        before, self._shift = self._shift, int(await self.meta(keys.SHIFT) or 0)
        return self._shift != before

    # Tables

    def commit(self, changes: Sequence[Change]) -> asyncio.Future[None]:
        """Write the changes together or not at all."""
        written = self._writer.write(partial(rows.of_changes, changes, self._shift, _of_end))
        if self.wakeups is not None and self.leases is not None:
            elsewhere = [change.table.id for change in changes if not self.leases.holds(change.table.id)]
            if elsewhere:
                written.add_done_callback(partial(self._tell, elsewhere))
        return written

    def _tell_others(self, written: asyncio.Future[None], news: str) -> None:
        """Tell other processes what has changed, as soon as it is written."""
        if self.wakeups is not None:
            written.add_done_callback(partial(self._tell, [TableId(news)]))

    def _tell(self, tables: Sequence[TableId], written: asyncio.Future[None]) -> None:
        if self.wakeups is not None and not written.cancelled() and written.exception() is None:
            self.wakeups.tell(tables)

    async def load(self, table: TableId) -> StoredTable | None:
        """Return a table and the newest interactions at it."""
        found = await self.fetch(
            "SELECT id, guild, channel, stage, seq, shift, setup, document, ARRAY(SELECT interaction_id FROM actions"
            " WHERE table_id = tables.id AND interaction_id IS NOT NULL ORDER BY seq DESC LIMIT $2)"
            " FROM tables WHERE id = $1",
            table,
            MAX_REMEMBERED_INTERACTIONS,
        )
        if not found:
            return None
        id_, guild, channel, stage, seq, shift, setup, document, applied = found[0]
        columns = Columns(TableId(id_), guild, channel, Stage(stage), seq)
        try:
            read = codec.load(columns, setup, document)
        except ValueError:  # it may quote a hidden card, which no log may name
            raise StoreFault(Fault.BROKEN, f"table {table} is damaged at step {seq}") from None
        return StoredTable(shifted(read, self._shift - shift), tuple(reversed(applied)))

    async def at(self, channel: int) -> TableId | None:
        """Return the channel's open table, or else its newest one."""
        found = await self.fetch(
            "SELECT id FROM tables WHERE channel = $1"
            " ORDER BY stage IN ('lobby', 'playing') DESC, opened DESC, nth DESC LIMIT 1",
            channel,
        )
        return TableId(found[0][0]) if found else None

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a guild."""
        sql = "SELECT id FROM tables WHERE guild = $1 AND stage IN ('lobby', 'playing') ORDER BY nth"
        return tuple(TableId(id_) for (id_,) in await self.fetch(sql, guild))

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which a person has a seat."""
        found = await self.fetch(
            "SELECT id FROM seats JOIN tables ON id = table_id"
            " WHERE user_id = $1 AND still AND stage IN ('lobby', 'playing') ORDER BY opened, nth",
            user,
        )
        return tuple(TableId(id_) for (id_,) in found)

    async def due(self) -> list[tuple[TableId, Millis]]:
        """Return every table that waits for its clock and that this process looks after, and until when."""
        found = await self.scan(
            "SELECT id, next_due + $1 FROM tables WHERE stage IN ('lobby', 'playing') AND next_due IS NOT NULL"
            " AND ($2::bigint IS NULL OR EXISTS (SELECT 1 FROM leases WHERE table_id = id AND owner = $2))",
            self._shift,
            None if self.leases is None else self.leases.id,
        )
        return [(TableId(id_), due) for id_, due in found]

    async def ticking(self) -> list[tuple[TableId, int]]:
        """Return every table that waits for its clock, the most urgent first, and its guild."""
        found = await self.scan(
            "SELECT id, guild FROM tables WHERE stage IN ('lobby', 'playing') AND next_due IS NOT NULL"
            " ORDER BY next_due"
        )
        return [(TableId(id_), guild) for id_, guild in found]

    async def write_heartbeat(self, now: Millis) -> None:
        """Write down that the bot was alive at this moment."""
        await self._writer.write([rows.of_meta(keys.HEARTBEAT, now)])
        if not await self.elections.win(OWNER, shared=self.leases is not None) and self.elections.is_connected:
            log.error("another bot uses this database; stop one of them")

    async def note_lost(self, shards: int, since: Mapping[int, Millis]) -> None:
        """Write down which of the bot's shards are out of reach, and since when, minus `shift` like all due moments."""
        if self.membership is not None:  # each process knows of its own shards
            await self._writer.write(
                [
                    rows.of_meta(f"{keys.SERVED}{shard}", json.dumps([shards, moment - self._shift]))
                    for shard, moment in since.items()
                ]
            )
            return
        lost = {"shards": shards, "since": {shard: moment - self._shift for shard, moment in since.items()}}
        await self._writer.write([rows.of_meta(keys.LOST, json.dumps(lost))])

    async def lost(self) -> tuple[int, dict[int, Millis]]:
        """Return what was last written down: the number of shards, and for each lost shard, since when."""
        if self.membership is not None:
            return await self._served()
        lost = json.loads(await self.meta(keys.LOST) or '{"shards": 0, "since": {}}')
        return lost["shards"], {int(shard): moment + self._shift for shard, moment in lost["since"].items()}

    async def _served(self) -> tuple[int, dict[int, Millis]]:
        """Return when the shards were last in reach, all processes together; the newest number of shards counts."""
        sql = "SELECT key, value FROM meta WHERE key >= $1 AND key < $2"
        found = await self.scan(sql, keys.SERVED, keys.after(keys.SERVED))
        noted = {int(key.removeprefix(keys.SERVED)): json.loads(value) for key, value in found}
        _, shards = max(((moment, shards) for shards, moment in noted.values()), default=(0, 0))
        return shards, {id_: moment + self._shift for id_, (of, moment) in noted.items() if of == shards}

    # Interactions that were refused; those that were applied are in the log

    def note_refused(self, interaction: int) -> None:
        """Write down that an interaction was refused, without waiting for it."""
        _unwatched(self._writer.write([rows.of_meta(f"{keys.REFUSED}{interaction}", "")]))

    def drop_refused(self, interactions: Collection[int]) -> None:
        """Delete such notes, without waiting for it."""
        _unwatched(self._writer.write([_of_no_meta(f"{keys.REFUSED}{each}") for each in set(interactions)]))

    async def refused(self) -> frozenset[int]:
        """Return the interactions that were written down as refused."""
        return frozenset([int(found) for found in await self._with_prefix(keys.REFUSED)])

    # The outbox, and the messages in Discord

    async def unsent(self) -> tuple[TableId, ...]:
        """Return the tables that have something in the outbox, or a message that may have been sent unnoticed."""
        found = await self.scan(
            "SELECT id FROM (SELECT table_id FROM outbox"
            " UNION SELECT substr(key, length($1) + 1) FROM meta WHERE key >= $1 AND key < $2) AS waiting (id)"
            " WHERE $3::bigint IS NULL OR EXISTS (SELECT 1 FROM leases WHERE table_id = id AND owner = $3) ORDER BY id",
            keys.POSTING,
            keys.after(keys.POSTING),
            None if self.leases is None else self.leases.id,
        )
        return tuple(TableId(id_) for (id_,) in found)

    async def outbox(self, table: TableId) -> tuple[OutboxRow, ...]:
        """Return the outbox of a table, the oldest row first."""
        found = await self.fetch(
            "SELECT id, kind, user_id, payload, made_at, seq FROM outbox WHERE table_id = $1 ORDER BY id", table
        )
        return tuple(rows.outbox_row(table, row) for row in found)

    async def mark_done(
        self, done: Sequence[OutboxRow], *, placed: Sequence[Message] = (), settles: TableId | None = None
    ) -> None:
        """Delete rows from the outbox unless newer ones have replaced them, and store the messages that were sent."""
        settled = [] if settles is None else [_of_no_meta(f"{keys.POSTING}{settles}")]
        unit = [*map(rows.of_done, done), *map(rows.of_message, placed), *settled]
        if unit:
            await self._writer.write(unit)

    async def posting(self, table: TableId) -> Posting | None:
        """Return the note of a table message from before it was sent, unless it is known what became of it."""
        written = await self.meta(f"{keys.POSTING}{table}")
        return None if written is None else Posting(*json.loads(written))

    async def note_posting(self, table: TableId, posting: Posting | None) -> None:
        """Write down such a note, or delete it."""
        key = f"{keys.POSTING}{table}"
        await self._writer.write([_of_no_meta(key) if posting is None else rows.of_meta(key, json.dumps(posting))])

    async def messages(self, table: TableId) -> tuple[Message, ...]:
        """Return the messages that belong to a table, one per kind and user."""
        found = await self.fetch(
            "SELECT kind, user_id, channel_id, message_id, sent_at, prompt FROM messages WHERE table_id = $1"
            " ORDER BY kind, user_id",
            table,
        )
        return tuple(rows.message(table, row) for row in found)

    async def forget(self, message: Message) -> None:
        """Delete a message that no longer exists in Discord, unless another has replaced it."""
        await self._writer.write([rows.of_forgotten(message)])

    # House rules, as bot.house_rules.repository asks for them

    async def house(self, guild: int) -> tuple[int, str] | None:
        """Return the number of changes to a guild's house rules, and the document; None if there are no changes."""
        found = await self.fetch("SELECT seq, document FROM house_rules WHERE guild = $1", guild)
        return (found[0][0], found[0][1]) if found else None

    def keep_house(self, guild: int, seq: int, document: str, log: Sequence[HouseLogRow]) -> asyncio.Future[None]:
        """Write a guild's house rules and who changed them; Conflict if the disk does not have the previous one."""
        written = self._writer.write([rows.of_house(guild, seq, document), *map(rows.of_house_log, log)])
        self._tell_others(written, f"{HOUSE_NEWS}{guild}")
        return written

    async def house_log(self, guild: int, before: int | None, most: int) -> list[tuple[int, HouseLogRow]]:
        """Return who changed which house rules, the newest change first."""
        found = await self.fetch(
            "SELECT id, at, user_id, key, old, new FROM house_log WHERE guild = $1 AND id < $2"
            " ORDER BY id DESC LIMIT $3",
            guild,
            2**62 if before is None else before,
            most,
        )
        return [(id_, HouseLogRow(guild, at, UserId(user), *change)) for id_, at, user, *change in found]

    # People, and facts about the bot itself

    async def preferences(self, user: UserId) -> Preferences:
        """Return a person's private settings, the defaults if they have set nothing."""
        found = await self.fetch("SELECT slow, pinged, language, text_only FROM users WHERE id = $1", user)
        return Preferences(*found[0]) if found else Preferences()

    async def languages(self) -> dict[UserId, str]:
        """Return the language of everybody who has chosen one."""
        found = await self.scan("SELECT id, language FROM users WHERE language IS NOT NULL")
        return {UserId(user): language for user, language in found}

    async def text_only(self) -> set[UserId]:
        """Return everybody who wants no pictures."""
        return {UserId(user) for (user,) in await self.scan("SELECT id FROM users WHERE text_only")}

    async def save_preferences(self, user: UserId, preferences: Preferences) -> None:
        """Write a person's private settings."""
        written = self._writer.write([rows.of_preferences(user, preferences)])
        self._tell_others(written, f"{USER_NEWS}{user}")
        await written

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
        found = await self.fetch("SELECT value FROM meta WHERE key = $1", key)
        return found[0][0] if found else None

    async def set_meta(self, key: str, value: str) -> None:
        """Write a fact about the bot itself."""
        written = self._writer.write([rows.of_meta(key, value)])
        self._tell_others(written, f"{FACT_NEWS}{key}")
        await written

    # Privacy

    async def visited(self, user: UserId) -> dict[TableId, bool]:
        """Return the tables that ever named a person, and whether each is open."""
        return await self.look(partial(erasing.visited, user=user))

    def erase(
        self, user: UserId, former_id: UserId, changes: Sequence[Change], held: Collection[TableId]
    ) -> asyncio.Future[None]:
        """Write the changes to the tables in `held`, and erase a person everywhere else."""
        unit = rows.of_changes(changes, self._shift, _of_end)
        work = partial(erasing.erase, user=user, former_id=former_id, held=held)
        written = self._writer.write([*unit, (WORK, (work,))])
        self._tell_others(written, ALL_NEWS)
        return written

    @property
    def privacy(self) -> Privacy:
        """Exports and deletes people's data."""
        return Privacy(self)

    # Statistics

    @property
    def stats(self) -> Statistics:
        """What was counted of finished games."""
        return Statistics(self)

    async def look(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run a function that only reads, in one transaction."""
        self._require_open()
        return await self._connections.look(work)

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of one statement that only reads."""
        self._require_open()
        return await self._connections.fetch(sql, *values)

    async def scan(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a statement for which nobody waits, and which may read much."""
        self._require_open()
        return await self._connections.scan(sql, *values)

    def work(self, work: Callable[[Connection], Awaitable[None]]) -> asyncio.Future[None]:
        """Run a function in a transaction of its own; if it raises, it has changed nothing."""
        return self._writer.write([(WORK, (work,))])

    # Figures for the operator

    @property
    def engine(self) -> tuple[str, str]:
        """PostgreSQL and its version."""
        return "postgresql", self._version

    async def load_now(self) -> Load:
        """Return what waits in the outbox, and which tables are open."""
        ((waiting, oldest),) = await self.scan("SELECT count(*), min(made_at) FROM outbox")
        found = await self.scan(
            "SELECT setup, stage, count(*) FROM tables WHERE stage IN ('lobby', 'playing') GROUP BY 1, 2"
        )
        counts: dict[tuple[str, str, str], int] = {}
        for setup, stage, count in found:
            read = json.loads(setup)
            kind = (read["game"], read["options"].get("edition") or "", stage)
            counts[kind] = counts.get(kind, 0) + count
        return Load(waiting, oldest, [OpenTables(*kind, count) for kind, count in counts.items()])

    async def sizes(self) -> dict[str, int]:
        """Return the size of the database; its log belongs to the whole server."""
        ((size,),) = await self.fetch("SELECT pg_database_size(current_database())")
        return {"database": size}

    # Guilds: where the bot is (`in:<id>`), and since when it no longer is (`left:<id>`, for the janitor)

    async def servers(self) -> frozenset[int]:
        """Return the guilds that the bot is in, as far as it has heard."""
        return frozenset([int(found) for found in await self._with_prefix(keys.IN)])

    async def playing_in(self) -> frozenset[int]:
        """Return the guilds that have open tables."""
        found = await self.scan("SELECT DISTINCT guild FROM tables WHERE stage IN ('lobby', 'playing')")
        return frozenset([guild for (guild,) in found])

    async def bot_added(self, guilds: Iterable[int]) -> None:
        """Write down that the bot is in these guilds, perhaps again."""
        if there := list(guilds):
            await self.work(partial(departed.bot_added, guilds=there))

    async def bot_removed(self, guild: int, at: Millis) -> None:
        """Write down that the bot is no longer in a guild, and since when."""
        await self.work(partial(departed.bot_removed, guild=guild, at=at))

    async def _with_prefix(self, prefix: str) -> list[str]:
        """Return what follows a prefix in the keys of `meta`."""
        found = await self.scan("SELECT key FROM meta WHERE key >= $1 AND key < $2", prefix, keys.after(prefix))
        return [key.removeprefix(prefix) for (key,) in found]

    def _require_open(self) -> None:
        if self._closed:
            raise StoreFault(Fault.CLOSED, "the bot is stopping")


def _of_end(table: Table) -> Row:
    """Return the row that counts a match which has come to its end."""
    work = partial(counting.record_end, table=table.id, guild=table.guild, guesses=rows.guesses_of(table))
    return WORK, (work,)


def _of_no_meta(key: str) -> Row:
    """Return the row that deletes a fact about the bot itself."""
    return UNMETA, (key,)


async def _away_before(connection: Connection, now: Millis) -> Millis:
    """Return how long the bot had been down before another process started, if that was only just now."""
    written = await connection.fetchval("SELECT value FROM meta WHERE key = $1", keys.AWAY)
    at, away = json.loads(written or "[0, 0]")
    return away if 0 <= now - at < STARTING_MILLIS else 0


async def _set_meta(connection: Connection, key: str, value: object) -> None:
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        str(value),
    )


def _unwatched(writing: asyncio.Future[None]) -> None:
    """Let something be written that nobody waits for; a failure is only logged."""

    def done(written: asyncio.Future[None]) -> None:
        if (fault := written.exception()) is not None:
            log.info("a note was not written: %s", fault)

    writing.add_done_callback(done)

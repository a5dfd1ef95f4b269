"""The rules of all servers: cached in memory, changed one at a time, never stale."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from bot.host.model import Millis, UserId
from bot.house_rules import documents
from bot.house_rules.changes import ChangeResult, SettingChange
from bot.house_rules.server_rules import ServerRules

log = logging.getLogger(__name__)

MAX_CACHED: Final = 2000
"""Cap on the servers whose rules stay in memory."""


class Line(NamedTuple):
    """One line of a server's log."""

    number: int
    at: Millis
    user: UserId
    change: SettingChange


class HouseLogRow(NamedTuple):
    """A line of the log as the store keeps it; `old` and `new` are JSON."""

    guild: int
    at: Millis
    user: UserId
    key: str
    old: str | None
    new: str | None


class HouseStore(Protocol):
    """What the repository needs from a store."""

    async def house(self, guild: int) -> tuple[int, str] | None:
        """Return a server's number of changes and its document; None if it never changed anything."""

    def keep_house(self, guild: int, seq: int, document: str, log: Sequence[HouseLogRow]) -> asyncio.Future[None]:
        """Write the document and the log together; refuse if the disk does not hold the change before `seq`."""

    async def house_log(self, guild: int, before: int | None, most: int) -> Sequence[tuple[int, HouseLogRow]]:
        """Return lines of the log with their numbers, the newest first."""


class HouseRulesRepository:
    """The rules of all servers. If other processes change some of them, too, those are to be forgotten here."""

    def __init__(self, store: HouseStore, now: Callable[[], Millis], max_cached: int = MAX_CACHED) -> None:
        self._store = store
        self._now = now
        self._max_cached = max_cached
        self._cached: OrderedDict[int, ServerRules] = OrderedDict()
        # Reading from the store and changing exclude each other, or an old row could stay in memory.
        self._locks = [asyncio.Lock() for _ in range(64)]

    async def rules_for(self, guild: int) -> ServerRules:
        """Return a server's rules."""
        known = self._cached.get(guild)
        if known is not None:
            self._cached.move_to_end(guild)
            return known
        async with self._lock(guild):
            return await self._load(guild)

    async def change(self, guild: int, by: UserId, edit: Callable[[ServerRules], ChangeResult]) -> ChangeResult:
        """Change a server's rules: `edit` gets the current rules and returns the outcome, or raises Rejected."""
        async with self._lock(guild):
            result = edit(await self._load(guild))
            if not result.changes:
                return result
            rows = [
                HouseLogRow(guild, self._now(), by, key, _json(old), _json(new)) for key, old, new in result.changes
            ]
            self._cached.pop(guild, None)  # if writing fails, they are read from the store again
            await self._store.keep_house(guild, result.rules.seq, documents.dump(result.rules), rows)
            self._remember(result.rules)
        log.info("house rules of %s, change %s: %s", guild, result.rules.seq, ", ".join(row.key for row in rows))
        return result

    async def log(self, guild: int, before: int | None = None, most: int = 10) -> list[Line]:
        """Return what was changed, the newest first."""
        found = await self._store.house_log(guild, before, most)
        return [
            Line(number, row.at, row.user, SettingChange(row.key, _read(row.old), _read(row.new)))
            for number, row in found
        ]

    def forget(self, guild: int) -> None:
        """Drop a server's rules from memory, because they were removed from the disk."""
        self._cached.pop(guild, None)

    def forget_all(self) -> None:
        """Drop the rules of all servers from memory, because another process may have changed them."""
        self._cached.clear()

    def _lock(self, guild: int) -> asyncio.Lock:
        return self._locks[hash(guild) % len(self._locks)]

    async def _load(self, guild: int) -> ServerRules:
        known = self._cached.get(guild)
        if known is None:
            found = await self._store.house(guild)
            known = ServerRules(guild) if found is None else documents.load(guild, *found)
            self._remember(known)
        return known

    def _remember(self, rules: ServerRules) -> None:
        self._cached[rules.guild] = rules
        self._cached.move_to_end(rules.guild)
        if len(self._cached) > self._max_cached:
            self._cached.popitem(last=False)


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _read(written: str | None) -> Any:
    return None if written is None else json.loads(written)

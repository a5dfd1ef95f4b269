"""Who is still in a server: asked for the few people who are about to be shown, and remembered for a day."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Collection
from typing import Final

from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Passing, Refused, Wire

log = logging.getLogger(__name__)

REMEMBERED: Final = 24 * 3600.0
"""Seconds for which an answer holds."""
KEPT: Final = 20_000
"""So many answers are kept; the oldest go first."""
PER_SECOND: Final = 10.0
BURST: Final = 20
MOST_WAITING: Final = 100
"""When so many are being asked for, whoever comes next is taken to be there."""

Person = tuple[int, int]
"""A server and a user."""


class Members:
    """Asks Discord whether somebody is a member. Without the members intent there is no other way to know."""

    def __init__(self, wire: Wire, scale: float = 1.0) -> None:
        self._wire = wire
        self._pace = Pace(PER_SECOND * scale, BURST)
        self._known: OrderedDict[Person, tuple[bool, float]] = OrderedDict()
        self._asking: dict[Person, asyncio.Task[None]] = {}

    async def gone(self, guild: int, users: Collection[int]) -> frozenset[int]:
        """Return those of these people who are surely not in the server; whoever could not be asked for is not."""
        unknown = [(guild, user) for user in users if self._answer((guild, user)) is None]
        asked = [task for person in unknown if (task := self._ask(person)) is not None]
        if asked:
            # Whoever waits may give up; the answers are still worth having.
            await asyncio.gather(*map(asyncio.shield, asked))
        return frozenset(user for user in users if self._answer((guild, user)) is False)

    def seen(self, guild: int, user: int) -> None:
        """Note that somebody is there: they have just done something."""
        self._note((guild, user), there=True)

    def _answer(self, person: Person) -> bool | None:
        there, until = self._known.get(person, (False, 0.0))
        return there if until > time.monotonic() else None

    def _note(self, person: Person, *, there: bool) -> None:
        self._known[person] = (there, time.monotonic() + REMEMBERED)
        self._known.move_to_end(person)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    def _ask(self, person: Person) -> asyncio.Task[None] | None:
        task = self._asking.get(person)
        if task is None and len(self._asking) < MOST_WAITING:
            task = self._asking[person] = asyncio.create_task(self._look(person))
            task.add_done_callback(lambda _: self._asking.pop(person, None))
        return task

    async def _look(self, person: Person) -> None:
        await self._pace.take()
        try:
            self._note(person, there=await self._wire.has_member(*person))
        except (Passing, Refused) as fault:
            log.info("server %s: could not ask for a member, %s", person[0], fault)

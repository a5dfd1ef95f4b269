"""Finds out who is in a guild, and what they are called: asks only about people about to be shown, and remembers it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Collection
from typing import Final

from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Rest
from bot.screens.names import safe_name

log = logging.getLogger(__name__)

REMEMBERED_SECONDS: Final = 24 * 3600.0
"""How long an answer is remembered."""
MAX_ANSWERS: Final = 20_000
"""How many answers are remembered; the oldest are dropped first."""
MAX_REQUESTS_PER_SECOND: Final = 10.0
"""How many requests about members are made a second, once a burst is over."""
REQUEST_BURST: Final = 20
"""How many of these requests may be made at once."""
MAX_PENDING_REQUESTS: Final = 100
"""With this many requests pending, further people count as present without a request."""

Person = tuple[int, int]
"""The ids of a guild and a user."""


class Members:
    """Asks Discord who is a member of a guild. Without the privileged members intent there is no other way."""

    def __init__(self, rest: Rest, scale: float = 1.0) -> None:
        self._rest = rest
        self._pace = Pace(MAX_REQUESTS_PER_SECOND * scale, REQUEST_BURST)
        self._known: OrderedDict[Person, tuple[str | None, float]] = OrderedDict()
        """The name of each person who was asked about, None if they are not in the guild, and until when it holds."""
        self._asking: dict[Person, asyncio.Task[None]] = {}

    async def gone(self, guild: int, users: Collection[int]) -> frozenset[int]:
        """Return the users who are certainly not in the guild; anyone in doubt counts as present."""
        unknown = [(guild, user) for user in users if self._answer((guild, user)) is None]
        asked = [task for person in unknown if (task := self._ask(person)) is not None]
        if asked:
            # Shielded: if the caller is cancelled, the answers are still worth having.
            await asyncio.gather(*map(asyncio.shield, asked))
        return frozenset(user for user in users if self._answer((guild, user)) is False)

    def seen(self, guild: int, user: int, name: str) -> None:
        """Record that a user is in a guild, and their name there, because they just did something."""
        self._note((guild, user), name)

    def name(self, guild: int, user: int) -> str | None:
        """Return what a user is called in a guild, if that was learned in the last day."""
        name, until = self._known.get((guild, user), (None, 0.0))
        return name if until > time.monotonic() else None

    def forget(self, user: int) -> None:
        """Forget a user's names."""
        for person in [person for person in self._known if person[1] == user]:
            del self._known[person]

    def _answer(self, person: Person) -> bool | None:
        name, until = self._known.get(person, (None, 0.0))
        return name is not None if until > time.monotonic() else None

    def _note(self, person: Person, name: str | None) -> None:
        self._known[person] = (name, time.monotonic() + REMEMBERED_SECONDS)
        self._known.move_to_end(person)
        while len(self._known) > MAX_ANSWERS:
            self._known.popitem(last=False)

    def _ask(self, person: Person) -> asyncio.Task[None] | None:
        task = self._asking.get(person)
        if task is None and len(self._asking) < MAX_PENDING_REQUESTS:
            task = self._asking[person] = asyncio.create_task(self._request(person))
            task.add_done_callback(lambda _: self._asking.pop(person, None))
        return task

    async def _request(self, person: Person) -> None:
        await self._pace.take()
        try:
            found = await self._rest.member_name(*person)
            self._note(person, None if found is None else safe_name(found))
        except (TemporaryFailure, RequestRefused) as fault:
            log.info("guild %s: could not ask about a member, %s", person[0], fault)

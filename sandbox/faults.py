"""Failures on demand. A fault is armed for a route or event, strikes a set number of times, then ends."""

import json
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Protocol

from sandbox.errors import KNOWN

Json = dict[str, Any]


class HasId(Protocol):
    """Anything with a user id: a `Person` or a `User`."""

    @property
    def id(self) -> str:
        """The user's id."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer with one of Discord's error codes, such as 50007; with `after`, once the request has taken effect."""

    code: int
    status: int | None = None
    message: str | None = None
    after: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """Answer with a bare HTTP status, such as 500 or 503; with `after`, once the request has taken effect."""

    status: int
    after: bool = False


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Answer 429: for the route, for the whole bot (`scope="global"`), or from the edge (no Via header, no JSON)."""

    retry_after: float = 0.1
    scope: str = "user"  # "user", "shared", "global" or "edge"


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection (RST) instead of answering; with `after`, once the request has taken effect."""

    after: bool = False


@dataclass(frozen=True, slots=True)
class Drop:
    """Close the connection without an answer; with `after`, once the request has taken effect."""

    after: bool = False


@dataclass(frozen=True, slots=True)
class Slow:
    """Delay the request; with `after`, the effect is immediate and only the answer is late."""

    seconds: float
    after: bool = False


@dataclass(frozen=True, slots=True)
class Lose:
    """Never deliver the gateway event."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Deliver the gateway event `times` times."""

    times: int = 2


@dataclass(frozen=True, slots=True)
class Delay:
    """Deliver the gateway event late, so that later events overtake it."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reorder:
    """Deliver the gateway event right after the shard's next one."""


RestFault = Refuse | Status | RateLimited | Reset | Drop | Slow
GatewayFault = Lose | Duplicate | Delay | Reorder


@dataclass(slots=True)
class Armed:
    """An armed fault. `left` counts the strikes that remain (None: unlimited), `struck` those so far."""

    where: str
    what: RestFault | GatewayFault
    left: int | None
    person: str | None
    skip: int
    holding: re.Pattern[str] | None = None
    struck: int = 0

    def strikes(self, where: str, persons: set[str], body: Any = None) -> bool:
        """Return whether the fault strikes this time, and count the strike."""
        if self.left == 0 or not (self.where == where or fnmatchcase(where, self.where)):
            return False
        if self.person is not None and self.person not in persons:
            return False
        if self.holding is not None and not self.holding.search(json.dumps(body, ensure_ascii=False)):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.left is not None:
            self.left -= 1
        self.struck += 1
        return True


@dataclass(slots=True)
class Faults:
    """The armed faults of a sandbox."""

    rest: list[Armed] = field(default_factory=list)
    events: list[Armed] = field(default_factory=list)

    def on(
        self,
        route: str,
        what: RestFault,
        *,
        times: int | None = 1,
        person: HasId | None = None,
        skip: int = 0,
        holding: str | None = None,
    ) -> Armed:
        """Arm a fault for a route such as "POST /channels/{channel_id}/messages"; `*` matches anything.

        With `person`, it strikes only requests about them: their DM, interaction or membership. With `holding`, a
        pattern, it strikes only requests whose body contains it, as a server's message filter would.
        """
        pattern = None if holding is None else re.compile(holding)
        armed = Armed(route, what, times, None if person is None else person.id, skip, pattern)
        self.rest.append(armed)
        return armed

    def on_event(
        self, kind: str, what: GatewayFault, *, times: int | None = 1, person: HasId | None = None, skip: int = 0
    ) -> Armed:
        """Arm a fault for gateway events such as "INTERACTION_CREATE"."""
        armed = Armed(kind, what, times, None if person is None else person.id, skip)
        self.events.append(armed)
        return armed

    def clear(self) -> None:
        """Disarm all faults."""
        self.rest.clear()
        self.events.clear()

    def for_request(self, route: str, persons: set[str], body: Any = None) -> RestFault | None:
        """Return the fault that strikes this request, if any."""
        for armed in self.rest:
            if armed.strikes(route, persons, body):
                assert not isinstance(armed.what, GatewayFault)  # noqa: S101
                return armed.what
        return None

    def for_event(self, kind: str, persons: set[str]) -> GatewayFault | None:
        """Return the fault that strikes this event, if any."""
        for armed in self.events:
            if armed.strikes(kind, persons):
                assert isinstance(armed.what, GatewayFault)  # noqa: S101
                return armed.what
        return None


def refusal(fault: Refuse) -> tuple[int, Json]:
    """Return the status and body of a `Refuse` fault."""
    status, message = KNOWN.get(fault.code, (400, "Bad Request"))
    body: Json = {"message": fault.message or message, "code": fault.code}
    if fault.code == 30046:
        body |= {"retry_after": 0.3, "global": False}
    return fault.status or status, body


def persons_in_event(data: Json) -> set[str]:
    """Return the ids of the users that a gateway event concerns."""
    found = {data.get("user_id")}
    for key in ("user", "author"):
        found.add((data.get(key) or {}).get("id"))
    found.add(((data.get("member") or {}).get("user") or {}).get("id"))
    return {each for each in found if each}

"""What the bot asked for lately, in the inspector's form."""

import re
from collections.abc import Iterable, Reversible
from typing import Any, Protocol

Json = dict[str, Any]

MAX_RECORDS = 200
STUCK_SECONDS = 10.0
# Interaction tokens say nothing to a reader and fill the line.
TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)([\w%.-]{24,})")


class Request(Protocol):
    """What is known about one request."""

    at: float
    method: str
    path: str
    body: Any
    files: list[str]
    status: int
    answer: Any
    seconds: float

    @property
    def problems(self) -> Iterable[object]:
        """What is wrong with it."""

    @property
    def fault(self) -> object:
        """What was broken on purpose."""


class Follower:
    """Hands out each request once, in order, as soon as it has been answered."""

    def __init__(self, requests: Reversible[Request]) -> None:
        self._requests = requests
        self._last: Request | None = None

    def fresh(self, now: float) -> list[Json]:
        """Return the records of what was answered since the last call."""
        waiting: list[Request] = []
        for each in reversed(self._requests):
            if each is self._last or len(waiting) >= MAX_RECORDS:
                break
            waiting.append(each)
        told = []
        for each in reversed(waiting):
            # One that is still being answered holds back those after it, so that the order stays true.
            if not each.seconds and now - each.at < STUCK_SECONDS:
                break
            told.append(record(each))
            self._last = each
        return told


def record(request: Request) -> Json:
    """Return a request as the inspector shows it."""
    faults = [str(each) for each in request.problems]
    if request.fault is not None:
        faults.append(f"broken on purpose: {request.fault}")
    refused = request.answer if request.status >= 400 else None
    return {
        "at": request.at,
        "method": request.method,
        "path": TOKEN.sub(r"\1…", request.path.removeprefix("/api/v10")),
        "status": request.status or None,
        "ms": request.seconds * 1000,
        "body": request.body,
        "files": request.files,
        "answer": refused,
        "violations": faults,
    }

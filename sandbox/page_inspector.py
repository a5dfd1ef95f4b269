"""The bot's recent requests, in the inspector's format."""

import re
from collections.abc import Iterable, Reversible
from typing import Any, Protocol

Json = dict[str, Any]

MAX_RECORDS = 200
"""Cap on records that one call returns."""
MAX_IMAGE_CHARACTERS = 40
"""Cap on the shown characters of an image in a request."""
STUCK_SECONDS = 10.0
"""Age at which an unanswered request is shown anyway."""
# Interaction tokens are long and mean nothing to a reader.
TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)([\w%.-]{24,})")


class Request(Protocol):
    """The parts of a logged request that the inspector uses."""

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
        """Problems found by the checks."""

    @property
    def fault(self) -> object:
        """The fault that struck it, if any."""


class Follower:
    """Returns each request once, in order, after it has been answered."""

    def __init__(self, requests: Reversible[Request]) -> None:
        self._requests = requests
        self._last: Request | None = None

    def fresh(self, now: float) -> list[Json]:
        """Return the records of the requests answered since the last call."""
        waiting: list[Request] = []
        for each in reversed(self._requests):
            if each is self._last or len(waiting) >= MAX_RECORDS:
                break
            waiting.append(each)
        records = []
        for each in reversed(waiting):
            # A pending request holds back later ones, to keep the order.
            if not each.seconds and now - each.at < STUCK_SECONDS:
                break
            records.append(record(each))
            self._last = each
        return records


def _shortened(body: Any) -> Any:
    # The image of an emoji is one long text without meaning to a reader.
    image = body.get("image") if isinstance(body, dict) else None
    if not isinstance(image, str):
        return body
    return body | {"image": f"{image[:MAX_IMAGE_CHARACTERS]}… ({len(image)} characters)"}


def record(request: Request) -> Json:
    """Return a request as the inspector shows it."""
    faults = [str(each) for each in request.problems]
    if request.fault is not None:
        faults.append(f"injected fault: {request.fault}")
    refused = request.answer if request.status >= 400 else None
    return {
        "at": request.at,
        "method": request.method,
        "path": TOKEN.sub(r"\1…", request.path.removeprefix("/api/v10")),
        "status": request.status or None,
        "ms": request.seconds * 1000,
        "body": _shortened(request.body),
        "files": request.files,
        "answer": refused,
        "violations": faults,
    }

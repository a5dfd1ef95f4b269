"""Problems of a request: found by the checks, answered as Discord would, and recorded for tests."""

from dataclasses import dataclass
from typing import Any

from sandbox.errors import ApiError

Json = dict[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem in a request body: its path, Discord's code and a message."""

    path: Path
    code: str
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or '(body)'}: {self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class Violation:
    """A request that Discord would have refused."""

    method: str
    path: str
    route: str
    problems: tuple[Problem, ...]
    body: Any

    def __str__(self) -> str:
        return f"{self.route}: " + "; ".join(map(str, self.problems))


class Invalid(ApiError):
    """A request body that breaks one of Discord's rules; counts as a violation."""

    def __init__(self, *problems: Problem, code: int = 50035) -> None:
        super().__init__(code, errors=tree(problems) if code == 50035 else None)
        self.problems = problems


def tree(problems: tuple[Problem, ...]) -> Json:
    """Return the problems nested by path, as Discord does, with a list under `_errors` at each end.

    A node has either errors or children, so problems below a faulty node are left out.
    """
    root: Json = {}
    for problem in sorted(problems, key=lambda each: len(each.path)):
        node = root
        for key in problem.path:
            if "_errors" in node:
                break
            node = node.setdefault(str(key), {})
        else:
            node.setdefault("_errors", []).append({"code": problem.code, "message": problem.message})
    return root


def too_long(path: Path, limit: int) -> Problem:
    """Return the problem of a string or list longer than `limit`."""
    return Problem(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")


def bad_length(path: Path, low: int, high: int) -> Problem:
    """Return the problem of a string or list whose length is out of bounds."""
    return Problem(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


def required(path: Path) -> Problem:
    """Return the problem of a missing field."""
    return Problem(path, "BASE_TYPE_REQUIRED", "This field is required")


def unknown_field(path: Path) -> Problem:
    """Return the problem of a field that this request does not have."""
    return Problem(path, "UNKNOWN_FIELD", "This request has no such field.")


def not_a_choice(path: Path, choices: object) -> Problem:
    """Return the problem of a value outside a fixed set."""
    return Problem(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices}.")

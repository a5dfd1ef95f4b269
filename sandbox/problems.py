"""What is wrong with a request: found by the checks, answered as Discord would, kept for the test to see."""

from dataclasses import dataclass
from typing import Any

from sandbox.errors import ApiError

Json = dict[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a request body: where, Discord's code for it, and a sentence."""

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
    """A body that breaks a rule of Discord's; counts as a violation."""

    def __init__(self, *problems: Problem, code: int = 50035) -> None:
        super().__init__(code, errors=tree(problems) if code == 50035 else None)
        self.problems = problems


def tree(problems: tuple[Problem, ...]) -> Json:
    """Return the problems as Discord nests them: by path, each end a list under `_errors`.

    A node has either errors or children, so what lies below a faulty node is left out.
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
    """A text, or list, with more than `limit` characters or entries."""
    return Problem(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")


def bad_length(path: Path, low: int, high: int) -> Problem:
    """A text or list whose length is outside the bounds."""
    return Problem(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


def required(path: Path) -> Problem:
    """A field that must be there."""
    return Problem(path, "BASE_TYPE_REQUIRED", "This field is required")


def unknown_field(path: Path) -> Problem:
    """A field that this request does not have."""
    return Problem(path, "UNKNOWN_FIELD", "This request has no such field.")


def not_a_choice(path: Path, choices: object) -> Problem:
    """A value outside a fixed set."""
    return Problem(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices}.")

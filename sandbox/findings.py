"""Converts JSON Schema errors into problems, as Discord would report them."""

from collections.abc import Iterator
from typing import Any

from sandbox.problems import Path, Problem, required, too_long, unknown_field

CODES = {
    "minLength": "BASE_TYPE_BAD_LENGTH",
    "minItems": "BASE_TYPE_MIN_LENGTH",
    "enum": "BASE_TYPE_CHOICES",
    "maximum": "NUMBER_TYPE_MAX",
    "minimum": "NUMBER_TYPE_MIN",
}
MAX_MESSAGE_CHARACTERS = 300
"""Cap on the characters of an error message; longer ones repeat the whole body."""


def find(validator: Any, body: Any) -> list[Problem]:
    """Return the problems that a compiled schema finds in a body."""
    if validator.is_valid(body):
        return []
    return [problem for error in validator.iter_errors(body) for each in _deepest(error) for problem in _problems(each)]


def _deepest(error: Any) -> list[Any]:
    branches = getattr(error.kind, "context", None)
    if not branches:
        return [error]
    # In a union, report the branch that matches `type` and has the fewest errors: it is the intended one.
    depth = len(error.instance_path)

    def misfit(branch: list[Any]) -> tuple[int, int]:
        wrong_kind = any(
            len(e.instance_path) <= depth + 1
            and e.instance_path[depth:] in ([], ["type"])
            and e.kind.name in ("enum", "const", "type")
            for e in branch
        )
        return int(wrong_kind), len(branch)

    return [each for inner in min(branches, key=misfit) for each in _deepest(inner)]


def _problems(error: Any) -> Iterator[Problem]:
    path: Path = tuple(error.instance_path)
    kind = error.kind
    if kind.name == "required":
        yield required((*path, kind.property))
    elif kind.name == "additionalProperties":
        for name in kind.unexpected:
            yield unknown_field((*path, name))
    elif kind.name in ("maxLength", "maxItems"):
        yield too_long(path, kind.limit)
    else:
        yield Problem(path, CODES.get(kind.name, "BASE_TYPE_BAD_TYPE"), str(error.message)[:MAX_MESSAGE_CHARACTERS])

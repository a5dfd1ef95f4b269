"""The checks of request bodies accept and refuse the same as Discord, without its OpenAPI file."""

from collections.abc import Iterable, Iterator
from typing import Any

import jsonschema_rs
import pytest

from sandbox import bodies
from sandbox.bodies.kinds import Json
from sandbox.limits import messages as limits
from sandbox.problems import Problem
from sandbox.rest.pipeline import routes
from sandbox.schema import Schema
from tests.needs import needs_file
from tests.sandbox.samples import FILE, OLD_FILE, SAMPLES, spoiled, with_unknown_fields, with_wrong_types

ENDPOINTS = {each.route: each for each in routes().endpoints}
NAMES = [f"{route} {number}" for number, (route, _) in enumerate(SAMPLES)]

every_sample = pytest.mark.parametrize(("route", "body"), SAMPLES, ids=NAMES)


def problems(route: str, body: Any) -> list[Problem]:
    """Return the problems that the sandbox's own checks find: fields first, then limits."""
    found = bodies.check(route, body)
    return found or list(_limits(route, body))


def _limits(route: str, body: Any) -> Iterable[Problem]:
    endpoint = ENDPOINTS[route]
    if endpoint.check is not None:
        yield from endpoint.check(body, [FILE])
    # Limits of edits are checked in their handlers, because they depend on the existing message.
    if route.startswith("PATCH") and "/messages/" in route:
        yield from limits.check(body, [FILE], old=[OLD_FILE])
    elif route.endswith("/callback") and body["type"] == 7:
        yield from limits.check(body.get("data") or {}, [FILE], old=[OLD_FILE])
    elif route.endswith("/bulk-delete") and not 2 <= len(body["messages"]) <= 100:
        yield Problem(("messages",), "BASE_TYPE_BAD_LENGTH", "")


def test_every_described_route_exists_and_has_a_sample() -> None:
    assert set(bodies.BODIES) == {route for route, _ in SAMPLES}
    assert set(bodies.BODIES) <= set(ENDPOINTS)


def test_every_field_occurs_in_a_sample() -> None:
    used: dict[int, bool] = {}
    known: dict[int, str] = {}
    for route, kind in bodies.BODIES.items():
        for where, field, given in _fields(kind, [body for each, body in SAMPLES if each == route], route):
            used[field] = used.get(field, False) or given
            known.setdefault(field, where)
    assert [known[field] for field, given in used.items() if not given] == []


def _fields(kind: Json, values: list[Any], where: str) -> Iterator[tuple[str, int, bool]]:
    """Yield every field of a kind: its path, a hash that identifies it, and whether one of the values has it."""
    for branch in kind.get("anyOf", ()):
        yield from _fields(branch, [each for each in values if jsonschema_rs.is_valid(branch, each)], where)
    properties = kind.get("properties", {})
    for name, inner in properties.items():
        given = [each[name] for each in values if isinstance(each, dict) and name in each]
        # Descriptions share their parts, so one sample can cover a part for all of them.
        yield f"{where} {name}", hash((id(properties), name)), bool(given)
        yield from _fields(inner, given, f"{where} {name}")
    if "items" in kind:
        yield from _fields(kind["items"], [item for each in values if isinstance(each, list) for item in each], where)


@every_sample
def test_valid_requests_are_accepted(route: str, body: Any) -> None:
    assert problems(route, body) == []


@every_sample
def test_unknown_fields_are_refused_wherever_they_are(route: str, body: Any) -> None:
    for path, changed in with_unknown_fields(body):
        # Where any name is allowed, as in translations, the value is the problem.
        assert [each.path for each in problems(route, changed)] == [(*path, "no_such_field")]


@every_sample
def test_wrong_types_are_refused_wherever_they_are(route: str, body: Any) -> None:
    taken = [where for where, changed in with_wrong_types(body) if not bodies.check(route, changed)]
    assert taken == []


@every_sample
@needs_file
def test_requests_that_the_openapi_file_refuses_are_refused_without_it(route: str, body: Any) -> None:
    schema = Schema.load()
    assert schema is not None
    method, template = route.split()
    assert schema.check_request(method, template, body) == []
    missed = [
        f"{what}: {wrong[0]}"
        for what, changed in spoiled(body)
        if not problems(route, changed) and (wrong := schema.check_request(method, template, changed))
    ]
    assert missed == []

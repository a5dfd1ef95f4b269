"""Routes of the application's own emojis."""

from collections.abc import Iterator
from typing import Any

from sandbox import emojis
from sandbox.errors import ApiError
from sandbox.model import Json
from sandbox.problems import Problem
from sandbox.rest.router import Answer, Call, Router


def check(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a new emoji or a new name."""
    problem = None if body.get("name") is None else emojis.name_problem(body["name"])
    if problem is not None:
        yield problem


def add_routes(router: Router) -> None:
    """Register the routes of application emojis."""
    base = "/applications/{application_id}/emojis"
    router.add("GET", base)(get_all)
    router.add("POST", base, check=check)(create)
    router.add("GET", f"{base}/{{emoji_id}}")(get)
    router.add("PATCH", f"{base}/{{emoji_id}}", check=check)(edit)
    router.add("DELETE", f"{base}/{{emoji_id}}")(delete)


def get_all(call: Call) -> Json:
    """Return the application's emojis."""
    _own(call)
    return {"items": list(call.world.uploads.emojis.values())}


def create(call: Call) -> Answer:
    """Add an emoji."""
    _own(call)
    return Answer(201, emojis.add(call.world, call.json["name"], call.json["image"]))


def get(call: Call) -> Json:
    """Return one emoji."""
    _own(call)
    found = call.world.uploads.emojis.get(call.params["emoji_id"])
    if found is None:
        raise ApiError(10014)
    return found


def edit(call: Call) -> Json:
    """Rename an emoji; its image cannot be changed."""
    emoji = get(call)
    emojis.rename(call.world, emoji, call.json.get("name") or emoji["name"])
    return emoji


def delete(call: Call) -> None:
    """Delete an emoji."""
    emojis.remove(call.world, get(call))


def _own(call: Call) -> None:
    if call.params["application_id"] != call.bot.id:
        raise ApiError(20012)

"""Takes a person out of a table: their id becomes a former player's, and their name is removed."""

from __future__ import annotations

import json
from typing import Any, Final

from bot.engine.frozen import encode
from bot.host.commands import Forget, OutboxKind
from bot.host.decision import Actor, Draft
from bot.host.model import Dm, Table, UserId
from bot.host.seating import pass_on_host

NAMELESS: Final = ""
"""The name of a former player; screens show a word of their own for it."""
_USER_FIELDS: Final = ("host", "starter", "ended_by")
_USER_LIST_FIELDS: Final = ("kicked", "pause_votes")
_FORGOTTEN: Final[dict[str, Any]] = {"name": NAMELESS, "dm": Dm.OFF, "slow": 1, "pinged": False, "language": ""}
"""The other personal fields of a player, and their values for a former player."""


def forget(draft: Draft, command: Forget) -> None:
    """Take a user out of a table; a table that does not name them stays as it is."""
    changes = _changes(draft.table, command.user, command.former_id)
    if changes:
        draft.change(**changes)
        if "host" in changes and draft.table.is_open:  # a host who only watched had no seat to leave
            pass_on_host(draft, None)
        draft.log(Actor.CLOCK, None, {"host": "forget"})
        draft.send(OutboxKind.TABLE)


def _changes(table: Table, user: UserId, former_id: UserId) -> dict[str, Any]:
    """Return the fields of a table that name the user, with the former player in their place."""
    changes: dict[str, Any] = {name: former_id for name in _USER_FIELDS if getattr(table, name) == user}
    changes |= {
        name: tuple([former_id if each == user else each for each in getattr(table, name)])
        for name in _USER_LIST_FIELDS
        if user in getattr(table, name)
    }
    if any(user in vote for vote in table.out_votes):
        votes = [(former_id if whom == user else whom, former_id if by == user else by) for whom, by in table.out_votes]
        changes["out_votes"] = tuple(votes)
    if table.pause is not None and table.pause.asked_by == user:
        changes["pause"] = table.pause._replace(asked_by=former_id)
    if any(each.user == user for each in table.guessers):
        changes["guessers"] = tuple([each for each in table.guessers if each.user != user])
    if any(each.user == user for each in table.guessed):
        changes["guessed"] = tuple([each for each in table.guessed if each.user != user])
    if table.guessing is not None and any(by == user for by, _ in table.guessing.guesses):
        guesses = tuple([each for each in table.guessing.guesses if each[0] != user])
        changes["guessing"] = table.guessing._replace(guesses=guesses)
    if any(player.user == user for player in table.players):
        players = [p._replace(user=former_id, **_FORGOTTEN) if p.user == user else p for p in table.players]
        changes["players"] = tuple(players)
    return changes


def forget_in(document: str, user: UserId, former_id: UserId) -> str:
    """Take a user out of a written document, without reading its match: there may be hundreds of documents."""
    found = json.loads(document)
    for name in _USER_FIELDS:
        if found.get(name) == user:
            found[name] = former_id
    for name in _USER_LIST_FIELDS:
        if name in found:
            found[name] = _replaced(found[name], user, former_id)
    if "out_votes" in found:
        found["out_votes"] = [_replaced(vote, user, former_id) for vote in found["out_votes"]]
    if "pause" in found and found["pause"]["asked_by"] == user:
        found["pause"]["asked_by"] = former_id
    for name in ("guessers", "guessed"):
        if name in found:
            found[name] = [each for each in found[name] if each["user"] != user]
    if "guessing" in found:
        guesses = found["guessing"].get("guesses", ())
        found["guessing"]["guesses"] = [each for each in guesses if each[0] != user]
    for player in found["players"]:
        if player["user"] == user:
            player.update(user=former_id, **_FORGOTTEN)
    return encode(found)


def _replaced(values: list[Any], user: UserId, former_id: UserId) -> list[Any]:
    return [former_id if value == user else value for value in values]


def forget_in_payload(payload: str, user: UserId, former_id: UserId) -> str:
    """Take a user out of an outbox payload: notices name users as `user` and `by`, and quote their words.

    The ends of rounds name those who guessed along.
    """
    found = json.loads(payload)
    for name in ("guessed", "guessed_before"):
        if name in found:
            found[name] = [each for each in found[name] if each["user"] != user]
    if found.get("user") == user and "line" in found:
        found["line"] = None
    return encode(
        {name: former_id if name in ("user", "by") and value == user else value for name, value in found.items()}
    )

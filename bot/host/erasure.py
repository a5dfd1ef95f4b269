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
_FORGOTTEN: Final[dict[str, Any]] = {"name": NAMELESS, "dm": Dm.OFF, "slow": 1, "pinged": False}
"""The other personal fields of a player, and their values for a former player."""


def forget(draft: Draft, command: Forget) -> None:
    """Take a user out of a table; a table that does not name them stays as it is."""
    changes = _changes(draft.table, command.user, command.ghost)
    if changes:
        draft.change(**changes)
        if "host" in changes and draft.table.is_open:  # a host who only watched had no seat to leave
            pass_on_host(draft, None)
        draft.log(Actor.CLOCK, None, {"host": "forget"})
        draft.send(OutboxKind.TABLE)


def _changes(table: Table, user: UserId, ghost: UserId) -> dict[str, Any]:
    """Return the fields of a table that name the user, with the former player in their place."""
    changes: dict[str, Any] = {name: ghost for name in _USER_FIELDS if getattr(table, name) == user}
    changes |= {
        name: tuple([ghost if each == user else each for each in getattr(table, name)])
        for name in _USER_LIST_FIELDS
        if user in getattr(table, name)
    }
    if any(user in vote for vote in table.out_votes):
        votes = [(ghost if whom == user else whom, ghost if by == user else by) for whom, by in table.out_votes]
        changes["out_votes"] = tuple(votes)
    if table.pause is not None and table.pause.asked_by == user:
        changes["pause"] = table.pause._replace(asked_by=ghost)
    if any(player.user == user for player in table.players):
        players = [p._replace(user=ghost, **_FORGOTTEN) if p.user == user else p for p in table.players]
        changes["players"] = tuple(players)
    return changes


def forget_in(document: str, user: UserId, ghost: UserId) -> str:
    """Take a user out of a written document, without reading its match: there may be hundreds of documents."""
    found = json.loads(document)
    for name in _USER_FIELDS:
        if found.get(name) == user:
            found[name] = ghost
    for name in _USER_LIST_FIELDS:
        if name in found:
            found[name] = _replaced(found[name], user, ghost)
    if "out_votes" in found:
        found["out_votes"] = [_replaced(vote, user, ghost) for vote in found["out_votes"]]
    if "pause" in found and found["pause"]["asked_by"] == user:
        found["pause"]["asked_by"] = ghost
    for player in found["players"]:
        if player["user"] == user:
            player.update(user=ghost, **_FORGOTTEN)
    return encode(found)


def _replaced(values: list[Any], user: UserId, ghost: UserId) -> list[Any]:
    return [ghost if value == user else value for value in values]


def forget_in_payload(payload: str, user: UserId, ghost: UserId) -> str:
    """Take a user out of an outbox payload: only notices name users, as `user` and `by`."""
    found = json.loads(payload)
    return encode({name: ghost if name in ("user", "by") and value == user else value for name, value in found.items()})

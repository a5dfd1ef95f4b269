"""Helpers for end-to-end tests: start a game, make a move, wait, read the database."""

import asyncio
import contextlib
import copy
import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from sandbox.events import Change
from sandbox.faults import Lose
from sandbox.messagelog import Message
from tests.e2e.driver import Move
from tests.e2e.harness import Evening
from tests.e2e.players import newest

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
EDIT_ANSWER = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
FOLLOW_UP = "POST /webhooks/{webhook_id}/{webhook_token}"
EDIT_FOLLOW_UP = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"


async def started(held: Evening, *, clock: str = "2h", **options: object) -> Message:
    """Start a game with everybody in the channel."""
    ana, *others = held.people
    message = await held.open_table(ana, clock=clock, **options)
    for person in others:
        assert not (await person.click(message, "Join")).failed
    assert not (await ana.click(message, "Start")).failed
    await ana.wait_for(lambda: held.driver.asked(message))
    return message


async def make(held: Evening, move: Move) -> None:
    """Make a move, and wait until the newest table message shows it."""
    assert (await move.press()).failed is None
    await until(held, lambda: move.is_shown(newest(move.by)))


async def until(held: Evening, look: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until `look` returns something true."""
    async with asyncio.timeout(seconds):
        while not look():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def said_in(held: Evening, words: str) -> list[Message]:
    """Return the messages in the channel that contain these words."""
    return [each for each in held.people[0].read() if words in each.text]


@contextlib.contextmanager
def database(held: Evening) -> Iterator[sqlite3.Connection]:
    """Open a second connection to the bot's database."""
    with contextlib.closing(sqlite3.connect(held.bot.database, isolation_level=None, timeout=10)) as found:
        yield found


def meta(held: Evening, key: str) -> str | None:
    """Return a value from the `meta` table of the bot's database."""
    with database(held) as found:
        row = found.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def stages(held: Evening) -> list[str]:
    """Return the stage of every table, oldest first."""
    with database(held) as found:
        return [row[0] for row in found.execute("SELECT stage FROM tables ORDER BY rowid")]


def moves(held: Evening) -> list[Any]:
    """Return the logged moves of people, oldest first."""
    with database(held) as found:
        sql = "SELECT action FROM actions WHERE actor = 'user' ORDER BY table_id, seq, part"
        written = [json.loads(row[0]) for row in found.execute(sql)]
    return [action for action in written if "do" in action]


@contextlib.contextmanager
def recorded(held: Evening) -> Iterator[list[dict[str, Any]]]:
    """Record the interactions that are sent to the bot meanwhile, as the gateway delivers them."""
    found: list[dict[str, Any]] = []

    def listen(change: Change) -> None:
        if change.kind == "INTERACTION_CREATE":
            found.append(json.loads(json.dumps(change.data)))

    unsubscribe = held.sandbox.world.subscribe(listen)
    try:
        yield found
    finally:
        unsubscribe()


async def altered(held: Evening, act: Callable[[], Any], change: Callable[[dict[str, Any]], Any]) -> asyncio.Task[Any]:
    """Let a person act, but deliver a changed event to the bot; return the act."""
    held.sandbox.faults.on_event("INTERACTION_CREATE", Lose())
    with recorded(held) as sent:
        acting = asyncio.create_task(act())
        while not sent and not acting.done():  # noqa: ASYNC110
            await asyncio.sleep(0)
    held.sandbox.gateway.send("INTERACTION_CREATE", change(copy.deepcopy(sent[0])))
    return acting

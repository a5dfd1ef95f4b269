"""Helpers for end-to-end tests: start a game, find the player in turn, wait, read the database."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening
from tests.e2e.players import TURN

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
THROUGH = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"


async def started(held: Evening, *, clock: str = "2h", **options: object) -> Message:
    """Start a game with everybody in the channel."""
    ana, *others = held.people
    message = await held.open_table(ana, clock=clock, **options)
    for person in others:
        assert not (await person.click(message, "Join")).failed
    assert not (await ana.click(message, "Start")).failed
    await ana.wait_for(lambda: TURN.search(message.text))
    return message


def in_turn(held: Evening, message: Message) -> Person:
    """Return the player in turn, as the table message shows it."""
    found = TURN.search(message.text)
    assert found is not None, message.text
    return next(person for person in held.people if person.id == found[1])


async def until(held: Evening, look: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until `look` returns something true; checked after every change that a client sees."""
    await held.people[0].wait_for(look, seconds)


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

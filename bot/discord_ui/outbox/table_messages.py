"""Keeps what the publisher knows about one table's messages in Discord."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

import discord

from bot.discord_ui.outbox.lent_presses import LentPresses
from bot.discord_ui.outbox.posts import Posts
from bot.discord_ui.wire.rest import Outgoing
from bot.host.model import TableId, UserId
from bot.host.ports import Message, OutboxRow, Posting
from bot.screens.custom_ids import parse

EDITABLE_SECONDS: Final = 55 * 60
"""The age up to which a message is edited; Discord limits edits of messages older than an hour."""


class MessageKind(StrEnum):
    """What a message is for. The store remembers one of each kind, or one per user for pings and DMs."""

    TABLE = "table"
    REVEAL = "reveal"
    DM = "dm"
    PING = "ping"
    RESTART = "back"
    """The line that says, after a restart, that the table goes on."""
    OLD_TABLE = "old"
    OLD_DM = "old dm"
    OLD_PING = "old ping"
    OLD_RESTART = "old back"


OLD_KIND: Final[dict[str, MessageKind]] = {
    MessageKind.TABLE: MessageKind.OLD_TABLE,
    MessageKind.DM: MessageKind.OLD_DM,
    MessageKind.PING: MessageKind.OLD_PING,
    MessageKind.RESTART: MessageKind.OLD_RESTART,
}
"""The kind that a replaced message gets until it is deleted."""
_OLD_IN_CHANNEL: Final = (MessageKind.OLD_TABLE, MessageKind.OLD_PING, MessageKind.OLD_RESTART)


def as_old(message: Message) -> Message:
    """Return the note of a replaced message. It is kept until the message is deleted, even if the bot is killed."""
    return message._replace(kind=OLD_KIND[message.kind])


def is_editable(message: int) -> bool:
    """Return whether a message is recent enough for Discord to allow edits without a limit."""
    return time.time() - discord.utils.snowflake_time(message).timestamp() < EDITABLE_SECONDS


def shows_table(message: Mapping[str, Any], table: TableId) -> bool:
    """Return whether a message, as Discord describes it, has buttons of this table."""
    parsed = map(parse, _custom_ids(message.get("components")))
    return any(found is not None and found.table == table for found in parsed)


def _custom_ids(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _custom_ids(each)
    elif isinstance(part, dict):
        if isinstance(part.get("custom_id"), str):
            yield part["custom_id"]
        yield from _custom_ids(list(part.values()))


class TableMessages:
    """Keeps track of one table's messages: which exist, what they show, and what may be posted but not noted.

    The publisher owns it; the delivery and the DMs report here what they did. What must survive a restart is in the
    store, and `load` brings it back.
    """

    def __init__(self) -> None:
        self._standing: dict[tuple[str, UserId | None], Message] | None = None
        self._fingerprints: dict[int, int] = {}
        self._pictures: dict[int, int | None] = {}
        """The picture of each message, None if it has none. Messages from before a restart are missing here."""
        self.posts: Final = Posts()
        """What was posted to show the table."""
        self.ping_posts: Final = Posts()
        """What was posted to call players to their turns."""
        self.presses: Final = LentPresses()
        self._recalled: dict[int, int] = {}
        self._recalled_at: float | None = None
        self._posting: Posting | None = None
        self._is_outdated = False
        self._closed_reveal = 0
        self._dms_under_way = 0
        self._delivered_dms: dict[UserId, OutboxRow] = {}

    # -- which messages there are

    @property
    def is_loaded(self) -> bool:
        """Whether the store has been asked which messages there are."""
        return self._standing is not None

    def load(self, found: Iterable[Message], posting: Posting | None = None, age: float = 0.0) -> None:
        """Take over what the store knows, unless it is known already: messages may have been noted since.

        `posting` was about to be sent when the bot was killed, `age` seconds ago.
        """
        if self._standing is not None:
            return
        self._standing = {(each.kind, each.user): each for each in found}
        if posting is not None and self._posting is None:
            self._posting = posting
            if posting.nonce:
                self.posts.post_lost(posting.nonce, None, age)

    @property
    def is_outdated(self) -> bool:
        """Whether the store knows more, because another process has sent messages."""
        return self._is_outdated and not self.has_dms_under_way  # their results would be overwritten

    def outdated(self) -> None:
        """Record that another process may have sent messages; before the next delivery the store is asked again."""
        self._is_outdated = True

    def reload(self, found: Iterable[Message], posting: Posting | None, age: float) -> None:
        """Take over what the store knows in place of what is known here. What was sent last may not be noted there."""
        self._is_outdated = False
        self._standing = self._posting = None
        self._fingerprints.clear()
        self._pictures.clear()
        for posts in (self.posts, self.ping_posts):
            posts.start_over()
        self.load(found, posting, age)

    @property
    def current(self) -> Message | None:
        """The message that shows the table now: the table message, or the reveal posted after it."""
        shown = (self._of(MessageKind.TABLE), self._of(MessageKind.REVEAL))
        return max((each for each in shown if each is not None), key=lambda each: each.message, default=None)

    @property
    def restart_line(self) -> Message | None:
        """The line that says, after a restart, that the table goes on."""
        return self._of(MessageKind.RESTART)

    @property
    def pings(self) -> list[Message]:
        """The pings in the channel."""
        return [each for each in (self._standing or {}).values() if each.kind == MessageKind.PING]

    @property
    def old_in_channel(self) -> list[Message]:
        """The replaced messages in the channel that still have to be deleted."""
        return [each for each in (self._standing or {}).values() if each.kind in _OLD_IN_CHANNEL]

    def ping_of(self, user: UserId) -> Message | None:
        """Return the ping of one person."""
        return self._of(MessageKind.PING, user)

    def dm_of(self, user: UserId) -> Message | None:
        """Return the DM of one person."""
        return self._of(MessageKind.DM, user)

    def old_dm_of(self, user: UserId) -> Message | None:
        """Return a person's replaced DM that still has to be deleted."""
        return self._of(MessageKind.OLD_DM, user)

    def placed(self, messages: Iterable[Message]) -> None:
        """Note messages that are now in Discord, each replacing the last of its kind."""
        if self._standing is not None:
            self._standing.update({(each.kind, each.user): each for each in messages})

    def deleted(self, message: Message) -> None:
        """Record that a message is gone."""
        if self._standing is not None and self._of(message.kind, message.user) == message:
            del self._standing[message.kind, message.user]
        self._fingerprints.pop(message.message, None)
        self._pictures.pop(message.message, None)
        self.presses.lost(message.message)
        for posts in (self.posts, self.ping_posts):
            posts.deleted(message.message)

    def _of(self, kind: str, user: UserId | None = None) -> Message | None:
        return (self._standing or {}).get((kind, user))

    # -- what they show

    def shows(self, message: int, out: Outgoing) -> bool:
        """Return whether a message already looks like this, so that it need not be edited."""
        return self._fingerprints.get(message) == out.fingerprint

    def drawn(self, message: int, out: Outgoing) -> None:
        """Record what a message looks like now."""
        self._fingerprints[message] = out.fingerprint
        self._pictures[message] = None if out.picture is None else hash(out.picture.data)

    def prepare_edit(self, message: int, out: Outgoing) -> None:
        """Prepare an edit: do not send again a picture that the message has, and remove an outdated one."""
        known = message in self._pictures
        before = self._pictures.get(message)
        out.has_picture = out.picture is not None and before == hash(out.picture.data)
        out.drops_files = not known or before is not None

    def is_closed_reveal(self, message: int) -> bool:
        """Return whether this reveal was the last to lose its buttons."""
        return self._closed_reveal == message

    def reveal_closed(self, message: int) -> None:
        """Record that a reveal's buttons are being removed."""
        self._closed_reveal = message

    # -- what was posted

    @property
    def posting(self) -> Posting | None:
        """The table message that is about to be sent, or may have been sent without being noted."""
        return self._posting

    def posting_noted(self, posting: Posting | None) -> None:
        """Record that the store has a note on a table message about to be sent; None: the note was dropped."""
        self._posting = posting

    def recalled(self, found: Mapping[int, int]) -> None:
        """Record which of our posts the channel has now, by their marks."""
        self._recalled, self._recalled_at = dict(found), time.monotonic()

    def was_recalled_since(self, moment: float) -> bool:
        """Return whether our posts have been looked up in the channel since a moment of the monotonic clock."""
        return self._recalled_at is not None and self._recalled_at >= moment

    def recalled_with(self, mark: int) -> int | None:
        """Return the message with this mark that was found in the channel, if any."""
        return self._recalled.get(mark)

    # -- DMs

    @property
    def has_dms_under_way(self) -> bool:
        """Whether DMs are still being sent, whose results will be noted here."""
        return self._dms_under_way > 0

    def dm_started(self) -> None:
        """Record that a DM is being sent."""
        self._dms_under_way += 1

    def dm_ended(self) -> None:
        """Record that a DM was sent or given up."""
        self._dms_under_way -= 1

    def dm_delivered(self, user: UserId, row: OutboxRow) -> None:
        """Record the newest row that was sent to a user by DM."""
        self._delivered_dms[user] = row

    def is_delivered_dm(self, user: UserId, row: OutboxRow) -> bool:
        """Return whether this row is the newest that was sent to a user by DM."""
        return self._delivered_dms.get(user) == row

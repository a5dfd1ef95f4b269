"""Keeps what the publisher knows about one table's messages in Discord."""

from __future__ import annotations

import time
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

import discord

from bot.discord_ui.wire.rest import Outgoing
from bot.host.model import UserId
from bot.host.ports import Message, OutboxRow

EDITABLE_SECONDS: Final = 55 * 60
"""The age up to which a message is edited; Discord limits edits of messages older than an hour."""
BORROWED_SECONDS: Final = 14 * 60
"""How long a press's token is used; Discord accepts it for fifteen minutes."""


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
"""What a message becomes when another takes its place and it still has to be deleted."""
_OLD_IN_CHANNEL: Final = (MessageKind.OLD_TABLE, MessageKind.OLD_PING, MessageKind.OLD_RESTART)


def as_old(message: Message) -> Message:
    """Return the note of a replaced message. It is kept until the message is deleted, even if the bot is killed."""
    return message._replace(kind=OLD_KIND[message.kind])


def is_editable(message: int) -> bool:
    """Tell whether a message is recent enough for Discord to allow edits without a limit."""
    return time.time() - discord.utils.snowflake_time(message).timestamp() < EDITABLE_SECONDS


class LostPost(NamedTuple):
    """A post to which Discord's answer was lost, so that it may or may not be in the channel."""

    nonce: str
    message: Outgoing
    lost_at: float
    """By the monotonic clock."""


class _BorrowedPress(NamedTuple):
    press: discord.Interaction
    message: int
    borrowed_at: float


class TableMessages:
    """Keeps track of one table's messages: which there are, what they show, and what may have been posted unnoticed.

    The publisher owns it; the delivery and the DMs report here what they did. What must survive a restart is in the
    store, and `load` brings it back.
    """

    def __init__(self) -> None:
        self._standing: dict[tuple[str, UserId | None], Message] | None = None
        self._fingerprints: dict[int, int] = {}
        self._posted: dict[str, int] = {}
        self._lost: dict[str, LostPost] = {}
        self._is_uncertain = True
        self._borrowed: _BorrowedPress | None = None
        self._closed_reveal = 0
        self._dms_under_way = 0
        self._delivered_dms: dict[UserId, OutboxRow] = {}

    # -- which messages stand

    @property
    def is_loaded(self) -> bool:
        """Whether the store has been asked which messages there are."""
        return self._standing is not None

    def load(self, found: Iterable[Message]) -> None:
        """Take over what the store knows, but only the first time: messages may have been noted since."""
        if self._standing is None:
            self._standing = {(each.kind, each.user): each for each in found}

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
        """Note that a message is gone."""
        if self._standing is not None and self._of(message.kind, message.user) == message:
            del self._standing[message.kind, message.user]
        self._fingerprints.pop(message.message, None)
        self._posted = {nonce: posted for nonce, posted in self._posted.items() if posted != message.message}

    def _of(self, kind: str, user: UserId | None = None) -> Message | None:
        return (self._standing or {}).get((kind, user))

    # -- what they show

    def shows(self, message: int, out: Outgoing) -> bool:
        """Tell whether a message already looks like this, so that it need not be edited."""
        return self._fingerprints.get(message) == out.fingerprint

    def drawn(self, message: int, out: Outgoing) -> None:
        """Note what a message looks like now."""
        self._fingerprints[message] = out.fingerprint

    def is_closed_reveal(self, message: int) -> bool:
        """Tell whether this reveal was the last to lose its buttons."""
        return self._closed_reveal == message

    def reveal_closed(self, message: int) -> None:
        """Note that a reveal's buttons are being removed."""
        self._closed_reveal = message

    # -- what was posted

    @property
    def is_uncertain(self) -> bool:
        """Whether something may have been posted without being noted: after a start, or when a delivery broke off."""
        return self._is_uncertain

    @property
    def lost_posts(self) -> list[LostPost]:
        """The posts whose answers were lost."""
        return list(self._lost.values())

    def posted_with(self, nonce: str) -> int | None:
        """Return the message posted with this nonce since the last complete delivery, if any.

        Discord forgets nonces after some minutes, but a full database may not be able to note a post for hours.
        """
        return self._posted.get(nonce)

    def posted(self, nonce: str, message: int) -> None:
        """Note a post that Discord confirmed."""
        self._posted[nonce] = message
        self._lost.pop(nonce, None)

    def post_lost(self, nonce: str, out: Outgoing) -> None:
        """Note a post whose answer was lost."""
        self._lost[nonce] = LostPost(nonce, out, time.monotonic())

    def lost_post_settled(self, nonce: str) -> None:
        """Note that a lost post is no longer in the channel, or never was."""
        self._lost.pop(nonce, None)

    def interrupted(self) -> None:
        """Note that a delivery broke off, so that something may have been posted without being noted."""
        self._is_uncertain = True

    def completed(self) -> None:
        """Note that a delivery was completed, so that everything posted is noted."""
        self._is_uncertain = False
        self._posted.clear()

    # -- borrowed presses

    def press_lent(self, press: discord.Interaction, message: int) -> None:
        """Keep the newest press on a message: its token can edit that message for a while."""
        self._borrowed = _BorrowedPress(press, message, time.monotonic())

    def press_returned(self) -> None:
        """Stop using the borrowed press."""
        self._borrowed = None

    def press_for(self, message: int) -> discord.Interaction | None:
        """Return a press that can still edit this message; one that cannot is dropped."""
        borrowed = self._borrowed
        if borrowed is None:
            return None
        if borrowed.message != message or time.monotonic() - borrowed.borrowed_at > BORROWED_SECONDS:
            self._borrowed = None
            return None
        return borrowed.press

    # -- DMs

    @property
    def has_dms_under_way(self) -> bool:
        """Whether DMs are still being sent, whose results will be noted here."""
        return self._dms_under_way > 0

    def dm_started(self) -> None:
        """Note that a DM is being sent."""
        self._dms_under_way += 1

    def dm_ended(self) -> None:
        """Note that a DM was sent or given up."""
        self._dms_under_way -= 1

    def dm_delivered(self, user: UserId, row: OutboxRow) -> None:
        """Note the newest row that a user was told by DM."""
        self._delivered_dms[user] = row

    def is_delivered_dm(self, user: UserId, row: OutboxRow) -> bool:
        """Tell whether this row is the newest that a user was told by DM."""
        return self._delivered_dms.get(user) == row

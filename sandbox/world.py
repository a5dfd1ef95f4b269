"""Everything that exists in the sandbox: servers, channels, messages, files and interactions."""

import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sandbox.clock import Clock
from sandbox.commands import Commands
from sandbox.interactions import Interactions
from sandbox.messagelog import Message
from sandbox.model import Channel, Json
from sandbox.servers import Servers

NONCE_SECONDS = 300.0
"""Time for which a repeated nonce returns the first message."""
MAX_DROPPED_FILES = 100
"""Cap on deleted files that are still served, so that a client that is just loading one gets it."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An uploaded file."""

    filename: str
    content_type: str
    data: bytes
    secret: str = ""  # part of the URL of a message's file: only people who get the message can know it


@dataclass(slots=True)
class Uploads:
    """Files and application emojis, by id."""

    files: dict[str, Stored] = field(default_factory=dict)
    emojis: dict[str, Json] = field(default_factory=dict)
    images: dict[str, Stored] = field(default_factory=dict)  # of emojis
    dropped: deque[str] = field(default_factory=deque)  # files that no message has any more, oldest first

    def add(self, file_id: str, filename: str, content_type: str, data: bytes) -> Stored:
        """Store a message's file under a secret that nobody can guess."""
        self.files[file_id] = Stored(filename, content_type, data, secrets.token_hex(32))
        return self.files[file_id]

    def drop(self, file_ids: Iterable[str]) -> None:
        """Delete files, each once many others have been deleted after it."""
        self.dropped.extend(file_ids)
        while len(self.dropped) > MAX_DROPPED_FILES:
            self.files.pop(self.dropped.popleft(), None)


class World(Servers):
    """Everything that exists in the sandbox; all changes are made here.

    Every change is published once, in order, to all subscribers; `may_see` decides which users may receive it.
    All look-ups are by id. Ids and times come from the given clock, so tests can control both.
    """

    def __init__(self, clock: Clock | None = None, *, bot_name: str = "Coyote") -> None:
        super().__init__(clock, bot_name=bot_name)
        self.private_of: dict[str, dict[str, Message]] = {}  # person's id -> the ephemeral messages they see
        self.ephemerals: dict[str, Message] = {}
        self.uploads = Uploads()
        self.commands = Commands(self.ids)
        self.interactions = Interactions(self.clock, self.ids)
        self.install_types = [0, 1]  # whether the application can be added to servers, and to accounts
        self.base_url = ""  # base of attachment URLs; set by the server
        self._nonces: dict[str, tuple[float, Message]] = {}

    def visible_channels(self, user_id: str) -> Iterator[Channel]:
        """Yield the channels that a client lists: channels and threads of each server, then the DM with the bot."""
        for guild in self.guilds_of.get(user_id, {}).values():
            for channel in sorted(guild.channels.values(), key=lambda each: (each.position, int(each.id))):
                if self.can_view(user_id, channel):
                    yield channel
            for thread in guild.threads.values():
                if self.can_view(user_id, thread):
                    yield thread
        if user_id in self.dm_of:
            yield self.dm_of[user_id]

    def messages(self, user_id: str, channel: Channel, limit: int = 50, before: str | None = None) -> list[Message]:
        """Return the newest messages that this user sees in a channel, oldest first, their ephemeral ones included."""
        if not self.can_view(user_id, channel):
            return []
        seen = channel.messages.page(limit, before=before)
        own = channel.private.get(user_id)
        if own is not None:
            seen = sorted([*seen, *own.page(limit, before=before)], key=lambda each: int(each.id), reverse=True)[:limit]
        return seen[::-1]

    def message(self, channel_id: str, message_id: str) -> Message | None:
        """Return a message that everybody in the channel can see."""
        channel = self.channels.get(channel_id)
        return None if channel is None else channel.messages.get(message_id)

    def remember_nonce(self, nonce: str, message: Message) -> None:
        """Record that the bot sent this message with this nonce."""
        now = self.clock.now()
        while self._nonces:
            oldest = next(iter(self._nonces))
            if self._nonces[oldest][0] + NONCE_SECONDS > now:
                break
            del self._nonces[oldest]
        self._nonces[nonce] = (now, message)

    def sent_with_nonce(self, nonce: str) -> Message | None:
        """Return the message that the bot sent with this nonce in the last few minutes, in any channel."""
        sent, message = self._nonces.get(nonce, (0.0, None))
        return message if sent + NONCE_SECONDS > self.clock.now() else None

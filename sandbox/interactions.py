"""Presses, commands and submitted forms while they wait for the bot's answer."""

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from sandbox.clock import Cancel, Clock
from sandbox.ids import Snowflakes
from sandbox.messagelog import Message
from sandbox.model import Channel

Json = dict[str, Any]

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, OPEN_MODAL = range(4, 10)  # callback types of the first answer
FIRST_ANSWER_SECONDS = 3.0
"""Time that the bot has for its first answer."""
TOKEN_SECONDS = 15 * 60.0
"""Lifetime of an interaction's token."""


@dataclass(slots=True)
class Interaction:
    """One press, command or submission on its way to the bot and back."""

    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    guild_id: str | None
    data: Json
    created: float
    message_id: str | None = None  # the message of the pressed component
    answered: bool = False
    failed: str | None = None  # the error that the client shows instead of an answer
    callback_type: int | None = None
    original_id: str | None = None  # the message that @original refers to
    deferred: bool = False  # still shows "thinking…"
    modal: Json | None = None  # the form that the bot opened
    choices: list[Json] | None = None  # the suggestions that the bot sent
    follow_ups: int = 0  # counted only where they are limited
    appeared: list[Message] = field(default_factory=list)  # the answer and its follow-ups
    changed: list[Message] = field(default_factory=list)  # messages edited with the token
    metadata: Json = field(default_factory=dict)
    done: asyncio.Event = field(default_factory=asyncio.Event)  # answered or failed
    settled: asyncio.Event = field(default_factory=asyncio.Event)  # done, and no longer "thinking…"
    cancel_deadline: Cancel | None = None

    def command_name(self) -> str:
        """The command as it was typed, with its subcommands."""
        words = [str(self.data["name"])]
        options = self.data.get("options") or []
        while options and options[0]["type"] in (1, 2):
            words.append(options[0]["name"])
            options = options[0]["options"]
        return " ".join(words)

    @property
    def is_by_guild_install(self) -> bool:
        """Whether the server has added the application, or this is the DM with the bot."""
        return "0" in self.metadata.get("authorizing_integration_owners", {"0": ""})

    def expires(self) -> float:
        """Return the time when the token expires."""
        return self.created + TOKEN_SECONDS


class Interactions:
    """All recent interactions, by id and by token."""

    def __init__(self, clock: Clock, ids: Snowflakes) -> None:
        self._clock = clock
        self._ids = ids
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self._oldest_first: deque[Interaction] = deque()

    def new(self, kind: int, user_id: str, channel: Channel, data: Json, message_id: str | None = None) -> Interaction:
        """Register an interaction that begins now."""
        now = self._clock.now()
        # Expired tokens are remembered for another lifetime, to distinguish them from unknown ones.
        while self._oldest_first and self._oldest_first[0].created + 2 * TOKEN_SECONDS < now:
            gone = self._oldest_first.popleft()
            del self.by_id[gone.id], self.by_token[gone.token]
        interaction_id = self._ids.next()
        token = f"aW50ZXJhY3Rpb246{interaction_id}{secrets.token_hex(16)}"
        interaction = Interaction(
            interaction_id, token, kind, user_id, channel.id, channel.guild_id, data, now, message_id
        )
        self.by_id[interaction_id] = self.by_token[token] = interaction
        self._oldest_first.append(interaction)
        return interaction

    def too_late_to_answer(self, interaction: Interaction) -> bool:
        """Whether the three-second deadline has passed."""
        return interaction.failed is not None or self._clock.now() - interaction.created > FIRST_ANSWER_SECONDS

    def expired(self, interaction: Interaction) -> bool:
        """Whether the token has expired."""
        return self._clock.now() > interaction.expires()

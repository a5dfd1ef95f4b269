"""Records what every client is shown; a game's own part checks that nothing secret was among it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bot.screens.custom_ids import parse
from sandbox.components import walk
from sandbox.events import Change
from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.people import Person
from tests.e2e.emojis import in_words

if TYPE_CHECKING:
    from tests.e2e.harness import Evening

Json = dict[str, Any]


def texts(data: Json) -> list[str]:
    """Return the plain content of a message and every text in its components, in words."""
    found = [data["content"]] if data.get("content") else []
    found += [part["content"] for part in walk(data.get("components") or []) if part.get("content")]
    return list(map(in_words, found))


class LeakCheck(ABC):
    """Records everything that each client is shown since the newest lobby was opened, and checks it at the end."""

    def __init__(self, held: Evening, people: Iterable[Person], channel: Channel) -> None:
        self.held = held
        self.people = {person.id: person for person in people}
        self.channel = channel.id
        self.seen: dict[str, list[Change]] = defaultdict(list)
        self.order: list[Change] = []
        self._world = held.sandbox.world
        self._bot = self._world.bot.id
        self._world.subscribe(self._listen)

    def _listen(self, change: Change) -> None:
        if change.channel is None or (change.channel.guild_id is not None and change.channel.id != self.channel):
            return
        seeing = [user for user in self.people if self._world.may_see(change, user)]
        if not seeing:
            return
        # The data is changed by later edits, so keep a copy.
        kept = Change(change.kind, json.loads(json.dumps(change.data)), None, change.channel, change.only)
        if self._is_new_lobby(kept):
            self.order.clear()
            self.seen.clear()
        self.order.append(kept)
        for user in seeing:
            self.seen[user].append(kept)

    def watch(self, people: Iterable[Person]) -> None:
        """Record from now on what these people are shown, too."""
        self.people.update({person.id: person for person in people})

    def check_game(self, players: Sequence[Person]) -> int:
        """Check a whole game, with everybody who was never named in public as a bystander; return as `check` does."""
        public = "\n".join(
            said for each in players[:1] for change, said in self.messages(each.id) if self.is_public(change)
        )
        named = [person for person in self.people.values() if person in players or person.mention in public]
        return self.check(named, [person for person in self.people.values() if person not in named])

    def _is_new_lobby(self, change: Change) -> bool:
        is_new = change.kind == "MESSAGE_CREATE" and self.is_message(change) and self.is_public(change)
        return is_new and any(part.get("label") == "Start" for part in walk(change.data.get("components") or []))

    @abstractmethod
    def check(self, players: Iterable[Person], bystanders: Iterable[Person]) -> int:
        """Fail if anybody saw too much; return the number of private messages that were compared with the truth."""

    @abstractmethod
    def check_replay(self, message: Message, number: int, eyes: Person | None) -> None:
        """Fail if the first step of a round in a replay shows something else than these eyes saw, or than there was.

        Without eyes, everything is shown.
        """

    def messages(self, user: str) -> Iterable[tuple[Change, str]]:
        """Yield every version of a message of the bot that a user was shown, with its text."""
        for change in self.seen[user]:
            if self.is_message(change):
                yield change, "\n".join(texts(change.data))

    def is_message(self, change: Change) -> bool:
        """Return whether the bot posted or edited a message."""
        return change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and change.data["author"]["id"] == self._bot

    @staticmethod
    def is_public(change: Change) -> bool:
        """Return whether everybody in the channel sees a message."""
        return change.only is None and change.channel is not None and change.channel.guild_id is not None

    def check_ids(self) -> None:
        """Check that every button, select and form carries a well-formed custom_id."""
        for change in self.order:
            for part in walk(change.data.get("components") or []):
                if "custom_id" in part and change.kind.startswith("MESSAGE"):
                    assert parse(part["custom_id"]) is not None, part

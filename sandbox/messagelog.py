"""Messages, and the log of a channel's messages."""

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sandbox.components import GALLERY, walk

Json = dict[str, Any]

EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15


@dataclass(slots=True, repr=False, eq=False)
class Message:
    """A message: Discord's JSON, updated in place, and facts that are not part of it.

    References stay current: edits change the same object. `version` increases with every change.
    """

    json: Json
    guild_id: str | None = None
    only: str | None = None  # of an ephemeral message, the id of the one person who sees it
    reactions: dict[str, tuple[Json, dict[str, None]]] = field(default_factory=dict)  # key -> (emoji, user ids)
    files: list[Json] = field(default_factory=list)  # all its attachments; `json` lacks those shown in components
    pinged: list[str] = field(default_factory=list)  # ids of the notified users and roles, or "everyone"
    deleted: bool = False
    version: int = 0

    def __repr__(self) -> str:
        return f"<Message {self.id} {self.text[:60]!r}>"

    @property
    def id(self) -> str:
        """The message's id."""
        return str(self.json["id"])

    @property
    def channel_id(self) -> str:
        """The id of its channel."""
        return str(self.json["channel_id"])

    @property
    def author_id(self) -> str:
        """The id of its author."""
        return str(self.json["author"]["id"])

    @property
    def content(self) -> str:
        """The plain content, empty in a Components V2 message."""
        return str(self.json["content"])

    @property
    def flags(self) -> int:
        """Discord's message flags."""
        return int(self.json["flags"])

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self.only is not None

    @property
    def thinking(self) -> bool:
        """Whether it still shows "thinking…", as a deferred answer does."""
        return bool(self.flags & LOADING)

    @property
    def text(self) -> str:
        """All readable text, one item per line: content, embeds, text displays and labels."""
        lines = [self.content] if self.content else []
        for embed in self.json["embeds"]:
            lines += [embed[key] for key in ("title", "description") if embed.get(key)]
            lines += [f"{each['name']}\n{each['value']}" for each in embed.get("fields", ())]
            lines += [embed["footer"]["text"]] if embed.get("footer") else []
        for component in walk(self.json["components"]):
            lines += [component[key] for key in ("content", "label", "placeholder") if component.get(key)]
        return "\n".join(lines)

    @property
    def descriptions(self) -> list[str]:
        """The alt text of every picture and file that has one: attachments first, then components."""
        holders = [*self.json["attachments"]]
        for component in self.components:
            holders += component.get("items", ()) if component["type"] == GALLERY else [component]
        return [each["description"] for each in holders if each.get("description")]

    @property
    def components(self) -> list[Json]:
        """Every component of the message, containers first, in reading order."""
        return list(walk(self.json["components"]))

    @property
    def buttons(self) -> list[Json]:
        """Every button, in reading order."""
        return [each for each in self.components if each["type"] == 2]

    def component(self, name: str) -> Json | None:
        """Return the first button or select with this custom_id, label or placeholder."""
        found = self.components
        for key in ("custom_id", "label", "placeholder"):
            for component in found:
                if component.get(key) == name:
                    return component
        return None

    def for_viewer(self, viewer_id: str) -> Json:
        """Return the JSON with the reactions as this viewer sees them. Callers must not modify it."""
        if not self.reactions:
            return self.json
        return self.json | {
            "reactions": [
                {
                    "emoji": emoji,
                    "count": len(users),
                    "count_details": {"burst": 0, "normal": len(users)},
                    "burst_colors": [],
                    "me_burst": False,
                    "me": viewer_id in users,
                }
                for emoji, users in self.reactions.values()
            ]
        }


class MessageLog:
    """The messages of one channel, in order, with constant-time look-up by id."""

    def __init__(self) -> None:
        self._by_id: dict[str, Message] = {}
        self._order: list[int] = []

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Message]:
        return (self._by_id[str(number)] for number in self._order)

    @property
    def last_id(self) -> str | None:
        """The newest message's id."""
        return str(self._order[-1]) if self._order else None

    def add(self, message: Message) -> None:
        """Add a message."""
        number = int(message.id)
        self._by_id[message.id] = message
        if self._order and number < self._order[-1]:
            insort(self._order, number)
        else:
            self._order.append(number)

    def get(self, message_id: str) -> Message | None:
        """Return a message by its id."""
        return self._by_id.get(message_id)

    def remove(self, message_id: str) -> Message | None:
        """Remove a message and return it."""
        message = self._by_id.pop(message_id, None)
        if message is not None:
            del self._order[bisect_left(self._order, int(message_id))]
        return message

    def page(
        self, limit: int = 50, *, before: str | None = None, after: str | None = None, around: str | None = None
    ) -> list[Message]:
        """Return messages newest first, as Discord pages through a channel."""
        order = self._order
        if around is not None:
            middle = bisect_left(order, int(around))
            low = max(0, middle - limit // 2)
            chosen = order[low : low + limit]
        elif after is not None:
            low = bisect_left(order, int(after) + 1)
            chosen = order[low : low + limit]
        else:
            high = len(order) if before is None else bisect_left(order, int(before))
            chosen = order[max(0, high - limit) : high]
        return [self._by_id[str(number)] for number in reversed(chosen)]

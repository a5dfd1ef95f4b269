from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.model import Channel, Guild

Json = dict[str, Any]

# What only a person's client hears of its interactions.
CLIENT_ONLY = frozenset(
    {
        "INTERACTION_SUCCESS",
        "INTERACTION_FAILURE",
        "INTERACTION_MODAL_CREATE",
        "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE",
    }
)


@dataclass(frozen=True, slots=True)
class Change:
    """Something happened in the world: Discord's event name, its JSON, and where it happened.

    `only` names the one person who may know of it (an ephemeral message, a modal, a failure); the bot's gateway
    never carries those. Ask `World.may_see` rather than judging by these fields.
    """

    kind: str
    data: Json
    guild: "Guild | None" = None
    channel: "Channel | None" = None
    only: str | None = None


Listener = Callable[[Change], None]


class Bus:
    """Tells every listener of every change, at once and in the order of the changes."""

    def __init__(self) -> None:
        self._listeners: dict[int, Listener] = {}
        self._next = 0

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` on every change from now on; the returned function ends that."""
        key = self._next
        self._next += 1
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def publish(self, change: Change) -> None:
        """Tell everybody who listens."""
        for listener in tuple(self._listeners.values()):
            listener(change)

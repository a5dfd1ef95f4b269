"""Changes in the world, and the bus that publishes them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.model import Channel, Guild

Json = dict[str, Any]

# Discord tells nobody when an application's emojis change; here it makes the world be saved.
EMOJIS_CHANGED = "SANDBOX_EMOJIS_CHANGED"
# Events that the bot never receives: those of a person's client about interactions, and the sandbox's own.
CLIENT_ONLY = frozenset(
    {
        EMOJIS_CHANGED,
        "INTERACTION_SUCCESS",
        "INTERACTION_FAILURE",
        "INTERACTION_MODAL_CREATE",
        "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE",
    }
)


@dataclass(frozen=True, slots=True)
class Change:
    """A change in the world: Discord's event name, its JSON and the place.

    `only` restricts it to one person (an ephemeral message, a modal, a failure); the bot's gateway never carries those.
    To decide who may see a change, call `World.may_see` rather than reading these fields.
    """

    kind: str
    data: Json
    guild: "Guild | None" = None
    channel: "Channel | None" = None
    only: str | None = None


Listener = Callable[[Change], None]


class Bus:
    """Calls every listener on every change, immediately and in order."""

    def __init__(self) -> None:
        self._listeners: dict[int, Listener] = {}
        self._next = 0

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` on every change from now on; the returned function unsubscribes it."""
        key = self._next
        self._next += 1
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def publish(self, change: Change) -> None:
        """Call every listener with a change."""
        for listener in tuple(self._listeners.values()):
            listener(change)

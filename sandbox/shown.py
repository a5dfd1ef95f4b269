"""What a person's client shows after a press, command or submission."""

from dataclasses import dataclass
from typing import Any

from sandbox import forms
from sandbox.interactions import Interaction
from sandbox.messagelog import Message

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Modal:
    """A form on a person's screen: Discord's JSON (custom_id, title, components) and the interaction that opened it."""

    json: Json
    opener: Interaction

    @property
    def title(self) -> str:
        """The heading of the form."""
        return str(self.json["title"])

    @property
    def fields(self) -> list[Json]:
        """The fields to fill in, each with `custom_id` and `label`."""
        return forms.fields(self.json)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a client shows after a press, command or submission; updated as more arrives."""

    interaction: Interaction

    @property
    def failed(self) -> str | None:
        """The client's error if the bot did not answer in time, such as "This interaction failed"."""
        return self.interaction.failed

    @property
    def appeared(self) -> list[Message]:
        """The messages sent in answer: the response, then follow-ups."""
        return self.interaction.appeared

    @property
    def changed(self) -> list[Message]:
        """The messages edited in answer."""
        return self.interaction.changed

    @property
    def message(self) -> Message | None:
        """The answer: the message that appeared, or the one that changed."""
        for messages in (self.appeared, self.changed):
            if messages:
                return messages[0]
        return None

    @property
    def text(self) -> str:
        """All readable text of the answer, or the error message."""
        return self.failed or "\n".join(each.text for each in (*self.appeared, *self.changed))

    @property
    def thinking(self) -> bool:
        """Whether the client still shows "thinking…"."""
        return self.interaction.deferred

    @property
    def modal(self) -> Modal | None:
        """The form that opened."""
        return None if self.interaction.modal is None else Modal(self.interaction.modal, self.interaction)

    @property
    def choices(self) -> list[Json]:
        """The suggestions received, each with `name` and `value`."""
        return self.interaction.choices or []

"""Every refusal in a sentence: what is the matter, and what to do now. Told privately to whoever tried."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from bot.games.core import Rejected, Seat
from bot.games.coyote.actions import Reason
from bot.games.coyote.editions import Problem
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import Item, PrivateScreen, link, press, row, text
from bot.screens.moves import look_button
from bot.screens.names import mention
from bot.screens.words import link_to, plainly, who
from bot.text.catalogue import Catalogue

_GROUPS: Final[tuple[tuple[type[StrEnum], str], ...]] = ((Reason, "game"), (Problem, "rules"), (HostReason, "host"))
_SEATS: Final = ("turn", "bidder")
_USERS: Final = ("host", "whom", "asked_by", "ended_by")
_LISTS: Final = ("asked", "missing")
_COUNTS: Final = ("players", "missing")
_NUMBERS: Final = (Reason.BID_TOO_LOW, Reason.BID_TOO_HIGH, Reason.SAME_NUMBER)
_LOOKING: Final = (Reason.NOT_YOUR_TURN, Reason.NOT_NOW, Reason.NOT_PLAYING, HostReason.STALE, HostReason.PAUSED)


def refusal_text(say: Catalogue, refused: Rejected, table: Table | None = None, **more: object) -> str:
    """Say why not. `more` adds what the refusal does not know itself, such as the `number` that was bid."""
    slots = _slots(say, {**refused.details, **more}, table)
    key = f"refused.{_group(refused.reason)}.{refused.reason.value}"
    if refused.reason is HostReason.NOT_SEATED and table is not None and table.stage is Stage.LOBBY:
        key = "refused.host.not_seated_lobby"
    for sentence in (key, f"{key}_bare"):
        if sentence in say and say.slots(sentence) <= slots.keys():
            return say(sentence, **slots)
    return say("refused.unknown")


def refusal_screen(
    say: Catalogue,
    refused: Rejected,
    table: Table | None = None,
    *,
    prompt: int | None = None,
    message: int | None = None,
    **more: object,
) -> PrivateScreen:
    """Say why not, with the way out: the form again, a look, or the way to the table."""
    buttons: list[Item] = []
    if table is not None:
        if prompt is not None and refused.reason in _NUMBERS:
            buttons.append(press(say("table.button.bid"), CustomId(Verb.FORM, table.id, prompt)))
        if refused.reason in _LOOKING:
            buttons.append(look_button(say, table))
        if message is not None:
            buttons.append(link(say("table.button.open"), link_to(table, message)))
    return PrivateScreen(text(refusal_text(say, refused, table, **more)), row(*buttons))


def _group(reason: StrEnum) -> str:
    return next((group for kind, group in _GROUPS if isinstance(reason, kind)), "unknown")


def _slots(say: Catalogue, details: dict[str, Any], table: Table | None) -> dict[str, Any]:
    """Make sentence parts of what a refusal carries; what is unknown is left out."""
    slots: dict[str, Any] = {}
    for name, value in details.items():
        if value is None or (name == "allowed" and not value):
            continue
        if name in _SEATS:
            if table is not None and 0 <= value < len(table.players):
                slots[name] = who(table, Seat(value))
        elif name in _USERS:
            slots[name] = mention(value)
        elif name in _LISTS and isinstance(value, tuple):
            if value:
                slots[name] = say.listing([mention(user) for user in value])
        elif name in _COUNTS:
            slots["count"] = value
        else:
            slots[name] = plainly(say, value)
    if table is not None:
        slots.setdefault("host", mention(table.host))
    low, high, typed = details.get("lowest"), details.get("highest"), details.get("value")
    if isinstance(low, int) and isinstance(high, int):
        slots["nearest"] = plainly(say, min(max(typed, low), high) if isinstance(typed, int) else low)
    return slots

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
from bot.screens.words import duration, link_to, named, plainly, who
from bot.text.catalogue import Catalogue

_GROUPS: Final[tuple[tuple[type[StrEnum], str], ...]] = ((Reason, "game"), (Problem, "rules"), (HostReason, "host"))
_SEATS: Final = ("turn", "bidder")
_USERS: Final = ("host", "whom", "asked_by", "ended_by")
_LISTS: Final = ("asked", "missing")
_COUNTS: Final = ("players", "missing")
_CLOCK: Final = "clock"
"""The setting whose numbers are seconds."""
_NUMBERS: Final = (Reason.BID_TOO_LOW, Reason.BID_TOO_HIGH, Reason.SAME_NUMBER)
_LOOKING: Final = (Reason.NOT_YOUR_TURN, Reason.NOT_NOW, Reason.NOT_PLAYING, HostReason.STALE, HostReason.PAUSED)


def refusal_text(say: Catalogue, refused: Rejected, table: Table | None = None, **more: object) -> str:
    """Say why not. `more` adds what the refusal does not know itself: the `number` that was bid, or the `user`.

    The user is who is refused: some sentences differ for those who sit at the table.
    """
    slots = _slots(say, {**refused.details, **more}, table)
    key = f"refused.{_group(refused.reason)}.{refused.reason.value}"
    for kind in (*_kinds(refused, table, more.get("user")), "", "_bare"):
        sentence = f"{key}{kind}"
        if sentence in say and say.slots(sentence) <= slots.keys():
            return say(sentence, **slots)
    return say("refused.unknown")


def _kinds(refused: Rejected, table: Table | None, user: object) -> list[str]:
    """Name the special cases that a sentence may have a form for, the most special first."""
    if refused.reason is Problem.OUT_OF_RANGE and refused.details.get("option") == _CLOCK:
        return ["_clock"]
    kinds = ["_opening"] if "bid" in refused.details and refused.details["bid"] is None else []
    if table is None:
        return kinds
    seated = any(player.user == user for player in table.players)
    if table.stage is Stage.LOBBY:
        kinds += [*(["_lobby_seated"] if seated else []), "_lobby"]
    if seated:
        kinds += [*(["_host"] if user == table.host else []), "_seated"]
    return kinds


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
            slots[name] = mention(value) if table is None else named(table, value)
        elif name in _LISTS and isinstance(value, tuple):
            if value:
                slots[name] = say.listing([mention(user) if table is None else named(table, user) for user in value])
        elif details.get("option") == _CLOCK and isinstance(value, int):
            slots[name] = duration(say, value)
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

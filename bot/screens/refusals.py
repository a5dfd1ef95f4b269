"""Every refusal in a sentence: what is the matter, and what to do now. Told privately to whoever tried."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from bot.engine.core import Rejected, Seat
from bot.games.coyote.rules.actions import Reason
from bot.games.coyote.rules.editions import Problem
from bot.games.coyote.ui.buttons import look_button
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.house_rules.problems import Misfit
from bot.screens.custom_ids import CustomId
from bot.screens.house.refused import is_of_setting, setting_forms, setting_slots
from bot.screens.layout import Item, PrivateScreen, link, press, row, text
from bot.screens.names import mention
from bot.screens.words import link_to, named, plainly, who
from bot.stats.reasons import StatsReason
from bot.text.catalogue import Catalogue

_GROUPS: Final[tuple[tuple[type[StrEnum], str], ...]] = (
    (Reason, "game"),
    (Problem, "rules"),
    (HostReason, "host"),
    (StatsReason, "stats"),
    (Misfit, "house"),
)
_SEATS: Final = ("turn", "bidder")
_USERS: Final = ("host", "whom", "other", "asked_by", "ended_by")
_LISTS: Final = ("asked", "missing")
_COUNTS: Final = ("players", "missing", "at_once")
_TIMES: Final = (Misfit.NOT_A_TIME, Misfit.TIME_OUT_OF_RANGE)
"""Those whose numbers are seconds."""
OF_NUMBERS: Final = (Reason.BID_TOO_LOW, Reason.BID_TOO_HIGH, Reason.SAME_NUMBER)
"""Those that another number would mend."""
OF_THE_SERVER: Final = (HostReason.TOO_MANY_TABLES, Misfit.OTHER_CHANNEL, Misfit.ROLE_NEEDED)
"""Why no table is opened, whichever it would be."""
_LOOKING: Final = (Reason.NOT_YOUR_TURN, Reason.NOT_NOW, Reason.NOT_PLAYING, HostReason.STALE, HostReason.PAUSED)
_LOOK: Final = "👁"
"""Every sentence that speaks of Look brings the button: whoever typed a command may be far from the table's own."""


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
    if refused.reason in _TIMES and refused.details.get("off"):
        return ["_off"]
    kinds = setting_forms(refused.details)
    kinds += ["_opening"] if "bid" in refused.details and refused.details["bid"] is None else []
    bid = refused.details.get("bid")
    if isinstance(bid, int) and refused.details.get("lowest") != bid + 1:
        kinds.append("_another")
    elif table is not None and _is_next(refused, table, user):
        kinds = [*(f"_next{kind}" for kind in kinds), "_next", *kinds]
    if refused.details.get("may_call"):
        kinds += [*(["_top"] if bid == refused.details.get("highest") else []), "_may_call"]
    if user is not None and (refused.details.get("whom") == user or refused.details.get("asked") == (user,)):
        kinds.append("_self")
    if table is None:
        return kinds
    seated = any(player.user == user and not player.left for player in table.players)
    if refused.details.get("who") in ("players", "managers") and table.stage is not Stage.LOBBY:
        return [f"_{refused.details['who']}{'_seated' if seated else ''}", f"_{refused.details['who']}"]
    if table.stage is Stage.LOBBY:
        kinds += [*(["_lobby_seated"] if seated else []), "_lobby"]
    if table.house.ai_seats:
        kinds.append("_ai")
    if table.stage is Stage.OVER:
        kinds.append("_over")
    if seated:
        kinds += [*(["_host"] if user == table.host else []), "_seated"]
    return kinds


def _is_next(refused: Rejected, table: Table, user: object) -> bool:
    """Tell whether somebody comes after the player in turn, as far as is known now."""
    after = refused.details.get("after")
    return isinstance(after, int) and after < len(table.players) and table.players[after].user == user


def refusal_screen(
    say: Catalogue,
    refused: Rejected,
    table: Table | None = None,
    *,
    prompt: int | None = None,
    message: int | None = None,
    announced: str | None = None,
    **more: object,
) -> PrivateScreen:
    """Say why not, with the way out: the form again, a look, or the way to the table.

    `announced` is what the bid came with, as the form's custom_id has it.
    """
    why = refusal_text(say, refused, table, **more)
    buttons: list[Item] = []
    if table is not None:
        if prompt is not None and refused.reason in OF_NUMBERS:
            buttons.append(press(say("table.button.bid"), CustomId(CoyoteVerb.FORM, table.id, prompt, announced)))
        if refused.reason in _LOOKING or _LOOK in why:
            buttons.append(look_button(say, table))
        # Nothing is to be done at a closed table any more, nor at one whose rematch the server does not want.
        if message is not None and table.stage is not Stage.CLOSED and refused.reason not in OF_THE_SERVER:
            buttons.append(link(say("table.button.open"), link_to(table, message)))
    return PrivateScreen(text(why), row(*buttons))


def _group(reason: StrEnum) -> str:
    return next((group for kind, group in _GROUPS if isinstance(reason, kind)), "unknown")


_WORDS: Final[dict[str, Callable[[Catalogue, Any], str]]] = {
    "channels": lambda say, value: say.listing([f"<#{each}>" for each in value]),
    "role": lambda say, value: f"<@&{value}>",
}


def _called(say: Catalogue, value: Any) -> str:
    """Name an edition or a preset."""
    named = next((key for key in (f"edition.{value}.name", f"preset.{value}.name") if key in say), None)
    return plainly(say, value) if named is None else say(named)


def _slots(say: Catalogue, details: dict[str, Any], table: Table | None) -> dict[str, Any]:
    """Make sentence parts of what a refusal carries; what is unknown is left out."""
    slots: dict[str, Any] = {**setting_slots(say, details)}
    for name, value in details.items():
        if name == "value" and value is None:
            slots[name] = say("house.nothing")
        if value is None or (name == "allowed" and not value) or is_of_setting(details, name):
            continue
        if name in _SEATS:
            if table is not None and 0 <= value < len(table.players):
                slots[name] = who(table, Seat(value))
        elif name in _USERS:
            slots[name] = mention(value) if table is None else named(table, value)
        elif name in _LISTS and isinstance(value, tuple):
            if value:
                slots[name] = say.listing([mention(user) if table is None else named(table, user) for user in value])
        elif name == "allowed":
            slots[name] = say.either([_called(say, each) for each in value])
        elif name in _WORDS:
            slots[name] = _WORDS[name](say, value)
        elif name in _COUNTS:
            slots["count"] = value
        else:
            slots[name] = plainly(say, value)
    if table is not None:
        slots.setdefault("host", mention(table.host))
    low, high, typed = details.get("lowest"), details.get("highest"), details.get("value")
    if "nearest" not in slots and isinstance(low, int) and isinstance(high, int):
        slots["nearest"] = plainly(say, min(max(typed, low), high) if isinstance(typed, int) else low)
    return slots

"""Puts every refusal into a sentence: what is wrong, and what to do now. Only the user who tried sees it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from bot.ai_players.brains import BRAINS
from bot.engine.core import Rejected, Seat
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.house_rules.reasons import HouseReason
from bot.screens.game import NO_REFUSAL_TEXTS, SCREENS, RefusalTexts
from bot.screens.game_names import new_command, new_commands
from bot.screens.house.overview import preset_key
from bot.screens.house.refused import is_of_setting, setting_forms, setting_slots
from bot.screens.layout import Item, PrivateScreen, link, row, text
from bot.screens.names import mention
from bot.screens.table import look_button
from bot.screens.words import link_to, named, plainly, who
from bot.stats.reasons import StatsReason
from bot.text.catalogue import Catalogue

_SHARED_GROUPS: Final[dict[type[StrEnum], str]] = {HostReason: "host", StatsReason: "stats", HouseReason: "house"}
"""The group of texts below `refused.` for each type of reason that belongs to no game."""
_USERS: Final = ("host", "whom", "other", "asked_by", "ended_by")
"""Details that are a user's id."""
_LISTS_OF_USERS: Final = ("asked", "missing")
_COUNTS: Final = ("players", "missing", "at_once")
"""Details that choose the plural form."""
_ABOUT_TIMES: Final = (HouseReason.NOT_A_TIME, HouseReason.TIME_OUT_OF_RANGE)
"""Refusals whose numbers are seconds."""
SERVER_LIMITS: Final = (HostReason.TOO_MANY_TABLES, HouseReason.OTHER_CHANNEL, HouseReason.ROLE_NEEDED)
"""Reasons why no table may be opened, whatever its settings."""
_LOOK_HELPS: Final = (HostReason.STALE, HostReason.PAUSED)
_LOOK_SIGN: Final = "👁"
"""A sentence with this sign gets a look button: somebody who typed a command may be far from the table message."""
_WRITERS: Final[dict[str, Callable[[Catalogue, Any], str]]] = {
    "channels": lambda say, value: say.listing([f"<#{each}>" for each in value]),
    "role": lambda say, value: f"<@&{value}>",
}


def refusal_text(say: Catalogue, refused: Rejected, table: Table | None = None, **more: object) -> str:
    """Say why something is refused. `more` adds what the refusal lacks: the `number` that was bid, or the `user`.

    The user is the one who is refused: some sentences differ for people who sit at the table.
    """
    group, texts = _texts_for(refused.reason)
    slots = _slots(say, {**refused.details, **more}, table, texts)
    for case in (*_cases(refused, table, more.get("user"), texts), "", "_bare"):
        sentence = f"refused.{group}.{refused.reason.value}{case}"
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
    announced: str | None = None,
    **more: object,
) -> PrivateScreen:
    """Say why something is refused, with buttons for what to do next: try again, look, or go to the table.

    `announced` is the refused move's argument, as in its custom_id.
    """
    _, texts = _texts_for(refused.reason)
    why = refusal_text(say, refused, table, **more)
    buttons: list[Item] = []
    if table is not None:
        again = None if prompt is None else texts.try_again(say, table, refused, prompt, announced)
        if again is not None:
            buttons.append(again)
        if refused.reason in _LOOK_HELPS or refused.reason in texts.look_helps or _LOOK_SIGN in why:
            buttons.append(look_button(say, table))
        # There is nothing left to do at a closed table, nor at one for which the server allows no rematch.
        if message is not None and table.stage is not Stage.CLOSED and refused.reason not in SERVER_LIMITS:
            buttons.append(link(say("table.button.open"), link_to(table, message)))
    return PrivateScreen(text(why), row(*buttons))


def _texts_for(reason: StrEnum) -> tuple[str, RefusalTexts]:
    """Return the group of texts with a reason's sentences, and the texts of the game that it belongs to, if any."""
    shared = _SHARED_GROUPS.get(type(reason))
    if shared is not None:
        return shared, NO_REFUSAL_TEXTS
    for screens in SCREENS.values():
        group = screens.refusals.groups.get(type(reason))
        if group is not None:
            return group, screens.refusals
    return "unknown", NO_REFUSAL_TEXTS


def _cases(refused: Rejected, table: Table | None, user: object, texts: RefusalTexts) -> list[str]:
    """Name the special cases for which a sentence may have a form of its own, the most specific first."""
    if refused.reason in _ABOUT_TIMES and refused.details.get("off"):
        return ["_off"]
    cases = [*setting_forms(refused.details), *texts.cases(refused, table, user)]
    if user is not None and (refused.details.get("whom") == user or refused.details.get("asked") == (user,)):
        cases.append("_self")
    if table is None:
        return cases
    seated = any(player.user == user and not player.left for player in table.players)
    if refused.details.get("who") in ("players", "managers") and table.stage is not Stage.LOBBY:
        return [f"_{refused.details['who']}{'_seated' if seated else ''}", f"_{refused.details['who']}"]
    if table.stage is Stage.LOBBY:
        cases += [*(["_lobby_seated"] if seated else []), "_lobby"]
    if table.house.ai_seats and table.game in BRAINS:
        cases.append("_ai")
    if table.stage is Stage.OVER:
        cases.append("_over")
    if seated:
        cases += [*(["_host"] if user == table.host else []), "_seated"]
    return cases


def _slots(say: Catalogue, details: dict[str, Any], table: Table | None, texts: RefusalTexts) -> dict[str, Any]:
    """Write the details of a refusal as parts of a sentence; what is unknown is left out."""
    slots: dict[str, Any] = {**setting_slots(say, details)}
    for name, value in details.items():
        if name == "value" and value is None:
            slots[name] = say("house.nothing")
        if value is None or (name == "allowed" and not value) or is_of_setting(details, name):
            continue
        if name in texts.seat_details:
            if table is not None and 0 <= value < len(table.players):
                slots[name] = who(say, table, Seat(value))
        elif name in _USERS:
            slots[name] = mention(say, value) if table is None else named(say, table, value)
        elif name in _LISTS_OF_USERS and isinstance(value, tuple):
            if value:
                slots[name] = say.listing(
                    [mention(say, user) if table is None else named(say, table, user) for user in value]
                )
        elif name == "allowed":
            slots[name] = say.either([_value_name(say, each, texts) for each in value])
        elif name in _WRITERS:
            slots[name] = _WRITERS[name](say, value)
        elif name in _COUNTS:
            slots["count"] = value
        else:
            slots[name] = plainly(say, value)
    slots.setdefault("new", new_commands(say) if table is None else new_command(say, table.game))
    slots.setdefault("look", say.button("table.button.look"))
    if table is not None:
        slots.setdefault("host", mention(say, table.host))
    low, high, typed = details.get("lowest"), details.get("highest"), details.get("value")
    if "nearest" not in slots and isinstance(low, int) and isinstance(high, int):
        slots["nearest"] = plainly(say, min(max(typed, low), high) if isinstance(typed, int) else low)
    return slots


def _value_name(say: Catalogue, value: Any, texts: RefusalTexts) -> str:
    """Name a value that is allowed: in the game's words, as a preset, or plainly."""
    own = texts.value_name(say, value)
    if own is not None:
        return own
    key = preset_key(str(value))
    return say(key) if key in say else plainly(say, value)

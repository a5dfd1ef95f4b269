"""Small lines in the channel, pings and reminders; a ping may have buttons of the game's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.engine.core import Seat
from bot.engine.views import Public, PublicQuestion
from bot.host.commands import MAX_LINE_LENGTH
from bot.host.model import Millis, Stage, Table, UserId
from bot.house_rules.changes import SettingChange
from bot.house_rules.in_force import values_at
from bot.screens.game import SCREENS
from bot.screens.house.words import change_line
from bot.screens.layout import PublicScreen, row, text
from bot.screens.names import mention, safe_line
from bot.screens.words import DOT, ai_name, countdown
from bot.text.catalogue import Catalogue

_TIMED_OUT: Final = "timed_out"
_SPOKEN: Final = "spoken"
_RULES_CHANGED: Final = "rules_changed"
_AFTER_A_MOVE: Final = (_TIMED_OUT, "away", "stand_in")
"""Notices that begin with the move that the table made for a player."""
_ON_THE_TABLE: Final = ("paused", "stopped", "lobby_closed")
"""Notices that the table message makes redundant."""


def notice_text(say: Catalogue, table: Table, payload: Mapping[str, Any], seen: Public[Any] | None = None) -> str:
    """Write a notice from its payload: its `key`, and the `user` it is about or the one who acted (`by`).

    It is empty if the table message or the reveal says the same. `seen` is None before the match.
    """
    key = payload["key"]
    if key in _ON_THE_TABLE or (key == "left" and _reveal_tells_leaving(table, payload["user"], seen)):
        return ""
    if key == "resumed" and payload.get("by") is not None:
        return ""  # most of the players who are present asked for it
    about = payload.get("user") or payload.get("by")
    slots = {"mention": "" if about is None else mention(say, about)}
    if payload.get("by") is not None:
        slots["by"] = mention(say, payload["by"])
    if key == _SPOKEN:
        line = safe_line(payload["line"] or "", MAX_LINE_LENGTH)  # None: the user's data was deleted before it was told
        said = say("notice.spoken", line=line, **slots) if line else ""
        occasion = _occasion(say, table, payload["user"], seen) if said else ""
        return f"{said}\n-# {occasion}" if occasion else said
    if key == _RULES_CHANGED:
        return f"-# {say('notice.rules_changed', changes=changed_rules(say, table, payload['changes']), **slots)}"
    if "ai" in payload:
        slots["ai"] = ai_name(say, payload["ai"])
    sentences = [SCREENS[table.game].notices.moved_for(say, slots["mention"], payload)] if key in _AFTER_A_MOVE else []
    if "place" in payload:
        key, slots["ordinal"] = f"{key}_ranked", say.ordinal(payload["place"], "place")
    if key != _TIMED_OUT:
        sentences.append(say(f"notice.{key}", **slots))
    return f"-# {' '.join(sentences)}"


def _occasion(say: Catalogue, table: Table, user: UserId, seen: Public[Any] | None) -> str:
    """Return what somebody who spoke did then, in the game's words; empty if there is nothing to add."""
    seat = table.seat_of(user)
    return "" if seen is None or seat is None else SCREENS[table.game].notices.occasion(say, table, seat, seen)


def changed_rules(say: Catalogue, table: Table, changes: Sequence[Sequence[Any]]) -> str:
    """List changed rules of a table: a setting's key, its old and its new value each."""
    values = values_at(table.game, table.options)
    return DOT.join(change_line(say, SettingChange(key, [old], [new]), values) for key, old, new in changes)


def _reveal_tells_leaving(table: Table, user: UserId, seen: Public[Any] | None) -> bool:
    """Return whether the last reveal says that this user left."""
    if seen is None:
        return False
    seats = [Seat(seat) for seat, player in enumerate(table.players) if player.user == user]
    return any(SCREENS[table.game].notices.tells_leaving(seen, seat) for seat in seats)


def ping_text(say: Catalogue, table: Table, user: UserId, seen: Public[Any]) -> str:
    """Ask a player to act. The only text that is meant to ping."""
    return SCREENS[table.game].notices.ping(say, mention(say, user), seen)


def with_ping_buttons(
    say: Catalogue, table: Table, line: str, seen: Public[Any], question: PublicQuestion | None
) -> PublicScreen | str:
    """Put the game's buttons below a line that pings; the line alone if the game has none for this question."""
    if question is None or table.pause is not None:
        return line
    buttons = row(*SCREENS[table.game].notices.ping_buttons(say, table, seen, question))
    return line if buttons is None else PublicScreen(text(line), buttons)


def remind_text(say: Catalogue, user: UserId, due: Millis) -> str:
    """Remind the player in turn in a slow game to act."""
    return say("ping.remind", mention=mention(say, user), time=countdown(due))


def restart_text(say: Catalogue, table: Table, seen: Public[Any] | None) -> str:
    """Say once, after a restart, that the table goes on, and what it waits for."""
    if table.stage is Stage.LOBBY or seen is None:
        line = say("notice.restart.lobby")
    elif table.pause is not None:
        line = say("notice.restart.paused")
    else:
        line = SCREENS[table.game].notices.restarted(say, table, seen)
    return f"-# {line}"

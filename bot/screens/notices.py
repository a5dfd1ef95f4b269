"""Small lines in the channel, pings and reminders: plain sentences, no buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.engine.core import Seat
from bot.engine.views import Public
from bot.host.model import Millis, Stage, Table, UserId
from bot.screens.game import SCREENS
from bot.screens.names import mention
from bot.screens.words import ai_name, countdown
from bot.text.catalogue import Catalogue

_TIMED_OUT: Final = "timed_out"
_AFTER_A_MOVE: Final = (_TIMED_OUT, "away", "stand_in")
"""Notices that begin with the move that the table made for a player."""
_ON_THE_TABLE: Final = ("paused", "stopped", "lobby_closed")
"""Notices that the table message makes superfluous."""


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
    slots = {"mention": "" if about is None else mention(about)}
    if "ai" in payload:
        slots["ai"] = ai_name(table, payload["ai"])
    sentences = [SCREENS[table.game].notices.moved_for(say, slots["mention"], payload)] if key in _AFTER_A_MOVE else []
    if key != _TIMED_OUT:
        sentences.append(say(f"notice.{key}", **slots))
    return f"-# {' '.join(sentences)}"


def _reveal_tells_leaving(table: Table, user: UserId, seen: Public[Any] | None) -> bool:
    """Tell whether the last reveal says that this user left."""
    if seen is None:
        return False
    seats = [Seat(seat) for seat, player in enumerate(table.players) if player.user == user]
    return any(SCREENS[table.game].notices.tells_leaving(seen, seat) for seat in seats)


def ping_text(say: Catalogue, table: Table, user: UserId, seen: Public[Any]) -> str:
    """Ask a player to act. The only text that is meant to ping."""
    return SCREENS[table.game].notices.ping(say, mention(user), seen)


def remind_text(say: Catalogue, user: UserId, due: Millis) -> str:
    """Remind the player in turn in a slow game to act."""
    return say("ping.remind", mention=mention(user), time=countdown(due))


def restart_text(say: Catalogue, table: Table, seen: Public[Any] | None) -> str:
    """Say once, after a restart, that the table goes on, and what it waits for."""
    if table.stage is Stage.LOBBY or seen is None:
        line = say("notice.restart.lobby")
    elif table.pause is not None:
        line = say("notice.restart.paused")
    else:
        line = SCREENS[table.game].notices.restarted(say, table, seen)
    return f"-# {line}"

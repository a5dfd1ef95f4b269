"""Small lines in the channel, pings and reminders: plain sentences, no buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from bot.host.model import Millis, Stage, Table, UserId
from bot.screens.names import mention
from bot.screens.views import PublicView
from bot.screens.words import ai_name, countdown, number, who
from bot.text.catalogue import Catalogue

_BY_ACT: Final = ("timed_out", "away", "stand_in")
"""What begins with a move that the table made for somebody."""
_ON_THE_TABLE: Final = ("paused", "stopped", "lobby_closed")
"""What the table message says itself."""


def notice_text(say: Catalogue, table: Table, payload: Mapping[str, Any], view: PublicView | None = None) -> str:
    """Say a notice of the outbox: `key`, and whom it is about (`user`, or who did it, `by`).

    Nothing is said if the table message, or the reveal, says the same. `view` is a bystander's, None before the match.
    """
    key = payload["key"]
    if key in _ON_THE_TABLE or (key == "left" and _is_revealed(table, payload["user"], view)):
        return ""
    if key == "resumed" and payload.get("by") is not None:
        return ""  # most of those who are present have asked for it
    about = payload.get("user") or payload.get("by")
    slots = {"mention": "" if about is None else mention(about)}
    if "ai" in payload:
        slots["ai"] = ai_name(table, payload["ai"])
    keys = [key]
    if key in _BY_ACT:
        slots["number"] = number(payload["number"]) if "number" in payload else "…"  # noted before an update
        keys = [f"timed_out_{payload['do']}", *(keys if key != "timed_out" else [])]
    return f"-# {' '.join([say(f'notice.{each}', **slots) for each in keys])}"


def _is_revealed(table: Table, user: UserId, view: PublicView | None) -> bool:
    """Tell whether somebody's leaving ended a round: then its reveal says so."""
    last = None if view is None else view.last
    if last is None or last.ending is not Ending.LEFT or last.eliminated is None:
        return False
    return table.players[last.eliminated].user == user


def ping_text(say: Catalogue, user: UserId, view: PublicView) -> str:
    """Ask the player in turn, or a bettor, to act. The only text that is meant to ping."""
    key = "ping.bet" if view.phase is Phase.BETS else "ping.turn"
    return say(key, mention=mention(user))


def remind_text(say: Catalogue, user: UserId, due: Millis) -> str:
    """Remind the player in turn of a slow game."""
    return say("ping.remind", mention=mention(user), time=countdown(due))


def restart_text(say: Catalogue, table: Table, view: PublicView | None) -> str:
    """Say once, after a restart, that the table goes on, and where it stands."""
    return f"-# {_restarted(say, table, view)}"


def _restarted(say: Catalogue, table: Table, view: PublicView | None) -> str:
    if table.stage is Stage.LOBBY or view is None:
        return say("notice.restart.lobby")
    if table.pause is not None:
        return say("notice.restart.paused")
    if view.phase is Phase.BETS:
        return say("notice.restart.bets")
    if view.turn is None:
        return say("notice.restart.between")
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    if not due:
        return say("notice.restart.turn_no_clock", mention=who(table, view.turn))
    return say("notice.restart.turn", mention=who(table, view.turn), time=countdown(min(due)))

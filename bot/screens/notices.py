"""Small lines in the channel, pings and reminders: plain sentences, no buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.coyote.view import Phase
from bot.host.model import Millis, Stage, Table, UserId
from bot.screens.names import mention
from bot.screens.sight import PublicView
from bot.screens.words import countdown, who
from bot.text.catalogue import Catalogue

_BY_ACT: Final = "timed_out"


def notice_text(say: Catalogue, table: Table, payload: Mapping[str, Any]) -> str:
    """Say a notice of the outbox: `key`, and whom it is about (`user`, or who did it, `by`)."""
    key = payload["key"]
    if key == _BY_ACT:
        key = f"{key}_{payload['do']}"
    elif key == "stopped" and table.match is None:
        key = "cancelled"
    about = payload.get("user") or payload.get("by")
    return f"-# {say(f'notice.{key}', mention='' if about is None else mention(about))}"


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
    due = [deadline.due for deadline in table.deadlines]
    if not due:
        return say("notice.restart.turn_no_clock", mention=who(table, view.turn))
    return say("notice.restart.turn", mention=who(table, view.turn), time=countdown(min(due)))

"""Coyote's own lines in the channel: moves that the table made, pings, and what a table waits for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.core import Seat
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.views import PublicView
from bot.host.model import Table
from bot.screens.words import countdown, number, who
from bot.text.catalogue import Catalogue


def moved_for(say: Catalogue, mention: str, payload: Mapping[str, Any]) -> str:
    """Say which move the table made for a player whose time was up."""
    bid = number(payload["number"]) if "number" in payload else "…"  # notices from older versions do not name it
    return say(f"notice.timed_out_{payload['do']}", mention=mention, number=bid)


def ping(say: Catalogue, mention: str, view: PublicView) -> str:
    """Ask the player in turn, or a bettor, to act."""
    return say("ping.bet" if view.phase is Phase.BETS else "ping.turn", mention=mention)


def restarted(say: Catalogue, table: Table, view: PublicView) -> str:
    """Say after a restart of the bot what a running table waits for."""
    if view.phase is Phase.BETS:
        return say("notice.restart.bets")
    if view.phase is Phase.CALLED:
        return say("notice.restart.called")
    if view.turn is None:
        return say("notice.restart.between")
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    if not due:
        return say("notice.restart.turn_no_clock", mention=who(say, table, view.turn))
    return say("notice.restart.turn", mention=who(say, table, view.turn), time=countdown(min(due)))


def tells_leaving(view: PublicView, seat: Seat) -> bool:
    """Return whether the last round ended because this player left: then its reveal says so."""
    last = view.last
    return last is not None and last.ending is Ending.LEFT and last.eliminated == seat

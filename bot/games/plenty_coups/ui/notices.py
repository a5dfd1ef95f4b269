"""Plenty Coups' own lines in the channel: moves that the table made, pings, and what a table waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.core import Seat
from bot.engine.views import PublicQuestion
from bot.games.plenty_coups.rules.events import Disdained, GiftLaid, TurnBegan
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.buttons import answer_buttons
from bot.games.plenty_coups.ui.narration import news_lines
from bot.games.plenty_coups.ui.views import PublicView, camp_of, is_nobodys, raid_on
from bot.games.plenty_coups.ui.words import player, tribe
from bot.host.model import Table
from bot.screens.layout import Item
from bot.screens.table import look_button
from bot.screens.words import countdown
from bot.text.catalogue import Catalogue


def moved_for(say: Catalogue, mention: str, payload: Mapping[str, Any]) -> str:
    """Say what the table did for a player whose time was up; which card it used is for the table to show."""
    return say(f"plenty.timed_out.{payload['do']}", mention=mention)


def ping(say: Catalogue, mention: str, view: PublicView) -> str:
    """Ask a player to act or to answer."""
    third = "third_" if is_nobodys(view) else ""
    slots = {"mention": mention, "name": "" if view.actor is None else tribe(say, view.actor)}
    match view.phase:
        case Phase.GIFT:
            return say(f"plenty.ping.{third}gift", **slots)
        case Phase.DISDAIN:
            loses = view.actor is not None and camp_of(view, view.actor).prestige
            return say(f"plenty.ping.{third}{'disdain' if loses else 'disdain_zero'}", **slots)
        case Phase.ACT if _was_answered(view) and not third:
            return say("plenty.ping.act", mention=mention)
        case _:
            turn = "plenty.ping.third" if third else "plenty.ping.turn"
            return " ".join([say(turn, **slots), *_waiting(say, view, third)])


def _waiting(say: Catalogue, view: PublicView, third: str) -> list[str]:
    """Say who raids the tribe in turn or proposes an alliance to it: both wait for an answer in this turn."""
    if view.actor is None:
        return []
    raid, name = raid_on(view, view.actor), tribe(say, view.actor)
    slots = {} if raid is None else {"tribe": tribe(say, raid.raider), "value": raid.value, "name": name}
    raided = [] if raid is None else [say(f"plenty.ping.{third}raided", **slots)]
    suitors = [camp.tribe for camp in view.camps if camp.proposal and camp.proposal.tribe == view.actor]
    return [*raided, *[say("plenty.ping.proposed", tribe=tribe(say, suitor)) for suitor in suitors]]


def occasion(say: Catalogue, table: Table, seat: Seat, view: PublicView) -> str:
    """Say whom the player has just disdained, and what came of it so far: lines are said with a disdain alone."""
    places = [
        place
        for place, event in enumerate(view.news)
        if isinstance(event, Disdained) and camp_of(view, event.tribe).owner in (seat, None)
    ]
    return news_lines(say, table, view.news[places[-1] :], most=None)[0] if places else ""


def _was_answered(view: PublicView) -> bool:
    """Return whether the tribe in turn had to wait for an answer in this turn."""
    begun = max((place for place, event in enumerate(view.news) if isinstance(event, TurnBegan)), default=0)
    return any(isinstance(event, GiftLaid | Disdained) for event in view.news[begun:])


def ping_buttons(say: Catalogue, table: Table, view: PublicView, question: PublicQuestion) -> Sequence[Item]:
    """Make the buttons below a ping: an answer out of turn, or the hand."""
    return answer_buttons(say, table, view, question) or [look_button(say, table)]


def restarted(say: Catalogue, table: Table, view: PublicView) -> str:
    """Say after a restart of the bot what a running table waits for."""
    if view.actor is None:
        return say("notice.restart.between")
    name = player(say, table, view.actor)
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    if view.actor == view.turn:
        clock = {"time": countdown(min(due))} if due else {}
        return say("notice.restart.turn" if due else "notice.restart.turn_no_clock", mention=name, **clock)
    if not due:
        return say("plenty.restart.no_clock", name=name)
    return say("plenty.restart.clock", name=name, time=countdown(min(due)))

"""Plenty Coups' screens as the rest of the bot calls them: each unwraps a shared view and calls the game's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.core import Json, Seat
from bot.engine.views import Open, Private, Public, PublicQuestion
from bot.games.plenty_coups.emoji_names import tribe_emoji
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.games.plenty_coups.ui import notices
from bot.games.plenty_coups.ui.hand import bystander_screen, hand_screen, open_screen
from bot.games.plenty_coups.ui.highlights import highlight_lines
from bot.games.plenty_coups.ui.refusals import REFUSAL_TEXTS
from bot.games.plenty_coups.ui.remarks import remark_slots
from bot.games.plenty_coups.ui.replay import REPLAY_SCREENS
from bot.games.plenty_coups.ui.round_summary import ROUND_SCREENS
from bot.games.plenty_coups.ui.rules_pages import RULES_PAGES
from bot.games.plenty_coups.ui.scoring import scoring_lines
from bot.games.plenty_coups.ui.supplies import supply_lines
from bot.games.plenty_coups.ui.table import table_screen
from bot.games.plenty_coups.ui.terms import terms
from bot.games.plenty_coups.ui.views import OpenView, PrivateView, PublicView
from bot.games.plenty_coups.ui.words import tribe_of
from bot.host.model import Table
from bot.screens.game import GameScreens, NoticeTexts
from bot.screens.layout import Item, PrivateScreen, PublicScreen
from bot.text.catalogue import Catalogue

_Public = Public[PlentyCoupsView]
_Private = Private[PlentyCoupsView]


def _name(say: Catalogue, options: Mapping[str, Json]) -> str:
    return say("plenty.name")


def _supplies(say: Catalogue, _table: Table, seen: _Public | None) -> list[str]:
    return supply_lines(say, None if seen is None else PublicView(seen.view))


def _table(say: Catalogue, table: Table, seen: _Public, questions: Sequence[PublicQuestion]) -> PublicScreen:
    return table_screen(say, table, PublicView(seen.view), questions)


def _marks(say: Catalogue, table: Table, _seen: _Public) -> list[str]:
    found = [say.emoji(tribe_emoji(tribe_of(table, Seat(seat)))) for seat in range(len(table.players))]
    return found if all(found) else []


def _look(say: Catalogue, table: Table, seen: _Private, *, message: int | None, moves: bool) -> PrivateScreen:
    return hand_screen(say, table, PrivateView(seen.view), message=message, moves=moves)


def _bystander(say: Catalogue, table: Table, seen: _Public | _Private, *, message: int | None) -> PrivateScreen:
    view = PublicView(seen.view) if isinstance(seen, Public) else PrivateView(seen.view)
    return bystander_screen(say, table, view, message=message)


def _open_look(
    say: Catalogue, table: Table, seen: Open[PlentyCoupsView], *, message: int | None, is_out: bool
) -> PrivateScreen:
    return open_screen(say, table, OpenView(seen.view), message=message, is_out=is_out)


def _ping(say: Catalogue, mention: str, seen: _Public) -> str:
    return notices.ping(say, mention, PublicView(seen.view))


def _occasion(say: Catalogue, table: Table, seat: Seat, seen: _Public) -> str:
    return notices.occasion(say, table, seat, PublicView(seen.view))


def _ping_buttons(say: Catalogue, table: Table, seen: _Public, question: PublicQuestion) -> Sequence[Item]:
    return notices.ping_buttons(say, table, PublicView(seen.view), question)


def _restarted(say: Catalogue, table: Table, seen: _Public) -> str:
    return notices.restarted(say, table, PublicView(seen.view))


PLENTY_COUPS_SCREENS: Final = GameScreens[PlentyCoupsView](
    name=_name,
    terms=terms,
    table=_table,
    look=_look,
    bystander=_bystander,
    supplies=_supplies,
    open_look=_open_look,
    round_number=lambda seen: seen.view.round,
    rounds=ROUND_SCREENS,
    marks=_marks,
    scoring=scoring_lines,
    highlights=highlight_lines,
    notices=NoticeTexts(
        moved_for=notices.moved_for, ping=_ping, restarted=_restarted, occasion=_occasion, ping_buttons=_ping_buttons
    ),
    refusals=REFUSAL_TEXTS,
    rules=RULES_PAGES,
    replay=REPLAY_SCREENS,
    remark_slots=remark_slots,
)

"""Coyote's screens as the rest of the bot calls them: each unwraps a shared view and calls Coyote's own screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.core import Json, Seat
from bot.engine.views import Private, Public, PublicQuestion
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.view import CoyoteView, Phase
from bot.games.coyote.ui import notices
from bot.games.coyote.ui.highlights import highlight_lines
from bot.games.coyote.ui.look import bystander_screen, look_screen
from bot.games.coyote.ui.record import record_screen
from bot.games.coyote.ui.refusals import REFUSAL_TEXTS
from bot.games.coyote.ui.replay import replay_scene, round_ending
from bot.games.coyote.ui.reveal import reveal_screen
from bot.games.coyote.ui.rules_pages import RULES_PAGES
from bot.games.coyote.ui.table import table_screen
from bot.games.coyote.ui.views import PrivateView, PublicView
from bot.games.coyote.ui.words import edition, terms
from bot.host.model import Remark, Table
from bot.screens.game import GameScreens, NoticeTexts, ReplayScreens, RoundScreens
from bot.screens.layout import PrivateScreen, PublicScreen
from bot.text.catalogue import Catalogue

_Public = Public[CoyoteView]
_Private = Private[CoyoteView]


def _name(say: Catalogue, options: Mapping[str, Json]) -> str:
    return edition(say, rules_from(options))


def _terms(say: Catalogue, table: Table) -> str:
    return terms(say, rules_from(table.options), table.house)


def _table(say: Catalogue, table: Table, seen: _Public, questions: Sequence[PublicQuestion]) -> PublicScreen:
    return table_screen(say, table, PublicView(seen.view), questions)


def _look(say: Catalogue, table: Table, seen: _Private, *, message: int | None, moves: bool) -> PrivateScreen:
    return look_screen(say, table, PrivateView(seen.view), message=message, moves=moves)


def _bystander(say: Catalogue, table: Table, seen: _Public | _Private, *, message: int | None) -> PrivateScreen:
    view = PublicView(seen.view) if isinstance(seen, Public) else PrivateView(seen.view)
    return bystander_screen(say, table, view, message=message)


def _round_is_over(seen: _Public) -> bool:
    return seen.view.phase is Phase.DEAL and seen.view.last is not None


def _record(say: Catalogue, table: Table, before: _Public, after: _Public) -> PublicScreen:
    return record_screen(say, table, PublicView(before.view), after.view.last)


def _reveal(say: Catalogue, table: Table, seen: _Public, *, live: bool, remarks: Sequence[Remark]) -> PublicScreen:
    return reveal_screen(say, table, PublicView(seen.view), live=live, remarks=remarks)


def _highlights(say: Catalogue, table: Table, seen: _Public) -> list[str]:
    return highlight_lines(say, table, PublicView(seen.view))


def _ping(say: Catalogue, mention: str, seen: _Public) -> str:
    return notices.ping(say, mention, PublicView(seen.view))


def _restarted(say: Catalogue, table: Table, seen: _Public) -> str:
    return notices.restarted(say, table, PublicView(seen.view))


def _tells_leaving(seen: _Public, seat: Seat) -> bool:
    return notices.tells_leaving(PublicView(seen.view), seat)


COYOTE_SCREENS: Final = GameScreens[CoyoteView](
    name=_name,
    terms=_terms,
    table=_table,
    look=_look,
    bystander=_bystander,
    round_number=lambda seen: seen.view.number,
    rounds=RoundScreens(is_over=_round_is_over, record=_record, reveal=_reveal),
    highlights=_highlights,
    notices=NoticeTexts(moved_for=notices.moved_for, ping=_ping, restarted=_restarted, tells_leaving=_tells_leaving),
    refusals=REFUSAL_TEXTS,
    rules=RULES_PAGES,
    replay=ReplayScreens(scene=replay_scene, ending=round_ending),
)

"""Coyote's screens as the rest of the bot calls them: each unwraps a shared view and calls Coyote's own screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.core import Json, Seat
from bot.engine.views import Open, Private, Public, PublicQuestion
from bot.games.coyote.emoji_names import COIN_TAKEN
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.view import CoyoteView, Phase
from bot.games.coyote.ui import notices
from bot.games.coyote.ui.highlights import highlight_lines, highlight_words
from bot.games.coyote.ui.look import bystander_screen, look_screen, open_screen
from bot.games.coyote.ui.record import record_screen
from bot.games.coyote.ui.refusals import REFUSAL_TEXTS
from bot.games.coyote.ui.replay import replay_scene, round_ending
from bot.games.coyote.ui.reveal import reveal_screen, teaser_screen
from bot.games.coyote.ui.rules_pages import RULES_PAGES
from bot.games.coyote.ui.supplies import supply_lines
from bot.games.coyote.ui.table import table_screen
from bot.games.coyote.ui.views import OpenView, PrivateView, PublicView
from bot.games.coyote.ui.words import edition, purse, terms
from bot.host.model import Remark, Table
from bot.screens.game import GameScreens, NoticeTexts, ReplayScreens, RoundScreens
from bot.screens.layout import PrivateScreen, PublicScreen
from bot.stats.moments import Highlight
from bot.text.catalogue import Catalogue

_Public = Public[CoyoteView]
_Private = Private[CoyoteView]


def _name(say: Catalogue, options: Mapping[str, Json]) -> str:
    return edition(say, rules_from(options))


def _terms(say: Catalogue, table: Table) -> str:
    return terms(say, rules_from(table.options), table.house)


def _supplies(say: Catalogue, table: Table, seen: _Public | None) -> list[str]:
    return supply_lines(say, rules_from(table.options), None if seen is None else PublicView(seen.view))


def _table(say: Catalogue, table: Table, seen: _Public, questions: Sequence[PublicQuestion]) -> PublicScreen:
    return table_screen(say, table, PublicView(seen.view), questions)


def _look(say: Catalogue, table: Table, seen: _Private, *, message: int | None, moves: bool) -> PrivateScreen:
    return look_screen(say, table, PrivateView(seen.view), message=message, moves=moves)


def _bystander(say: Catalogue, table: Table, seen: _Public | _Private, *, message: int | None) -> PrivateScreen:
    view = PublicView(seen.view) if isinstance(seen, Public) else PrivateView(seen.view)
    return bystander_screen(say, table, view, message=message)


def _open_look(
    say: Catalogue, table: Table, seen: Open[CoyoteView], *, message: int | None, is_out: bool
) -> PrivateScreen:
    return open_screen(say, table, OpenView(seen.view), message=message, is_out=is_out)


def _round_is_over(seen: _Public) -> bool:
    return seen.view.phase is Phase.DEAL and seen.view.last is not None


def _record(say: Catalogue, table: Table, before: _Public, after: _Public) -> PublicScreen:
    return record_screen(say, table, PublicView(before.view), after.view.last)


def _reveal(say: Catalogue, table: Table, seen: _Public, *, live: bool, remarks: Sequence[Remark]) -> PublicScreen:
    return reveal_screen(say, table, PublicView(seen.view), live=live, remarks=remarks)


def _teaser(say: Catalogue, table: Table, seen: _Public, beat: int) -> PublicScreen | None:
    return teaser_screen(say, table, PublicView(seen.view), beat)


def _marks(say: Catalogue, _table: Table, seen: _Public) -> list[str]:
    shown = say.emoji(COIN_TAKEN) != ""
    return [purse(say, seen.view.rules, seat) for seat in seen.view.seats] if shown else []


def _highlights(say: Catalogue, table: Table, _seen: _Public, found: Sequence[Highlight]) -> list[str]:
    return highlight_lines(say, table, found)


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
    supplies=_supplies,
    open_look=_open_look,
    round_number=lambda seen: seen.view.number,
    rounds=RoundScreens(is_over=_round_is_over, record=_record, reveal=_reveal, teaser=_teaser),
    marks=_marks,
    highlights=_highlights,
    notices=NoticeTexts(moved_for=notices.moved_for, ping=_ping, restarted=_restarted, tells_leaving=_tells_leaving),
    refusals=REFUSAL_TEXTS,
    rules=RULES_PAGES,
    replay=ReplayScreens(scene=replay_scene, ending=round_ending, highlight=highlight_words),
)

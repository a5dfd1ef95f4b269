"""The table: one public message that shows how the match stands. Nothing on it depends on a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.views import PublicQuestion
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.buttons import answer_buttons, take_row, turn_buttons
from bot.games.plenty_coups.ui.camps import camp_lines, raid_lines
from bot.games.plenty_coups.ui.narration import news_lines
from bot.games.plenty_coups.ui.status import heading_line, offer_lines, turn_lines
from bot.games.plenty_coups.ui.views import PublicView, living_seats
from bot.host.model import Table
from bot.screens.layout import ASH, EMBER, Item, PublicScreen, box, row, rule, text
from bot.screens.table import (
    first_game_lines,
    look_button,
    more_button,
    note_lines,
    paused_lines,
    paused_row,
    votes_row,
)
from bot.text.catalogue import Catalogue

_MAX_NEWS: Final = 4
"""How many lines tell what has just happened: enough for taking, raids that come home, and two actions."""


def table_screen(
    say: Catalogue, table: Table, view: PublicView, questions: Sequence[PublicQuestion] = ()
) -> PublicScreen:
    """Show a running match, with buttons for what everybody may see of the open question."""
    paused, living = table.pause is not None, living_seats(view)
    status = paused_lines(say, table, living) if paused else turn_lines(say, table, view)
    rows = [paused_row(say, table, living)] if paused else _rows(say, table, view, questions)
    return PublicScreen(
        box(
            ASH if paused else EMBER,
            text(heading_line(say, view), *status),
            text(*[f"-# {line}" for line in news_lines(say, table, view.news, _MAX_NEWS)]),
            rule(),
            text(*camp_lines(say, table, view)),
            text(*raid_lines(say, table, view)),
            rule(),
            text(*offer_lines(say, view), *[f"-# {line}" for line in _notes(say, table, view)]),
            *rows,
            votes_row(say, table, living),
        )
    )


def _notes(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    living = living_seats(view)
    hint = first_game_lines(say, table, living) or [say("plenty.table.hint", look=say("table.button.look"))]
    return [*(hint if view.round <= 1 else []), *note_lines(say, table, living)]


def _rows(say: Catalogue, table: Table, view: PublicView, questions: Sequence[PublicQuestion]) -> list[Item | None]:
    look, more = look_button(say, table), more_button(say, table)
    question = next(iter(questions), None)
    if question is None:
        return [row(look, more)]
    match view.phase:
        case Phase.GIFT | Phase.DISDAIN:
            return [row(*answer_buttons(say, table, view, question)), row(look, more)]
        case _:
            return [take_row(say, table, view, question), row(look, *turn_buttons(say, table, view, question), more)]

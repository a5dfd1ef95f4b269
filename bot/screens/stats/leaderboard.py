"""`/leaderboard`: one page of people in order, and the asker's own line."""

from __future__ import annotations

from typing import Final, TypeVar

from discord import ui

from bot.host.model import UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import GOLD, Screen, box, option, pick, press, row, rule, text
from bot.screens.names import mention
from bot.screens.stats.paging import pager
from bot.screens.stats.queries import OfAll, Scope
from bot.screens.stats.scopes import FIRST_PAGE, Offer, scope_line, scope_rows
from bot.screens.stats.words import ranking_about, ranking_name, score
from bot.screens.words import DOT
from bot.stats.figures import figures_of
from bot.stats.model import Line, Page
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def leaderboard_screen(
    kind: type[S], say: Catalogue, page: Page, offer: Offer, asker: UserId, *, hidden: bool = False
) -> S:
    """Show a page. `hidden`: the asker opted out of statistics, so nothing is said about them."""
    asked = OfAll(page.by, Scope.of(page.board))
    lines = [_line(say, page, line) for line in page.lines]
    scope = scope_line(say, asked.scope)
    if page.ranked:
        scope += f"{DOT}{say('board.ranked', count=page.ranked)}"
    return kind(
        box(
            GOLD,
            text(say("board.title", what=ranking_name(say, asked.by)), scope),
            text(*lines) if lines else text(say("board.empty", count=page.minimum)),
            rule(),
            text(*_own(say, page, asker, hidden=hidden)),
            row(_ranking_select(say, asked)),
            *scope_rows(say, Verb.BOARD, offer, asked.scope, lambda scope: str(asked.within(scope))),
            pager(say, Verb.BOARD, str(asked), page.number, page.pages),
        )
    )


def _line(say: Catalogue, page: Page, line: Line) -> str:
    rank = line.rank or 0
    medal = _MEDALS.get(rank, "")
    written = say("board.line", rank=rank, mention=mention(line.user), score=_score(say, page, line))
    return f"{medal} {written}" if medal else written


def _score(say: Catalogue, page: Page, line: Line) -> str:
    return score(say, page.board.game, page.by, line.totals)


def _own(say: Catalogue, page: Page, asker: UserId, *, hidden: bool) -> list[str]:
    """Say where the asker stands; always, even if their line is on this page."""
    own, name = page.own, mention(asker)
    if hidden:
        return []
    if own is None:
        return [f"-# {say('board.own_none', mention=name)}"]
    if own.rank is None:
        missing = max(1, page.minimum - own.totals.games)
        return [f"-# {say('board.own_unranked', mention=name, score=_score(say, page, own), count=missing)}"]
    ordinal = say.ordinal(own.rank)
    return [say("board.own", mention=name, ordinal=ordinal, ranked=page.ranked, score=_score(say, page, own))]


def _ranking_select(say: Catalogue, asked: OfAll) -> ui.Select[ui.LayoutView]:
    options = [
        option(
            ranking_name(say, by),
            str(asked._replace(by=by)),
            ranking_about(say, by),
            chosen=by == asked.by,
        )
        for by in figures_of(asked.scope.game_name).rankings
    ]
    return pick(say("board.pick_by"), CustomId(Verb.BOARD, prompt=FIRST_PAGE, argument="by"), options)


def board_button(say: Catalogue, asked: OfAll = OfAll()) -> ui.Button[ui.LayoutView]:  # noqa: B008 - immutable
    """Make the button that opens a leaderboard, as a private message of its own."""
    return press(say("board.button.open"), CustomId(Verb.BOARD, argument=str(asked)), emoji="🏆")

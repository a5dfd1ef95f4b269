"""`/leaderboard`: one page of people in order, and the asker's own line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from discord import ui

from bot.host.model import UserId
from bot.pictures.charts import Ranked, draw_board
from bot.pictures.picture import Picture
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import GOLD, Screen, box, gallery, option, pick, press, row, rule, text
from bot.screens.names import mention
from bot.screens.stats.paging import pager
from bot.screens.stats.queries import LeaderboardQuery, Scope
from bot.screens.stats.scopes import FIRST_PAGE, Offer, scope_line, scope_rows
from bot.screens.stats.words import ranking_about, ranking_name, score
from bot.screens.words import DOT
from bot.stats.figures import RATING, figures_of
from bot.stats.model import Line, Page
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def leaderboard_screen(
    kind: type[S],
    say: Catalogue,
    page: Page,
    offer: Offer,
    asker: UserId,
    *,
    hidden: bool = False,
    picture: Picture | None = None,
) -> S:
    """Show a page. `hidden`: the asker opted out of statistics, so nothing is said about them."""
    asked = LeaderboardQuery(page.by, Scope.of(page.board))
    lines = [_line(say, page, line) for line in page.lines]
    scope = scope_line(say, asked.scope)
    if page.ranked:
        scope += f"{DOT}{say('board.ranked', count=page.ranked)}"
    return kind(
        box(
            GOLD,
            text(say("board.title", what=ranking_name(say, page.board.game, asked.by)), scope),
            None if picture is None else gallery(picture.name, picture.description),
            text(*lines) if lines else text(say("board.empty", count=page.minimum)),
            rule(),
            text(*_own(say, page, asker, hidden=hidden)),
            row(_ranking_select(say, asked)),
            *scope_rows(say, Verb.BOARD, offer, asked.scope, lambda scope: str(asked.within(scope))),
            pager(say, Verb.BOARD, str(asked), page.number, page.pages),
        )
    )


def drawn_board(
    say: Catalogue, page: Page, names: Callable[[UserId], str | None], asker: UserId | None
) -> Callable[[], Picture] | None:
    """Return what draws the first places; None on later pages, and if nobody on this one can be named."""
    lines = page.lines
    if page.number > 1 or not lines or all(names(line.user) is None for line in lines):
        return None
    scores = [line.totals.score(page.by) for line in lines]
    # Ratings differ by little compared with what they are, so their bars begin below the lowest.
    lowest = min(scores) - max(50, (max(scores) - min(scores)) // 3) if page.by == RATING else 0
    ranked = [
        Ranked(
            line.rank or 0,
            names(line.user),
            _score(say, page, line).replace("*", ""),
            (value - lowest) / max(1, max(scores) - lowest),
            own=line.user == asker,
        )
        for line, value in zip(lines, scores, strict=True)
    ]
    title = ranking_name(say, page.board.game, page.by)
    return lambda: draw_board(say, title, ranked)


def _line(say: Catalogue, page: Page, line: Line) -> str:
    rank = line.rank or 0
    medal = _MEDALS.get(rank, "")
    written = say("board.line", rank=rank, mention=mention(say, line.user), score=_score(say, page, line))
    return f"{medal} {written}" if medal else written


def _score(say: Catalogue, page: Page, line: Line) -> str:
    return score(say, page.board.game, page.by, line.totals)


def _own(say: Catalogue, page: Page, asker: UserId, *, hidden: bool) -> list[str]:
    """Say where the asker stands; always, even if their line is on this page."""
    own, name = page.own, mention(say, asker)
    if hidden:
        return []
    if own is None:
        return [f"-# {say('board.own_none', mention=name)}"]
    if own.rank is None:
        missing = max(1, page.minimum - own.totals.games)
        return [f"-# {say('board.own_unranked', mention=name, score=_score(say, page, own), count=missing)}"]
    ordinal = say.ordinal(own.rank, "place")
    return [say("board.own", mention=name, ordinal=ordinal, ranked=page.ranked, score=_score(say, page, own))]


def _ranking_select(say: Catalogue, asked: LeaderboardQuery) -> ui.Select[ui.LayoutView]:
    game = asked.scope.game_name
    options = [
        option(
            ranking_name(say, game, by),
            str(asked._replace(by=by)),
            ranking_about(say, game, by),
            chosen=by == asked.by,
        )
        for by in figures_of(game).rankings
    ]
    return pick(say("board.pick_by"), CustomId(Verb.BOARD, prompt=FIRST_PAGE, argument="by"), options)


def board_button(say: Catalogue, asked: LeaderboardQuery = LeaderboardQuery()) -> ui.Button[ui.LayoutView]:  # noqa: B008 - immutable
    """Make the button that opens a leaderboard, as a private message of its own."""
    return press(say("board.button.open"), CustomId(Verb.BOARD, argument=str(asked)), emoji="🏆")

"""`/leaderboard`: one page of people in order, and the line of whoever asks."""

from __future__ import annotations

from typing import Final, TypeVar

from discord import ui

from bot.host.model import UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import GOLD, Screen, box, option, pick, press, row, rule, text
from bot.screens.names import mention
from bot.screens.stats.paging import pager
from bot.screens.stats.queries import OfAll, Scope
from bot.screens.stats.scopes import FIRST_PAGE, Offer, edition_name, period_name, scope_rows
from bot.screens.words import DOT
from bot.stats.model import By, Line, Page, Totals
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def leaderboard_screen(
    kind: type[S], say: Catalogue, page: Page, offer: Offer, asker: UserId, *, hidden: bool = False
) -> S:
    """Show a page. `hidden`: whoever asks keeps out of statistics, which is nobody's business but theirs."""
    asked = OfAll(page.by, Scope.of(page.board))
    lines = [_line(say, asked.by, line) for line in page.lines]
    scope = f"-# {edition_name(say, asked.scope.edition)}{DOT}{period_name(say, asked.scope.period)}"
    if page.ranked:
        scope += f"{DOT}{say('board.ranked', count=page.ranked)}"
    return kind(
        box(
            GOLD,
            text(say("board.title", what=say(f"board.by.{asked.by.value}")), scope),
            text(*lines) if lines else text(say("board.empty", count=page.minimum)),
            rule(),
            text(*_own(say, page, asked.by, asker, hidden=hidden)),
            row(_orders(say, asked)),
            *scope_rows(say, Verb.BOARD, offer, asked.scope, lambda scope: str(asked.within(scope))),
            pager(say, Verb.BOARD, str(asked), page.number, page.pages),
        )
    )


def _line(say: Catalogue, by: By, line: Line) -> str:
    rank = line.rank or 0
    medal = _MEDALS.get(rank, "")
    told = say("board.line", rank=rank, mention=mention(line.user), score=score(say, by, line.totals))
    return f"{medal} {told}" if medal else told


def score(say: Catalogue, by: By, totals: Totals) -> str:
    """Say what somebody stands there for, and what it rests on."""
    games = say("board.in_games", count=totals.games)
    match by:
        case By.RATING:
            return say("board.score.rating", rating=totals.rating, games=games)
        case By.WINS:
            return say("board.score.wins", count=totals.wins, games=games)
        case By.WIN_RATE:
            return say("board.score.win_rate", percent=say.percent(totals.win_rate), games=games)
        case By.CALLS_RIGHT:
            return say("board.score.calls_right", count=totals.calls_right, calls=totals.calls)
        case By.EXACT_HITS:
            return say("board.score.exact", count=totals.exact, games=games)
        case By.COINS_DEALT:
            return say("board.score.dealt", count=totals.dealt, games=games)
        case By.LONGEST_RUN:
            return say("board.score.best_run", count=totals.best_run, games=games)
        case By.GAMES:
            return say("board.score.games", count=totals.games)


def _own(say: Catalogue, page: Page, by: By, asker: UserId, *, hidden: bool) -> list[str]:
    """Say where whoever asks stands; always, even if their line is on this page."""
    own, name = page.own, mention(asker)
    if hidden:
        return []
    if own is None:
        return [f"-# {say('board.own_none', mention=name)}"]
    if own.rank is None:
        missing = max(1, page.minimum - own.totals.games)
        return [f"-# {say('board.own_unranked', mention=name, score=score(say, by, own.totals), count=missing)}"]
    ordinal = say.ordinal(own.rank)
    return [say("board.own", mention=name, ordinal=ordinal, ranked=page.ranked, score=score(say, by, own.totals))]


def _orders(say: Catalogue, asked: OfAll) -> ui.Select[ui.LayoutView]:
    options = [
        option(
            say(f"board.by.{by.value}"),
            str(asked._replace(by=by)),
            say(f"board.about.{by.value}"),
            chosen=by is asked.by,
        )
        for by in By
    ]
    return pick(say("board.pick_by"), CustomId(Verb.BOARD, prompt=FIRST_PAGE, argument="by"), options)


def board_button(say: Catalogue, asked: OfAll = OfAll()) -> ui.Button[ui.LayoutView]:  # noqa: B008 - immutable
    """Make the button that opens a leaderboard, as a private message of its own."""
    return press(say("board.button.open"), CustomId(Verb.BOARD, argument=str(asked)), emoji="🏆")

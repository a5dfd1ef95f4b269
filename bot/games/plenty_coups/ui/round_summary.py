"""The message after a round: what came home, coups, prestige and herds; and what changes when winter comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.views import Public
from bot.games.plenty_coups.rules.view import PlentyCoupsView, RoundSummary, TribeRound
from bot.games.plenty_coups.ui.narration import news_lines
from bot.games.plenty_coups.ui.words import heading, player
from bot.host.model import Remark, Table
from bot.screens.game import RoundScreens
from bot.screens.layout import ASH, EMBER, PublicScreen, box, rule, text
from bot.screens.words import DOT, signed
from bot.text.catalogue import Catalogue

_MOST_RECORDED: Final = 4
"""How many lines of news stay in the record of a round."""


def _is_never_between(_seen: Public[PlentyCoupsView]) -> bool:
    """Return False: the next round begins at once, so the summary is never the table message."""
    return False


def record_screen(
    say: Catalogue, table: Table, _before: Public[PlentyCoupsView], after: Public[PlentyCoupsView]
) -> PublicScreen:
    """Show what the table message becomes: the last things that happened in the round."""
    title = say("plenty.round.record", number=_summary(after.view).round)
    return PublicScreen(box(ASH, text(title, *news_lines(say, table, after.view.news, _MOST_RECORDED))))


def summary_screen(
    say: Catalogue, table: Table, seen: Public[PlentyCoupsView], *, live: bool, remarks: Sequence[Remark]
) -> PublicScreen:
    """Sum up the last round. AIs say nothing about it: they keep their hands, which a remark could give away."""
    view = seen.view
    summary = _summary(view)
    winter = summary.round == view.options.rounds
    return PublicScreen(
        box(
            EMBER if winter else ASH,
            text(say("plenty.round.title", number=summary.round)),
            text(*[_tribe(say, table, each) for each in summary.tribes]),
            rule(),
            text(*_what_follows(say, view, summary.round + 1)),
        )
    )


def _summary(view: PlentyCoupsView) -> RoundSummary:
    if view.last_round is None:
        raise ValueError("no round has ended yet")
    return view.last_round


def _tribe(say: Catalogue, table: Table, done: TribeRound) -> str:
    parts = [_horses(say, done), _prestige(say, done)]
    parts += [say("plenty.round.raids_home", count=done.raids_home)] if done.raids_home else []
    parts += [_repelled(say, table, done)] if done.raids_repelled else []
    parts += [say("plenty.round.coups", count=done.coups)] if done.coups else []
    return say("plenty.round.tribe", heading=heading(say, table, done.tribe), parts=DOT.join(parts))


def _repelled(say: Catalogue, table: Table, done: TribeRound) -> str:
    """Say whose raid a tribe drove away: there is at most one in its turn."""
    if done.repelled is None:
        return say("plenty.round.raids_repelled", count=done.raids_repelled)
    return say("plenty.round.repelled", name=player(say, table, done.repelled))


def _horses(say: Catalogue, done: TribeRound) -> str:
    change = done.horses - done.horses_before
    if not change:
        return say("plenty.round.horses", count=done.horses)
    return say("plenty.round.horses_changed", count=done.horses, change=signed(change))


def _prestige(say: Catalogue, done: TribeRound) -> str:
    change = done.prestige - done.prestige_before
    if not change:
        return say("plenty.round.prestige", prestige=done.prestige)
    return say("plenty.round.prestige_changed", prestige=done.prestige, change=signed(change))


def _what_follows(say: Catalogue, view: PlentyCoupsView, number: int) -> list[str]:
    """Say which round comes next, and what is different in it; nothing after the last one."""
    options = view.options
    if number > options.last_round:
        return []
    if number <= options.rounds:
        key = "last_before_winter" if number == options.rounds else "next"
        return [f"-# {say(f'plenty.round.{key}', number=number, last=options.last_round)}"]
    if number == options.rounds + 1:
        return [say("plenty.round.winter"), *([] if options.winter_hunting else [say("plenty.round.no_hunting")])]
    return [say("plenty.round.last" if number == options.last_round else "plenty.round.deep_winter")]


ROUND_SCREENS: Final = RoundScreens[PlentyCoupsView](
    is_over=_is_never_between, record=record_screen, reveal=summary_screen
)

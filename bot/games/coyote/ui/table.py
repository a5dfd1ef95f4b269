"""The table: one public message that shows how the match stands and takes every move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.engine.core import Seat
from bot.engine.views import PublicQuestion
from bot.games.coyote.rules.view import Duty, Phase
from bot.games.coyote.ui.buttons import bet_row, play_rows
from bot.games.coyote.ui.ladder import ladder
from bot.games.coyote.ui.seats import seat_lines
from bot.games.coyote.ui.status import force_lines, heading, next_round_line
from bot.games.coyote.ui.views import PublicView, living_seats
from bot.host.model import Table
from bot.screens.guessing import guess_row, reveal_lines
from bot.screens.layout import ASH, EMBER, Item, PublicScreen, box, row, rule, text
from bot.screens.names import safe_name
from bot.screens.reasons import reasons_button
from bot.screens.table import (
    clock_lines,
    look_button,
    more_button,
    next_round_buttons,
    paused_lines,
    paused_row,
    votes_row,
)
from bot.screens.words import DOT, mover, number, who
from bot.text.catalogue import Catalogue

_DUTY_KEYS: Final = {
    Duty.RAISE: "table.duty.raise",
    Duty.AGAIN: "table.duty.again",
    Duty.OTHER: "table.duty.another",
    Duty.ANSWER: "table.duty.answer",
    Duty.ANNOUNCED: "table.duty.announced",
    Duty.CHOOSE: "table.duty.choose",
}


def table_screen(
    say: Catalogue, table: Table, view: PublicView, questions: Sequence[PublicQuestion] = ()
) -> PublicScreen:
    """Show a running match, with buttons for the open questions."""
    paused = table.pause is not None
    living = living_seats(view)
    return PublicScreen(
        box(
            ASH if paused else EMBER,
            text(heading(say, view), *_status(say, table, view)),
            rule(),
            text(*seat_lines(say, table, view)),
            text(*[f"-# {line}" for line in force_lines(say, table, view)]),
            rule(),
            *(
                [paused_row(say, table, living, _asides(say, table, view))]
                if paused
                else _rows(say, table, view, questions)
            ),
            votes_row(say, table, living),
        )
    )


def _asides(say: Catalogue, table: Table, view: PublicView) -> ui.Button[Any] | None:
    """Make the button for what the AIs thought, while the round that they explain is the last one dealt."""
    if view.phase is not Phase.DEAL or not any(remark.is_aside for remark in table.explained):
        return None
    return reasons_button(say, table)


def _status(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Say what the table waits for."""
    if table.pause is not None:
        return paused_lines(say, table, living_seats(view))
    match view.phase:
        case Phase.BETS if view.caller is not None and view.bidder is not None:
            waiting = DOT.join(who(say, table, seat) for seat in view.bettors)
            return [
                say(
                    "table.bets.title",
                    caller=mover(say, table, view.caller),
                    bidder=mover(say, table, view.bidder),
                    bid=number(view.bid or 0),
                ),
                say("table.bets.about"),
                DOT.join([say("table.bets.waiting", mentions=waiting), *clock_lines(say, table)]),
            ]
        case Phase.CALLED if view.caller is not None and view.bidder is not None:
            return [
                say(
                    "table.bets.title",
                    caller=mover(say, table, view.caller),
                    bidder=mover(say, table, view.bidder),
                    bid=number(view.bid or 0),
                ),
                *reveal_lines(say, table),
            ]
        case Phase.DEAL:
            return [say("table.between.title"), next_round_line(say, table, view)]
        case _ if view.turn is not None:
            return _turn(say, table, view, view.turn)
        case _:
            return []


def _turn(say: Catalogue, table: Table, view: PublicView, turn: Seat) -> list[str]:
    name = who(say, table, turn)
    ai = table.players[turn].acting_ai
    clock = clock_lines(say, table) if ai is None else [say("ai_players.table.thinking", name=safe_name(ai.name))]
    title = say("table.turn", mention=name)
    if view.bid is None or view.bidder is None:
        lowest = view.rules.min_bid
        opening = say("table.open") if lowest is None else say("table.open_from", lowest=number(lowest))
        owed = [say("table.duty.bid", mention=name)] if view.duty is Duty.RAISE else _duty(say, table, view, turn)
        return [title, DOT.join([opening, *clock]), *owed]
    bids = ladder(say, table, view.ladder)
    duty = _duty(say, table, view, turn)
    if view.duty is Duty.OTHER:
        return [title, DOT.join([*duty, *clock]), bids]
    beat = say("table.beat", bid=number(view.bid), bidder=mover(say, table, view.bidder))
    return [title, DOT.join([beat, *clock]), *duty, bids]


def _duty(say: Catalogue, table: Table, view: PublicView, turn: Seat) -> list[str]:
    slots = {"mention": who(say, table, turn), "bid": number(view.bid or 0), "announced": _announced(say, table, view)}
    if view.duty is not None:
        return [say(_DUTY_KEYS[view.duty], **slots)]
    return [say("table.duty.own", **slots)] if view.bidder == turn else []


def _announced(say: Catalogue, table: Table, view: PublicView) -> str:
    """List what the player in turn has announced for the bid that they must make now."""
    return say.listing(
        [
            say(f"table.announced.{plus}", target="" if target is None else who(say, table, target))
            for plus, target in view.collected
        ]
    )


def _rows(say: Catalogue, table: Table, view: PublicView, questions: Sequence[PublicQuestion]) -> list[Item | None]:
    look, more = look_button(say, table), more_button(say, table)
    match view.phase:
        case Phase.BETS if questions:
            return [bet_row(say, table, view, questions[0].id), row(look, more)]
        case Phase.BIDDING if questions:
            return play_rows(say, table, view, questions[0], look, more)
        case Phase.CALLED if view.caller is not None and view.bidder is not None:
            return [guess_row(say, table, (view.bidder, view.caller)), row(look, more)]
        case Phase.DEAL:
            return [row(*next_round_buttons(say, table, living_seats(view)), _asides(say, table, view), more)]
        case _:
            return [row(look, more)]

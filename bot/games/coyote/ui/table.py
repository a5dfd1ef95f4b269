"""The table: one public message that shows how the game stands and takes every move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.engine.core import DEALER, Prompt, Seat
from bot.games.coyote.rules.view import Duty, Phase
from bot.games.coyote.ui.buttons import bet_row, look_button, more_button, next_buttons, play_rows
from bot.games.coyote.ui.seats import out_votes, pause_vote, seat_lines
from bot.games.coyote.ui.standing import between, in_force, ladder, over_line
from bot.host.model import Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, EMBER, Item, PublicScreen, box, press, row, rule, text
from bot.screens.names import mention, safe_name
from bot.screens.views import PublicView
from bot.screens.words import DOT, ago, called, countdown, number, who
from bot.text.catalogue import Catalogue

_DUTIES: Final = {
    Duty.RAISE: "table.duty.raise",
    Duty.AGAIN: "table.duty.again",
    Duty.OTHER: "table.duty.another",
    Duty.ANSWER: "table.duty.answer",
}


def table_screen(say: Catalogue, table: Table, view: PublicView, questions: Sequence[Prompt] = ()) -> PublicScreen:
    """Show a running game. `questions` are the game's open prompts, which are public in Coyote."""
    asked = [question for question in questions if question.seat != DEALER]
    still = table.pause is not None
    return PublicScreen(
        box(
            ASH if still else EMBER,
            text(over_line(say, view), *_status(say, table, view)),
            rule(),
            text(*seat_lines(say, table, view)),
            text(*[f"-# {line}" for line in in_force(say, table, view)]),
            rule(),
            *(_still_rows(say, table, view) if still else _rows(say, table, view, asked)),
            _away_row(say, table, view),
        )
    )


def _status(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    if table.pause is not None:
        return _paused(say, table, view)
    match view.phase:
        case Phase.BETS if view.caller is not None and view.bidder is not None:
            waiting = DOT.join(who(table, seat) for seat in view.bettors)
            return [
                say(
                    "table.bets.title",
                    caller=who(table, view.caller),
                    bidder=who(table, view.bidder),
                    bid=number(view.bid or 0),
                ),
                say("table.bets.about"),
                DOT.join([say("table.bets.waiting", mentions=waiting), *_clock(say, table)]),
            ]
        case Phase.DEAL:
            return [say("table.between.title"), *between(say, table, view)]
        case _ if view.turn is not None:
            return _turn(say, table, view, view.turn)
        case _:
            return []


def _turn(say: Catalogue, table: Table, view: PublicView, turn: Seat) -> list[str]:
    name = who(table, turn)
    mind = table.players[turn].acting_ai
    clock = _clock(say, table) if mind is None else [say("company.table.thinking", name=safe_name(mind.name))]
    title = say("table.turn", mention=name)
    if view.bid is None or view.bidder is None:
        lowest = view.rules.min_bid
        opening = (
            say("table.open", mention=name)
            if lowest is None
            else say("table.open_from", mention=name, lowest=number(lowest))
        )
        owed = [say("table.duty.bid", mention=name)] if view.duty is not None else []
        return [title, DOT.join([opening, *clock]), *owed]
    rungs = ladder(say, table, view.ladder)
    duty = _duty(say, table, view, turn)
    if view.duty is Duty.OTHER:
        return [title, DOT.join([*duty, *clock]), rungs]
    beat = say("table.beat", bid=number(view.bid), bidder=who(table, view.bidder))
    return [title, DOT.join([beat, *clock]), *duty, rungs]


def _duty(say: Catalogue, table: Table, view: PublicView, turn: Seat) -> list[str]:
    slots = {"mention": who(table, turn), "bid": number(view.bid or 0)}
    if view.duty is not None:
        return [say(_DUTIES[view.duty], **slots)]
    return [say("table.duty.own", **slots)] if view.bidder == turn else []


def _clock(say: Catalogue, table: Table) -> list[str]:
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    return [say("table.clock", time=countdown(min(due)))] if due else []


def _paused(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    pause = table.pause
    if pause is None or pause.asked_by is None or table.is_suspended:
        return [say("table.paused.title"), say("table.paused.unreachable")]
    vote = pause_vote(table, view)
    told = say("table.paused.since", mention=mention(pause.asked_by), time=ago(pause.since))
    agreed = say("table.paused.go_on", count=len(vote.votes), needed=vote.needed) if vote.votes else None
    return [say("table.paused.title"), told, *([agreed] if agreed else [])]


def _rows(say: Catalogue, table: Table, view: PublicView, asked: list[Prompt]) -> list[Item | None]:
    match view.phase:
        case Phase.BETS if asked:
            return [bet_row(say, table, view, asked[0].id), row(look_button(say, table), more_button(say, table))]
        case Phase.BIDDING if asked:
            return play_rows(say, table, view, asked[0], look_button(say, table), more_button(say, table))
        case Phase.DEAL:
            return [row(*next_buttons(say, table, view), more_button(say, table))]
        case _:
            return [row(look_button(say, table), more_button(say, table))]


def _still_rows(say: Catalogue, table: Table, view: PublicView) -> list[Item | None]:
    vote = pause_vote(table, view)
    label = say("table.button.go_on", count=len(vote.votes), needed=vote.needed)
    agreed = table.pause is not None and not table.is_suspended
    go_on = press(label, CustomId(Verb.PAUSE, table.id), ButtonStyle.primary) if agreed else None
    return [row(go_on, look_button(say, table), more_button(say, table))]


def _away_row(say: Catalogue, table: Table, view: PublicView) -> ui.ActionRow[Any] | None:
    away = out_votes(table, view)
    if not away or table.stage is not Stage.PLAYING:
        return None
    votes = [
        press(
            say("table.button.vote", name=called(table, seat), count=len(vote.votes), needed=vote.needed),
            CustomId(Verb.VOTE, table.id, argument=str(table.players[seat].user)),
        )
        for seat, vote in away[:4]
    ]
    return row(press(say("table.button.back"), CustomId(Verb.BACK, table.id), ButtonStyle.success), *votes)

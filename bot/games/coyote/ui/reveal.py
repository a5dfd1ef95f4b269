"""The reveal: all feathers, the arithmetic in words, who was wrong, who pays, who opens. A new public message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.arithmetic import explain_count
from bot.games.coyote.ui.views import PublicView, living_seats
from bot.games.coyote.ui.words import feather, feathers, purse, with_signs
from bot.host.model import Remark, Table
from bot.screens.layout import ASH, EMBER, PublicScreen, box, row, rule, text
from bot.screens.reasons import reasons_button
from bot.screens.remarks import remark_line
from bot.screens.table import more_button, next_round_buttons
from bot.screens.words import DOT, countdown, mover, number, who
from bot.text.catalogue import Catalogue


class RevealLines(NamedTuple):
    """How a round ended, in lines."""

    title: str
    feathers: list[str]
    consequences: list[str]
    """What the feathers count, who was wrong and who pays."""


def reveal_screen(
    say: Catalogue, table: Table, view: PublicView, *, live: bool = True, remarks: Sequence[Remark] = ()
) -> PublicScreen:
    """Show how the last round ended; `view` is what a bystander sees after it.

    `live` says that the next round has not been dealt yet. `remarks` are what the AIs say about their moves; those of
    AIs whom the end was not about stand behind a button.
    """
    result = _result(view)
    going_on = live and view.phase is Phase.DEAL
    lines = reveal_lines(say, table, view)
    asides = reasons_button(say, table) if any(remark.is_aside for remark in remarks) else None
    buttons = [*next_round_buttons(say, table, living_seats(view)), asides, more_button(say, table)]
    return PublicScreen(
        box(
            EMBER if result.ending is Ending.SHOWDOWN else ASH,
            text(lines.title),
            text(*lines.feathers),
            rule(),
            text(*lines.consequences),
            text(*[remark_line(say, table, remark) for remark in remarks if not remark.is_aside]),
            text(*[f"-# {line}" for line in _what_follows(say, table, view, result, going_on=going_on)]),
            row(*buttons) if going_on and table.pause is None else None,
        )
    )


def teaser_screen(say: Catalogue, table: Table, view: PublicView, beat: int) -> PublicScreen | None:
    """Show the feathers (beat 1), then also what they count (beat 2); only a call is worth waiting for."""
    result = _result(view)
    if result.ending is not Ending.SHOWDOWN or result.counted is None:
        return None
    lines = reveal_lines(say, table, view)
    sum_ = [explain_count(say, result.counted)] if beat > 1 else []
    return PublicScreen(box(EMBER, text(lines.title), text(*lines.feathers), rule(), text(*sum_, "…")))


def reveal_lines(say: Catalogue, table: Table, view: PublicView) -> RevealLines:
    """Say how the last round ended; reveals and replays show it."""
    result = _result(view)
    consequences = [
        *_verdict(say, table, view, result),
        *_penalty(say, table, view, result),
        *_bets(say, table, result),
    ]
    return RevealLines(_title(say, table, result), _feathers(say, table, result), consequences)


def _result(view: PublicView) -> Result:
    if view.last is None:
        raise ValueError("no round has ended yet")
    return view.last


def _title(say: Catalogue, table: Table, result: Result) -> str:
    match result.ending:
        case Ending.SHOWDOWN if result.caller is not None and result.bidder is not None:
            caller, bidder = mover(say, table, result.caller), mover(say, table, result.bidder)
            return say("reveal.called", caller=caller, bidder=bidder, bid=number(result.bid or 0))
        case Ending.GUESS if result.loser is not None:
            slots = {"mention": mover(say, table, result.loser)}
            if result.named is None:  # saved by an older version
                return say("reveal.guess_bare", **slots)
            return say("reveal.guess", guess=feather(say, result.named), **slots)
        case Ending.LEFT if result.eliminated is not None:
            return say("reveal.left", mention=who(say, table, result.eliminated))
        case _:
            return say("reveal.void")


def _feathers(say: Catalogue, table: Table, result: Result) -> list[str]:
    spread = result.cards
    lines = []
    for index, worn in enumerate(spread.worn):
        if worn:
            extras = [
                say(key, cards=feathers(say, cards[index]))
                for key, cards in (("reveal.open", spread.opened), ("reveal.covered", spread.covered))
                if cards[index]
            ]
            behind = "".join(f"{DOT}{extra}" for extra in extras)
            name = who(say, table, Seat(index))
            lines.append(say("reveal.wore", mention=name, cards=feathers(say, worn), extras=behind))
    middle = []
    if spread.centre is not None:
        middle.append(say("reveal.centre", card=feather(say, spread.centre)))
    if spread.beside is not None:
        middle.append(say("reveal.beside", card=feather(say, spread.beside)))
    return [*lines, DOT.join(middle)]


def _verdict(say: Catalogue, table: Table, view: PublicView, result: Result) -> list[str]:
    match result.ending:
        case Ending.SHOWDOWN if result.counted is not None and result.bidder is not None and result.bid is not None:
            total = result.counted.total
            key = "reveal.exact" if total == result.bid else "reveal.held" if total > result.bid else "reveal.too_high"
            slots = {"total": number(total), "bid": number(result.bid), "bidder": who(say, table, result.bidder)}
            return [explain_count(say, result.counted), say(key, **slots)]
        case Ending.GUESS:
            return [say("reveal.guess_wrong")]
        case Ending.VOID:
            return [say("reveal.void_why")]
        case _:
            return [say("reveal.left_why")]


def _penalty(say: Catalogue, table: Table, view: PublicView, result: Result) -> list[str]:
    if result.loser is None:
        return []
    seat = view.seats[result.loser]
    out = result.eliminated == result.loser
    slots = {"mention": who(say, table, result.loser), "purse": purse(say, view.rules, seat)}
    if view.rules.has_eyes:
        return [say("reveal.eye_out" if out else "reveal.eye", **slots)]
    if result.penalty > 1:
        return [say("reveal.coins_out" if out else "reveal.coins", count=result.penalty, **slots)]
    return [
        say("reveal.coin_out", ordinal=say.ordinal(seat.tokens, "coin"), **slots)
        if out
        else say("reveal.coin", **slots)
    ]


def _bets(say: Catalogue, table: Table, result: Result) -> list[str]:
    lines = []
    for key, right in (("reveal.bets_right", True), ("reveal.bets_wrong", False)):
        bettors = [who(say, table, bet.seat) for bet in result.bets if bet.right is right]
        if bettors:
            lines.append(say(key, mentions=say.listing(bettors)))
    for key, turned in (("reveal.opened", result.opened), ("reveal.closed", result.closed)):
        if turned:
            lines.append(with_signs(say, say(key, mentions=say.listing([who(say, table, seat) for seat in turned]))))
    return lines


def _what_follows(say: Catalogue, table: Table, view: PublicView, result: Result, *, going_on: bool) -> list[str]:
    if view.phase is Phase.OVER:
        return []
    lines = []
    if result.night:
        lines.append(say("reveal.night"))
    elif view.rules.shuffles_each_round:
        lines.append(say("reveal.peek_shuffle"))
    if result.loser is not None and "coyote_card" in view.rules.tricks:
        out = result.eliminated == result.loser
        lines.append(say("reveal.no_holder") if out else say("reveal.holder", mention=who(say, table, result.loser)))
    opens = _who_opens(say, table, view, result)
    if going_on and table.pause is not None:
        opens = say("reveal.paused", next=opens)
    elif going_on and table.next_deal is not None:
        opens = say("reveal.deal", next=opens, time=countdown(table.next_deal))
    return [*lines, opens]


def _who_opens(say: Catalogue, table: Table, view: PublicView, result: Result) -> str:
    """Say who opens the next round, and why, if the rules let somebody open for being right or wrong."""
    starter, following = result.next_starter, result.number + 1
    if starter is None:
        return say("reveal.next_chance", number=following)
    lost, wanted = starter == result.loser, view.rules.next_starter == "loser"
    if result.ending is not Ending.SHOWDOWN or lost is not wanted or starter not in (result.caller, result.bidder):
        key = "reveal.next"  # somebody opens in the place of a player who is out
    else:
        key = "reveal.next_wrong" if lost else "reveal.next_right"
    return say(key, mention=who(say, table, starter), number=following)

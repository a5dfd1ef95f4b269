"""Reads from the question what the player in turn may do: quick bids, and the edition's special actions.

All of it comes from the question and the public bids. No choice in Coyote depends on a hidden card, so everybody may
see the same buttons.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from discord import SelectOption

from bot.engine.core import Choice, Prompt, Seat
from bot.games.coyote.emoji_names import coin_emoji
from bot.games.coyote.rules.actions import Announce, Approve, Bid, Flip, Peek, Redo, Turnabout, UseCoyote, Withdraw
from bot.games.coyote.rules.view import CoyoteView, Duty
from bot.games.coyote.ui.acts import Act
from bot.games.coyote.ui.views import Question
from bot.host.model import Table
from bot.screens.layout import MOST_OPTIONS, option
from bot.screens.words import number, seat_label
from bot.text.catalogue import Catalogue

_RAISES: Final = (0, 1, 4, 9)
"""Quick raises, counted from the lowest number that beats the bid."""
_REPLACEMENTS: Final = (-2, -1, 1, 5)
"""Quick bids in place of a refused number, relative to it."""
_OPENINGS: Final = (1, 5, 10, 15)
"""Quick opening bids."""
_SIMPLE_ACTS: Final[dict[Any, tuple[str, str]]] = {
    Approve: ("approve", "act.approve"),
    Turnabout: ("reverse", "act.reverse"),
    Redo: ("redo", "act.redo"),
    Peek: ("peek", "act.peek"),
    UseCoyote: ("coyote_card", "act.coyote_card"),
    Withdraw: ("withdraw", "act.withdraw"),
}
"""The name in the codec and the text key of each action without fields."""


def may(question: Question, verb: type) -> bool:
    """Return whether a verb without fields may be used."""
    return any(choice.verb is verb for choice in question.choices)


def bids(question: Question) -> tuple[range, ...]:
    """Return the numbers that may be bid, without any announcement; two ranges after "start again"."""
    return tuple(choice.fields[0] for choice in question.choices if _is_plain_bid(choice))  # type: ignore[misc]


def lowest(question: Question) -> int | None:
    """Return the lowest number that may be bid."""
    spans = bids(question)
    return min(span[0] for span in spans) if spans else None


def must_go_higher(view: CoyoteView, question: Question) -> bool:
    """Return whether every number that may be bid is above the bid, even above one that was refused."""
    first = lowest(question)
    return first is not None and view.bid is not None and first > view.bid


def quick_bids(view: CoyoteView, question: Question) -> list[int]:
    """Return at most four numbers worth a button, chosen by the current bid alone."""
    spans = bids(question)
    if not spans:
        return []
    first = min(span[0] for span in spans)
    if view.bid is None:
        wanted = [
            value if first <= _OPENINGS[0] else first + step for value, step in zip(_OPENINGS, _RAISES, strict=True)
        ]
    elif view.duty is Duty.OTHER:
        wanted = [view.bid + step for step in _REPLACEMENTS]
    else:
        wanted = [first + step for step in _RAISES]
    legal = [value for value in wanted if any(value in span for span in spans)]
    return legal or [first]


def special_options(say: Catalogue, table: Table, view: CoyoteView, question: Question) -> list[SelectOption]:
    """List the special actions with their targets; if they do not fit in a select, the targets are asked for later."""
    options = all_options(say, table, view, question)
    if len(options) > MOST_OPTIONS:
        options = list(_options(say, table, view, question, with_targets=False))
    return options[:MOST_OPTIONS]


def all_options(say: Catalogue, table: Table, view: CoyoteView, question: Question) -> list[SelectOption]:
    """List the special actions with all of their targets, even if that is too long for a select."""
    return list(_options(say, table, view, question, with_targets=True))


def targets(question: Question, plus: str) -> tuple[Seat, ...]:
    """Return the players whom an announcement may name."""
    for choice in question.choices:
        if choice.verb is Bid and plus in choice.fields[1]:
            return tuple(seat for seat in choice.fields[2] if seat is not None)
    return ()


def is_open(question: Question, act: Act) -> bool:
    """Return whether an action that needs a number or a guess is open; a plain bid always gets a form."""
    if act.needs_guess:
        return bool(guesses(question))
    return act.kind is None or any(choice.verb is Bid and act.kind in choice.fields[1] for choice in question.choices)


def allows_bid(question: Prompt, bid: int, act: Act) -> bool:
    """Return whether a bid may be made, with its announcement and target."""
    target = None if act.target is None else Seat(act.target)
    return question.allows(Bid(question.seat, bid, act.kind, target))


def guesses(question: Question) -> tuple[Any, ...]:
    """Return the faces that may be guessed; none if guessing is not allowed."""
    for choice in question.choices:
        if choice.verb is Flip and "guess" in choice.fields[0]:
            return tuple(choice.fields[1])
    return ()


def _is_plain_bid(choice: Choice) -> bool:
    return choice.verb is Bid and None in choice.fields[1]


def _options(
    say: Catalogue, table: Table, view: CoyoteView, question: Question, *, with_targets: bool
) -> Iterator[SelectOption]:
    slots = {
        "number": number(view.bid or 0),
        "name": "" if view.bidder is None else seat_label(say, table, view.bidder),
    }
    for choice in question.choices:
        if choice.verb in _SIMPLE_ACTS:
            do, key = _SIMPLE_ACTS[choice.verb]
            yield option(say(f"{key}.label", **slots), str(Act(do)), say(f"{key}.about", **slots))
        elif choice.verb is Flip:
            (coin,) = choice.fields[0]
            label, about = say(f"act.coin_{coin}.label"), say(f"act.coin_{coin}.about")
            yield option(label, str(Act("coin", coin)), about, emoji=say.emoji(coin_emoji(str(coin))))
        elif choice.verb is Announce:
            (plus,), named = choice.fields
            yield from _before_bid(say, table, str(plus), named)
        elif choice.verb is Bid and not _is_plain_bid(choice):
            (plus,) = choice.fields[1]
            yield from _announcements(say, table, plus, choice.fields[2], with_targets=with_targets)


def _before_bid(say: Catalogue, table: Table, plus: str, named: Any) -> Iterator[SelectOption]:
    """List an announcement that is made before the number is named."""
    for seat in named:
        key = f"act.announce_{plus}"
        label = say(f"{key}.label", name="" if seat is None else seat_label(say, table, seat))
        yield option(label, str(Act("announce", plus, seat)), say(f"{key}.about"))


def _announcements(
    say: Catalogue, table: Table, plus: str, named: Any, *, with_targets: bool
) -> Iterator[SelectOption]:
    key = "act.turn_and_bid" if plus == "reverse" else f"act.{plus}"
    if plus not in ("extra", "next"):
        yield option(say(f"{key}.label"), str(Act("bid", plus)), say(f"{key}.about"))
    elif not with_targets:
        yield option(say(f"{key}.label_open"), str(Act("bid", plus)), say(f"{key}.about"))
    else:
        for seat in named:
            label = say(f"{key}.label", name=seat_label(say, table, seat))
            yield option(label, str(Act("bid", plus, seat)), say(f"{key}.about"))

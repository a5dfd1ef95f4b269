"""Puts the reasons for which Coyote refuses a move, or a set of rules, into words."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Rejected
from bot.games.coyote.rules.actions import Reason
from bot.games.coyote.rules.editions import Problem
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host.model import Table
from bot.screens.custom_ids import CustomId
from bot.screens.game import RefusalTexts
from bot.screens.layout import Item, press
from bot.text.catalogue import Catalogue

ABOUT_NUMBERS: Final = (Reason.BID_TOO_LOW, Reason.BID_TOO_HIGH, Reason.SAME_NUMBER)
"""Refusals that another number would avoid."""


def _cases(refused: Rejected, table: Table | None, user: object) -> list[str]:
    """Return the suffixes of the special texts that fit a refused bid or turn, the most specific first."""
    details = refused.details
    bid = details.get("bid")
    cases = ["_opening"] if "bid" in details and bid is None else []
    if isinstance(bid, int) and details.get("lowest") != bid + 1:
        cases.append("_another")
    elif table is not None and _is_next(refused, table, user):
        cases = [*(f"_next{case}" for case in cases), "_next", *cases]
    if details.get("may_call"):
        cases += [*(["_top"] if bid == details.get("highest") else []), "_may_call"]
    return cases


def _is_next(refused: Rejected, table: Table, user: object) -> bool:
    """Return whether the refused user comes after the player in turn, as far as is known now."""
    after = refused.details.get("after")
    return isinstance(after, int) and after < len(table.players) and table.players[after].user == user


def _bid_again(say: Catalogue, table: Table, refused: Rejected, prompt: int, announced: str | None) -> Item | None:
    """Make the button that opens the form for a bid, where another number would help."""
    if refused.reason not in ABOUT_NUMBERS:
        return None
    return press(say("table.button.bid"), CustomId(CoyoteVerb.FORM, table.id, prompt, announced))


def _edition_name(say: Catalogue, value: object) -> str | None:
    key = f"edition.{value}.name"
    return say(key) if key in say else None


REFUSAL_TEXTS: Final = RefusalTexts(
    groups={Reason: "game", Problem: "rules"},
    seat_details=frozenset({"turn", "bidder"}),
    cases=_cases,
    value_name=_edition_name,
    look_helps=frozenset({Reason.NOT_YOUR_TURN, Reason.NOT_NOW, Reason.NOT_PLAYING}),
    try_again=_bid_again,
)

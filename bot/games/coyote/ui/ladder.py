"""The ladder of a round's bids: which one counts, which were refused, and what came with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.coyote.emoji_names import COIN_TAKEN, EYE_OPEN, coin_emoji
from bot.games.coyote.rules.actions import Announced
from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS
from bot.host.model import Table
from bot.screens.words import ARROW, mover, number, who
from bot.text.catalogue import Catalogue

_MAX_BIDS: Final = 8
"""How many bids are shown; the older ones are cut off."""
_DRAWN: Final = {"extra": coin_emoji("extra"), "reverse": coin_emoji("reverse")}
"""The emoji of each announcement that does the same as a picture coin."""


def ladder(say: Catalogue, table: Table, bids: Sequence[Announced]) -> str:
    """List the bids, oldest first; nothing for a single plain bid, which the screen names anyway."""
    if len(bids) < 2 and all(bid.how is None and not bid.refused for bid in bids):
        return ""
    return whole_ladder(say, table, bids)


def whole_ladder(say: Catalogue, table: Table, bids: Sequence[Announced]) -> str:
    """List the bids, oldest first, even a single one."""
    shown = bids[-_MAX_BIDS:]
    current = max((place for place, bid in enumerate(shown) if not bid.refused), default=None)
    rungs = [_marked_rung(say, table, bid, current=place == current) for place, bid in enumerate(shown)]
    return ARROW.join(["…", *rungs] if len(bids) > len(shown) else rungs)


def _marked_rung(say: Catalogue, table: Table, bid: Announced, *, current: bool) -> str:
    """Write a rung with an emoji before it, if there is one: for the bid that counts, what somebody will pay for it."""
    rung = _rung(say, table, bid, current=current)
    if current:
        has_eyes = EDITIONS[table.options.get("edition", DEFAULT_EDITION)].has_eyes
        emoji = say.emoji(EYE_OPEN if has_eyes else COIN_TAKEN)
    else:
        emoji = say.emoji(_DRAWN.get(bid.how or ""))
    return f"{emoji}\u00a0{rung}" if emoji else rung


def _rung(say: Catalogue, table: Table, bid: Announced, *, current: bool) -> str:
    # An AI's name has spaces, at which a bid must not be broken; a mention has none.
    slots = {"number": number(bid.number), "mention": mover(say, table, bid.seat).replace(" ", "\u00a0")}
    if bid.how == "approve":
        return say("table.rung_approve_refused" if bid.refused else "table.rung_approve", **slots)
    rung = say("table.rung_refused" if bid.refused else "table.rung_last" if current else "table.rung", **slots)
    if bid.how is None or (bid.refused and bid.how == "double"):
        return rung  # a refused double is void with its number; a drawn feather and a named player stay (R31)
    target = "" if bid.target is None else who(say, table, bid.target)
    if bid.refused:
        return say(f"table.rung_{bid.how}_refused", target=target, **slots)
    return say(f"table.rung_{bid.how}", rung=rung, target=target)

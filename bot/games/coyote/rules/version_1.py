"""Upgrades a match of Coyote from version 1 of the stored format, which had no field names.

The names are listed here in the order of that version. They are not read from the classes, which may change.
"""

from __future__ import annotations

from typing import Final

from bot.engine.core import Json
from bot.engine.upgrading import DROP, each, keep, named, object_with, optional

_CARDS: Final = named(worn=keep, opened=keep, covered=keep, centre=keep, beside=keep)
_COUNT: Final = named(total=keep, cards=keep, steps=each(named(kind=keep, cards=keep, value=keep)))
_RESULT: Final = named(
    number=keep,
    ending=keep,
    cards=_CARDS,
    caller=keep,
    bidder=keep,
    bid=keep,
    counted=optional(_COUNT),
    loser=keep,
    penalty=keep,
    eliminated=keep,
    next_starter=keep,
    bets=each(named(seat=keep, on=keep, right=keep)),
    night=keep,
    opened=keep,
    closed=keep,
    named=keep,
)
_MATCH: Final = named(
    living=keep,
    out=keep,
    tokens=keep,
    eyes=keep,
    coyote_holder=keep,
    starter=keep,
    rounds=keep,
    pile=keep,
    discard=keep,
    shuffle_due=keep,
    last=optional(_RESULT),
    best=DROP,
)
_ROUND: Final = named(
    number=keep,
    starter=keep,
    shuffled=keep,
    active=keep,
    cards=_CARDS,
    peeked=keep,
    coins=keep,
    returned=keep,
    drawn=keep,
)
_BIDDING: Final = named(
    direction=keep,
    turn=keep,
    bid=keep,
    bidder=keep,
    above=keep,
    duty=keep,
    doubled=keep,
    approved=keep,
    turned=DROP,
    looked=keep,
    asker=keep,
    used=keep,
    ladder=each(named(seat=keep, number=keep, how=keep, target=keep, refused=keep)),
)
_STATE: Final = object_with(match=_MATCH, round=_ROUND, bidding=_BIDDING)


def upgrade(document: Json) -> Json:
    """Return a match of version 1 in the format of version 2; raise ValueError if it is not of version 1."""
    if not isinstance(document, dict) or document.get("version") != 1:
        raise ValueError("not a match of Coyote in version 1")
    return {**_STATE(document), "version": 2}

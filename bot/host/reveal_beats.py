"""Decides in how many beats a reveal is shown, and how long that takes. By then the result of the round is stored."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Seat
from bot.host.ai_seats import speed
from bot.host.model import IN_STEPS, Millis, Stage, Table

BEAT_MILLIS: Final = 1200
"""How long each beat of a reveal is shown before the next."""
BEATS: Final[dict[str, int]] = {}
"""How many beats each game's reveals can have, by the game's name; `bot.games.registry` fills it."""


def beats_of(table: Table) -> int:
    """Return in how many beats a table's reveals are shown: 1 if the house rules say so, or if nobody watches."""
    house = table.house
    if not house.pictures or house.reveal != IN_STEPS:
        return 1
    if not any(player.ai is None and not player.left and not player.away for player in table.players):
        return 1
    if table.stage is Stage.PLAYING and speed(table) > 1:  # somebody who only waits for AI players is in a hurry
        return 1
    return BEATS.get(table.game, 1)


def reveal_millis(table: Table, right: Seat | None) -> Millis:
    """Return how long it takes until a reveal has shown everything; the break before the next deal begins then.

    `right` is who was right in the round. If nobody was, there is nothing to wait for, and all is shown at once.
    """
    return 0 if right is None else (beats_of(table) - 1) * BEAT_MILLIS

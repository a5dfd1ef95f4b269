"""Tables of Plenty Coups for tests of its screens."""

from __future__ import annotations

from typing import Any

from bot.host.model import House, Player, Stage, Table, TableId, UserId
from tests.text.speaking import spoken

SAY = spoken("plenty-coups")
NAMES = ("Ana", "Ben", "Chloé", "Dov", "Eva", "Finn")


def a_table(players: int, options: dict[str, Any] | None = None, **of: Any) -> Table:
    """Return a running table with people whose ids are 1001 and up."""
    table = Table(
        id=TableId("t1"),
        guild=1,
        channel=2,
        stage=Stage.PLAYING,
        game="plenty-coups",
        options=options or {},
        house=House(),
        host=UserId(1001),
        players=tuple(Player(UserId(1001 + seat), NAMES[seat]) for seat in range(players)),
        opened=0,
    )
    return table._replace(**of)

"""What was worth remembering of a match, for the final screen."""

from __future__ import annotations

from bot.games.coyote.ui.views import PublicView
from bot.host.model import Table
from bot.screens.words import number, who
from bot.text.catalogue import Catalogue


def highlight_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Name the best bid that was exact, and the boldest bluff that was believed."""
    lines = []
    if view.best.exact is not None:
        seat, bid = view.best.exact
        lines.append(say("final.exact", mention=who(table, seat), number=number(bid)))
    if view.best.bluff is not None:
        seat, bid, total = view.best.bluff
        lines.append(say("final.bluff", mention=who(table, seat), number=number(bid), total=number(total)))
    return lines

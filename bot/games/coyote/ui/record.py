"""The table message once its round is over: a record of the bids, without buttons."""

from __future__ import annotations

from bot.games.coyote.emoji_names import COIN_TAKEN
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.ui.ladder import whole_ladder
from bot.games.coyote.ui.status import used_line
from bot.games.coyote.ui.views import PublicView
from bot.games.coyote.ui.words import edition
from bot.host.model import Table
from bot.screens.layout import ASH, PublicScreen, box, text
from bot.screens.words import mover
from bot.text.catalogue import Catalogue


def record_screen(say: Catalogue, table: Table, before: PublicView, result: Result | None) -> PublicScreen:
    """Show the bids of a round; `before` is a bystander's last view of it, `result` how it ended."""
    title = say("record.title", edition=edition(say, before.rules), number=before.number)
    # Announcements are on the ladder; picture coins are not.
    flipped = before.used and before.rules.traits.kind == "coin"
    coins = f"-# {used_line(say, table, before)}" if flipped else None
    return PublicScreen(box(ASH, text(title, _bids(say, table, before, result), coins)))


def _bids(say: Catalogue, table: Table, before: PublicView, result: Result | None) -> str:
    if not before.ladder:
        return say("record.no_bids")
    rungs = whole_ladder(say, table, before.ladder)
    if result is None:
        return rungs
    match result.ending:
        case Ending.SHOWDOWN if result.caller is not None:
            line = say("record.ladder", rungs=rungs, mention=mover(say, table, result.caller))
            return line.replace("🐺", say.emoji(COIN_TAKEN) or "🐺")
        case Ending.GUESS if result.loser is not None:
            return say("record.ladder_guess", rungs=rungs, mention=mover(say, table, result.loser))
        case _:
            return say("record.ladder_void", rungs=rungs)

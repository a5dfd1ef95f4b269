"""Lines for the table that say how a round stands: its heading, the next deal, and what applies besides the bid."""

from __future__ import annotations

from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.views import PublicView, living, living_seats
from bot.games.coyote.ui.words import action_name, edition
from bot.host.model import Table
from bot.screens.table import note_lines
from bot.screens.words import DOT, countdown, who
from bot.text.catalogue import Catalogue


def heading(say: Catalogue, view: PublicView) -> str:
    """Return the small line on top."""
    return say("table.over", edition=edition(say, view.rules), number=view.number)


def next_round_line(say: Catalogue, table: Table, view: PublicView) -> str:
    """Say who opens the next round, and when it is dealt."""
    slots = {"number": view.number + 1}
    if view.starter is None:
        line = say("table.between.chance", **slots)
    else:
        line = say("table.between.starts", mention=who(table, view.starter), **slots)
    if table.next_deal is None:
        return line
    return f"{line} {say('table.between.deal', time=countdown(table.next_deal))}"


def force_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Say what applies in this round besides the bid, and what is worth knowing at any table."""
    lines = []
    if view.phase in (Phase.BIDDING, Phase.BETS):
        if view.direction < 0:
            lines.append(say("table.force.backwards"))
        if view.doubled and view.turn is not None:
            lines.append(say("table.force.doubled", mention=who(table, view.turn)))
        if any(view.rules.supply):
            lines.append(_coins_line(say, view))
        if view.used:
            lines.append(_used_line(say, table, view))
    if view.number == 1 and view.phase is Phase.BIDDING:
        lines.append(say("table.force.look"))
    if view.rules.has_centre:
        lines.extend(_centre_lines(say, table, view))
    return [*lines, *note_lines(say, table, living_seats(view))]


def _used_line(say: Catalogue, table: Table, view: PublicView) -> str:
    used = [
        say("table.force.used_by", action=action_name(say, action, view.rules.edition), mention=who(table, seat))
        for seat, action in view.used
    ]
    return say("table.force.used", actions=DOT.join(used))


def _coins_line(say: Catalogue, view: PublicView) -> str:
    if len(living(view)) == 2:
        return say("table.force.no_coins")
    supply = dict(zip((coin for coin, _ in view.coins), view.rules.supply, strict=True))
    coins = [
        say("table.force.coin", coin=say(f"coin.{coin}"), count=left)
        if left
        else say("table.force.coin_gone", coin=say(f"coin.{coin}"))
        for coin, left in view.coins
        if supply[coin]
    ]
    return say("table.force.coins", coins=DOT.join(coins))


def _centre_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    lines = []
    if view.peeked:
        lines.append(say("table.force.peeked", mentions=say.listing([who(table, seat) for seat in view.peeked])))
    elif view.phase in (Phase.BIDDING, Phase.BETS):
        lines.append(say("table.force.centre"))
    if view.coyote_holder is not None:
        key = "table.force.holder_used" if view.coyote_used else "table.force.holder"
        lines.append(say(key, mention=who(table, view.coyote_holder)))
    lines.append(say("table.force.eyes_legend"))
    return lines

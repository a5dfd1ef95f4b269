"""Lines that say whose turn it is, what is left of it, and what lies on the table."""

from __future__ import annotations

from bot.games.plenty_coups.emoji_names import WINTER
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView
from bot.games.plenty_coups.ui.views import (
    MOST_PRESTIGE,
    camp_of,
    is_deep_winter,
    is_nobodys,
    is_winter,
    may_give_freely,
)
from bot.games.plenty_coups.ui.words import player, shown_card, titled_player
from bot.host.model import Table
from bot.screens.names import safe_name
from bot.screens.table import clock_lines
from bot.screens.words import DOT, who
from bot.text.catalogue import Catalogue


def heading_line(say: Catalogue, view: PlentyCoupsView) -> str:
    """Return the small line on top: the round and the season."""
    winter = is_winter(view)
    key = "plenty.table.over_winter" if winter else "plenty.table.over"
    line = say(key, number=max(view.round, 1), last=view.options.last_round)
    return f"{line} {say.emoji(WINTER)}".rstrip() if winter else line


def turn_lines(say: Catalogue, table: Table, view: PlentyCoupsView) -> list[str]:
    """Say whose turn it is and what the table waits for, with the clock."""
    if view.turn is None or view.actor is None:
        return [say("plenty.table.shuffling")]
    name = titled_player(say, table, view.turn)
    controller = camp_of(view, view.actor).controller
    ai = table.players[controller].acting_ai
    clock = clock_lines(say, table) if ai is None else [say("ai_players.table.thinking", name=safe_name(ai.name))]
    lines = [say("plenty.table.turn", name=name), DOT.join([asked_line(say, table, view), *clock])]
    if is_nobodys(view):
        lines.insert(
            1, say("plenty.table.third", name=player(say, table, view.actor), mention=who(say, table, controller))
        )
    return [*lines, *coup_lines(say, view)]


def asked_line(say: Catalogue, table: Table, view: PlentyCoupsView) -> str:
    """Say what the tribe that is asked must decide."""
    slots = {
        "name": "" if view.actor is None else player(say, table, view.actor),
        "turn": "" if view.turn is None else player(say, table, view.turn),
    }
    match view.phase:
        case Phase.TAKE:
            return say("plenty.table.take", count=to_take(view))
        case Phase.HUNT:
            return say("plenty.table.hunt")
        case Phase.GIFT:
            return say("plenty.table.gift", **slots)
        case Phase.DISDAIN:
            loses = view.actor is not None and camp_of(view, view.actor).prestige
            return say("plenty.table.disdain" if loses else "plenty.table.disdain_zero", **slots)
        case _ if view.actions_left == 0:
            return say("plenty.table.spent")
        case _:
            gift = "_gift" if may_give_freely(view) else ""
            if is_winter(view):
                return say(f"plenty.table.winter{gift}")
            return say(f"plenty.table.actions{gift}", count=view.actions_left)


def to_take(view: PlentyCoupsView) -> int:
    """Return how many cards are taken from the offer now."""
    return min(1 if is_winter(view) else 2, len(view.offer))


def coup_lines(say: Catalogue, view: PlentyCoupsView) -> list[str]:
    """Say that a coup is possible, if it is. Whether there is a stick for it, only the hand tells."""
    if view.phase is not Phase.ACT or not view.actions_left or view.turn is None:
        return []
    if view.coups_open:
        return [say("plenty.table.coup_return")]
    full = camp_of(view, view.turn).prestige == MOST_PRESTIGE
    return [say("plenty.table.coup_defence")] if view.defence_coup_open and not full else []


def offer_lines(say: Catalogue, view: PlentyCoupsView) -> list[str]:
    """Name the cards of the offer, and count what else lies on the table."""
    offer = DOT.join(shown_card(say, card) for card in view.offer)
    counts = [
        say("plenty.table.pile", count=view.pile),
        say("plenty.table.discards", count=len(view.discards)),
        say("plenty.table.plain", count=view.plain),
    ]
    key = "snowed_in" if offer and is_deep_winter(view) else "offer" if offer else "no_offer"
    return [say(f"plenty.table.{key}", cards=offer), f"-# {DOT.join(counts)}"]

"""Which words fit proposals, alliances and disdain, from how things stand between the tribes."""

from __future__ import annotations

from bot.games.plenty_coups.rules.actions import Accept, Propose
from bot.games.plenty_coups.rules.cards import Card, Tribe
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView
from bot.games.plenty_coups.ui.views import MOST_PRESTIGE, camp_of, raid_on
from bot.games.plenty_coups.ui.words import card_label, player_label, tribe
from bot.host.model import Table
from bot.text.catalogue import Catalogue


def proposed(view: PlentyCoupsView, me: CampView, action: Propose) -> str:
    """Return the form for a proposal: it may buy off a raid of the target, or outbid another; and what it brings."""
    raid, full = raid_on(view, me.tribe), "" if me.prestige < MOST_PRESTIGE else "_full"
    if raid is not None and raid.raider == action.target:
        return ("_raid" if me.horses else "_raid_empty") + full
    outbid = any(camp.proposal and camp.proposal.tribe == action.target for camp in view.camps)
    return ("_rival" if outbid else "") + full


def accepted(
    say: Catalogue, table: Table, view: PlentyCoupsView, action: Accept, slots: dict[str, object]
) -> tuple[str, dict[str, object]]:
    """Return the form for accepting an alliance, which may end another; say who gains by it."""
    me, proposer = camp_of(view, action.tribe), camp_of(view, action.target)
    they, you = proposer.prestige < MOST_PRESTIGE, view.options.accepter_gains and me.prestige < MOST_PRESTIGE
    who = ("_both" if you else "_they") if they else ("_you" if you else "_nobody")
    if me.bond is None or me.bond.tribe is None:
        return who, slots
    return f"{who}_instead", slots | {"ally": player_label(say, table, me.bond.tribe)}


def neutral(
    say: Catalogue, table: Table, view: PlentyCoupsView, me: CampView, card: Card
) -> tuple[str, dict[str, object]]:
    """Return the form for an alliance with a neutral colour, which may end this tribe's or another's."""
    if card.tribe is None:
        raise ValueError("only warriors make alliances")
    slots: dict[str, object] = {"card": card_label(say, card), "ally": tribe(say, card.tribe)}
    rival = next((camp for camp in view.camps if camp.bond and camp.bond.tribe == card.tribe), None)
    case = ""
    if rival is not None:
        case, slots["rival"] = "_rival", player_label(say, table, rival.tribe)
    if me.bond is not None and me.bond.tribe is not None:
        case, slots["former"] = f"{case}_instead", tribe(say, me.bond.tribe)
    return case, slots


def disdained(view: PlentyCoupsView, me: CampView, target: Tribe) -> str:
    """Return the form for disdain: of an ally or of any other, and who has no prestige to lose."""
    zero = "" if camp_of(view, target).prestige else "_zero"
    if me.bond is None or me.bond.tribe != target:
        return zero
    return ("_ally" if me.prestige else "_ally_free") + zero

"""The camps of all tribes and the raids under way, for everybody to see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.plenty_coups.emoji_names import ALLIANCE, DISDAIN, PROPOSAL
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import CampView, Phase, PlentyCoupsView
from bot.games.plenty_coups.ui.views import (
    HIGHEST_WEAPON,
    MOST_PRESTIGE,
    may_use_two_weapons,
    turns_until,
)
from bot.games.plenty_coups.ui.words import (
    card,
    cards,
    heading,
    player,
    tribe,
    weapons_for,
    with_emoji,
    with_marks,
)
from bot.host.model import Dm, Table
from bot.screens.words import DOT, ai_name, who
from bot.text.catalogue import Catalogue

THREATENED: Final = "own_"
"""The player whose camp is raided."""
SENDER: Final = "sent_"
"""The player whose raid it is."""


def camp_lines(say: Catalogue, table: Table, view: PlentyCoupsView) -> list[str]:
    """Return the lines about each camp, in turn order."""
    return [line for camp in view.camps for line in _camp(say, table, view, camp)]


def _camp(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView) -> list[str]:
    title = camp_title(say, table, view, camp, _marks(say, table, camp))
    pacts = pacts_of(say, table, view, camp)
    return [title, wealth(say, camp), *([f"-# {DOT.join(pacts)}"] if pacts else [])]


def camp_title(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView, marks: Sequence[str]) -> str:
    """Name a camp with what it would score now, an arrow if it is in turn, and marks behind it."""
    return say(
        "plenty.camp.turn" if camp.tribe == view.turn else "plenty.camp.line",
        camp=heading(say, table, camp.tribe),
        points=say("plenty.camp.points", count=camp.prestige + camp.herd_points),
        marks="".join(f"{DOT}{mark}" for mark in marks),
    )


def wealth(say: Catalogue, camp: CampView) -> str:
    """Say how many horses, how much prestige and how many cards a tribe has."""
    return DOT.join(
        [
            say("plenty.camp.horses", count=camp.horses),
            say("plenty.camp.prestige", dots=dots(say, camp.prestige), prestige=camp.prestige),
            say("plenty.camp.cards", count=camp.hand_size),
        ]
    )


def dots(say: Catalogue, prestige: int) -> str:
    """Show prestige as markers, those that show it first."""
    return with_marks(say, "●" * prestige + "○" * (MOST_PRESTIGE - prestige))


def _marks(say: Catalogue, table: Table, camp: CampView) -> list[str]:
    """Say who decides for the tribe if that is not its own player, and how they can be reached."""
    if camp.owner is None:
        return [say("plenty.camp.controlled", mention=who(say, table, camp.controller))]
    owner, marks = table.players[camp.owner], []
    if owner.dm is Dm.SHUT:
        marks.append(say("table.seat.look"))
    if owner.left:
        marks.append(say("plenty.camp.left"))
    elif owner.away:
        marks.append(say("table.seat.away"))
    if owner.stand_in is not None:
        marks.append(say("ai_players.table.stand_in", ai=ai_name(say, owner.stand_in.name)))
    return marks


def pacts_of(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView) -> list[str]:
    """Say to whom a tribe is allied, what it proposes, and whether a stick lies on it."""
    pacts = []
    if camp.bond is not None and camp.bond.tribe is not None:
        in_play = camp.bond.tribe in [each.tribe for each in view.camps]
        ally = player(say, table, camp.bond.tribe) if in_play else tribe(say, camp.bond.tribe)
        key = "plenty.camp.allied" if in_play else "plenty.camp.allied_neutral"
        pacts.append(with_emoji(say, ALLIANCE, say(key, ally=ally, value=camp.bond.value)))
    if camp.proposal is not None and camp.proposal.tribe is not None:
        target = player(say, table, camp.proposal.tribe)
        proposes = say("plenty.camp.proposes", target=target, card=card(say, camp.proposal))
        pacts.append(with_emoji(say, PROPOSAL, proposes))
    if camp.disdained:
        pacts.append(with_emoji(say, DISDAIN, say("plenty.camp.disdained")))
    return pacts


def raid_lines(say: Catalogue, table: Table, view: PlentyCoupsView) -> list[str]:
    """Return a line for each raid under way: its strength, who can still answer it, and until when."""
    return [raid_line(say, table, view, raid) for raid in view.raids]


def raid_line(say: Catalogue, table: Table, view: PlentyCoupsView, raid: RaidOut, to: str = "") -> str:
    """Say where a raid is and how it can still end; `to` is `THREATENED` or `SENDER` if one of them reads it."""
    slots = {
        "raider": player(say, table, raid.raider),
        "target": player(say, table, raid.target),
        "warriors": cards(say, raid.warriors),
        "value": raid.value,
        "weapon": weapons_for(say, raid.value, two=may_use_two_weapons(view, raid.target)),
    }
    ending = _ending(view, raid)
    sentences = [say(f"plenty.raid.{to}{ending}", **slots)]
    if raid.prestige_side and ending != "lost":
        sentences.append(say("plenty.raid.no_coup"))
    return with_marks(say, " ".join(sentences))


def _ending(view: PlentyCoupsView, raid: RaidOut) -> str:
    """Name how a raid can still end: each other tribe has one turn before it comes home (R27)."""
    order = [camp.tribe for camp in view.camps]
    if view.round >= view.options.last_round and order.index(raid.raider) <= order.index(view.turn or order[0]):
        return "lost"
    if raid.raider == view.turn and view.phase is Phase.TAKE:  # it has stood since the raider's turn before
        return "homeward"
    before_target = turns_until(view, raid.target)
    before_home = turns_until(view, raid.raider) or len(order)
    if not before_target:
        return "now" if _can_repel(view, raid) else "passed"
    return "open" if before_target < before_home and _can_repel(view, raid) else "passed"


def _can_repel(view: PlentyCoupsView, raid: RaidOut) -> bool:
    """Return whether the raided tribe can repel it in its turn, the present or the next one."""
    if raid.value <= HIGHEST_WEAPON:
        return raid.target != view.turn or view.actions_left > 0
    return may_use_two_weapons(view, raid.target)

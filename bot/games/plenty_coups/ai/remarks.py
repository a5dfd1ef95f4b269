"""Chooses what an AI player says about a move after the match: what it did, and the fact that decided it.

Slots hold the code names of tribes and cards; the screens put them into words.
"""

from __future__ import annotations

from typing import Any, Final

from bot.ai_players.brains import Reason
from bot.games.plenty_coups.ai.beginner import VERB_APPEAL
from bot.games.plenty_coups.ai.moves import after
from bot.games.plenty_coups.ai.odds import Knowledge, controller, proves, survival
from bot.games.plenty_coups.ai.position import Position
from bot.games.plenty_coups.rules.actions import (
    Accept,
    AllyNeutral,
    Breed,
    Decline,
    Defend,
    Disdain,
    Donate,
    DoubleDefend,
    DoubleRaid,
    Hunt,
    LayGift,
    Propose,
    Prove,
    Raid,
    StrikeCoup,
)
from bot.games.plenty_coups.rules.cards import PROOFS, Kind, Tribe, name_of
from bot.games.plenty_coups.rules.view import PlentyCoupsView

_HORSES_WITHOUT_POINTS: Final = 5
"""Each horse beyond this number is a point."""
_STRONGEST_WEAPON: Final = 4
"""The value of the strongest weapon in the deck."""
_FEW_WEAPONS: Final = 2
"""A remark counts the weapons that could stop a raid if there are no more than this."""


def of_move(view: PlentyCoupsView, position: Position, known: Knowledge, action: Any) -> Reason | None:
    """Explain a move; None for one that needs no explanation, such as taking cards."""
    slots = {"round": str(view.round)}
    if "target" in action._fields:
        slots["target"] = _named(action.target)
    actor = position.camp(action.tribe)
    if actor.owner is None:
        return _of_third_tribe(known, position, action, slots)
    match action:
        case Raid() | DoubleRaid():
            return _of_raid(position, known, action, slots)
        case Defend() | DoubleDefend():
            return _of_defence(position, action, slots)
        case StrikeCoup():
            return ("plenty_ai.coup.on_return" if position.coups_open else "plenty_ai.coup.in_defence"), slots
        case Breed():
            horses = actor.horses + 1
            key = "plenty_ai.breed.point" if horses > _HORSES_WITHOUT_POINTS else "plenty_ai.breed.herd"
            return key, {**slots, "horses": str(horses)}
        case Donate():
            key = "plenty_ai.donate.spare" if actor.horses <= _HORSES_WITHOUT_POINTS else "plenty_ai.donate.points"
            return key, {**slots, "horses": str(actor.horses)}
        case Disdain():
            return "plenty_ai.disdain", {**slots, "chance": _percent(proves(known, position.camp(action.target)))}
        case Propose():
            return "plenty_ai.propose", slots
        case Accept():
            return "plenty_ai.accept", slots
        case AllyNeutral():
            return "plenty_ai.neutral", {**slots, "colour": _named(action.card.tribe)}
        case Hunt():
            return "plenty_ai.hunt", slots
        case Prove():
            return "plenty_ai.prove", {**slots, "card": name_of(action.card), "target": _named(view.turn)}
        case Decline():
            return _of_declining(view, position, action, slots)
        case _:
            return None


def _of_raid(position: Position, known: Knowledge, action: Any, slots: dict[str, str]) -> Reason:
    reached = after(position, action)
    raid = reached.raids[-1]
    slots |= {"value": str(raid.value), "chance": _percent(survival(reached, known, raid))}
    target, standing = position.camp(action.target), position.raid_on(action.target)
    if target.owner is None and controller(position, target, position.round) == known.seat:
        return "plenty_ai.raid.third", slots
    if standing is not None:
        return "plenty_ai.raid.displaces", {**slots, "other": _named(standing.raider)}
    if raid.value > _STRONGEST_WEAPON:
        return ("plenty_ai.raid.double" if isinstance(action, DoubleRaid) else "plenty_ai.raid.strong"), slots
    weapons = known.weapons[raid.value] + sum(
        card.kind is Kind.WEAPON and card.value >= raid.value
        for camp in position.camps
        if controller(position, camp, position.round) != known.seat
        for card in camp.hand  # remembered, but out of sight
    )
    if weapons <= _FEW_WEAPONS:
        return f"plenty_ai.raid.{('no_weapon', 'one_weapon', 'two_weapons')[weapons]}", slots
    return "plenty_ai.raid.chance", slots


def _of_defence(position: Position, action: Any, slots: dict[str, str]) -> Reason | None:
    raid = position.raid_on(action.tribe)
    if raid is None:
        return None
    slots |= {"target": _named(raid.raider), "value": str(raid.value)}
    if not position.camp(action.tribe).horses:
        return "plenty_ai.defend.honour", slots
    if isinstance(action, DoubleDefend):
        return "plenty_ai.defend.double", slots
    coup = after(position, action).defence_coup_open
    return ("plenty_ai.defend.coup" if coup else "plenty_ai.defend.herd"), slots


def _of_declining(view: PlentyCoupsView, position: Position, action: Decline, slots: dict[str, str]) -> Reason:
    camp = position.camp(action.tribe)
    slots["target"] = _named(view.turn)
    if not camp.prestige:
        return "plenty_ai.decline.nothing_to_lose", slots
    able = any(card in PROOFS for card in camp.hand)
    return ("plenty_ai.decline.by_choice" if able else "plenty_ai.decline.unable"), slots


def _of_third_tribe(known: Knowledge, position: Position, action: Any, slots: dict[str, str]) -> Reason | None:
    """Explain what an AI player let the third tribe do in a match of two."""
    tribe = _named(action.tribe)
    mine = next(camp.tribe for camp in position.camps if camp.owner == known.seat)
    match action:
        case Raid() | DoubleRaid() if action.target != mine:
            return "plenty_ai.third.raid", {**slots, "tribe": tribe}
        case Disdain() if action.target != mine:
            return "plenty_ai.third.disdain", {**slots, "tribe": tribe}
        case Donate() if action.target == mine:
            return "plenty_ai.third.donate", {**slots, "tribe": tribe}
        case LayGift() if action.target == mine:
            return "plenty_ai.third.gift", {**slots, "tribe": tribe, "card": name_of(action.card)}
        case _:
            return None


def of_beginner(view: PlentyCoupsView, action: Any) -> tuple[Reason | None, int]:
    """Explain a beginner's move in a few words; the weight says how much beginners like such a move."""
    verbs = {Raid: "raid", Breed: "breed", Defend: "defend", StrikeCoup: "coup", Hunt: "hunt", Prove: "prove"}
    verb = verbs.get(type(action))
    actor = next(camp for camp in view.camps if camp.tribe == action.tribe)
    if verb is None or actor.owner is None:
        return None, 0
    slots = {"round": str(view.round)}
    if verb == "raid":
        slots["target"] = _named(action.target)
    return (f"plenty_ai.beginner.{verb}", slots), round(100 * VERB_APPEAL[type(action)])


def _named(tribe: Tribe | None) -> str:
    return "" if tribe is None else tribe.name.lower()


def _percent(share: float) -> str:
    return str(round(100 * share))

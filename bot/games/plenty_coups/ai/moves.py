"""Tries a move out: returns the position after it, as far as the mover can foresee."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.games.plenty_coups.ai.effects import (
    attack_value,
    drop,
    join,
    raid_sides_at_home,
    spend,
    take_horse,
    with_prestige,
)
from bot.games.plenty_coups.ai.position import Position
from bot.games.plenty_coups.rules.actions import (
    Accept,
    AllyNeutral,
    Breed,
    Defend,
    Disdain,
    Donate,
    DoubleDefend,
    DoubleRaid,
    End,
    Hunt,
    LayFreeGift,
    LayGift,
    Propose,
    Raid,
    StrikeCoup,
)
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.raid_out import RaidOut


def after(position: Position, action: Any) -> Position:
    """Return the position after a move of the tribe in turn.

    What the mover cannot know is left open: a disdained tribe has not answered yet, the cards that a hunt brings are
    not there yet, and the answer to a gift is a hidden card. The caller judges what those are worth.
    """
    return _MOVES[type(action)](position, action)


def _breed(position: Position, _: Breed) -> Position:
    me = drop(position, HORSE)
    return spend(position, camps=position.camps_with(me._replace(horses=me.horses + 1)), plain=position.plain - 1)


def _raid(position: Position, action: Raid) -> Position:
    return _launch(position, action.target, (action.warrior,))


def _double_raid(position: Position, action: DoubleRaid) -> Position:
    return _launch(position, action.target, action.warriors)._replace(actions_left=0)


def _launch(position: Position, target: Tribe, warriors: Cards) -> Position:
    me = position.me
    others = tuple(raid for raid in position.raids if raid.target != target)
    side = not raid_sides_at_home(position, me)
    raid = RaidOut(me.tribe, target, warriors, attack_value(me, warriors), side)
    return spend(position, camps=position.camps_with(drop(position, *warriors)), raids=(*others, raid))


def _defend(position: Position, action: Defend) -> Position:
    raid = next(raid for raid in position.raids if raid.target == position.me.tribe)
    young = len(raid.warriors) == 1 and raid.warriors[0].value == 1
    occasion = position.actions_left == 2 and not young and action.weapon.value > raid.value
    raids = tuple(each for each in position.raids if each is not raid)
    repelled = spend(position, camps=position.camps_with(drop(position, action.weapon)), raids=raids)
    return repelled._replace(defence_coup_open=occasion)


def _double_defend(position: Position, action: DoubleDefend) -> Position:
    raids = tuple(raid for raid in position.raids if raid.target != position.me.tribe)
    repelled = spend(position, camps=position.camps_with(drop(position, *action.cards)), raids=raids)
    return repelled._replace(actions_left=0)


def _strike_coup(position: Position, _: StrikeCoup) -> Position:
    still_open = max(0, position.coups_open - 1)
    return spend(with_prestige(position, drop(position, STICK), +1))._replace(coups_open=still_open)


def _donate(position: Position, action: Donate) -> Position:
    target = position.camp(action.target)
    position = position._replace(camps=position.camps_with(target._replace(horses=target.horses + 2)))
    me = drop(position, action.discard)
    return spend(with_prestige(position, me._replace(horses=me.horses - 2), +1))


def _disdain(position: Position, action: Disdain) -> Position:
    me, target = drop(position, STICK), position.camp(action.target)._replace(disdained=True)
    ally = position.ally_of(me)
    if ally is None or ally.tribe != action.target:
        position = position._replace(camps=position.camps_with(target))
        return spend(position, camps=position.camps_with(me))
    position = position._replace(camps=position.camps_with(target._replace(bond=None)))
    return spend(with_prestige(position, me._replace(bond=None), -1))


def _propose(position: Position, action: Propose) -> Position:
    camps = tuple(
        camp._replace(proposal=None) if camp.proposal and camp.proposal.tribe == action.target else camp
        for camp in position.camps
    )
    position = position._replace(camps=camps)
    me = drop(position, action.card)._replace(proposal=action.card)
    position = spend(position, camps=position.camps_with(me))
    raid = position.raid_on(me.tribe)
    if raid is not None and raid.raider == action.target:  # bought off
        position = take_horse(position, raid)
        position = position._replace(raids=tuple(each for each in position.raids if each is not raid))
    return position


def _accept(position: Position, action: Accept) -> Position:
    return spend(join(position, action.target, drop(position, action.card), action.card))


def _ally_neutral(position: Position, action: AllyNeutral) -> Position:
    camps = tuple(
        camp._replace(bond=None) if camp.bond and camp.bond.tribe == action.card.tribe else camp
        for camp in position.camps
    )
    me = drop(position, action.card)._replace(bond=action.card, proposal=None)
    position = position._replace(camps=camps)
    return spend(position, camps=position.camps_with(me))


def _hunt(position: Position, action: Hunt) -> Position:
    return spend(position, camps=position.camps_with(drop(position, action.discard)))


def _lay_gift(position: Position, action: LayGift) -> Position:
    me = drop(position, action.discard, action.card)
    position = spend(position, camps=position.camps_with(me._replace(hidden=me.hidden + 1)))
    return _receive(position, action.target, action.card)


def _lay_free_gift(position: Position, action: LayFreeGift) -> Position:
    me = drop(position, action.card)
    ally = position.ally_of(me)
    camps = position.camps_with(me._replace(hidden=me.hidden + 1))
    given = position._replace(camps=camps, free_gift_used=True, coups_open=0)
    return given if ally is None else _receive(given, ally.tribe, action.card)


def _receive(position: Position, tribe: Tribe, card: Card) -> Position:
    """Return the position after a tribe has got a card in exchange for a hidden one."""
    target = position.camp(tribe)
    if target.hidden:
        target = target._replace(hand=ordered((*target.hand, card)), hidden=target.hidden - 1)
    return position._replace(camps=position.camps_with(target))


def _end(position: Position, _: End) -> Position:
    return position._replace(actions_left=0, coups_open=0, defence_coup_open=False)


_MOVES: Final[Mapping[type, Callable[[Position, Any], Position]]] = {
    Breed: _breed,
    Raid: _raid,
    DoubleRaid: _double_raid,
    Defend: _defend,
    DoubleDefend: _double_defend,
    StrikeCoup: _strike_coup,
    Donate: _donate,
    Disdain: _disdain,
    Propose: _propose,
    Accept: _accept,
    AllyNeutral: _ally_neutral,
    Hunt: _hunt,
    LayGift: _lay_gift,
    LayFreeGift: _lay_free_gift,
    End: _end,
}

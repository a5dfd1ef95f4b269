"""Lists the moves worth thinking about: every legal one that a sensible player would consider."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from bot.engine.core import Seat
from bot.games.plenty_coups.ai.cards_worth import card_worth
from bot.games.plenty_coups.ai.effects import attack_value
from bot.games.plenty_coups.ai.odds import Knowledge, controller
from bot.games.plenty_coups.ai.position import MARKERS, Camp, Position
from bot.games.plenty_coups.ai.worth import actions_to_come
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
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Kind, faces_of, without


def ideas(position: Position, known: Knowledge) -> Iterator[Any]:
    """Yield what the tribe in turn may do now, with the cards that are best spared."""
    me, seat = position.me, known.seat
    winter = position.winter
    if winter or not position.actions_left or not me.hand:
        yield End(seat, me.tribe)
    actions = actions_to_come(position, position.turn) + position.actions_left
    ranked = sorted(me.hand, key=lambda card: card_worth(position, me, card, actions))
    ally = position.ally_of(me)
    if ally is not None and not position.free_gift_used and ranked and (ally.hand or ally.hidden):
        yield LayFreeGift(seat, me.tribe, ranked[0])
    if not position.actions_left or not me.hand:
        return
    faces = faces_of(me.hand)
    if STICK in faces and (position.coups_open or (position.defence_coup_open and me.prestige < MARKERS)):
        yield StrikeCoup(seat, me.tribe)
    if HORSE in faces and position.plain:
        yield Breed(seat, me.tribe)
    yield from _raids(position, seat, faces, double=position.actions_left == 2 and not winter)
    yield from _defences(position, seat, faces)
    yield from _pacts(position, seat, faces)
    others = [camp for camp in position.camps if camp is not me]
    if STICK in faces and not winter:
        for camp in others:
            if not camp.disdained and camp.prestige and camp is not ally:
                yield Disdain(seat, me.tribe, camp.tribe)
    if me.horses >= 2 and me.prestige < MARKERS and position.raid_on(me.tribe) is None:
        for camp in others:
            if camp.horses <= me.horses and camp is not ally and position.raid_on(camp.tribe) is None:
                yield Donate(seat, me.tribe, camp.tribe, ranked[0])
    yield from _gifts(position, known, seat, ranked)
    if not winter or (position.options.winter_hunting and _has_another_turn(position)):
        yield Hunt(seat, me.tribe, ranked[0])


def _raids(position: Position, seat: Seat, faces: tuple[Card, ...], *, double: bool) -> Iterator[Any]:
    me = position.me
    warriors = [card for card in faces if card.kind is Kind.WARRIOR]
    if not warriors or sum(raid.raider == me.tribe for raid in position.raids) >= MARKERS:
        return
    pairs = [pair for pair in combinations(warriors, 2) if double and pair[0].tribe == pair[1].tribe]
    for camp in position.camps:
        if camp is me or _at_peace(me, camp):
            continue
        standing = position.raid_on(camp.tribe)
        if standing is None and not _has_another_turn(position):  # it would neither come home nor stop another raid
            continue
        above = 0 if standing is None else 9 if standing.raider == me.tribe else standing.value
        for card in warriors:
            if attack_value(me, (card,)) > above:
                yield Raid(seat, me.tribe, camp.tribe, card)
        for pair in pairs:
            if attack_value(me, pair) > above and above < 9:
                yield DoubleRaid(seat, me.tribe, camp.tribe, pair)


def _has_another_turn(position: Position) -> bool:
    """Return whether the tribe in turn has another turn after this one."""
    return position.round < position.options.last_round


def _at_peace(me: Camp, camp: Camp) -> bool:
    """Return whether an alliance or a proposal forbids a raid."""
    return (
        (me.bond is not None and me.bond.tribe == camp.tribe)
        or (me.proposal is not None and me.proposal.tribe == camp.tribe)
        or (camp.proposal is not None and camp.proposal.tribe == me.tribe)
    )


def _defences(position: Position, seat: Seat, faces: tuple[Card, ...]) -> Iterator[Any]:
    me = position.me
    raid = position.raid_on(me.tribe)
    if raid is None:
        return
    weapons = [card for card in faces if card.kind is Kind.WEAPON]
    for card in weapons:
        if card.value >= raid.value:
            yield Defend(seat, me.tribe, card)
    held = [card for card in me.hand if card.kind is Kind.WEAPON]
    if position.actions_left == 2 or position.round == position.options.rounds + 1:
        for pair in dict.fromkeys(combinations(held, 2)):
            if pair[0].value + pair[1].value >= raid.value and max(pair).value < raid.value:
                yield DoubleDefend(seat, me.tribe, pair)


def _pacts(position: Position, seat: Seat, faces: tuple[Card, ...]) -> Iterator[Any]:
    me = position.me
    in_play = {camp.tribe: camp for camp in position.camps}
    ally = position.ally_of(me)
    for card in faces:
        if card.kind is not Kind.WARRIOR or card.tribe == me.tribe:
            continue
        camp = in_play.get(card.tribe)  # type: ignore[arg-type]
        if camp is None:
            if ally is None and _may_ally_neutral(position, me, card):
                yield AllyNeutral(seat, me.tribe, card)
            continue
        if len(in_play) < 4:
            continue
        if _may_propose(position, me, camp, card):
            yield Propose(seat, me.tribe, camp.tribe, card)
        if _may_accept(position, me, camp, card):
            yield Accept(seat, me.tribe, camp.tribe, card)


def _may_ally_neutral(position: Position, me: Camp, card: Card) -> bool:
    if me.bond is not None and (me.bond.tribe == card.tribe or card.value < me.bond.value):
        return False
    rival = next((c.bond for c in position.camps if c is not me and c.bond and c.bond.tribe == card.tribe), None)
    return rival is None or card.value > rival.value


def _may_propose(position: Position, me: Camp, target: Camp, card: Card) -> bool:
    if me.bond is not None or me.proposal is not None:
        return False
    raid = position.raid_on(target.tribe)
    if raid is not None and raid.raider == me.tribe:
        return False
    suitor = next((c.proposal for c in position.camps if c.proposal and c.proposal.tribe == target.tribe), None)
    ally = position.ally_of(target)
    rivals = (suitor, ally.bond if ally is not None else None)
    return card.value > max(rival.value if rival is not None else 0 for rival in rivals)


def _may_accept(position: Position, me: Camp, proposer: Camp, card: Card) -> bool:
    proposal, ally = proposer.proposal, position.ally_of(me)
    if proposal is None or proposal.tribe != me.tribe or (me.bond is not None and card.value < me.bond.value):
        return False
    return ally is None or ally.bond is None or proposal.value > ally.bond.value


def _gifts(position: Position, known: Knowledge, seat: Seat, ranked: list[Card]) -> Iterator[Any]:
    """Yield gifts between two tribes for both of which the same player decides, so that both cards are known."""
    me = position.me
    if len(ranked) < 2:
        return
    for camp in position.camps:
        if camp is me or not camp.hand or None not in (camp.owner, me.owner):
            continue
        if any(controller(position, each, position.round) != known.seat for each in (camp, me)):
            continue
        if any({raid.raider, raid.target} == {me.tribe, camp.tribe} for raid in position.raids):
            continue
        for card in faces_of(without(me.hand, ranked[0])) if me.owner is None else (ranked[1],):
            yield LayGift(seat, me.tribe, camp.tribe, ranked[0], card)

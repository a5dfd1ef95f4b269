"""Says what each card in a hand is good for: now, if its tribe acts, and otherwise in general."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.core import Prompt
from bot.games.plenty_coups.rules import actions as a
from bot.games.plenty_coups.rules.actions import PlayerAction
from bot.games.plenty_coups.rules.cards import HORSE, PROOFS, STICK, Card, Kind, Tribe, faces_of
from bot.games.plenty_coups.rules.view import CampView, Phase
from bot.games.plenty_coups.ui.moves import legal_moves
from bot.games.plenty_coups.ui.views import (
    PrivateView,
    attack_value,
    camp_of,
    is_at_home,
    is_too_late,
    is_winter,
    raid_on,
)
from bot.games.plenty_coups.ui.words import colour, player, tribe
from bot.host.model import Table
from bot.screens.words import DOT
from bot.text.catalogue import Catalogue


def uses(say: Catalogue, table: Table, view: PrivateView, camp: CampView, prompt: Prompt | None) -> dict[Card, str]:
    """Say what each card of a hand can do: what is allowed now if `prompt` asks this camp to act, else in general."""
    hand = faces_of(camp.hand or ())
    if prompt is None or view.phase is not Phase.ACT or view.actor != camp.tribe:
        return {card: DOT.join(_in_general(say, table, view, camp, card)) for card in hand}
    moves = legal_moves(prompt)
    return {
        card: DOT.join([*_raids(say, table, view, card, moves), *_other_uses(say, table, card, moves)])
        or _later(say, table, view, camp, card)
        for card in hand
    }


def _later(say: Catalogue, table: Table, view: PrivateView, camp: CampView, card: Card) -> str:
    """Say what a card that can do nothing now may do in a later turn, if there is one."""
    if view.round >= view.options.last_round:
        return say("plenty.use.nothing")
    return say("plenty.use.later", uses=DOT.join(_in_general(say, table, view, camp, card)))


def _raids(say: Catalogue, table: Table, view: PrivateView, card: Card, moves: Sequence[PlayerAction]) -> Iterator[str]:
    """Yield the raids and defences for which a card can be used now."""
    sent = [move for move in moves if isinstance(move, a.Raid) and move.warrior == card]
    raids = [move for move in sent if not is_too_late(view, move)]
    if sent and not raids:
        yield say("plenty.use.raid_last")
    if raids:
        value = _value(say, table, view, raids[0].tribe, card)
        anybody = len(raids) == len(view.camps) - 1
        names = _either(say, table, [raid.target for raid in raids])
        yield say("plenty.use.raid_anybody" if anybody else "plenty.use.raid", names=names, value=value)
    if card.tribe is not None and any(isinstance(move, a.DoubleRaid) and card in move.warriors for move in moves):
        yield say("plenty.use.double_raid", colour=colour(say, card.tribe))
    incoming = raid_on(view, moves[0].tribe)
    if incoming is None:
        return
    slots = {"name": player(say, table, incoming.raider), "value": incoming.value}
    if any(isinstance(move, a.Defend) and move.weapon == card for move in moves):
        yield say("plenty.use.defend", **slots)
    elif any(isinstance(move, a.DoubleDefend) and card in move.cards for move in moves):
        yield say("plenty.use.double_defend", **slots)


def _value(say: Catalogue, table: Table, view: PrivateView, own: Tribe, card: Card) -> str:
    """Return a warrior's attack value; if it is more than printed, with the reason."""
    value = attack_value(view, own, (card,))
    if not is_at_home(view, own, card) or card.tribe is None:
        return str(value)
    if card.tribe == own:
        return say("plenty.use.value_own", value=value)
    plays = any(camp.tribe == card.tribe for camp in view.camps)
    ally = player(say, table, card.tribe) if plays else tribe(say, card.tribe)
    return say("plenty.use.value_ally", value=value, ally=ally)


def _other_uses(say: Catalogue, table: Table, card: Card, moves: Sequence[PlayerAction]) -> Iterator[str]:
    """Yield the alliances for which a card can be used now, and what horse cards and sticks can do."""
    accepted = [move.target for move in moves if isinstance(move, a.Accept) and move.card == card]
    proposed = [move.target for move in moves if isinstance(move, a.Propose) and move.card == card]
    if accepted:
        yield say("plenty.use.accept", names=_either(say, table, accepted))
    if proposed:
        yield say("plenty.use.propose", names=_either(say, table, proposed))
    if card.tribe is not None and any(isinstance(move, a.AllyNeutral) and move.card == card for move in moves):
        yield say("plenty.use.neutral", ally=tribe(say, card.tribe))
    if card == HORSE and any(isinstance(move, a.Breed) for move in moves):
        yield say("plenty.use.breed")
    coup = any(isinstance(move, a.StrikeCoup) for move in moves)
    if card == STICK and coup:
        yield say("plenty.use.coup")
    if card == STICK and any(isinstance(move, a.Disdain) for move in moves):
        yield say("plenty.use.disdain")
        if not coup:  # so that nobody wastes a stick because they forgot what else it can do
            yield say("plenty.use.any_coup")


def _in_general(say: Catalogue, table: Table, view: PrivateView, camp: CampView, card: Card) -> Iterator[str]:
    """Yield what a card can be good for at some point in the match."""
    match card.kind:
        case Kind.WARRIOR:
            key = "plenty.use.any_raid_home" if is_at_home(view, camp.tribe, card) else "plenty.use.any_raid"
            yield say(key, value=attack_value(view, camp.tribe, (card,)))
            if card.tribe is not None and card.tribe not in [each.tribe for each in view.camps]:
                yield say("plenty.use.neutral", ally=tribe(say, card.tribe))
            elif card.tribe is not None and card.tribe != camp.tribe and len(view.camps) > 3:
                suitor = camp_of(view, card.tribe).proposal
                proposed = suitor is not None and suitor.tribe == camp.tribe
                names = player(say, table, card.tribe)
                yield say("plenty.use.accept" if proposed else "plenty.use.propose", names=names)
        case Kind.WEAPON:
            yield say("plenty.use.any_defend", value=card.value)
        case Kind.HORSE:
            yield say("plenty.use.breed")
        case Kind.STICK:
            yield say("plenty.use.any_coup_winter" if is_winter(view) else "plenty.use.any_coup")
    if card in PROOFS and not is_winter(view):
        yield say("plenty.use.any_stick") if card == STICK else say("plenty.use.any_proof")


def _either(say: Catalogue, table: Table, tribes: Sequence[Tribe]) -> str:
    return say.either([player(say, table, each) for each in tribes])

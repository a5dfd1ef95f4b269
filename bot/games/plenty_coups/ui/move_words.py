"""Puts every move into words: what it is, what it costs, and what it would do."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, assert_never

from bot.games.plenty_coups.emoji_names import card_emoji
from bot.games.plenty_coups.rules import actions as a
from bot.games.plenty_coups.rules.actions import PlayerAction
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Cards, Tribe, without
from bot.games.plenty_coups.rules.view import CampView
from bot.games.plenty_coups.ui.pact_words import accepted, disdained, neutral, proposed
from bot.games.plenty_coups.ui.tokens import DO, token_of
from bot.games.plenty_coups.ui.views import (
    HIGHEST_WEAPON,
    MOST_PRESTIGE,
    PrivateView,
    attack_value,
    camp_of,
    is_winter,
    markers_for_coups,
    may_use_two_weapons,
    raid_on,
)
from bot.games.plenty_coups.ui.words import card_label, player_label, weapons_for
from bot.host.model import Table
from bot.text.catalogue import Catalogue


class MoveWords(NamedTuple):
    """A move as a list offers it."""

    token: str
    label: str
    about: str
    """Empty if the label says it all."""
    emoji: str = ""
    """The card that it takes; empty if it takes none or several, or if there are no emojis."""


def move_words(say: Catalogue, table: Table, view: PrivateView, action: PlayerAction) -> MoveWords:
    """Put one move into words."""
    case, slots = _case(say, table, view, action)
    key = f"plenty.move.{DO[type(action)]}"
    explained = "plenty.move.raid" if isinstance(action, a.DoubleRaid) else key
    about = "" if isinstance(action, a.Take) else say(f"{explained}.about{case}", **slots)
    return MoveWords(token_of(action), say(f"{key}.label", **slots), about, emoji_of(say, action))


def target_of(view: PrivateView, action: PlayerAction) -> Tribe | None:
    """Return the other tribe that a move is about; None if there is none."""
    match action:
        case a.LayFreeGift():
            bond = camp_of(view, action.tribe).bond
            return None if bond is None else bond.tribe
        case a.Give():
            return None if view.gift is None else view.gift.giver
        case a.Defend() | a.DoubleDefend():
            raid = raid_on(view, action.tribe)
            return None if raid is None else raid.raider
        case _:
            return getattr(action, "target", None)


def emoji_of(say: Catalogue, action: PlayerAction) -> str:
    """Return the emoji of the one card that a move takes; empty if it takes none or several, or there is no emoji."""
    match action:
        case a.Breed():
            return say.emoji(card_emoji(HORSE))
        case a.StrikeCoup() | a.Disdain():
            return say.emoji(card_emoji(STICK))
    cards = getattr(action, "cards", None) or tuple(
        card for name in ("card", "warrior", "weapon", "discard") if (card := getattr(action, name, None)) is not None
    )
    return say.emoji(card_emoji(cards[0])) if len(cards) == 1 else ""


def _counted(say: Catalogue, cards: Cards) -> str:
    """Name cards in a label, those that are alike only once."""
    key = "plenty.move.hunt_discard.several"
    named = [(card_label(say, card), count) for card, count in Counter(cards).items()]
    return say.listing([name if count == 1 else say(key, card=name, count=count) for name, count in named])


def joined(say: Catalogue, cards: Cards) -> str:
    """Name cards in a label."""
    return say.listing([card_label(say, card) for card in cards])


def _case(say: Catalogue, table: Table, view: PrivateView, action: PlayerAction) -> tuple[str, dict[str, object]]:
    """Return which form of the explanation fits a move, and what the words name."""
    me = camp_of(view, action.tribe)
    slots: dict[str, object] = {}
    if (target := getattr(action, "target", None)) is not None:
        slots["name"] = player_label(say, table, target)
    match action:
        case a.Take(_, _, cards):
            return "", {"cards": joined(say, cards)}
        case a.Raid() | a.DoubleRaid():
            return _raid(say, table, view, action)
        case a.Defend(_, _, weapon):
            return _defence(say, table, view, me, (weapon,))
        case a.DoubleDefend(_, _, weapons):
            return _defence(say, table, view, me, weapons)
        case a.StrikeCoup():
            return "", {"prestige": min(MOST_PRESTIGE, me.prestige + 1)}
        case a.Breed():
            return "", {"horses": say("plenty.camp.horses", count=me.horses + 1), "count": view.plain - 1}
        case a.LayGift(_, _, _, discard, card):
            return "", slots | {"discard": card_label(say, discard), "card": card_label(say, card)}
        case a.LayFreeGift(_, _, card):
            ally = me.bond.tribe if me.bond is not None else None
            name = "" if ally is None else player_label(say, table, ally)
            return "", {"name": name, "card": card_label(say, card)}
        case a.Give(_, _, card):
            giver = action.tribe if view.gift is None else view.gift.giver
            return "", {"name": player_label(say, table, giver), "card": card_label(say, card)}
        case a.Propose():
            return proposed(view, me, action), slots | _rival(say, table, view, action.card)
        case a.Accept():
            return accepted(say, table, view, action, slots | {"card": card_label(say, action.card)})
        case a.AllyNeutral():
            return neutral(say, table, view, me, action.card)
        case a.Disdain():
            return disdained(view, me, action.target), slots
        case a.Prove(_, _, card) | a.Hunt(_, _, card):
            return "", {"card": card_label(say, card)}
        case a.Decline():
            return ("" if me.prestige else "_zero"), {"prestige": max(0, me.prestige - 1)}
        case a.Donate(_, _, _, discard):
            full = me.prestige == MOST_PRESTIGE
            left = {"card": card_label(say, discard), "count": me.horses - 2, "prestige": me.prestige + 1}
            return ("_full" if full else ""), slots | left
        case a.DiscardAfterHunt(_, _, cards):
            kept = without(me.hand or (), *cards)
            return ("" if kept else "_all"), {"cards": joined(say, cards), "kept": _counted(say, kept)}
        case a.End():
            return "", {}
        case _:
            assert_never(action)


def _rival(say: Catalogue, table: Table, view: PrivateView, card: Card) -> dict[str, object]:
    """Name the card of a proposal, and the tribe that it outbids."""
    suitor = next((camp for camp in view.camps if camp.proposal and camp.proposal.tribe == card.tribe), None)
    rival = "" if suitor is None else player_label(say, table, suitor.tribe)
    return {"card": card_label(say, card), "rival": rival}


def _raid(
    say: Catalogue, table: Table, view: PrivateView, action: a.Raid | a.DoubleRaid
) -> tuple[str, dict[str, object]]:
    target, standing = action.target, raid_on(view, action.target)
    warriors = (action.warrior,) if isinstance(action, a.Raid) else action.warriors
    rival = "" if standing is None else player_label(say, table, standing.raider)
    value, two = attack_value(view, action.tribe, warriors), may_use_two_weapons(view, target)
    slots: dict[str, object] = {
        "name": player_label(say, table, target),
        "cards": joined(say, warriors),
        "value": value,
        "weapon": weapons_for(say, value, two=two),
        "rival": rival,
    }
    displaces = "" if standing is None else "_displaces"
    if view.round >= view.options.last_round:
        return f"_last{displaces}", slots
    coup = markers_for_coups(view, action.tribe) > 0
    if camp_of(view, target).horses:
        sure = "" if two or value <= HIGHEST_WEAPON else "_sure"
        return f"{displaces}{sure}{'' if coup else '_no_coup'}", slots
    return displaces + ("_empty" if coup else "_vain"), slots


def _defence(
    say: Catalogue, table: Table, view: PrivateView, me: CampView, weapons: Cards
) -> tuple[str, dict[str, object]]:
    raid = raid_on(view, me.tribe)
    if raid is None:
        raise ValueError("nobody raids this camp")
    slots: dict[str, object] = {
        "name": player_label(say, table, raid.raider),
        "cards": joined(say, weapons),
        "value": raid.value,
    }
    young = len(raid.warriors) == 1 and raid.warriors[0].value == 1
    higher = len(weapons) == 1 and weapons[0].value > raid.value
    first = view.actions_left == 2 and not is_winter(view)
    return ("_coup" if first and higher and not young and me.prestige < MOST_PRESTIGE else ""), slots

"""Tells a player what has become of their tribe since its last turn: raids, gifts, alliances, disdain."""

from __future__ import annotations

from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.view import CampView, Phase
from bot.games.plenty_coups.ui.narration import news_lines
from bot.games.plenty_coups.ui.views import PrivateView, player_ally
from bot.games.plenty_coups.ui.words import colour, player, shown_card
from bot.host.model import Table
from bot.text.catalogue import Catalogue


def since_lines(say: Catalogue, table: Table, view: PrivateView, camp: CampView) -> list[str]:
    """Say what concerns a tribe since its last turn; nothing if nothing does, or if it has had no turn yet."""
    lines = news_lines(say, table, _since(view, camp.tribe), most=None)
    return [say("plenty.hand.since"), *[f"-# {line}" for line in lines]] if lines else []


def _since(view: PrivateView, own: Tribe) -> list[e.Event]:
    """Return the public events since a tribe's last turn that concern it, with what caused them."""
    events = view.lately + view.news
    ended = [place for place, event in enumerate(events) if isinstance(event, e.TurnEnded) and event.tribe == own]
    told: list[e.Event] = []
    in_turn = False
    for event in events[ended[-1] + 1 :] if ended else ():
        in_turn = event.tribe == own if isinstance(event, e.TurnBegan) else in_turn
        if isinstance(event, e.TurnEnded):
            told.append(event)
        elif in_turn and not isinstance(event, e.RaidCameHome):
            continue  # what a tribe does itself is no news to it
        elif _concerns(event, own) or (told and _caused(event, told[-1])):
            told.append(event)
    answers = view.phase is Phase.DISDAIN and view.actor == own
    return told[:-1] if answers and told and isinstance(told[-1], e.Disdained) else told


def _concerns(event: e.Event, own: Tribe) -> bool:
    """Return whether an event is about a tribe: not what it must still answer, which its hand shows anyway."""
    match event:
        case e.RaidCameHome(raid) | e.RaidLost(raid) | e.RaidRepelled(raid):
            return own in (raid.raider, raid.target)
        case e.HorsesGiven(_, target) | e.Disdained(_, target):
            return target == own
        case e.PrestigeChanged(who) | e.WorthProved(who) | e.WorthNotProved(who) | e.ProposalDropped(who):
            return who == own
        case e.AllianceMade(proposer, _, accepter):
            return own in (proposer, accepter)
        case e.AllianceEnded(who, ally):
            return own in (who, ally)
        case _:
            return False


def _caused(event: e.Event, before: e.Event) -> bool:
    """Return whether an event has put an end to what was told before it."""
    match event, before:
        case e.RaidLaunched(raid), e.RaidLost(lost):
            return raid.target == lost.target
        case ((e.AllianceProposed() | e.AllianceMade() | e.NeutralAllianceMade()), _):
            return isinstance(before, e.ProposalDropped | e.AllianceEnded)
        case _:
            return False


def gift_lines(say: Catalogue, table: Table, view: PrivateView, camp: CampView) -> list[str]:
    """Say which cards a tribe has lately exchanged, as far as the viewer knows them."""
    exchanges = [event for event in view.lately + view.news if isinstance(event, e.GiftsExchanged)]
    others = [
        each.tribe if camp.tribe == each.target else each.target
        for each in exchanges
        if camp.tribe in (each.tribe, each.target)
    ]
    if camp.received is None or not others:
        return []
    name, received = player(say, table, others[-1]), shown_card(say, camp.received)
    if camp.given is None:
        return [say("plenty.hand.received", name=name, card=received)]
    return [say("plenty.hand.exchanged", name=name, card=received, given=shown_card(say, camp.given))]


def proposal_lines(say: Catalogue, table: Table, view: PrivateView, camp: CampView) -> list[str]:
    """Say who proposes an alliance to a tribe, and whether it has a warrior to accept with."""
    suitor = next((each for each in view.camps if each.proposal and each.proposal.tribe == camp.tribe), None)
    if suitor is None or suitor.proposal is None:
        return []
    ally, least = player_ally(view, camp.tribe), camp.bond.value if camp.bond else 1
    slots = {"name": player(say, table, suitor.tribe), "colour": colour(say, suitor.tribe), "value": least}
    if ally is not None and suitor.proposal.value <= least:
        return [say("plenty.hand.proposed_low", **slots)]
    able = any(card.tribe == suitor.tribe and card.value >= least for card in camp.hand or ())
    key = f"proposed{'_high' if least > 1 else ''}{'' if able else '_none'}"
    return [say(f"plenty.hand.{key}", **slots)]

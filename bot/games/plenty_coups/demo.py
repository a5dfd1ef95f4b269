"""Narrates a match of Plenty Coups between random players in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import assert_never

from bot.engine.core import DEALER, Json
from bot.games.plenty_coups.rules import events
from bot.games.plenty_coups.rules.cards import Card, Kind, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import PlentyCoupsView


def narrate(options: Mapping[str, Json], players: int, seed: int) -> Iterator[str]:
    """Yield the lines of one random match; the same seed tells the same story."""
    rng = Random(seed)
    state = GAME.setup(options, players, None)
    yield f"Plenty Coups, {players} players, seed {seed}"
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        action = GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng)
        state, happened = GAME.apply(state, action)
        for event in happened:
            if isinstance(event, events.Dealt):
                elder = _tribe(event.tribes[0])
                yield f"  Turn order: {_list(_tribe(tribe) for tribe in event.tribes)}; {elder} is the elder."
                yield from _third_tribe(players, event.tribes)
                for camp in state.camps.values():
                    yield f"  {_tribe(camp.tribe)} is dealt {_cards(camp.hand)}."
            elif isinstance(event, events.TurnBegan):
                if event.tribe == next(iter(state.camps)):
                    yield ""
                    yield f"Round {event.round}" + (" (winter)" if state.winter else "")
                camp = state.camps[event.tribe]
                yield f"  {_tribe(camp.tribe)}: {_count(camp.horses, 'horse')}, prestige {camp.prestige}"
            elif line := tell(event):
                yield f"    {line}"
    yield ""
    yield "Scores"
    yield from _scores(GAME.view_for(state, None))


def tell(event: events.Event) -> str | None:
    """Put one public fact into words; None for what the headings say already."""
    match event:
        case events.Dealt() | events.TurnBegan() | events.TurnEnded() | events.SeatLeft() | events.MatchEnded():
            return None
        case events.OfferOpened(cards):
            return f"On offer now: {_cards(cards)}."
        case events.OfferVoided(cards):
            return f"Three alike: {_cards(cards)} are replaced."
        case events.PileRenewed(cards):
            return f"The {cards} discards are shuffled into a new pile."
        case events.StickLifted(tribe, drawn):
            return f"The stick of disdain is lifted from {_tribe(tribe)}" + (", who draws a card." if drawn else ".")
        case events.ProposalDropped(tribe, card):
            return f"{_tribe(tribe)}'s proposal ({_card(card)}) is gone."
        case events.Taken(tribe, cards):
            return f"{_tribe(tribe)} takes {_cards(cards)}."
        case events.RaidCameHome(raid, horse, bought_off):
            spoils = "with a horse" if horse else "with nothing but honour"
            return f"{_raid(raid)} goes home {spoils}" + (", bought off." if bought_off else ".")
        case events.RaidLost(raid):
            return f"{_raid(raid)} is over, for nothing."
        case events.Bred(tribe):
            return f"{_tribe(tribe)} breeds a horse."
        case events.RaidLaunched(raid):
            side = ", a marker that has scored before" if raid.prestige_side else ""
            return f"{_raid(raid)} sets out: {_cards(raid.warriors)}, attack {raid.value}{side}."
        case events.RaidRepelled(raid, weapons):
            return f"{_raid(raid)} is repelled with {_cards(weapons)}."
        case events.CoupStruck(tribe, on_return):
            return f"{_tribe(tribe)} strikes a coup {'on return' if on_return else 'in defence'}!"
        case events.PrestigeChanged(tribe, prestige):
            return f"{_tribe(tribe)} has prestige {prestige}."
        case events.GiftLaid(tribe, target, discard):
            price = f" and discards {_card(discard)}" if discard else ", freely as an ally"
            return f"{_tribe(tribe)} lays a gift before {_tribe(target)}{price}."
        case events.GiftsExchanged(tribe, target):
            return f"{_tribe(target)} gives a card, and {_tribe(tribe)}'s gift is taken."
        case events.AllianceProposed(tribe, target, card):
            return f"{_tribe(tribe)} proposes an alliance to {_tribe(target)} with {_card(card)}."
        case events.AllianceMade(proposer, proposed, accepter, accepted):
            return (
                f"{_tribe(accepter)} accepts with {_card(accepted)}: allied to {_tribe(proposer)} ({_card(proposed)})."
            )
        case events.AllianceEnded(tribe, ally):
            return f"The alliance of {_tribe(tribe)} and {_tribe(ally)} is over."
        case events.NeutralAllianceMade(tribe, card):
            return f"{_tribe(tribe)} wins a neutral ally with {_card(card)}."
        case events.Disdained(tribe, target):
            return f"{_tribe(tribe)} disdains {_tribe(target)}."
        case events.WorthProved(tribe, card):
            return f"{_tribe(tribe)} proves its worth with {_card(card)}."
        case events.WorthNotProved(tribe):
            return f"{_tribe(tribe)} lets it pass."
        case events.HorsesGiven(tribe, target, discard):
            return f"{_tribe(tribe)} discards {_card(discard)} and gives two horses to {_tribe(target)}."
        case events.Hunted(tribe, discard):
            return f"{_tribe(tribe)} discards {_card(discard)} and goes hunting."
        case events.Undone(tribe):
            return f"{_tribe(tribe)} takes that back."
        case events.HuntEnded(tribe, cards):
            return f"{_tribe(tribe)} comes back and discards {_cards(cards)}."
        case _:
            assert_never(event)


def _third_tribe(players: int, tribes: tuple[Tribe, ...]) -> Iterator[str]:
    if players == 2:
        yield f"  {_tribe(tribes[1])} is nobody's: the elder decides for it in odd rounds, the other in even ones."


def _scores(view: PlentyCoupsView) -> Iterator[str]:
    winners = view.outcome.winners if view.outcome else ()
    for camp in view.camps:
        if camp.score:
            won = "  <- wins" if camp.owner in winners else ""
            sum_of = f"{camp.score.outside} outside the herd + {camp.score.herd} in it"
            yield f"  {_tribe(camp.tribe):<7}{camp.score.total:>3}  ({sum_of}, {_count(camp.horses, 'horse')}){won}"


def _tribe(tribe: Tribe) -> str:
    return tribe.name.capitalize()


def _card(card: Card) -> str:
    if card.tribe is not None:
        return f"{card.tribe.name.lower()} {card.value}"
    return f"a {card.kind.name.lower()} {card.value}" if card.kind is Kind.WEAPON else f"a {card.kind.name.lower()}"


def _cards(cards: Iterable[Card]) -> str:
    return _list(_card(card) for card in cards) or "nothing"


def _raid(raid: RaidOut) -> str:
    return f"{_tribe(raid.raider)}'s raid on {_tribe(raid.target)}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _list(parts: Iterable[str]) -> str:
    *most, last = [*parts] or [""]
    return f"{', '.join(most)} and {last}" if most else last

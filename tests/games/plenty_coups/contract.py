"""Plenty Coups' part of the contract tests: invariants, twins and random actions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from bot.engine.core import DEALER, Leave, Seat
from bot.games.plenty_coups.rules.actions import Action, Deal, End, Shuffle, Take, Undo
from bot.games.plenty_coups.rules.cards import DECK, FACES, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.codec import VERBS, cards_of
from bot.games.plenty_coups.rules.events import GiftsExchanged
from bot.games.plenty_coups.rules.game import view_for
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView

OPENINGS: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 2),
    ({}, 3),
    ({"tribes": ["white", "green", "black", "red"]}, 4),
    ({}, 5),
    ({}, 6),
    ({"rounds": 3, "winter_hunting": False, "decline_when_able": False, "accepter_gains": True}, 2),
    ({"rounds": 5, "decline_when_able": False, "accepter_gains": True}, 4),
)


def check(state: State) -> None:
    """Check that no card is lost or added, and that no limit is exceeded."""
    if state.turn.round == 0 and state.turn.phase in (Phase.DEAL, Phase.OVER):
        return  # nothing was dealt, for example because all but one had left
    assert ordered(cards_of(state)) == DECK
    camps = state.camps.values()
    assert state.plain + sum(camp.horses for camp in camps) == 6 * len(camps)
    assert all(raid.target is target for target, raid in state.raids.items())
    for camp in camps:
        raids = state.raids_of(camp.tribe)
        turned = sum(raid.prestige_side for raid in raids)
        assert 0 <= camp.prestige <= 4
        assert len(raids) <= 4
        assert turned <= camp.prestige <= 4 - (len(raids) - turned)
        ally = state.ally_of(camp)
        assert not ally or (ally.bond and ally.bond.tribe == camp.tribe)
        assert not (ally and any(raid.target is ally.tribe for raid in raids))
        assert not (camp.bond and camp.proposal)
    for kind in ("proposal", "bond"):
        colours = [getattr(camp, kind).tribe for camp in camps if getattr(camp, kind)]
        assert len(colours) == len(set(colours))
    if state.turn.phase is Phase.TAKE and not state.winter:
        # Only an answer to disdain costs a card outside of a player's own turn.
        assert all(len(camp.hand) == 3 or (camp.disdained and len(camp.hand) == 2) for camp in camps)


def check_view(state: State, view: PlentyCoupsView) -> None:
    """Check that the view shows exactly what section 10 of the rules allows."""
    viewer, deciding = view.viewer, _deciding(state)
    assert [camp.tribe for camp in view.camps] == [*state.camps]
    for seen, camp in zip(view.camps, state.camps.values(), strict=True):
        mine = viewer is not None and viewer == deciding[camp.tribe]
        assert seen.controller == deciding[camp.tribe]
        assert seen.hand == (camp.hand if mine else None)
        assert seen.hand_size == len(camp.hand)
        assert seen.received is None or (mine and seen.received in camp.hand)
        assert seen.given is None or (viewer is not None and viewer == camp.owner and seen.given == camp.given)
        assert (seen.owner, seen.horses, seen.prestige) == (camp.owner, camp.horses, camp.prestige)
        assert (seen.proposal, seen.bond, seen.disdained) == (camp.proposal, camp.bond, camp.disdained)
    assert (view.gift is None) == (state.gift is None)
    if view.gift is not None and state.gift is not None:
        assert (view.gift.giver, view.gift.target) == (state.gift.giver, state.gift.target)
        is_giver = viewer is not None and viewer == deciding[state.gift.giver]
        assert view.gift.card == (state.gift.card if is_giver else None)
    assert view.lately == state.lately
    assert view.raids == tuple(state.raids.values())
    assert (view.plain, view.offer, view.discards) == (state.plain, state.stock.offer, state.stock.discards)
    assert view.pile == len(state.stock.pile)
    if view.prompt is not None:
        assert view.actor is not None
        assert viewer == view.prompt.seat == deciding[view.actor]
        assert all(choice.fields[0] == (view.actor,) for choice in view.prompt.choices)


def _deciding(state: State) -> dict[Tribe, Seat | None]:
    """Return who decides for each tribe: for the third of two players, the elder in odd rounds (section 8)."""
    owners = [camp.owner for camp in state.camps.values() if camp.owner is not None]
    third = owners[1] if state.turn.round and state.turn.round % 2 == 0 else owners[0]
    return {camp.tribe: third if camp.owner is None else camp.owner for camp in state.camps.values()}


def twin(state: State, viewer: Seat | None, rng: Random) -> State:
    """Deal again everything hidden from the viewer: hands, the pile, the cards of gifts.

    Cards that came into a hand or left it by an action that can be taken back stay: everybody has seen them.
    """
    hidden = [camp.tribe for camp in state.camps.values() if viewer != state.controller(camp.tribe)]
    gift = state.gift if state.gift and viewer != state.controller(state.gift.giver) else None
    held = {tribe: _held_all_the_time(state, tribe) for tribe in hidden}
    cards = [*state.stock.pile, *(card for hand in held.values() for card in hand), *([gift.card] if gift else [])]
    rng.shuffle(cards)
    for tribe, hand in held.items():
        state = _exchanged(state, tribe, hand, [cards.pop() for _ in hand])
    if gift:
        state = state._replace(gift=gift._replace(card=cards.pop()))
    exchanged = [camp for tribe in hidden if (camp := state.camps[tribe]).given]
    for camp in exchanged:
        state = state.with_camps(camp._replace(given=rng.choice(FACES), received=rng.choice(FACES)))
    return _with_pile(state, tuple(cards))


def _with_pile(state: State, pile: Cards) -> State:
    """Return the state with another pile, now and before what can be taken back: nothing was drawn in between."""
    earlier = state.earlier and _with_pile(state.earlier, pile)
    return state._replace(stock=state.stock._replace(pile=pile), earlier=earlier)


def _held_all_the_time(state: State, tribe: Tribe) -> list[Card]:
    """Return the cards of a hand that it had before everything that can be taken back, too."""
    held = Counter(state.camps[tribe].hand)
    earlier = state.earlier
    while earlier is not None:
        held &= Counter(earlier.camps[tribe].hand)
        earlier = earlier.earlier
    return [*held.elements()]


def _exchanged(state: State, tribe: Tribe, old: list[Card], new: list[Card]) -> State:
    """Return the state with other cards in a hand, now and before what can be taken back."""
    camp = state.camps[tribe]
    hand = ordered((Counter(camp.hand) - Counter(old) + Counter(new)).elements())
    earlier = state.earlier and _exchanged(state.earlier, tribe, old, new)
    return state.with_camps(camp._replace(hand=hand))._replace(earlier=earlier)


def candidate(state: State, rng: Random) -> Action:
    """Return a random well-formed action, legal or not, mostly one that is almost legal."""
    verb: Any = rng.choice([verb for verb in VERBS.values() if verb is not Leave])
    if verb is Deal:
        return Deal(DEALER, DECK, rng.choice([None, Seat(0), Seat(7)]))
    if verb is Shuffle:
        return Shuffle(rng.choice([DEALER, Seat(0)]), rng.choice([DECK, state.stock.discards[1:], DECK[1:]]))
    actor = state.turn.actor
    tribe = actor if rng.random() < 0.9 else rng.choice([*Tribe])
    seat = state.controller(actor) if rng.random() < 0.9 else Seat(rng.randrange(6))
    if verb is Undo:  # never listed, like leaving: one that may be accepted has tests of its own
        return Undo(seat, rng.choice([each for each in Tribe if each != actor]))
    near = state.camps[actor].hand + state.stock.offer

    def cards(size: int) -> Cards:
        return tuple(rng.choice(near if near and rng.random() < 0.95 else FACES) for _ in range(size))

    def value(field: str) -> Any:
        if field == "target":
            return rng.choice([*Tribe])
        if field == "cards":
            chosen = cards(rng.choice([1, 2, 2, 2, 3]))
            return ordered(chosen) if rng.random() < 0.9 else chosen
        return cards(rng.choice([0, 1, 2, 2, 2, 3])) if field == "warriors" else cards(1)[0]

    action: Action = verb(seat, tribe, *[value(field) for field in verb._fields[2:]])
    return action


def is_public(verb: Any) -> bool:
    """Taking from the open offer and ending the turn depend on no hand; declining may, if the options say so."""
    return verb in (Take, End)


def check_open_view(state: State, view: PlentyCoupsView) -> None:
    """Check that the open view equals a bystander's view with all hands and exchanged gifts open."""
    assert [camp.hand for camp in view.camps] == [camp.hand for camp in state.camps.values()]
    assert (view.gift and view.gift.card) == (state.gift and state.gift.card)
    exchanges = [event for event in state.lately + state.news if isinstance(event, GiftsExchanged)]
    for seen, camp in zip(view.camps, state.camps.values(), strict=True):
        lately = any(camp.tribe in (each.tribe, each.target) for each in exchanges)
        assert seen.given == (camp.given if lately else None)
        assert seen.received == (camp.received if lately and camp.received in camp.hand else None)
    assert view_for(state, None) == view._replace(
        camps=tuple(camp._replace(hand=None, received=None, given=None) for camp in view.camps),
        gift=view.gift and view.gift._replace(card=None),
    )

"""Builds from scratch what each viewer may know of a match: hidden cards leave the rules only here."""

from __future__ import annotations

from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.cards import Card
from bot.games.plenty_coups.rules.choices import asked_seat, prompts
from bot.games.plenty_coups.rules.events import Event, GiftsExchanged
from bot.games.plenty_coups.rules.prestige import herd_points, outcome, score_of
from bot.games.plenty_coups.rules.state import Camp, Gift, State
from bot.games.plenty_coups.rules.view import CampView, GiftView, Phase, PlentyCoupsView


def view_for(state: State, viewer: Seat | None) -> PlentyCoupsView:
    """Return everything that `viewer` may know at this moment (section 10)."""
    turn = state.turn
    over = turn.phase is Phase.OVER
    asked = asked_seat(state)
    gift = state.gift
    return PlentyCoupsView(
        viewer=viewer,
        phase=turn.phase,
        round=turn.round,
        turn=None if over or not turn.round else turn.tribe,
        actor=None if asked in (None, DEALER) else turn.actor,
        actions_left=turn.actions_left,
        coups_open=turn.coups_open,
        defence_coup_open=turn.defence_coup_open,
        free_gift_used=turn.free_gift_used,
        camps=tuple(_camp_view(state, camp, viewer, over=over) for camp in state.camps.values()),
        raids=tuple(state.raids.values()),
        gift=_gift_view(gift, shown=viewer == state.controller(gift.giver)) if gift else None,
        plain=state.plain,
        offer=state.stock.offer,
        pile=len(state.stock.pile),
        discards=state.stock.discards,
        left=tuple(sorted(state.left)),
        prompt=prompts(state)[0] if asked is not None and asked == viewer else None,
        outcome=outcome(state),
        news=state.news,
        lately=state.lately,
        last_round=state.last_round,
        may_undo=not legal.why_no_undo(state),
        options=state.options,
    )


def _camp_view(state: State, camp: Camp, viewer: Seat | None, *, over: bool) -> CampView:
    """Return one tribe as a viewer sees it: only its controller in this round sees the hand."""
    controller = state.controller(camp.tribe)
    ally = state.ally_of(camp)
    return CampView(
        tribe=camp.tribe,
        owner=camp.owner,
        controller=controller,
        hand=camp.hand if viewer == controller else None,
        hand_size=len(camp.hand),
        received=_received(state, camp, viewer) if viewer == controller else None,
        given=camp.given if viewer is not None and viewer == camp.owner and _exchanged_lately(state, camp) else None,
        horses=camp.horses,
        herd_points=herd_points(camp),
        prestige=camp.prestige,
        proposal=camp.proposal,
        bond=camp.bond,
        disdained=camp.disdained,
        score=score_of(state, camp) if over else None,
        best=camp.best.without_ally(ally.tribe, state.turn.round) if ally else camp.best,
    )


def _received(state: State, camp: Camp, viewer: Seat | None) -> Card | None:
    """Return the card that an exchange of gifts has lately brought, if it is still in the hand.

    A player is told of their own tribe's since its last turn. Who decides for the third tribe has changed by then.
    """
    if camp.received not in camp.hand:
        return None
    lately = _exchanged_lately(state, camp) if viewer == camp.owner else _has_exchanged(state.news, camp)
    return camp.received if lately else None


def _exchanged_lately(state: State, camp: Camp) -> bool:
    return _has_exchanged(state.lately + state.news, camp)


def _has_exchanged(events: tuple[Event, ...], camp: Camp) -> bool:
    return any(isinstance(event, GiftsExchanged) and camp.tribe in (event.tribe, event.target) for event in events)


def _gift_view(gift: Gift, *, shown: bool) -> GiftView:
    """Return an unfinished gift as a viewer sees it: only the giver sees the card."""
    return GiftView(gift.giver, gift.target, gift.card if shown else None)


def open_view(state: State) -> PlentyCoupsView:
    """Return a bystander's view with all hands, and the card of an unfinished gift, laid open."""
    view = view_for(state, None)
    return view._replace(
        camps=tuple(_laid_open(state, camp) for camp in view.camps),
        gift=_gift_view(state.gift, shown=True) if state.gift else None,
    )


def _laid_open(state: State, view: CampView) -> CampView:
    """Return a tribe with its hand, and the cards that it has lately exchanged."""
    camp = state.camps[view.tribe]
    if not _exchanged_lately(state, camp):
        return view._replace(hand=camp.hand)
    received = camp.received if camp.received in camp.hand else None
    return view._replace(hand=camp.hand, received=received, given=camp.given)


def seated(state: State) -> tuple[Seat, ...]:
    """Return the players who may still leave."""
    if state.turn.phase is Phase.OVER:
        return ()
    return tuple(seat for seat in map(Seat, range(state.players)) if seat not in state.left)


def private_news(before: State, after: State) -> tuple[Seat, ...]:
    """Return the players whose cards have changed, including those of a tribe that they only control in this round."""
    return tuple(seat for seat in seated(after) if _hands_seen(before, seat) != _hands_seen(after, seat))


def _hands_seen(state: State, seat: Seat) -> list[tuple[Card, ...]]:
    return [camp.hand for camp in state.camps.values() if state.controller(camp.tribe) == seat]

"""Builds from scratch what each viewer may know of a match: hidden cards leave the rules only here."""

from __future__ import annotations

from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.rules import legal
from bot.games.plenty_coups.rules.cards import Card
from bot.games.plenty_coups.rules.choices import asked_seat, prompts
from bot.games.plenty_coups.rules.events import GiftsExchanged
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
        received=_received(state, camp) if viewer == controller else None,
        horses=camp.horses,
        herd_points=herd_points(camp),
        prestige=camp.prestige,
        proposal=camp.proposal,
        bond=camp.bond,
        disdained=camp.disdained,
        score=score_of(state, camp) if over else None,
        best=camp.best.without_ally(ally.tribe, state.turn.round) if ally else camp.best,
    )


def _received(state: State, camp: Camp) -> Card | None:
    """Return the card that an exchange in this turn or the last has brought, if it is still in the hand."""
    if camp.received not in camp.hand:
        return None
    exchanges = [event for event in state.news if isinstance(event, GiftsExchanged)]
    return camp.received if any(camp.tribe in (event.tribe, event.target) for event in exchanges) else None


def _gift_view(gift: Gift, *, shown: bool) -> GiftView:
    """Return an unfinished gift as a viewer sees it: only the giver sees the card."""
    return GiftView(gift.giver, gift.target, gift.card if shown else None)


def open_view(state: State) -> PlentyCoupsView:
    """Return a bystander's view with all hands, and the card of an unfinished gift, laid open."""
    view = view_for(state, None)
    return view._replace(
        camps=tuple(camp._replace(hand=state.camps[camp.tribe].hand) for camp in view.camps),
        gift=_gift_view(state.gift, shown=True) if state.gift else None,
    )


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

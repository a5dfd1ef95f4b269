"""Keeps what happened lately: the news of the last two turns and of the round, and what can still be taken back."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules import actions, legal
from bot.games.plenty_coups.rules.actions import Action, Undo
from bot.games.plenty_coups.rules.cards import Cards
from bot.games.plenty_coups.rules.events import (
    AllianceEnded,
    AllianceMade,
    AllianceProposed,
    Disdained,
    Event,
    Events,
    GiftsExchanged,
    HorsesGiven,
    NeutralAllianceMade,
    PrestigeChanged,
    ProposalDropped,
    RaidCameHome,
    RaidLaunched,
    RaidLost,
    RaidRepelled,
    TurnBegan,
    TurnEnded,
    Undone,
    WorthNotProved,
    WorthProved,
)
from bot.games.plenty_coups.rules.state import Camp, Raids, State, Turn
from bot.games.plenty_coups.rules.view import Phase

_ACT: Final = Phase.ACT
UNDOABLE: Final = frozenset(
    {
        actions.Take,
        actions.Breed,
        actions.Raid,
        actions.Defend,
        actions.StrikeCoup,
        actions.Propose,
        actions.Accept,
        actions.AllyNeutral,
        actions.Donate,
        actions.DiscardAfterHunt,
    }
)
"""The actions that bring nothing hidden to light, unless they end the turn: nobody draws, nobody else must decide."""


KEPT_FOR_A_ROUND: Final = frozenset(
    {
        *(TurnBegan, TurnEnded),
        *(RaidLaunched, RaidRepelled, RaidLost, RaidCameHome),
        *(AllianceProposed, ProposalDropped, AllianceMade, AllianceEnded, NeutralAllianceMade),
        *(Disdained, WorthProved, WorthNotProved, PrestigeChanged, HorsesGiven, GiftsExchanged),
    }
)
"""The events that another tribe may want to hear of in its next turn, and those that tell turns apart."""


def remember(before: State, action: Action, after: State, happened: tuple[Event, ...]) -> State:
    """Add to the news what an action has brought, and keep the state before it if the action can be undone."""
    news = before.news + happened
    turn = after.turn
    if turn.tribe is not before.turn.tribe or turn.round != before.turn.round:
        latest = _latest(news)
        lately = _of_a_round(before.lately + news[: len(news) - len(latest)], len(after.camps))
        return replace(after, news=latest, lately=lately, earlier=None, undone=0)
    undoable = turn.phase is _ACT and type(action) in UNDOABLE
    return replace(after, news=news, earlier=before if undoable else None)


def _latest(news: tuple[Event, ...]) -> tuple[Event, ...]:
    """Drop what happened before the last turn but one; the deal counts as a turn."""
    begun = [place for place, event in enumerate(news) if type(event) is TurnBegan]
    return news[begun[-2] :] if len(begun) > 1 else news


def _of_a_round(events: tuple[Event, ...], tribes: int) -> tuple[Event, ...]:
    """Keep what matters to others, back to the last turn of the tribe in turn; the news have its two latest turns."""
    begun = [place for place, event in enumerate(events) if type(event) is TurnBegan]
    turns = tribes - 1
    latest = events[begun[-turns] :] if len(begun) >= turns else events
    return tuple(event for event in latest if type(event) in KEPT_FOR_A_ROUND)


def undo(state: State, action: Undo, events: Events) -> State:
    """Go back to before the tribe's last action; only the questions and what was undone are counted on."""
    legal.ensure(legal.why_not_act(state, action.seat, action.tribe, state.turn.phase) or legal.why_no_undo(state))
    earlier = state.earlier
    assert earlier  # noqa: S101 - the check above found it
    events.append(Undone(action.tribe, state.news[len(earlier.news) :]))
    return replace(earlier, asked=state.asked + 1, undone=state.undone + 1)


class StepBack(Frozen, frozen=True):
    """What an action that can be undone has changed, as it was before: the rest of the earlier state is the same."""

    turn: Turn
    camps: tuple[Camp, ...]
    """Only those that were changed."""
    raids: Raids
    plain: int
    offer: Cards
    discards: int
    """How many discards there were; such an action only adds to them."""
    news: int
    """How many of the news were known; such an action only adds to them."""
    asked: int
    undone: int


def steps_back(state: State) -> tuple[StepBack, ...]:
    """Return what leads back to the earlier states of this turn, the latest first."""
    steps: tuple[StepBack, ...] = ()
    while earlier := state.earlier:
        changed = tuple(camp for camp in earlier.camps.values() if camp != state.camps[camp.tribe])
        steps = (
            *steps,
            StepBack(
                earlier.turn,
                changed,
                earlier.raids,
                earlier.plain,
                earlier.stock.offer,
                len(earlier.stock.discards),
                len(earlier.news),
                earlier.asked,
                earlier.undone,
            ),
        )
        state = earlier
    return steps


def with_steps_back(state: State, steps: tuple[StepBack, ...]) -> State:
    """Return the state with the earlier states to which these steps lead back."""
    if not steps:
        return state
    step, stock = steps[0], state.stock
    earlier = replace(
        state.with_camps(*step.camps),
        turn=step.turn,
        raids=step.raids,
        plain=step.plain,
        stock=replace(stock, offer=step.offer, discards=stock.discards[: step.discards]),
        news=state.news[: step.news],
        asked=step.asked,
        undone=step.undone,
    )
    return replace(state, earlier=with_steps_back(earlier, steps[1:]))

"""Plenty Coups as a game: how a match is set up, played, shown and asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from bot.engine.core import DEALER, Choice, Game, Json, Leave, Prompt, Rejected, Seat, Step
from bot.engine.shapes import shape_of
from bot.games.plenty_coups.rules import actions, codec, ending, legal, rounds, undoing, visibility
from bot.games.plenty_coups.rules.actions import Action, Deal, PlayerAction, Reason, Shuffle, Undo
from bot.games.plenty_coups.rules.cards import DECK, FACES, Card
from bot.games.plenty_coups.rules.choices import default, prompts, questions
from bot.games.plenty_coups.rules.events import Events, SeatLeft
from bot.games.plenty_coups.rules.options import read_options
from bot.games.plenty_coups.rules.prestige import outcome, standing
from bot.games.plenty_coups.rules.state import Camp, State, Stock, Turn
from bot.games.plenty_coups.rules.verbs import PLAYERS_VERBS, why_not_verb
from bot.games.plenty_coups.rules.view import Phase

_DEALERS: Final = (Deal, Shuffle)
_UNASKED: Final = (Phase.DEAL, Phase.OVER)
_SHAPE_CHECKS: Final[Mapping[type, Callable[[Any], bool]]] = {
    verb: shape_of(verb, {Card: frozenset(FACES)}) for verb in (Leave, Deal, Shuffle, Undo, *PLAYERS_VERBS)
}

view_for = visibility.view_for
open_view = visibility.open_view
private_news = visibility.private_news
seated = visibility.seated


def setup(options: Mapping[str, Json], players: int, starter: Seat | None) -> State:
    """Open a match: six horses per tribe, of which each takes one (section 3); the dealer moves first."""
    rules = read_options(options, players, starter)
    camps = {
        tribe: Camp(tribe, Seat(place) if place < players else None, horses=1)
        for place, tribe in enumerate(rules.tribes)
    }
    if starter is not None:
        camps = rounds.in_turn_order(camps, starter, players)
    elder = next(iter(camps))
    turn = Turn(0, elder, Phase.DEAL, elder)
    return State(rules, players, starter, frozenset(), turn, camps, raids={}, plain=5 * len(camps), stock=Stock())


def apply(state: State, action: Action) -> Step[State]:
    """Judge one action; raise Rejected and change nothing if it breaks a rule."""
    is_well_formed = _SHAPE_CHECKS.get(type(action))
    if is_well_formed is None or not is_well_formed(action):
        raise Rejected(Reason.MALFORMED)
    events: Events = []
    if isinstance(action, Undo):
        return Step(undoing.undo(state, action, events), tuple(events))
    after = _leave(state, action.seat, events) if isinstance(action, Leave) else _decide(state, action, events)
    after = _go_on(after, events)
    happened = tuple(events)
    return Step(undoing.remember(state, action, after, happened), happened)


def resume(state: State) -> Step[State]:
    """Do everything that happens by itself, in a position that a test or script has put together."""
    events: Events = []
    return Step(_go_on(state, events), tuple(events))


def _decide(state: State, action: Deal | Shuffle | PlayerAction, events: Events) -> State:
    """Carry out a decision; the next question gets a new id."""
    if isinstance(action, _DEALERS):
        state = (
            rounds.deal(state, action, events) if isinstance(action, Deal) else rounds.shuffle(state, action, events)
        )
    else:
        phase, perform, costs_action, _, _ = PLAYERS_VERBS[type(action)]
        refusal = legal.why_not_act(state, action.seat, action.tribe, phase)
        legal.ensure(refusal or (legal.why_no_action(state) if costs_action else None))
        state = perform(state, action, events)
    return replace(state, asked=state.asked + 1)


def _go_on(state: State, events: Events) -> State:
    """Go on until a player who has not left, or the dealer, must decide."""
    while not legal.wants_shuffle(state):
        before = state
        if by_itself := rounds.BY_ITSELF.get(state.turn.phase):
            state = by_itself(state, events)
        if state is before:
            left = state.left
            if not left or state.turn.phase in _UNASKED or state.controller(state.turn.actor) not in left:
                break
            state = _decide(state, default(state), events)
    return state


def _leave(state: State, seat: Seat, events: Events) -> State:
    """Let a player leave: the tribe stays (section 12). If only one player remains, they have won."""
    if state.turn.phase is Phase.OVER:
        raise Rejected(Reason.MATCH_OVER)
    if seat not in seated(state):
        raise Rejected(Reason.NOT_PLAYING)
    events.append(SeatLeft(seat))
    state = replace(state, left=state.left | {seat})
    return ending.close(state, events) if len(seated(state)) == 1 else state


def ended(state: State) -> int:
    """Return the number of the last round that has ended; 0 before that."""
    return state.last_round.round if state.last_round else 0


def why_not_asked(state: State, seat: Seat) -> Rejected:
    """Return why a player who is asked nothing may not act."""
    if state.turn.phase is Phase.OVER:
        return Rejected(Reason.MATCH_OVER)
    if seat in state.left:
        return Rejected(Reason.NOT_PLAYING)
    waits = state.turn.phase is Phase.DEAL or legal.wants_shuffle(state)
    return Rejected(Reason.DEALERS_MOVE if waits else Reason.NOT_YOUR_DECISION)


def public_choices(prompt: Prompt) -> tuple[Choice, ...]:
    """Return what everybody may see of a prompt: taking from the open offer and ending the turn show no hand."""
    return tuple(choice for choice in prompt.choices if choice.verb in (actions.Take, actions.End))


def deal(state: State, rng: Random) -> Deal | Shuffle:
    """Return what the dealer does now, drawn with `rng`."""
    if state.turn.phase is not Phase.DEAL:
        return Shuffle(DEALER, tuple(rng.sample(state.stock.discards, len(state.stock.discards))))
    starter = Seat(rng.randrange(state.players)) if state.starter is None else None
    return Deal(DEALER, tuple(rng.sample(DECK, len(DECK))), starter)


GAME: Final = Game(
    name="plenty-coups",
    setup=setup,
    apply=apply,
    view_for=view_for,
    prompts=prompts,
    questions=questions,
    deal=deal,
    seated=seated,
    outcome=outcome,
    standing=standing,
    dump=codec.dump,
    load=codec.load,
    dump_action=codec.dump_action,
    load_action=codec.load_action,
    rounds_ended=ended,
    has_breaks=False,
    private_news=private_news,
    open_view=open_view,
    upgrade=codec.upgrade,
    public_choices=public_choices,
    why_not_asked=why_not_asked,
    why_not_verb=why_not_verb,
)

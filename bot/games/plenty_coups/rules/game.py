"""Plenty Coups as a game: how a match is set up, played, shown and asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from bot.engine.core import DEALER, Game, Json, Leave, Rejected, Seat, Step
from bot.engine.shapes import shape_of
from bot.games.plenty_coups.rules import actions, alliances, codec, gifts, legal, raids, rounds, visibility
from bot.games.plenty_coups.rules.actions import Action, Deal, PlayerAction, Reason, Shuffle
from bot.games.plenty_coups.rules.cards import DECK, FACES, Card
from bot.games.plenty_coups.rules.choices import default, prompts, questions
from bot.games.plenty_coups.rules.events import Events, SeatLeft
from bot.games.plenty_coups.rules.options import read_options
from bot.games.plenty_coups.rules.prestige import outcome
from bot.games.plenty_coups.rules.state import Camp, State, Stock, Turn
from bot.games.plenty_coups.rules.view import Phase

VERBS: Final[Mapping[type, tuple[Phase, Callable[[State, Any, Events], State]]]] = {
    actions.Take: (Phase.TAKE, rounds.take),
    actions.Breed: (Phase.ACT, gifts.breed),
    actions.Raid: (Phase.ACT, raids.raid),
    actions.DoubleRaid: (Phase.ACT, raids.double_raid),
    actions.Defend: (Phase.ACT, raids.defend),
    actions.DoubleDefend: (Phase.ACT, raids.double_defend),
    actions.StrikeCoup: (Phase.ACT, raids.strike_coup),
    actions.LayGift: (Phase.ACT, gifts.lay_gift),
    actions.LayFreeGift: (Phase.ACT, gifts.lay_free_gift),
    actions.Give: (Phase.GIFT, gifts.give),
    actions.Propose: (Phase.ACT, alliances.propose),
    actions.Accept: (Phase.ACT, alliances.accept),
    actions.AllyNeutral: (Phase.ACT, alliances.ally_neutral),
    actions.Disdain: (Phase.ACT, alliances.disdain),
    actions.Prove: (Phase.DISDAIN, alliances.prove),
    actions.Decline: (Phase.DISDAIN, alliances.decline),
    actions.Donate: (Phase.ACT, gifts.donate),
    actions.Hunt: (Phase.ACT, gifts.hunt),
    actions.DiscardAfterHunt: (Phase.HUNT, gifts.discard_after_hunt),
    actions.End: (Phase.ACT, rounds.end),
}

_SHAPE_CHECKS: Final[Mapping[type, Callable[[Any], bool]]] = {
    verb: shape_of(verb, {Card: frozenset(FACES)}) for verb in (Leave, Deal, Shuffle, *VERBS)
}

view_for = visibility.view_for
open_view = visibility.open_view
private_news = visibility.private_news
seated = visibility.seated


def setup(options: Mapping[str, Json], players: int, starter: Seat | None) -> State:
    """Open a match: six horses per tribe, of which each takes one (section 3); the dealer moves first."""
    tribes = read_options(options, players, starter).tribes
    camps = {
        tribe: Camp(tribe, Seat(place) if place < players else None, horses=1) for place, tribe in enumerate(tribes)
    }
    if starter is not None:
        camps = rounds.in_turn_order(camps, starter, players)
    elder = next(iter(camps))
    turn = Turn(0, elder, Phase.DEAL, elder)
    return State(players, starter, frozenset(), turn, camps, raids=(), plain=5 * len(camps), stock=Stock())


def apply(state: State, action: Action) -> Step[State]:
    """Judge one action; raise Rejected and change nothing if it breaks a rule."""
    is_well_formed = _SHAPE_CHECKS.get(type(action))
    if is_well_formed is None or not is_well_formed(action):
        raise Rejected(Reason.MALFORMED)
    events: Events = []
    state = _leave(state, action.seat, events) if isinstance(action, Leave) else _decide(state, action, events)
    return Step(_go_on(state, events), tuple(events))


def resume(state: State) -> Step[State]:
    """Do everything that happens by itself, in a position that a test or script has put together."""
    events: Events = []
    return Step(_go_on(state, events), tuple(events))


def _decide(state: State, action: Deal | Shuffle | PlayerAction, events: Events) -> State:
    """Carry out a decision; the next question gets a new id."""
    if isinstance(action, Deal):
        state = rounds.deal(state, action, events)
    elif isinstance(action, Shuffle):
        state = rounds.shuffle(state, action, events)
    else:
        phase, perform = VERBS[type(action)]
        if refusal := legal.why_not_act(state, action.seat, action.tribe, phase):
            raise refusal
        state = perform(state, action, events)
    return state._replace(asked=state.asked + 1)


def _go_on(state: State, events: Events) -> State:
    """Go on until a player who has not left, or the dealer, must decide."""
    while not legal.wants_shuffle(state):
        before = state
        if by_itself := rounds.BY_ITSELF.get(state.turn.phase):
            state = by_itself(state, events)
        if state is before:
            if state.turn.phase in (Phase.DEAL, Phase.OVER) or state.controller(state.turn.actor) not in state.left:
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
    state = state._replace(left=state.left | {seat})
    return rounds.close(state, events) if len(seated(state)) == 1 else state


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
    dump=codec.dump,
    load=codec.load,
    dump_action=codec.dump_action,
    load_action=codec.load_action,
    private_news=private_news,
    open_view=open_view,
)

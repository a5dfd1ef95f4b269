"""Random games of every size: every move can be reached, nothing else is offered, and all of it fits Discord."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.discord_ui.drawing import draw_look, draw_ping, draw_table
from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.rules import codec
from bot.games.plenty_coups.rules.actions import DoubleRaid, End, LayFreeGift, PlayerAction, Undo
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.moves import FORM, legal_moves, menu
from bot.games.plenty_coups.ui.notices import moved_for
from bot.games.plenty_coups.ui.presses import PRESSES
from bot.games.plenty_coups.ui.tokens import token_of
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import PrivateView
from bot.host.model import Deadline, Dm, Table, UserId
from bot.host.steady_clock import SteadyClock
from bot.screens.custom_ids import CustomId, parse
from bot.screens.layout import Form, Screen
from bot.screens.presses import Answer, Move, Press, Situation
from tests.games.plenty_coups.contract import twin
from tests.games.plenty_coups.ui.tables import SAY, a_table
from tests.screens.emojis import emojis_uploaded
from tests.screens.limits import check_limits, walk
from tests.screens.scenes import HOSTILE, seats

GAMES = int(os.environ.get("SOAK", "1"))
WIDEST = 10**19
CLOCK = SteadyClock()


@pytest.fixture(autouse=True)
def _with_emojis() -> Iterator[None]:
    """Use emojis everywhere: they make texts longer, and must tell nothing more than the texts do."""
    with emojis_uploaded():
        yield


def wide_table(players: int, rng: Random) -> Table:
    """Make a table with the longest texts: hostile names, long ids, people away and voting."""
    people = tuple(
        player._replace(user=UserId(WIDEST - n), away=rng.random() < 0.3, dm=rng.choice(list(Dm)))
        for n, player in enumerate(seats(players, ("W" * 32, *HOSTILE)))
    )
    votes = tuple((people[-1].user, person.user) for person in people)
    deadlines = tuple(Deadline(Seat(n), 1, 10**13, 1) for n in range(players))
    return a_table(players)._replace(players=people, out_votes=votes, deadlines=deadlines)


def states(players: int, rng: Random) -> Iterator[State]:
    """Yield the states of a random match in which a player is asked. Some things are taken back."""
    state = GAME.setup({}, players, None)
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        if prompt.seat == DEALER:
            state = GAME.apply(state, GAME.deal(state, rng)).state
            continue
        yield state
        undone = GAME.view_for(state, None).may_undo and rng.random() < 0.1
        action = Undo(prompt.seat, state.turn.tribe) if undone else prompt.pick(rng)
        state = GAME.apply(state, action).state


def pressed(table: Table, user: UserId, custom_id: CustomId, picked: str | None = None, **fields: str) -> Answer:
    """Return what the game makes of a press."""
    situation: Situation[Any] = Situation(SAY, table, user, Press(custom_id, picked or custom_id.argument, fields))
    return PRESSES.verbs[custom_id.verb](situation)


def action_of(move: Answer, seat: Seat) -> PlayerAction:
    """Return the action that the host would read from a move."""
    assert isinstance(move, Move)
    action: Any = codec.load_action({**move.fields, "do": move.do, "seat": seat})
    return action  # type: ignore[no-any-return]


def options(component: dict[str, Any]) -> list[str]:
    return [each["value"] for each in component["options"]]


def filled(form: Form) -> Iterator[dict[str, str]]:
    """Yield everything that can be picked in a form; texts stay empty."""
    lists = [each for each in walk(form.to_components()) if each["type"] == 3]
    ids = [each["custom_id"] for each in lists]
    asked = [options(each) if each.get("required", True) else [""] for each in lists]
    for values in product(*asked):
        yield {name: value for name, value in zip(ids, values, strict=True) if value}


def reached(table: Table, seat: Seat, screen: Screen) -> Iterator[PlayerAction]:
    """Yield every action that a player can bring about from a screen."""
    user = table.players[seat].user
    for component in walk(screen.to_components()):
        found = parse(component.get("custom_id", ""))
        if found is None or found.verb != PlentyVerb.MOVE:
            continue
        for value in options(component) if component["type"] == 3 else [None]:
            answer = pressed(table, user, found, value)
            if isinstance(answer, Form):
                assert value is not None
                assert value.startswith(FORM)
                check_limits(answer)
                sent = parse(answer.custom_id)
                assert sent is not None
                yield from (action_of(pressed(table, user, sent, **fields), seat) for fields in filled(answer))
            else:
                yield action_of(answer, seat)


@pytest.mark.parametrize("players", range(2, 7))
def test_the_hand_leads_to_every_legal_move_and_to_no_other(players: int) -> None:
    rng = Random(players)
    for _ in range(GAMES):
        for state in states(players, rng):
            (prompt,) = GAME.prompts(state)
            table = a_table(players, match=state)
            look = draw_look(SAY, table, table.players[prompt.seat].user, CLOCK, message=1, moves=True)
            found = list(reached(table, prompt.seat, look))
            assert sorted(map(repr, found)) == sorted(map(repr, legal_moves(prompt)))
            assert all(map(prompt.allows, found))


@pytest.mark.parametrize("players", range(2, 7))
def test_every_screen_fits_discord(players: int) -> None:
    rng = Random(players)
    for _ in range(GAMES):
        table = wide_table(players, rng)
        for state in states(players, rng):
            shown = table._replace(match=state)
            check_limits(draw_table(shown, CLOCK))
            for player in table.players:
                check_limits(draw_look(SAY, shown, player.user, CLOCK, message=WIDEST, moves=rng.random() < 0.5))
                ping = draw_ping(shown, player.user)
                if isinstance(ping, Screen):
                    check_limits(ping)
            check_limits(draw_look(SAY, shown, UserId(1), CLOCK, message=WIDEST, moves=True))
            (prompt,) = GAME.prompts(state)
            assert moved_for(SAY, "<@5>", codec.dump_action(prompt.timeout)).startswith("<@5> didn't answer in time")


@pytest.mark.parametrize("players", range(2, 7))
def test_no_screen_depends_on_what_its_reader_cannot_see(players: int) -> None:
    rng = Random(players)
    for state in states(players, rng):
        table = a_table(players, match=state)
        (prompt,) = GAME.prompts(state)
        asked = table.players[prompt.seat].user
        other = table._replace(match=twin(state, None, rng))
        assert _bytes(draw_table(table, CLOCK)) == _bytes(draw_table(other, CLOCK))
        assert _bytes(draw_ping(table, asked)) == _bytes(draw_ping(other, asked))
        assert _look(table, UserId(1)) == _look(other, UserId(1))
        for seat, player in enumerate(table.players):
            other = table._replace(match=twin(state, Seat(seat), rng))
            assert _look(table, player.user) == _look(other, player.user)


def _bytes(drawn: Screen | str) -> Any:
    return drawn if isinstance(drawn, str) else drawn.to_components()


def _look(table: Table, user: UserId) -> Any:
    return _bytes(draw_look(SAY, table, user, CLOCK, message=1, moves=True))


@pytest.mark.parametrize("players", range(2, 7))
def test_a_turn_takes_at_most_six_presses(players: int) -> None:
    """Taking on the public table opens the hand, which then leads from action to action. Free gifts come on top."""
    rng, presses = Random(players), Counter[tuple[int, int]]()
    state, shows_hand = GAME.setup({}, players, None), False
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        turn = state.turn
        if prompt.seat == DEALER:
            action = GAME.deal(state, rng)
        else:
            choices = tuple(choice for choice in prompt.choices if choice.verb is not LayFreeGift)
            action = prompt._replace(choices=choices).pick(rng)
            if turn.actor == turn.tribe and not isinstance(action, End):
                presses[turn.round, turn.tribe] += _presses(players, state, action, shows_hand=shows_hand)
            shows_hand = turn.actor == turn.tribe  # after somebody else's answer, the hand must be opened again
        state = GAME.apply(state, action).state
        shows_hand = shows_hand and state.turn.tribe == turn.tribe
    assert max(presses.values()) <= 6
    assert 3 in presses.values(), "two actions without a form"


def _presses(players: int, state: State, action: PlayerAction, *, shows_hand: bool) -> int:
    """Count the presses for an action: open the hand unless it is there, pick it, perhaps fill in a form."""
    (prompt,) = GAME.prompts(state)
    if state.turn.phase is Phase.TAKE:
        return 1
    view = PrivateView(GAME.view_for(state, prompt.seat))
    listed = [entry.token for entry in menu(SAY, a_table(players, match=state), view, prompt)]
    if isinstance(action, DoubleRaid):
        action = action._replace(warriors=tuple(sorted(action.warriors)))
    is_listed = token_of(action) in listed
    return (1 if is_listed else 2) + (0 if shows_hand else 1)

"""Random games at every kind of table: screens keep to Discord's limits and never show hidden cards."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Bid, Flip
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui.acts import parse_act
from bot.games.coyote.ui.confirm import out_of_reach, reach_screen
from bot.games.coyote.ui.forms import bid_form, guess_form
from bot.games.coyote.ui.look import bystander_screen
from bot.games.coyote.ui.record import record_screen
from bot.games.coyote.ui.reveal import reveal_screen
from bot.host.model import Deadline, Dm, Pause, Table, UserId
from bot.screens.layout import Screen
from tests.games.coyote.contract import OPENINGS, answer, twin
from tests.screens import scenes
from tests.screens.emojis import emojis_uploaded
from tests.screens.limits import check_limits
from tests.screens.scenes import SAY, final, look_for, seats, seen, shown

GAMES = int(os.environ.get("SOAK", "1"))
WIDEST = 10**20 - 1


@pytest.fixture(autouse=True)
def _with_emojis() -> Iterator[None]:
    """Use emojis everywhere: they make texts longer, and must tell nothing more than the texts do."""
    with emojis_uploaded():
        yield


def _table(players: int, rng: Random) -> Table:
    """Make a table with the longest texts: hostile names, long ids, everybody away or voting."""
    people = tuple(
        player._replace(user=UserId(WIDEST - n), away=rng.random() < 0.3, dm=rng.choice(list(Dm)))
        for n, player in enumerate(seats(players, ("W" * 32, *scenes.HOSTILE)))
    )
    votes = tuple((people[-1].user, person.user) for person in people)
    deadlines = tuple(Deadline(Seat(n), 1, 10**13, 1) for n in range(players))
    return scenes.a_table(players, players=people, out_votes=votes, deadlines=deadlines, next_deal=10**13)


def _public(table: Table, state: State) -> list[Screen]:
    view = seen(state)
    drawn: list[Screen] = [shown(table, state)]
    if view.last is not None:
        drawn += [reveal_screen(SAY, table, view), record_screen(SAY, table, view, view.last)]
    if view.phase is Phase.OVER:
        return [*drawn[1:], final(table, state)]
    return [*drawn, bystander_screen(SAY, table, view, message=10**19)]


def _own(table: Table, state: State, seat: Seat) -> Screen:
    return look_for(SAY, table, rules.view_for(state, seat), message=10**19)


def _drawn(screens: list[Screen]) -> list[Any]:
    return [screen.to_components() for screen in screens]


@pytest.mark.parametrize(("options", "players"), OPENINGS, ids=str)
def test_screens_of_random_games(options: dict[str, Any], players: int) -> None:
    for seed in range(GAMES):
        _one_game(options, players, Random(f"{options}{players}{seed}"))


def _one_game(options: dict[str, Any], players: int, rng: Random) -> None:
    state = rules.setup(options, players)
    table = _table(players, rng)
    paused = table._replace(pause=Pause(0, UserId(WIDEST)), pause_votes=tuple(player.user for player in table.players))
    for _ in range(80):
        questions = rules.prompts(state)
        if not questions or rng.random() < 0.15:
            _check_screens(state, table, paused, rng)
        if not questions:
            return
        if questions[0].seat == DEALER:
            action = rules.deal(state, rng)
        else:
            _check_moves(table, state)
            action = answer(rng.choice(questions), rng)
        state = rules.apply(state, action).state


def _check_screens(state: State, table: Table, paused: Table, rng: Random) -> None:
    public = _public(table, state)
    for screen in (*public, *_public(paused, state)):
        check_limits(screen)
    assert _drawn(_public(table, twin(state, None, rng))) == _drawn(public)
    for seat in (*rules.seated(state)[:3], *state.match.out[:1]):
        own = _own(table, state, seat)
        check_limits(own)
        assert _drawn([_own(table, twin(state, seat, rng), seat)]) == _drawn([own])


def _check_moves(table: Table, state: State) -> None:
    """Check that every quick bid and option is legal, and that the forms they open keep to the limits."""
    view = seen(state)
    for question in rules.prompts(state):
        for number in acts.quick_bids(view, question):
            assert question.allows(Bid(question.seat, number))
            if out_of_reach(view, number):
                check_limits(reach_screen(SAY, table, view, number, prompt=question.id))
        for option in acts.special_options(SAY, table, view, question):
            act = parse_act(option.value)
            assert act is not None
            if act.needs_number:
                target = (
                    act.target if act.target is not None else next(iter(acts.targets(question, act.kind or "")), None)
                )
                lowest = acts.lowest(question)
                assert lowest is not None
                assert question.allows(Bid(question.seat, lowest, act.kind, None if target is None else Seat(target)))
                check_limits(bid_form(SAY, table, view, question, act))
            elif act.needs_guess:
                assert question.allows(Flip(question.seat, "guess", acts.guesses(question)[0]))
                check_limits(guess_form(SAY, table, view, question))
            else:
                move = act.move()
                action = rules.GAME.load_action({"do": move.do, "seat": question.seat, **move.fields})
                assert question.allows(action)

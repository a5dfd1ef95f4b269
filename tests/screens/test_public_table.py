"""States that differ only in hidden cards have the same public table."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from bot.discord_ui.drawing import draw_table
from bot.engine.core import DEALER, Game
from bot.engine.views import Public, PublicQuestion
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.plenty_coups.rules.actions import End, Take
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from bot.host import views
from bot.host.model import Table
from bot.host.steady_clock import SteadyClock
from bot.screens.game import SCREENS, GameScreens, NoticeTexts
from bot.screens.layout import PrivateScreen, PublicScreen, text
from bot.text.catalogue import Catalogue
from tests.games.coyote import contract as coyote
from tests.games.plenty_coups import contract as plenty_coups
from tests.screens.rendering import rendered
from tests.screens.scenes import a_table

STEPS = 60


def talkative_table(
    say: Catalogue, table: Table, seen: Public[Any], questions: Sequence[PublicQuestion]
) -> PublicScreen:
    """Print everything that a table screen receives."""
    return PublicScreen(text(repr(seen), *map(repr, questions)))


def no_look(*_: object, **__: object) -> PrivateScreen:
    raise AssertionError("nobody looks in this test")


TALKATIVE = GameScreens[Any](
    name=lambda say, options: "?",
    terms=lambda say, table: "?",
    table=talkative_table,
    look=no_look,
    bystander=no_look,
    round_number=lambda seen: 1,
    notices=NoticeTexts(
        moved_for=lambda say, mention, payload: "?",
        ping=lambda say, mention, seen: "?",
        restarted=lambda say, table, seen: "?",
    ),
)


def states(game: Game[Any, Any, Any], options: dict[str, Any], players: int, rng: Random) -> Iterator[Any]:
    """Yield the states of a random match that have a prompt for a player."""
    state = game.setup(options, players, None)
    for _ in range(STEPS):
        prompts = game.prompts(state)
        if not prompts:
            return
        prompt = rng.choice(prompts)
        if prompt.seat == DEALER:
            action = game.deal(state, rng)
        else:
            yield state
            action = coyote.answer(prompt, rng) if game is COYOTE else prompt.pick(rng)
        state = game.apply(state, action).state


@pytest.mark.parametrize(
    ("game", "contract"), [(COYOTE, coyote), (PLENTY_COUPS, plenty_coups)], ids=["coyote", "plenty_coups"]
)
def test_the_public_table_is_the_same_for_states_that_differ_in_hidden_cards(
    game: Game[Any, Any, Any], contract: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCREENS, game.name, TALKATIVE)
    rng = Random(7)
    asked = 0
    for options, players in contract.OPENINGS[::4]:
        table = a_table(players, options, game=game.name)
        for state in states(game, options, players, rng):
            asked += 1
            twin = contract.twin(state, None, rng)
            drawn = [rendered(draw_table(table._replace(match=each), SteadyClock())) for each in (state, twin)]
            assert drawn[0] == drawn[1]
    assert asked > 100


def test_choices_that_a_game_does_not_call_public_are_not_shown() -> None:
    """In Plenty Coups most choices reveal the hand: the table shows what can be taken, and that a turn can end."""
    rng = Random(7)
    told = shown = 0
    for options, players in plenty_coups.OPENINGS:
        table = a_table(players, options, game=PLENTY_COUPS.name)
        for state in states(PLENTY_COUPS, options, players, rng):
            questions = views.public_questions(table._replace(match=state))
            assert questions
            assert all(choice.verb in (Take, End) for question in questions for choice in question.choices)
            shown += sum(bool(question.choices) for question in questions)
            twin = plenty_coups.twin(state, None, rng)
            told += PLENTY_COUPS.prompts(state) != PLENTY_COUPS.prompts(twin)
    assert told > 20, "showing whole prompts would have revealed the hands"
    assert shown > 20

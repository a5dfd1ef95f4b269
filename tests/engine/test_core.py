"""The parts that all games share: choices, prompts and refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, fields
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.engine.core import Choice, Game, Leave, Prompt, Rejected, Seat, all_choices


class Paint(NamedTuple):
    seat: Seat
    colour: str
    size: int


class Wait(NamedTuple):
    seat: Seat


class Why(StrEnum):
    TOO_WET = "too_wet"


ME, OTHER = Seat(1), Seat(2)
PAINT = Choice(Paint, (("red", "blue"), range(1, 4)))
WAIT = Choice(Wait)


@pytest.mark.parametrize(
    ("choice", "action", "allowed"),
    [
        (PAINT, Paint(ME, "red", 1), True),
        (PAINT, Paint(OTHER, "blue", 3), True),
        (PAINT, Paint(ME, "red", 4), False),
        (PAINT, Paint(ME, "green", 1), False),
        (PAINT, Wait(ME), False),
        (PAINT, (ME, "red", 1), False),
        (WAIT, Wait(ME), True),
        (WAIT, Leave(ME), False),
        (Choice(Paint, (("red",),)), Paint(ME, "red", 1), False),
    ],
)
def test_a_choice_allows_every_combination_of_its_values(choice: Choice, action: Any, allowed: bool) -> None:
    assert choice.allows(action) is allowed


def test_a_choice_yields_all_its_actions() -> None:
    assert list(WAIT.actions(ME)) == [Wait(ME)]
    assert list(PAINT.actions(ME)) == [Paint(ME, colour, size) for colour in ("red", "blue") for size in (1, 2, 3)]


@pytest.mark.parametrize(
    "colours", [("red", "blue"), ["red", "blue"], {"red": 1, "blue": 2}, frozenset({"red", "blue"})]
)
def test_all_actions_of_a_choice_are_picked_about_equally_often(colours: Any) -> None:
    choice = Choice(Paint, (colours, range(1, 4)))
    rng = Random(7)
    picked = Counter(choice.pick(ME, rng) for _ in range(600))
    assert set(picked) == set(PAINT.actions(ME))
    assert min(picked.values()) > 60


def test_only_the_prompted_seat_may_answer() -> None:
    prompt = Prompt(7, ME, (WAIT, PAINT), Wait(ME))
    assert prompt.allows(Wait(ME))
    assert prompt.allows(Paint(ME, "blue", 2))
    assert not prompt.allows(Wait(OTHER))
    assert not prompt.allows(Leave(ME))
    assert not Prompt(7, ME, (), None).allows(Wait(ME))


def test_a_random_answer_picks_each_verb_about_equally_often() -> None:
    prompt = Prompt(7, ME, (WAIT, PAINT), Wait(ME))
    rng = Random(3)
    verbs = Counter(type(prompt.pick(rng)) for _ in range(400))
    assert set(verbs) == {Wait, Paint}
    assert min(verbs.values()) > 150
    assert all(prompt.allows(prompt.pick(rng)) for _ in range(50))


def test_a_refusal_prints_its_code_and_parameters() -> None:
    refusal = Rejected(Why.TOO_WET, days=3)
    assert refusal.reason is Why.TOO_WET
    assert refusal.details == {"days": 3}
    assert refusal.args == ("too_wet", {"days": 3})


def bare_game(**more: Any) -> Game[Any, Any, Any]:
    """Return a game that has only a view."""
    parts: dict[str, Any] = {
        part.name: print for part in fields(Game) if part.default is MISSING and part.name not in ("name", "view_for")
    }
    return Game(name="bare", view_for=lambda state, viewer: (state, viewer), **parts, **more)


def test_by_default_a_game_shows_nobody_more_than_a_bystander_sees() -> None:
    game = bare_game()
    prompt = Prompt(7, ME, (WAIT, PAINT), Wait(ME))
    assert game.public_choices(prompt) == ()
    assert game.open_view("state") == ("state", None)
    assert (game.rounds_ended("state"), game.private_news("before", "after")) == (0, ())


def test_a_game_may_show_more() -> None:
    game = bare_game(public_choices=all_choices, open_view=lambda state: f"open {state}")
    prompt = Prompt(7, ME, (WAIT, PAINT), Wait(ME))
    assert game.public_choices(prompt) == (WAIT, PAINT)
    assert game.open_view("state") == "open state"

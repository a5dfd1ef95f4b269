"""Reference cycles are collected while the bot is idle: soon if there are many, else eventually."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.tuning import COLLECTIONS_PER_GENERATION, IDLE_YOUNG_OBJECTS, collect_garbage


class Circle:
    """Refers to itself, so only the garbage collector can free it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _nobody_else_collects() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_few_cycles_are_not_collected_yet() -> None:
    lost = weakref.ref(Circle())
    collect_garbage()
    assert lost() is not None


def test_many_cycles_are_collected() -> None:
    many = [Circle() for _ in range(IDLE_YOUNG_OBJECTS)]
    lost = weakref.ref(many[0])
    del many
    collect_garbage()
    assert lost() is None


@pytest.mark.parametrize("times", [1, COLLECTIONS_PER_GENERATION + 2])
def test_objects_that_were_in_use_are_collected_later(times: int) -> None:
    held = Circle()
    lost = weakref.ref(held)
    for _ in range(times):  # long-lived objects are examined less often
        _grow()
    del held
    for _ in range(COLLECTIONS_PER_GENERATION * COLLECTIONS_PER_GENERATION + 2 * COLLECTIONS_PER_GENERATION):
        _grow()
    assert lost() is None


def _grow() -> None:
    for _ in range(IDLE_YOUNG_OBJECTS):
        Circle()
    collect_garbage()

"""The memorable moments of a match: when the lead was won for good, and the strongest raids."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.engine.core import Outcome, Seat
from bot.games.plenty_coups.highlights import CameHome, LeadTaken, Repelled, find_highlights
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.host.decision import Actor
from bot.stats.moments import Moment
from bot.stats.record import Entry, Log
from bot.stats.replay import Replay
from tests.games.plenty_coups.test_whole_evenings import SIZES, _evening

A, B = Tribe.BLACK, Tribe.YELLOW


def raid(value: int) -> RaidOut:
    return RaidOut(A, B, (), value, False)


class Played:
    """A match of two tribes: per step, its events and the points of both."""

    def __init__(self, *steps: tuple[tuple[e.Event, ...], int, int], winners: tuple[int, ...] = (0,)) -> None:
        self.moments = [Moment(0, Actor.USER, None, 1, events) for events, _, _ in steps]
        self._points = [(one, other) for _, one, other in steps]
        self._outcome = Outcome(tuple(map(Seat, winners)), (1, 2))

    def view(self, step: int, seat: Seat | None) -> Any:
        assert seat is None, "everything that is remembered was public"
        camps = tuple(
            SimpleNamespace(tribe=tribe, owner=Seat(owner), prestige=points, herd_points=0)
            for owner, (tribe, points) in enumerate(zip((A, B), self._points[step], strict=True))
        )
        over = step == len(self.moments) - 1
        return SimpleNamespace(camps=camps, round=step + 1, outcome=self._outcome if over else None)


def found(played: Played) -> dict[type, tuple[int, Any]]:
    return {type(each.what): (each.step, each.what) for each in find_highlights(played)}


def test_the_lead_is_taken_in_the_step_after_which_the_winner_stays_ahead() -> None:
    played = Played(((), 0, 0), ((), 2, 1), ((), 2, 3), ((), 4, 3), ((), 5, 3), ((), 5, 3))
    assert found(played) == {LeadTaken: (3, LeadTaken(A, 4))}


@pytest.mark.parametrize(
    "played",
    [
        pytest.param(Played(((), 1, 0), ((), 2, 0), ((), 2, 0)), id="ahead from the first step on"),
        pytest.param(Played(((), 0, 0), ((), 0, 2), ((), 0, 2)), id="won by other means"),
        pytest.param(Played(((), 0, 0), ((), 2, 0), ((), 2, 2), winners=(0, 1)), id="won together"),
    ],
)
def test_there_may_be_no_such_step(played: Played) -> None:
    assert not found(played)


def test_the_strongest_raids_are_remembered_unless_they_were_taken_back() -> None:
    home, undone = e.RaidCameHome(raid(4), True, False), e.RaidCameHome(raid(9), True, False)
    played = Played(
        ((home,), 0, 0),
        ((undone,), 0, 0),
        ((e.Undone(A, (undone,)),), 0, 0),
        ((e.RaidRepelled(raid(5), ()),), 0, 0),
        ((e.RaidRepelled(raid(6), ()),), 0, 0),
        ((), 0, 0),
    )
    assert found(played) == {CameHome: (0, CameHome(raid(4))), Repelled: (4, Repelled(raid(6)))}


@pytest.mark.parametrize("players", SIZES)
def test_every_kind_of_match_can_be_searched(players: int) -> None:
    evening = _evening(players, rounds=4)
    replay = Replay(Log({}, {}, [Entry(0, entry.actor, entry.action) for entry in evening.log]))
    assert len({each.step for each in replay.highlights}) == len(replay.highlights) <= 3

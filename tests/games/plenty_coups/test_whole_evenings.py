"""Whole matches at a host's table: every round is summed up, and the end, its figures and its replay can be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.discord_ui.drawing import draw_record, draw_record_reveal, draw_table, is_live, table_texts
from bot.engine.core import Seat
from bot.engine.frozen import encode
from bot.host import views
from bot.host.commands import OutboxKind
from bot.host.model import House, Stage, UserId
from bot.screens.replay import frame_of, replay_screen
from bot.screens.stats.queries import ReplayStep
from bot.stats.model import PastGame, PastSeat
from bot.stats.record import Entry, Log
from bot.stats.replay import Replay
from tests.host.evening import ANA, BEN, CHLOE, DMITRI, EMI, Evening
from tests.host.world import FakeClock
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered

FINN = UserId(16)
SIZES = {2: (ANA, BEN), 3: (ANA, BEN, CHLOE), 4: (ANA, BEN, CHLOE, DMITRI), 6: (ANA, BEN, CHLOE, DMITRI, EMI, FINN)}


def _evening(players: int, **options: Any) -> Evening:
    evening = Evening(*SIZES[players], game="plenty-coups", house=House(pause_seconds=12), options=options)
    evening.play_on()
    return evening


@pytest.mark.parametrize("players", SIZES)
def test_every_round_is_summed_up_without_a_break(players: int) -> None:
    evening = _evening(players, rounds=4)
    records = [item for item in evening.sent if item.kind is OutboxKind.RECORD]
    assert len(records) == 4 + 3
    for number, item in enumerate(records, start=1):
        record = views.record_of(evening.table, json.loads(encode(item.payload)))
        assert record.rounds == number
        assert not is_live(evening.table._replace(stage=Stage.PLAYING), record)
        check_limits(draw_record(evening.table, record))
        summary = draw_record_reveal(evening.table, record, FakeClock(), live=False)
        check_limits(summary)
        assert f"### Round {number} is over" in rendered(summary)
        assert ("Winter has come" in rendered(summary)) == (number == 4)


@pytest.mark.parametrize("players", SIZES)
def test_the_end_explains_the_points(players: int) -> None:
    evening = _evening(players, rounds=3)
    assert evening.table.stage is Stage.OVER
    screen = draw_table(evening.table, FakeClock())
    check_limits(screen)
    shown = rendered(screen)
    assert "**How the points came about**" in shown
    assert "c1:0:0:board:rating.plenty-coups.any.all" in shown


@pytest.mark.parametrize("players", SIZES)
def test_every_step_can_be_watched_again_through_all_eyes(players: int) -> None:
    evening = _evening(players, rounds=3)
    users = {Seat(seat): player.user for seat, player in enumerate(evening.table.players)}
    replay = Replay(Log(users, {}, [Entry(0, entry.actor, entry.action) for entry in evening.log]))
    outcome = replay.view(len(replay) - 1, None).outcome
    seats = tuple(PastSeat(seat, user, False, outcome.places[seat], None) for seat, user in users.items())
    game = PastGame(7, evening.table.id, "plenty-coups", "", 6, 0, 0, False, True, 1, seats)
    for step in range(0, len(replay), 5):
        for eyes in (None, *users):
            screen = replay_screen(
                table_texts(evening.table), evening.table, frame_of(replay, game, ReplayStep(7, step, eyes))
            )
            check_limits(screen)
    end = rendered(
        replay_screen(table_texts(evening.table), evening.table, frame_of(replay, game, ReplayStep(7, len(replay) - 1)))
    )
    assert "**How the points came about**" in end
    assert "Raids home: " in end
    assert "won by" in end

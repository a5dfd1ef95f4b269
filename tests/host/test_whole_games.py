"""Whole matches of every game and edition, played by commands and the clock; their logs replay to the same end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.frozen import encode
from bot.engine.registry import RULES
from bot.games.coyote.rules.editions import EDITIONS
from bot.host import codec, views
from bot.host.codec import Columns
from bot.host.commands import OutboxKind
from bot.host.model import House, Stage, UserId
from tests.host.evening import Evening

KINDS: list[tuple[str, dict[str, Any], int]] = [
    ("coyote", {"edition": edition, "variant": variant, "max_players": 12}, players)
    for edition in EDITIONS
    for variant in (False, True)
    for players in (3, 6, 12)
] + [("plenty-coups", {}, players) for players in (2, 4, 6)]


@pytest.mark.parametrize(("game", "options", "players"), KINDS)
@pytest.mark.parametrize("pause", [0, 12])
def test_a_whole_match_ends_and_its_log_replays(game: str, options: dict[str, Any], players: int, pause: int) -> None:
    users = [UserId(100 + number) for number in range(players)]
    house = House(pause_seconds=pause)
    evening = Evening(*users, game=game, options=options, house=house, seed=players)
    evening.play_on()
    table = evening.table
    rules = RULES[game]
    assert table.stage is Stage.OVER
    assert rules.outcome(table.match) is not None

    log = json.loads(json.dumps([entry.action for entry in evening.log]))
    begun = next(entry for entry in log if entry.get("host") == "start")
    state = rules.setup(begun["options"], begun["players"], begun["starter"])
    for entry in log:
        if "do" in entry:
            state = rules.apply(state, rules.load_action(entry)).state
    assert state == table.match

    records = [item for item in evening.sent if item.kind is OutboxKind.RECORD]
    assert len(records) == rules.rounds_ended(table.match)
    for number, record in enumerate(records, 1):
        payload = json.loads(encode(record.payload))
        assert rules.rounds_ended(rules.load(payload["before"])) == number - 1
        views.record_of(table, payload)


@pytest.mark.parametrize(("game", "options", "players"), KINDS[::4])
def test_every_table_is_the_same_after_writing_and_reading(game: str, options: dict[str, Any], players: int) -> None:
    users = [UserId(100 + number) for number in range(players)]
    evening = Evening(*users, game=game, options=options, started=True, seed=players)
    for _ in range(60):
        table = evening.table
        columns = Columns(table.id, table.guild, table.channel, table.stage, table.seq)
        assert codec.load(columns, codec.dump_setup(table), codec.dump(table)) == table
        if table.stage is not Stage.PLAYING:
            break
        if table.next_deal is not None:
            evening.wait(12)
        else:
            evening.answer(evening.prompts[0])


def test_a_hostile_name_is_written_and_read() -> None:
    table = Evening(started=False).table
    player = table.players[0]._replace(name="\ud800\x00'); DROP TABLE tables; --\u202e")
    table = table._replace(players=(player,))
    columns = Columns(table.id, table.guild, table.channel, table.stage, table.seq)
    written = codec.dump(table)
    written.encode("utf-8")
    assert codec.load(columns, codec.dump_setup(table), written) == table

"""Games whose AI players explain their moves only after the match: what is kept, what is told, and when."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.ai_players.brains import REASON_TIMINGS, ReasonTiming
from bot.engine.core import Seat
from bot.engine.registry import RULES
from bot.host import codec
from bot.host.ai_turns import MOST_TOLD_AT_THE_END
from bot.host.codec import Columns
from bot.host.commands import AddAi, DealNow, OutboxKind, PlayAi, Start
from bot.host.model import Remark, Stage
from tests.host.evening import ANA, Evening


@pytest.fixture(autouse=True)
def _told_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REASON_TIMINGS, "coyote", ReasonTiming.AT_THE_END)


def played(moves: int | None, weigh: Random) -> tuple[Evening, dict[Seat, list[Remark]]]:
    """Play a match of one person and two AI players, who remark on every move; return what each of them said."""
    evening = Evening(ANA, started=False, options={"edition": "feathers", "variant": False})
    evening.do(AddAi(ANA))
    evening.do(AddAi(ANA))
    evening.do(Start(ANA))
    said: dict[Seat, list[Remark]] = {Seat(1): [], Seat(2): []}
    while evening.table.stage is Stage.PLAYING and (moves is None or moves):
        if evening.table.next_deal is not None:
            evening.do(DealNow(ANA))
            continue
        (prompt,) = evening.prompts
        if prompt.seat == 0:
            evening.answer(prompt)
        else:
            action = RULES["coyote"].dump_action(prompt.pick(evening.rng))
            remark = Remark(prompt.seat, "ai.open.steady", (("bid", str(len(said[prompt.seat]))),), weigh.randrange(99))
            said[prompt.seat].append(remark)
            evening.do(PlayAi(prompt.seat, prompt.id, action, remark))
        if moves is not None:
            moves -= 1
    return evening, said


def test_the_weightiest_are_told_when_the_match_is_over() -> None:
    for seed in range(5):
        evening, said = played(None, Random(seed))
        table = evening.table
        assert table.remarks == ()
        for seat, remarks in said.items():
            told = [remark for remark in table.explained if remark.seat == seat]
            heaviest = sorted((remark.weight for remark in remarks), reverse=True)[:MOST_TOLD_AT_THE_END]
            assert sorted((remark.weight for remark in told), reverse=True) == heaviest
            assert told == [remark for remark in remarks if remark in told], "in the order of the moves"


def test_nothing_is_told_while_the_match_runs() -> None:
    rounds = 0
    for moves in (1, 4, 8, 12, 16):
        evening, said = played(moves, Random(moves))
        table = evening.table
        assert table.stage is Stage.PLAYING
        assert table.explained == ()
        kept = Counter(remark.seat for remark in table.remarks)
        assert all(kept[seat] == min(len(said[seat]), MOST_TOLD_AT_THE_END) for seat in said)
        for item in evening.sent:
            if item.kind is OutboxKind.RECORD:
                rounds += 1
                assert "remarks" not in (item.payload or {})
    assert rounds


def test_weights_survive_a_restart_and_no_weight_takes_no_room() -> None:
    evening, _ = played(12, Random(3))
    table = evening.table
    columns = Columns(table.id, table.guild, table.channel, table.stage, table.seq)
    assert codec.load(columns, codec.dump_setup(table), codec.dump(table)).remarks == table.remarks
    light = table._replace(remarks=(Remark(Seat(1), "ai.open.steady"),))
    assert '"weight"' not in codec.dump(light)
    assert '"weight"' in codec.dump(table)

"""`why_no_move` gives the same refusal as the host gives to an actual move."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected
from bot.engine.registry import RULES
from bot.host import commands
from bot.host.decide import decide, open_table, why_not
from bot.host.model import House, Table, TableId, UserId
from bot.host.questions import open_prompt, why_no_move
from tests.games.coyote.contract import answer

HOST = UserId(1)
EVERYBODY = [UserId(number) for number in range(1, 6)]
"""The users of these tests; the last has no seat."""
OPTIONS: list[dict[str, Any]] = [{"edition": edition, "variant": True} for edition in ("feathers", "peek", "tomahawk")]


def as_pair(refused: Rejected | None) -> tuple[object, object] | None:
    return None if refused is None else (refused.reason, refused.details)


def check(table: Table, user: UserId, prompt: int | None) -> None:
    """Compare `why_no_move` with the host's refusal of a bid."""
    found = why_no_move(table, user, prompt)
    bid = commands.Play(user, "bid", {"number": 1, "plus": None, "target": None}, prompt)
    refused = why_not(table, bid, 0)
    asked = open_prompt(table, user)
    if asked is not None and prompt in (None, asked.id):
        assert found is None
    else:
        assert as_pair(found) == as_pair(refused)
        assert found is not None


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["edition"]))
def test_it_agrees_with_the_host(options: dict[str, Any]) -> None:
    rng = Random(3)
    table = open_table(
        TableId("questions"), 1, 2, commands.Join(HOST, "host"), 0, game="coyote", options=options, house=House()
    ).table
    for user in EVERYBODY[1:4]:
        table = decide(table, commands.Join(user, "guest"), 0, rng).table
    check(table, HOST, None)
    table = decide(table, commands.Start(HOST), 0, rng).table
    for step in range(120):
        for user in EVERYBODY:
            for prompt in (None, *dict(RULES["coyote"].questions(table.match)).values(), 987):
                check(table, user, prompt)
        if not table.is_open:
            break
        table = _move(table, rng, step)
    table = decide(table, commands.Stop(HOST), 0, rng).table if table.is_open else table
    check(table, HOST, None)


def _move(table: Table, rng: Random, step: int) -> Table:
    if table.pause is not None:
        return decide(table, commands.Resume(), 0, rng).table
    if step % 17 == 5:
        return decide(table, commands.Suspend("outage"), 0, rng).table
    if table.next_deal is not None:
        seat = RULES["coyote"].seated(table.match)[0]
        return decide(table, commands.DealNow(table.players[seat].user), 0, rng).table
    prompt = next(each for each in RULES["coyote"].prompts(table.match) if each.seat != DEALER)
    action = dict(RULES["coyote"].dump_action(answer(prompt, rng)))
    del action["seat"]
    command = commands.Play(table.players[prompt.seat].user, action.pop("do"), action, prompt.id)
    return decide(table, command, 0, rng).table


def test_nothing_is_carried_out() -> None:
    table = open_table(TableId("questions"), 1, 2, commands.Join(HOST, "host"), 0, game="coyote").table
    assert why_not(table, commands.Join(UserId(2), "guest"), 0) is None
    assert as_pair(why_not(table, commands.Start(HOST), 0)) is not None
    assert len(table.players) == 1

"""`why_no_move` and `why_not_verb` give the same refusals as the host gives to an actual move."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected
from bot.engine.registry import RULES
from bot.games.coyote.rules.actions import Bid
from bot.games.coyote.rules.editions import COINS, EDITIONS
from bot.host import commands
from bot.host.decide import decide, open_table
from bot.host.model import House, Table, TableId, UserId
from bot.host.questions import open_prompt, why_no_move, why_not_verb
from tests.games.coyote.contract import answer

HOST = UserId(1)
EVERYBODY = [UserId(number) for number in range(1, 6)]
"""The users of these tests; the last has no seat."""
OPTIONS: list[dict[str, Any]] = [{"edition": edition, "variant": True} for edition in EDITIONS]
ANNOUNCEMENTS = [
    (None, None),
    ("double", None),
    ("double", 1),
    ("reverse", None),
    ("extra", None),
    ("extra", 0),
    ("next", 2),
]
"""What may be announced along with a bid, and the seat that the announcement names."""


def as_pair(refused: Rejected | None) -> tuple[object, object] | None:
    return None if refused is None else (refused.reason, refused.details)


def refusal_of(table: Table, user: UserId, prompt: int | None, do: str, **fields: Any) -> Rejected | None:
    """Return the host's refusal of an actual move."""
    try:
        decide(table, commands.Play(user, do, fields, prompt), 0, Random(0))
    except Rejected as refused:
        return refused
    return None


def check_verbs(table: Table, user: UserId, prompt: int | None) -> None:
    """Compare `why_not_verb` with the host's refusals of moves that name a valid number, feather or player."""
    asked = open_prompt(table, user)
    spans: list[Any] = [choice.fields[0] for choice in asked.choices if choice.verb is Bid] if asked is not None else []
    number = min((span[0] for span in spans), default=1)
    for plus, target in ANNOUNCEMENTS:
        found = why_not_verb(table, user, prompt, "bid", {"plus": plus, "target": target})
        refused = refusal_of(table, user, prompt, "bid", number=number, plus=plus, target=target)
        assert as_pair(found) == as_pair(refused)
    for coin in COINS:
        found = why_not_verb(table, user, prompt, "coin", {"coin": coin})
        refused = refusal_of(table, user, prompt, "coin", coin=coin, value=10 if coin == "guess" else None)
        assert as_pair(found) == as_pair(refused)
    found = why_not_verb(table, user, prompt, "bet", {})
    assert as_pair(found) == as_pair(refusal_of(table, user, prompt, "bet", on=None))


def check(table: Table, user: UserId, prompt: int | None) -> None:
    """Compare `why_no_move` with the host's refusal of a bid."""
    found = why_no_move(table, user, prompt)
    refused = refusal_of(table, user, prompt, "bid", number=1, plus=None, target=None)
    asked = open_prompt(table, user)
    if asked is not None and prompt in (None, asked.id):
        assert found is None
    else:
        assert as_pair(found) == as_pair(refused)
        assert found is not None


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["edition"]))
def test_the_reasons_agree_with_the_hosts_refusals(options: dict[str, Any]) -> None:
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
                check_verbs(table, user, prompt)
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

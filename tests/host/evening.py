"""A table without Discord, store or clock: commands in, decisions out."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from bot.engine.core import Prompt, Rejected
from bot.engine.registry import RULES
from bot.host.commands import Command, Join, OutboxItem, OutboxKind, Play, Start, Tick
from bot.host.decide import decide, open_table
from bot.host.decision import Decision
from bot.host.model import House, Stage, Table, TableId, UserId

ANA, BEN, CHLOE, DMITRI, EMI = (UserId(number) for number in (11, 12, 13, 14, 15))
NAMES = {ANA: "Ana", BEN: "Ben", CHLOE: "Chloé", DMITRI: "Dmitri", EMI: "Emi"}
BEGIN = 1_800_000_000_000
SECOND = 1000


class Evening:
    """One table and its time; `last` is the newest decision."""

    def __init__(
        self,
        *users: UserId,
        started: bool = True,
        house: House | None = None,
        options: Mapping[str, Any] | None = None,
        game: str = "coyote",
        seed: int = 1,
    ) -> None:
        self.now = BEGIN
        self.rng = Random(seed)
        users = users or (ANA, BEN, CHLOE)
        host = Join(users[0], NAMES.get(users[0], "?"))
        self.last: Decision = open_table(
            TableId("t1"), 1, 2, host, self.now, game=game, options=options, house=house or House()
        )
        self.log = [*self.last.log]
        self.sent: list[OutboxItem] = [*self.last.outbox]
        for user in users[1:]:
            self.do(Join(user, NAMES.get(user, "?")))
        if started:
            self.do(Start(users[0]))

    @property
    def table(self) -> Table:
        return self.last.table

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return RULES[self.table.game].prompts(self.table.match)

    @property
    def in_turn(self) -> UserId:
        return self.table.players[self.prompts[0].seat].user

    def do(self, command: Command) -> Decision:
        before = self.table
        self.last = decide(before, command, self.now, self.rng)
        assert self.last.table is before or self.last.table.seq == before.seq + 1
        self.log += self.last.log
        self.sent += self.last.outbox
        return self.last

    def refused(self, command: Command) -> Rejected:
        before = self.table
        with pytest.raises(Rejected) as refusal:
            decide(before, command, self.now, self.rng)
        assert self.table is before
        return refusal.value

    def wait(self, seconds: float) -> Decision:
        """Move the clock, then tick once."""
        self.now += int(seconds * SECOND)
        return self.do(Tick())

    def bid(self, number: int) -> Decision:
        return self.do(Play(self.in_turn, "bid", {"number": number}, self.prompts[0].id))

    def call(self) -> Decision:
        return self.do(Play(self.in_turn, "call", {}, self.prompts[0].id))

    def player(self, user: UserId) -> Any:
        return next(player for player in self.table.players if player.user == user)

    def answer(self, prompt: Prompt) -> Decision:
        """Answer a prompt at random."""
        action = dict(RULES[self.table.game].dump_action(prompt.pick(self.rng)))
        del action["seat"]
        return self.do(Play(self.table.players[prompt.seat].user, action.pop("do"), action, prompt.id))

    def play_on(self) -> None:
        """Play at random until the match is over; the clock triggers each deal."""
        for _ in range(5000):
            if self.table.stage is not Stage.PLAYING:
                return
            if self.table.next_deal is not None:
                self.now = self.table.next_deal
                self.do(Tick())
            else:
                self.now += 700
                self.answer(self.rng.choice(self.prompts))
        raise AssertionError("the match does not end")


def kinds(decision: Decision) -> list[tuple[OutboxKind, UserId | None]]:
    return [(item.kind, item.user) for item in decision.outbox]


def notices(decision: Decision) -> list[dict[str, Any]]:
    return [item.payload or {} for item in decision.outbox if item.kind is OutboxKind.NOTICE]

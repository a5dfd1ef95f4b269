"""Hidden cards and bets change no byte of what reaches a user before the reveal.

Two games take the same course and differ only in the cards and bets that one user, or every bystander, must not know.
Everything that leaves the process is compared: messages, edits and deletions, DMs, answers, forms, files and the log.
`SOAK` is the number of games of each kind; without it, a sample.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.core import Rejected, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Approve, Bet, Bid, Call, Flip, Peek, Redo, Turnabout, UseCoyote
from bot.games.coyote.rules.editions import EDITIONS
from bot.games.coyote.ui.acts import Act, bid_argument
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host import commands
from bot.host.commands import AddAi, Command, Join, Leave, PlayAi, Start, Tick, VoteOut
from bot.host.decide import decide
from bot.host.model import House, Remark, Stage, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.presses import typed
from tests.discord_ui.twins import ID, Twins, World, twins
from tests.games.coyote.contract import OPENINGS, answer

SOAK = int(os.environ.get("SOAK", "0"))
STEPS = 120 if SOAK else 20
SAMPLE = [({"edition": edition, "variant": True}, 4) for edition in EDITIONS]
"""Each edition with all its actions."""
GAMES = [(*kind, seed) for seed in range(SOAK) for kind in OPENINGS] or [(*kind, 0) for kind in SAMPLE]


SPECIAL_ACTIONS = ("approve", "redo", "reverse", "coin.extra", "coin.replace")


def _named(value: object) -> str:
    return str(value.get("edition", "feathers") if isinstance(value, dict) else value)


@pytest.mark.parametrize("alone", [True, False], ids=["player", "bystanders"])
@pytest.mark.parametrize(("options", "players", "seed"), GAMES, ids=_named)
async def test_nothing_tells_before_the_reveal(
    tmp_path: Path, options: dict[str, Any], players: int, seed: int, *, alone: bool
) -> None:
    rng = Random(f"{options} {players} {seed} {alone}")
    async with twins(tmp_path, rng.randrange(1 << 30), options, _house(rng)) as both:
        await Evening(both, rng, players, alone=alone).play()


def _house(rng: Random) -> House:
    return House(
        pause_seconds=rng.choice((0, 12)),
        away_after=rng.choice((1, 2)),
        ai_for_away=rng.random() < 0.5,
        ai_for_left=rng.random() < 0.5,
        pings=rng.random() < 0.8,
    )


class Evening:
    """Plays at random, and lets users try actions that are refused."""

    def __init__(self, both: Twins, rng: Random, players: int, *, alone: bool) -> None:
        self.both, self.rng = both, rng
        self.users = [UserId(11 + seat) for seat in range(players)]
        self.ais = rng.randrange(players - 1) if rng.random() < 0.5 else 0
        people = self.users[: players - self.ais]
        if alone:
            both.viewer = rng.choice(people)
        for world in (both.a, both.b):
            world.rest.shut = {people[-1]} if len(people) % 2 else set()
            world.rest.filters = self.ais == 1

    async def play(self) -> None:
        for user in self.users[1 : len(self.users) - self.ais]:
            await self._do(Join(user, f"user {user}"))
        for _ in range(self.ais):
            await self._do(AddAi(self.users[0]))
        await self._do(Start(self.users[0]))
        for _ in range(STEPS):
            if self.both.table.stage is not Stage.PLAYING:
                return
            await self._look_around()
            await self._step()

    async def _look_around(self) -> None:
        for user in self.both.curious(self.rng):
            await self.both.do(None, self._probe(user))

    async def _do(self, command: Command) -> None:
        await self.both.do(command, lambda world: world.tables.submit(ID, command))

    async def _step(self) -> None:
        table, rng = self.both.table, self.rng
        dice = rng.random()
        if dice < 0.02:
            await self.both.do(None, lambda world: world.restart())
        elif dice < 0.04 and len(table.people) > 2:
            await self._leave(rng.choice(table.people).user)
        elif dice < 0.07:
            self.both.wait(100_000)
            await self._do(Tick())
        elif dice < 0.1:
            gone = [player.user for player in table.people if player.away]
            if gone:
                by, whom = rng.choice(table.people).user, rng.choice(gone)
                await self._do_if(VoteOut(by, whom))
        elif dice < 0.12:
            await self.both.do(None, lambda world: world.buried())
        elif dice < 0.14:
            await self._do(commands.Suspend("outage"))
            await self._look_around()
            await self._do(commands.Resume())
        elif dice < 0.16 or table.pause is not None:
            for player in table.people:
                await self._do_if(commands.AskPause(player.user))
        elif dice < 0.17 and len(table.people) > 2:
            user = rng.choice(table.people).user
            if user != self.both.viewer:
                await self.both.do(Leave(user), lambda world: world.tables.forget(user))
        elif table.next_deal is not None:
            self.both.wait(20_000)
            await self._do(Tick())
        else:
            await self._answer(table)

    async def _do_if(self, command: Command) -> None:
        try:
            decide(self.both.table, command, self.both.now, Random(0))
        except Rejected:
            return
        await self._do(command)

    async def _leave(self, user: UserId) -> None:
        await self.both.do(Leave(user), self._press(user, CustomId(Verb.LEAVE, ID, argument="yes")))

    async def _answer(self, table: Table) -> None:
        prompt = self.rng.choice(rules.prompts(table.match))
        action = answer(prompt, self.rng)
        written = dict(rules.GAME.dump_action(action))
        player = table.players[prompt.seat]
        if player.acting_ai is not None:
            await self._think(prompt.seat, prompt.id, written)
            return
        del written["seat"]
        command = commands.Play(player.user, written.pop("do"), written, prompt.id)
        await self.both.do(command, self._pressing(player.user, prompt.id, action))

    async def _think(self, seat: Seat, prompt: int, written: dict[str, Any]) -> None:
        """Let an AI player make the same move in both worlds, with a remark on what it sees in each."""

        def said(seen: int) -> PlayAi:
            slots = (("bid", "1"), ("chance", str(seen)), ("seen", str(seen)))
            return PlayAi(seat, prompt, written, Remark(seat, "ai.forced", slots))

        apart = not self.both.reveals(said(1))
        await self.both.do(said(1), lambda world: world.tables.submit(ID, said(1 + (apart and world is self.both.b))))

    def _press(
        self, user: UserId, id_: CustomId, picked: str | None = None, fields: dict[str, str] | None = None
    ) -> Callable[[World], Awaitable[object]]:
        data: dict[str, Any] = {"custom_id": str(id_), "component_type": 2 if picked is None else 3}
        if picked is not None:
            data["values"] = [picked]
        if fields is not None:
            data["components"] = [{"component": {"custom_id": name, "value": value}} for name, value in fields.items()]
        where = self.rng.choice(("table", "table", "private", "dm"))
        return lambda world: world.press(user, data, where)

    def _pressing(self, user: UserId, prompt: int, action: Any) -> Callable[[World], Awaitable[object]]:
        """Return a function that makes this move by pressing buttons."""

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, ID, prompt, argument)

        match action:
            case Bid(_, number, plus, target) if plus is None or self.rng.random() < 0.5:
                act = None if plus is None else Act("bid", plus, target)
                return self._press(user, id_(CoyoteVerb.BID_ANYWAY, bid_argument(number, act)))
            case Bid(_, number, plus, target):
                announced = Act("bid", plus, target).announced
                return self._press(user, id_(CoyoteVerb.NUMBER, announced), None, {"number": str(number)})
            case Call():
                return self._press(user, id_(CoyoteVerb.CALL))
            case Bet(_, on):
                return self._press(user, id_(CoyoteVerb.BET, str(on))) if on is not None else _nothing
            case Flip(_, "guess", value):
                return self._press(user, id_(CoyoteVerb.GUESS), None, {"face": str(value)})
            case Flip(_, coin, _):
                return self._press(user, id_(CoyoteVerb.ACT), f"coin.{coin}")
            case Peek():
                return self._press(user, id_(CoyoteVerb.ACT, "peek"))
            case UseCoyote():
                return self._press(user, id_(CoyoteVerb.ACT, "coyote_card"))
        name = {Approve: "approve", Turnabout: "reverse", Redo: "redo"}[type(action)]
        return self._press(user, id_(CoyoteVerb.ACT), name)

    def _probe(self, user: UserId) -> Callable[[World], Awaitable[object]]:
        """Return a random press or command that should change nothing for this user now."""
        table, rng = self.both.table, self.rng
        prompts = rules.prompts(table.match)
        asked = any(table.players[prompt.seat].user == user for prompt in prompts if prompt.seat >= 0)
        prompt = max(0, rng.choice(prompts).id - rng.choice((0, 0, 0, 1)))

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, ID, prompt, argument)

        harmless = [
            self._press(user, id_(Verb.LOOK)),
            self._press(user, id_(Verb.LOOK)),
            self._press(user, id_(Verb.LOOK, "again")),
            self._press(user, id_(Verb.MORE)),
            self._press(user, id_(Verb.TABLE)),
            self._press(user, id_(CoyoteVerb.BID, "-999")),
            self._press(user, id_(CoyoteVerb.BID, "998")),
            self._press(user, id_(CoyoteVerb.FORM)),
            self._press(user, id_(CoyoteVerb.FORM, rng.choice(("double", "extra", "next", "next.1", "reverse")))),
            self._press(user, id_(CoyoteVerb.ACT), rng.choice(("coin.guess", "bid.extra", "bid.extra.0", "bid.next"))),
            self._press(user, id_(CoyoteVerb.GUESS), None, {"face": "nonsense"}),
            self._press(user, id_(CoyoteVerb.GUESS), None, {"face": "77"}),
            self._press(user, id_(CoyoteVerb.NUMBER), None, {"number": "much"}),
            self._press(user, CustomId(Verb.REPLAY, ID)),
            self._press(user, CustomId(Verb.REPLAY), "1.1.all"),
            self._press(user, CustomId(Verb.HISTORY), "all"),
            self._press(user, CustomId(Verb.STATS), str(user)),
            self._press(user, CustomId(Verb.PRIVACY, argument="export")),
            self._press(user, CustomId(Verb.STOP, ID)),
            self._press(user, CustomId(Verb.LEAVE, ID)),
            lambda world: world.offered(user),
            lambda world: world.typed(user, typed(CoyoteVerb.ACT, action="guess")),
            lambda world: world.typed(user, typed(CoyoteVerb.ACT, action="bid.extra", value="x")),
            lambda world: world.typed(user, typed(CoyoteVerb.ACT, action="nonsense")),
        ]
        refused = [
            self._press(user, id_(CoyoteVerb.CALL)),
            self._press(user, id_(CoyoteVerb.BID, "7")),
            self._press(user, id_(CoyoteVerb.BET, "0")),
            self._press(user, id_(CoyoteVerb.ACT), rng.choice(SPECIAL_ACTIONS)),
            self._press(user, id_(CoyoteVerb.ACT, rng.choice(("peek", "coyote_card")))),
            self._press(user, id_(CoyoteVerb.GUESS), None, {"face": rng.choice(("0", "3", "x2", "?"))}),
            lambda world: world.typed(user, typed(CoyoteVerb.ACT, action="bet_caller")),
        ]
        return rng.choice(harmless if asked else [*harmless, *refused])


async def _nothing(world: World) -> None:
    """Let the bet pass."""

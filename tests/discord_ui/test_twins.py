"""Hidden cards and bets change no byte of what reaches a user before the reveal.

Two games take the same course and differ only in the cards and bets that one user, or every bystander, must not know.
Everything that leaves the process is compared: messages, edits and deletions, DMs, answers, forms, files and the log.
`SOAK` is the number of games of each kind; without it, a sample.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.core import Prompt, Rejected, Seat
from bot.host import commands
from bot.host.commands import AddAi, Command, Join, Leave, PlayAi, Start, Tick, VoteOut
from bot.host.decide import decide
from bot.host.guessing import question_for
from bot.host.model import FIRST_MATCHES, House, Stage, Table, UserId
from bot.host.views import may_see_all
from bot.pictures.game import DRAWINGS
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.presses import Press
from tests.discord_ui.twin_game import Act, Pressed, Try, TwinGame
from tests.discord_ui.twins import BYSTANDER, ID, LANGUAGE_SEED, Twins, World, twins
from tests.games.twins import TWIN_GAMES
from tests.screens.emojis import emojis_uploaded

SOAK = int(os.environ.get("SOAK", "0"))
SOAK_STEPS = 120
MOST_STEPS = 200
"""How many moves it may take to bring a situation about."""
GAMES = [
    pytest.param(game, options, players, seed, id=f"{game.rules.name}-{number}-{players}-{seed}")
    for game in TWIN_GAMES
    for seed in range(max(1, SOAK))
    for number, (options, players) in enumerate(game.openings if SOAK else game.sample)
]


@pytest.fixture(autouse=True)
def _with_emojis() -> Iterator[None]:
    """Use emojis: they could tell of a hidden card, too."""
    with emojis_uploaded():
        yield


@pytest.fixture(autouse=True)
def _seed_on_failure() -> None:
    """Print what the languages were drawn from; pytest shows it if the test fails."""
    print(f"TWINS_LANGUAGES={LANGUAGE_SEED}")


@pytest.mark.parametrize("alone", [True, False], ids=["player", "bystanders"])
@pytest.mark.parametrize(("game", "options", "players", "seed"), GAMES)
async def test_nothing_hidden_shows_before_the_reveal(
    tmp_path: Path, game: TwinGame, options: dict[str, Any], players: int, seed: int, *, alone: bool
) -> None:
    rng = Random(f"{options} {players} {seed} {alone}")
    async with twins(tmp_path, game, rng.randrange(1 << 30), options, _house(rng)) as both:
        await Evening(both, rng, players, alone=alone).play()


async def test_nothing_hidden_shows_to_others_where_those_who_are_out_may_look(tmp_path: Path) -> None:
    game = next(each for each in TWIN_GAMES if each.rules.name == "coyote")
    house = House(pause_seconds=0, out_may_look=True)
    async with twins(tmp_path, game, 1, {"edition": "scout", "threshold": 2}, house) as both:
        held = Evening(both, Random(1), 4, alone=True, ais=0)
        await held.play(0)
        await held.play_on(MOST_STEPS, until=held.somebody_out_may_look)
        assert held.somebody_out_may_look()
        await held.play_on(10)


@pytest.mark.parametrize("alone", [True, False], ids=["player", "bystanders"])
@pytest.mark.parametrize(
    ("game", "situation"),
    [pytest.param(game, each, id=f"{game.rules.name}-{each}") for game in TWIN_GAMES for each in game.situations],
)
async def test_nothing_that_can_be_tried_tells_what_is_hidden(
    tmp_path: Path, game: TwinGame, situation: str, *, alone: bool
) -> None:
    options, players = game.situations[situation]
    async with twins(tmp_path, game, 1, options, House(pause_seconds=0)) as both:
        await Evening(both, Random(1), players, alone=alone, ais=0).try_everything(situation)


def _house(rng: Random) -> House:
    return House(
        pause_seconds=rng.choice((0, 12)),
        away_after=rng.choice((1, 2)),
        ai_for_away=rng.random() < 0.5,
        ai_for_left=rng.random() < 0.5,
        open_looks=rng.random() < 0.5,
        pings=rng.random() < 0.8,
        out_may_look=rng.random() < 0.5,
    )


class Evening:
    """Plays at random, and lets users try actions that are refused."""

    def __init__(self, both: Twins, rng: Random, players: int, *, alone: bool, ais: int | None = None) -> None:
        self.both, self.rng, self.game = both, rng, both.game
        self.users = [UserId(11 + seat) for seat in range(players)]
        some = rng.randrange(players - 1) if rng.random() < 0.5 else 0
        self.ais = some if ais is None else ais
        people = self.users[: players - self.ais]
        if alone:
            both.viewer = rng.choice(people)
        for world in (both.a, both.b):
            world.rest.shut = {people[-1]} if len(people) % 2 else set()
            world.rest.filters = self.ais == 1

    async def play(self, steps: int | None = None) -> None:
        """Seat everybody, start, and play this many steps."""
        for user in self.users[1 : len(self.users) - self.ais]:
            await self._do(Join(user, f"user {user}", learning=FIRST_MATCHES))
        for _ in range(self.ais):
            await self._do(AddAi(self.users[0]))
        await self._do(Start(self.users[0]))
        await self._guess_along()
        await self._open_looks()
        await self.play_on((SOAK_STEPS if SOAK else self.game.steps) if steps is None else steps)
        if steps == 0:
            return
        assert self.both.a.rest.followed
        drawings = DRAWINGS.get(self.game.rules.name)
        assert bool(self.both.a.rest.pictures) == (drawings is not None and drawings.look is not None)

    async def play_on(self, steps: int, until: Callable[[], bool] = lambda: False) -> None:
        """Play at most this many steps, until the match is over or as wanted; everybody looks around meanwhile."""
        for _ in range(steps):
            if self.both.table.stage is not Stage.PLAYING or until():
                break
            await self._look_around()
            await self._step()

    def somebody_out_may_look(self) -> bool:
        """Return whether somebody is out, and sees everything by house rule."""
        return any(may_see_all(self.both.table, player.user) for player in self.both.table.people)

    async def _guess_along(self) -> None:
        """Let a bystander guess along, where that is possible, so that reveals wait."""
        if self.game.rules.guess_seconds(self.both.table.match):
            await self._do(commands.GuessAlong(BYSTANDER))

    async def _guess_or_wait(self, table: Table, rng: Random) -> None:
        """Let a bystander guess while a reveal waits, or let the time pass."""
        question = self.game.rules.guess_question(table.match)
        if question is None or rng.random() < 0.3:
            self.both.wait(20_000)
            await self._do(Tick())
            return
        user, on = rng.choice(self.both.curious() or [BYSTANDER]), rng.choice(question.answers)
        id_ = CustomId(Verb.ALONG, ID, question.id, str(on))
        await self.both.do(commands.Guess(user, on, question.id), self._press(user, id_))

    async def _open_looks(self) -> None:
        """Let everybody open their look, which from now on follows the table."""
        for user in (*[player.user for player in self.both.table.people], BYSTANDER):
            await self.both.do(None, self._press(user, CustomId(Verb.LOOK, ID)))

    async def try_everything(self, situation: str) -> None:
        """Play until the match is in a situation; then let those who must not notice try everything, and those asked.

        What the asked try may show them their own cards, but it must tell nobody else, and not the log.
        """
        for user in self.users[1:]:
            await self._do(Join(user, f"user {user}"))
        await self._do(Start(self.users[0]))
        await self._guess_along()
        for _ in range(MOST_STEPS):
            table = self.both.table
            if self.game.is_in(situation, table.match):
                break
            (prompt, *_) = self.game.rules.prompts(table.match)
            await self._move(table, prompt, self.game.towards(situation, prompt, self.rng))
        assert self.game.is_in(situation, self.both.table.match)
        prompts = self.game.rules.prompts(self.both.table.match)
        asked = [self.both.table.players[prompt.seat].user for prompt in prompts if prompt.seat >= 0]
        for user in dict.fromkeys([*self.both.curious(), *asked]):
            for what in self._tries(user):
                await self.both.do(None, self._try(user, what))

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
            await self._open_looks()
        elif dice < 0.03:
            await self.both.do(None, lambda world: world.stop_reading())
            await self._open_looks()
        elif dice < 0.05 and len(table.people) > 2:
            await self._leave(rng.choice(table.people).user)
        elif dice < 0.08:
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
        elif table.guessing is not None and table.guessing.waits:
            await self._guess_or_wait(table, rng)
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
        prompt = self.rng.choice(self.game.rules.prompts(table.match))
        await self._move(table, prompt, self.game.answer(table.match, prompt, self.rng))

    async def _move(self, table: Table, prompt: Prompt, action: Any) -> None:
        written = dict(self.game.rules.dump_action(action))
        player = table.players[prompt.seat]
        if player.acting_ai is not None:
            await self._think(prompt.seat, prompt.id, written)
            return
        del written["seat"]
        command = commands.Play(player.user, written.pop("do"), written, prompt.id)
        pressed = self.game.press(ID, prompt.id, action, self.rng)
        await self.both.do(command, _nothing if pressed is None else self._press(player.user, *pressed))

    async def _think(self, seat: Seat, prompt: int, written: dict[str, Any]) -> None:
        """Let an AI player make the same move in both worlds, with a remark on what it sees in each."""

        def said(seen: int) -> PlayAi:
            return PlayAi(seat, prompt, written, self.game.remark(seat, seen))

        apart = not self.both.reveals(said(1))
        await self.both.do(said(1), lambda world: world.tables.submit(ID, said(1 + (apart and world is self.both.b))))

    def _press(
        self, user: UserId, id_: CustomId, picked: str | None = None, fields: Mapping[str, str] | None = None
    ) -> Act:
        data: dict[str, Any] = {"custom_id": str(id_), "component_type": 2 if picked is None else 3}
        if picked is not None:
            data["values"] = [picked]
        if fields is not None:
            data["components"] = [{"component": {"custom_id": name, "value": value}} for name, value in fields.items()]
        where = self.rng.choice(("table", "table", "private", "dm"))
        return lambda world: world.press(user, data, where)

    def _try(self, user: UserId, what: Try) -> Act:
        """Return a function in which a user does this."""
        if isinstance(what, Press):
            return lambda world: world.typed(user, what)
        return self._press(user, *what) if isinstance(what, Pressed) else what

    def _probe(self, user: UserId) -> Act:
        """Return a random press or command that should change nothing for this user now."""
        return self._try(user, self.rng.choice(self._tries(user)))

    def _tries(self, user: UserId) -> list[Try]:
        """Return presses and commands that should change nothing for this user now."""
        table, rng = self.both.table, self.rng
        prompts = self.game.rules.prompts(table.match)
        asked = any(table.players[prompt.seat].user == user for prompt in prompts if prompt.seat >= 0)
        prompt = max(0, rng.choice(prompts).id - rng.choice((0, 0, 0, 1)))
        harmless: list[Try] = [
            Pressed(CustomId(Verb.LOOK, ID, prompt)),
            Pressed(CustomId(Verb.LOOK, ID, prompt)),
            Pressed(CustomId(Verb.LOOK, ID, prompt, "again")),
            Pressed(CustomId(Verb.MORE, ID, prompt)),
            Pressed(CustomId(Verb.TERMS, ID, prompt)),
            Pressed(CustomId(Verb.RULES, ID, prompt), rng.choice(("basics", "feathers", "plenty"))),
            Pressed(CustomId(Verb.TABLE, ID, prompt)),
            Pressed(CustomId(Verb.REPLAY, ID)),
            Pressed(CustomId(Verb.WHY, ID)),
            Pressed(CustomId(Verb.REPLAY), "1.1.all"),
            Pressed(CustomId(Verb.HISTORY), "all"),
            Pressed(CustomId(Verb.STATS), str(user)),
            Pressed(CustomId(Verb.PRIVACY, argument="export")),
            Pressed(CustomId(Verb.STOP, ID)),
            Pressed(CustomId(Verb.LEAVE, ID)),
            *self.game.harmless(ID, prompt, user, rng),
        ]
        # A bystander's bet is a guess, which may bring the reveal; `_guess_or_wait` makes those.
        may_guess = question_for(table, user) is not None
        refused = [] if asked or may_guess else self.game.refused(ID, prompt, rng)
        return [*harmless, *refused]


async def _nothing(world: World) -> None:
    """Do nothing, so that the player places no bet."""

"""Random commands in random order: refusals change nothing, and a table stays consistent."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.engine.core import DEALER, Rejected
from bot.engine.registry import RULES
from bot.host import codec, commands
from bot.host.codec import Columns
from bot.host.deadlines import next_due
from bot.host.decide import decide, open_table
from bot.host.model import Dm, House, Stage, Table, TableId, UserId

USERS = [UserId(number) for number in range(1, 7)]
HOUSES = (
    House(),
    House(turn_seconds=None),
    House(pause_seconds=0, away_after=1),
    House(turn_seconds=36_000, dms=False, pings=False),
    House(ai_for_away=False, ai_seats=False),
    House(turn_seconds=None, ai_for_left=True),
    House(away_after=1, ai_for_left=True),
)
GAMES_PLAYED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("coyote", {}),
    ("coyote", {"edition": "peek", "variant": True}),
    ("coyote", {"edition": "tomahawk", "variant": True, "threshold": 2}),
    ("plenty-coups", {}),
)


def some_command(table: Table, rng: Random) -> commands.Command:
    """Return a random command, most often a sensible one."""
    by, whom = rng.choice(USERS), rng.choice(USERS)
    if table.stage is Stage.PLAYING and rng.random() < 0.5:
        prompts = RULES[table.game].prompts(table.match)
        prompt = rng.choice(prompts)
        if prompt.seat != DEALER:
            action = dict(RULES[table.game].dump_action(prompt.pick(rng)))
            if table.players[prompt.seat].acting_ai is not None and rng.random() < 0.9:
                thought = rng.choice([action, action, None])
                return commands.PlayAi(prompt.seat, rng.choice([prompt.id, prompt.id, prompt.id - 1]), thought)
            by = table.players[prompt.seat].user if rng.random() < 0.8 else by
            del action["seat"]
            return commands.Play(by, action.pop("do"), action, rng.choice([prompt.id, None, prompt.id - 1]))
    everything: list[commands.Command] = [
        commands.Join(by, "somebody", slow=rng.choice([1, 2, 4])),
        commands.Join(whom, "somebody"),
        commands.Leave(by) if rng.random() < 0.2 else commands.Tick(),
        commands.Kick(by, whom) if rng.random() < 0.3 else commands.Tick(),
        commands.PassHost(by, whom),
        commands.ChooseStarter(by, rng.choice([whom, None])),
        commands.AddAi(rng.choice([table.host, by])),
        commands.FillWithAi(table.host) if rng.random() < 0.1 else commands.Tick(),
        commands.RemoveAi(table.host, UserId(-rng.randrange(1, 7))),
        commands.Watch(table.host) if rng.random() < 0.2 else commands.Tick(),
        commands.Kick(table.host, UserId(-1)) if rng.random() < 0.2 else commands.Tick(),
        commands.PassHost(table.host, UserId(-1)),
        commands.Start(table.host),
        commands.Start(by),
        commands.Play(by, rng.choice(["bid", "call", "deal", "nonsense"]), {"number": rng.randrange(-5, 50)}),
        commands.DealNow(by),
        commands.AskPause(by),
        commands.AskPause(whom),
        commands.Back(by),
        commands.VoteOut(by, whom),
        commands.Stop(by) if rng.random() < 0.05 else commands.Tick(),
        commands.SetPreferences(by, rng.choice([1, 2, 4]), pinged=rng.random() < 0.5),
        commands.DmTried(by, rng.choice(list(Dm))),
        commands.Suspend("outage"),
        commands.Resume(),
        commands.Tick(),
    ]
    return rng.choice(everything)


def check(table: Table, now: int) -> None:
    """Check the invariants of a table."""
    users = [player.user for player in table.players]
    assert len(set(users)) == len(users)
    assert not set(table.kicked) & set(users)
    due = next_due(table)
    if not table.is_open:
        assert due is None
        assert (table.deadlines, table.next_deal, table.pause) == ((), None, None)
        return
    assert table.host > 0
    assert table.people or table.seat_of(table.host) is None, "AIs play alone only if a person watches"
    if table.stage is Stage.LOBBY:
        assert table.match is None
        assert due == table.closes
        return
    game = RULES[table.game]
    prompts, seated = game.prompts(table.match), game.seated(table.match)
    assert prompts
    assert not any(table.players[seat].left and table.players[seat].stand_in is None for seat in seated)
    assert (prompts[0].seat == DEALER) == (table.next_deal is not None), "the dealer waits only between rounds"
    timed = [p for p in prompts if table.house.turn_seconds is not None or table.players[p.seat].acting_ai is not None]
    asked = timed if table.next_deal is None else []
    assert [(d.seat, d.prompt) for d in table.deadlines] == [(p.seat, p.id) for p in asked]
    for player in table.players:
        assert (player.ai is not None) == (player.user < 0)
        assert player.stand_in is None or player.away or player.left
    assert (table.asked_at is None) == (table.next_deal is not None)
    for seat, player in enumerate(table.players):
        if player.away and seat in seated:
            assert player.user not in table.pause_votes
    if table.pause is None and table.house.turn_seconds is not None:
        assert due is not None, "a table continues even if nobody answers"
    columns = Columns(table.id, table.guild, table.channel, table.stage, table.seq)
    assert codec.load(columns, codec.dump_setup(table), codec.dump(table)) == table


@given(st.integers(0, 2**32 - 1))
@settings(
    max_examples=60,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_any_sequence_of_commands_leaves_a_consistent_table(seed: int) -> None:
    rng = Random(seed)
    game, options = rng.choice(GAMES_PLAYED)
    now = 1_800_000_000_000
    host = commands.Join(USERS[0], "host")
    table = open_table(TableId("t"), 1, 2, host, now, game=game, options=options, house=rng.choice(HOUSES)).table
    for _ in range(150):
        now += rng.choice([0, 500, 4000, 13_000, 95_000])
        command = some_command(table, rng)
        written = codec.dump(table)
        try:
            decision = decide(table, command, now, rng)
        except Rejected:
            assert codec.dump(table) == written
            continue
        if decision.table is table:
            assert (decision.log, decision.outbox) == ((), ())
            continue
        assert decision.table.seq == table.seq + 1
        newest = [(item.kind, item.user) for item in decision.outbox if item.payload is None]
        assert len(newest) == len(set(newest))
        table = decision.table
        check(table, now)
        if isinstance(command, commands.Tick):
            due = next_due(table)
            thinking = [d for d in table.deadlines if table.players[d.seat].acting_ai is not None and d.due <= now]
            assert due is None or due > now or thinking, "nothing is overdue except AIs that still think"

"""Whole matches, played at random by `decide` and written to a store: many of them, and quickly."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bot.engine.registry import RULES
from bot.host.commands import Command, Join, Leave, Play, Start, Tick
from bot.host.deadlines import next_due
from bot.host.decide import decide, open_table
from bot.host.decision import Actor, LogEntry
from bot.host.model import House, Stage, Table, TableId, UserId
from bot.host.ports import Change
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN

HOUR = 3_600_000
RESULTS = ("games", "game_seats", "boards", "totals", "scores", "ladder", "pairs")
COUNTING = House(pause_seconds=0)


class Match(NamedTuple):
    """A match that was played to its end: the table at its start and at its end, and all lines of the log."""

    begun: Table
    over: Table
    opening: tuple[LogEntry, ...]
    moves: tuple[LogEntry, ...]
    started: int
    ended: int


def play(  # noqa: PLR0917
    name: str,
    guild: int,
    users: list[UserId],
    rng: Random,
    now: int = BEGIN,
    house: House = COUNTING,
    game: str = "coyote",
    options: dict[str, Any] | None = None,
) -> Match:
    """Play a match at random: thinking times, time-outs and people who leave included."""
    channel = rng.getrandbits(40)
    opened = open_table(
        TableId(name), guild, channel, Join(users[0], "x"), now, game=game, options=options, house=house
    )
    table, opening = opened.table, [*opened.log]
    commands: list[Command] = [*[Join(user, "x") for user in users[1:]], Start(users[0])]
    for command in commands:
        decision = decide(table, command, now, rng)
        table = decision.table
        opening += decision.log
    begun, started = table, now
    moves: list[LogEntry] = []
    while table.stage is Stage.PLAYING:
        now += rng.randrange(20_000)
        if rng.random() < 0.03:
            now = table.deadlines[0].due
        decision = decide(table, _next(table, rng, now), now, rng)
        table = decision.table
        moves += decision.log
    return Match(begun, table, tuple(opening), tuple(moves), started, now)


def _next(table: Table, rng: Random, now: int) -> Command:
    if any(deadline.due <= now for deadline in table.deadlines):
        return Tick()
    rules = RULES[table.game]
    if rng.random() < 0.004:
        return Leave(table.players[rng.choice(rules.seated(table.match))].user)
    prompt = rng.choice(rules.prompts(table.match))
    action = dict(rules.dump_action(prompt.pick(rng)))
    if action["do"] == "bid":  # at random they would all be far too high
        lowest = max((rung.number for rung in table.match.bidding.ladder), default=-5)
        action = {"do": "bid", "seat": prompt.seat, "number": min(1000, lowest + rng.randrange(1, 6))}
        if not prompt.allows(rules.load_action(action)):
            action = dict(rules.dump_action(prompt.pick(rng)))
    del action["seat"]
    return Play(table.players[prompt.seat].user, action.pop("do"), action, prompt.id)


def with_ai(match: Match) -> Match:
    """Return the match as if an AI had made the last move of a player."""
    last = max(place for place, entry in enumerate(match.moves) if entry.actor is Actor.USER)
    moves = [*match.moves]
    moves[last] = moves[last]._replace(actor=Actor.AI)
    return match._replace(moves=tuple(moves))


def changes(match: Match) -> tuple[Change, Change]:
    """Return what two decisions write: everything up to the start, and everything after it."""
    begun = match.begun._replace(players=match.over.players)  # one transaction writes the chairs once
    over = match.over._replace(seq=begun.seq + 1)
    return (
        Change(None, begun, match.opening, (), match.started, next_due(begun)),
        Change(begun, over, match.moves, (), match.ended, None),
    )


def keep(store: SqliteStore, match: Match) -> asyncio.Future[None]:
    """Write a whole match down at once; whoever does not wait lets several share a transaction."""
    return store.commit(changes(match))


def contents(path: Path) -> dict[str, list[Any]]:
    """Return all rows that can be rebuilt."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        return {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in RESULTS}  # noqa: S608

"""Plays whole random matches with `decide` and writes them to a store; quick enough for many matches."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, NamedTuple

from bot.engine.registry import RULES
from bot.host.commands import Command, Join, Leave, Play, Start, Tick
from bot.host.deadlines import next_due
from bot.host.decide import decide, open_table
from bot.host.decision import Actor, LogEntry
from bot.host.model import House, Stage, Table, TableId, UserId
from bot.host.ports import Change, TableStore
from bot.stats.model import Board, Totals
from tests.host.evening import BEGIN
from tests.store.databases import Database

HOUR = 3_600_000
COUNTED = {
    "games": (
        *("nth", "guild", "number", "table_id", "game", "edition", "players"),
        *("rounds", "started", "ended", "ai", "counted", "season"),
    ),
    "game_seats": (
        *("nth", "seat", "user", "guild", "ai", "place"),
        *("thought", "thoughts", "rating", "edition_rating", "figures"),
    ),
    "totals": ("board", "user", *Totals._fields, "ranked"),
    "scores": ("board", "by", "score", "user"),
    "ladder": ("board", "by", "score", "people"),
    "pairs": ("board", "user", "other", "games", "ahead", "behind", "given", "taken"),
}
"""The tables that a rebuild writes, beside `boards`, and their columns."""
COUNTING = House(pause_seconds=0)


class Match(NamedTuple):
    """A finished match: the table at its start and at its end, and the whole log."""

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
    """Play a random match, with thinking times, time-outs and people who leave."""
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
    if action["do"] == "bid":  # random bids would nearly all be far too high
        lowest = max((rung.number for rung in table.match.bidding.ladder), default=-5)
        action = {"do": "bid", "seat": prompt.seat, "number": min(1000, lowest + rng.randrange(1, 6))}
        if not prompt.allows(rules.load_action(action)):
            action = dict(rules.dump_action(prompt.pick(rng)))
    del action["seat"]
    return Play(table.players[prompt.seat].user, action.pop("do"), action, prompt.id)


def with_ai(match: Match) -> Match:
    """Return the match as if an AI had made the last move of a person."""
    last = max(place for place, entry in enumerate(match.moves) if entry.actor is Actor.USER)
    moves = [*match.moves]
    moves[last] = moves[last]._replace(actor=Actor.AI)
    return match._replace(moves=tuple(moves))


def changes(match: Match) -> tuple[Change, Change]:
    """Return the match as two changes: everything up to the start, and everything after it."""
    begun = match.begun._replace(
        players=match.over.players
    )  # both changes share a transaction, which writes the seats once
    over = match.over._replace(seq=begun.seq + 1)
    return (
        Change(None, begun, match.opening, (), match.started, next_due(begun)),
        Change(begun, over, match.moves, (), match.ended, None),
    )


def keep(store: TableStore, match: Match) -> asyncio.Future[None]:
    """Write a whole match; callers that do not wait for it let several matches share a transaction."""
    return store.commit(changes(match))


async def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows that a rebuild writes, sorted; a board stands for itself, because its number may change."""
    boards = {id_: Board(*board) for id_, *board in await database.rows("boards", "id", *Board._fields)}
    found = {"boards": await database.rows("boards", *Board._fields, "minimum", "ranked")}
    for table, columns in COUNTED.items():
        rows = await database.rows(table, *columns)
        found[table] = [(boards[row[0]], *row[1:]) if columns[0] == "board" else row for row in rows]
    return {table: sorted(rows, key=repr) for table, rows in found.items()}

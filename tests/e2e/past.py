"""Fills a database with games that were played before the bot starts."""

from random import Random
from typing import Any

from bot.host.model import UserId
from bot.store.sqlite.store import SqliteStore
from tests.e2e.harness import Evening
from tests.host.evening import BEGIN
from tests.stats.evenings import HOUR, keep, play

SHORT: dict[str, dict[str, Any]] = {"plenty-coups": {"rounds": 3}}
"""Options of games that are over soon."""


async def remember(
    held: Evening, people: list[int], games: int, *, players: int = 3, seed: int = 1, game: str = "coyote"
) -> None:
    """Write random games between these people into the database of a bot that is not running yet."""
    rng = Random(seed)
    store = await SqliteStore.open(held.bot.database, BEGIN)
    try:
        for number in range(games):
            some = [UserId(user) for user in rng.sample(people, players)]
            options = {"edition": rng.choice(("feathers", "peek")), "threshold": 2} if game == "coyote" else SHORT[game]
            now = BEGIN + (len(people) * 100 + number) * HOUR
            await keep(
                store, play(f"past{seed}x{number}", int(held.guild.id), some, rng, now, game=game, options=options)
            )
    finally:
        await store.close()

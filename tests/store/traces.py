"""Traces that a person leaves in a database, in every place that can name them."""

from __future__ import annotations

from random import Random

from bot.engine.core import Seat
from bot.host.commands import AskPause, Guess, GuessAlong, Join, Kick, Leave, Play, Start, Stop
from bot.host.lessons import Progress
from bot.host.model import UserId
from bot.host.ports import Message, Preferences
from bot.house_rules.repository import HouseLogRow
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD, World, bid
from tests.stats.evenings import keep, play

GUILD = 77
NAME = "Zaphod Ünique"
IDS = (80351110224678912, 1293847561029384756, 99_000_111_222_333)


async def store_matches(store: Store, user: UserId, games: int = 12, seed: int = 5) -> list[UserId]:
    """Store finished matches, most of them with this user; return the other players."""
    rng = Random(seed)
    others = [UserId(rng.getrandbits(60) | 1 << 59) for _ in range(6)]
    for number in range(games):
        people = rng.sample(others, 3)
        if number % 4 != 3:
            people[rng.randrange(3)] = user
        await keep(store, play(f"t{number}x{rng.getrandbits(20):x}", GUILD, people, rng, BEGIN + number * 10_000_000))
    return others


async def leave_traces(here: World, user: UserId, *, more: int = 0) -> None:
    """Store this user's id in every place that can hold one; `more` is added to the ids of servers and channels."""
    store, tables = here.store, here.tables
    await store.save_preferences(user, Preferences(2, pinged=False, language="en"))
    hosted = await tables.open(1 + more, 101 + more, Join(user, NAME, language="en"), game="coyote")
    await tables.submit(hosted.id, Join(GUEST, "guest"))
    running = await tables.open(2 + more, 102 + more, Join(HOST, "host"), game="coyote")
    for each in (Join(user, NAME), Join(GUEST, "guest"), Join(THIRD, "third"), Start(HOST)):
        running = await tables.submit(running.id, each)
    await tables.submit(running.id, AskPause(user))
    await store.mark_done([], placed=[Message(running.id, "dm", user, 4, 5, BEGIN)])
    sent_away = await tables.open(3 + more, 103 + more, Join(HOST, "host"), game="coyote")
    await tables.submit(sent_away.id, Join(user, NAME))
    await tables.submit(sent_away.id, Kick(HOST, user))
    stopped = await tables.open(4 + more, 104 + more, Join(HOST, "host"), game="coyote")
    await tables.submit(stopped.id, Stop(user, manager=True))
    left = await tables.open(5 + more, 105 + more, Join(HOST, "host"), game="coyote")
    await tables.submit(left.id, Join(user, NAME))
    await tables.submit(left.id, Leave(user))
    await store.stats.set_opted_out(user, True)
    await store.stats.set_opted_out(user, False)
    await store.stats.set_absent(GUILD, user, BEGIN)
    await store.keep_house(6 + more, 1, "{}", [HouseLogRow(6 + more, BEGIN, user, "threshold", None, "4")])
    watched = await tables.open(7 + more, 107 + more, Join(HOST, "host"), game="coyote", options={"guess_along": 5})
    for each in (Join(GUEST, "guest"), Join(THIRD, "third"), Start(HOST)):
        await tables.submit(watched.id, each)
    watched = await tables.submit(watched.id, GuessAlong(user))
    watched = await tables.submit(watched.id, bid(watched, 5))
    caller = watched.match.bidding.turn
    watched = await tables.submit(watched.id, Play(watched.players[caller].user, "call"))
    await tables.submit(watched.id, GuessAlong(UserId(4)))
    watched = await tables.submit(watched.id, Guess(user, Seat(caller)))
    assert watched.guessing is not None
    assert watched.guessing.guesses
    await store.keep_lesson(user, "coyote", None, Progress("first", ({"do": "bid"},)), 90)


async def forget(here: World, user: UserId) -> None:
    names = await here.store.privacy.names(user)
    assert await here.store.privacy.wipe(user, await here.tables.forget(user), names)

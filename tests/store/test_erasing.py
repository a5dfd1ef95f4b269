from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import get_type_hints

import pytest

from bot.engine.core import Rejected
from bot.host import codec
from bot.host.commands import AskPause, DmTried, Forget, Join, Kick, Leave, Start, Stop, Watch
from bot.host.decide import decide
from bot.host.erasure import forget_in
from bot.host.former_players import is_ghost, new_ghost
from bot.host.model import Dm, Pause, Player, Stage, Table, UserId
from bot.host.ports import Message, Preferences
from bot.house_rules import repository as books
from bot.stats.model import Board
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.schema import MIGRATIONS, migrations
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD, World, bid, world
from tests.stats.evenings import RESULTS, contents, keep, play
from tests.store.leftovers import leftovers

GUILD = 77
NAME = "Zaphod Ünique"
IDS = (80351110224678912, 1293847561029384756, 99_000_111_222_333)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


async def played(store: SqliteStore, user: UserId, games: int = 12, seed: int = 5) -> list[UserId]:
    """Write down finished matches, most of them with this person; return everybody else in them."""
    rng = Random(seed)
    others = [UserId(rng.getrandbits(60) | 1 << 59) for _ in range(6)]
    for number in range(games):
        people = rng.sample(others, 3)
        if number % 4 != 3:
            people[rng.randrange(3)] = user
        await keep(store, play(f"t{number}x{rng.getrandbits(20):x}", GUILD, people, rng, BEGIN + number * 10_000_000))
    return others


async def everywhere(here: World, user: UserId) -> None:
    """Let somebody be named in every place that there is."""
    store, tables = here.store, here.tables
    await store.prefer(user, Preferences(2, pinged=False))
    hosted = await tables.open(1, 101, Join(user, NAME), game="coyote")
    await tables.submit(hosted.id, Join(GUEST, "guest"))
    running = await tables.open(2, 102, Join(HOST, "host"), game="coyote")
    for each in (Join(user, NAME), Join(GUEST, "guest"), Join(THIRD, "third"), Start(HOST)):
        running = await tables.submit(running.id, each)
    await tables.submit(running.id, AskPause(user))
    await store.told([], stands=[Message(running.id, "dm", user, 4, 5, BEGIN)])
    sent_away = await tables.open(3, 103, Join(HOST, "host"), game="coyote")
    await tables.submit(sent_away.id, Join(user, NAME))
    await tables.submit(sent_away.id, Kick(HOST, user))
    stopped = await tables.open(4, 104, Join(HOST, "host"), game="coyote")
    await tables.submit(stopped.id, Stop(user, manager=True))
    left = await tables.open(5, 105, Join(HOST, "host"), game="coyote")
    await tables.submit(left.id, Join(user, NAME))
    await tables.submit(left.id, Leave(user))
    await store.stats.set_off(user, True)
    await store.stats.set_off(user, False)
    await store.stats.set_absent(GUILD, user, BEGIN)
    await store.keep_house(6, 1, "{}", [books.Row(6, BEGIN, user, "threshold", None, "4")])


async def forget(here: World, user: UserId) -> None:
    names = await here.store.privacy.names(user)
    assert await here.store.privacy.wipe(user, await here.tables.forget(user), names)


@pytest.mark.parametrize("number", IDS)
async def test_nothing_is_left_in_the_files(path: Path, tmp_path: Path, number: int) -> None:
    user = UserId(number)
    async with world(path) as here:
        await played(here.store, user)
        await everywhere(here, user)
        assert set(await here.store.privacy.names(user)) == {NAME, "x"}
        found = {how for _, how in leftovers(path, user, NAME)}
        assert found >= {"text", "row number", f"name {NAME}", "eight bytes" if number >= 1 << 47 else "six bytes"}
        await forget(here, user)
        assert leftovers(path, user, NAME) == []
    assert leftovers(path, user, NAME) == []
    later = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, later)
    (later / f"{len(migrations()) + 1:04}_later.sql").write_text("ALTER TABLE users ADD COLUMN colour TEXT;")
    store = await SqliteStore.open(path, BEGIN, migrations=later)
    await store.close()
    assert list(tmp_path.glob("*.backup"))  # noqa: ASYNC240
    assert leftovers(path, user, NAME) == []


@pytest.mark.parametrize("seed", range(6))
async def test_copies_that_split_pages_kept_are_wiped_too(path: Path, seed: int) -> None:
    """Without wiping this fails: `secure_delete` alone does not know of those copies."""
    user = UserId(IDS[1])
    async with world(path) as here:
        rng = Random(seed)

        def crowd(connection: sqlite3.Connection) -> None:
            for number in range(12_000):
                board, other = rng.randrange(400), user if number % 3 == 0 else rng.getrandbits(60)
                connection.execute("INSERT OR IGNORE INTO absent VALUES (?, ?, ?)", (board, other, number))

        await here.store.work(crowd)
        ghost = await here.tables.forget(user)
        assert await here.store.privacy.wipe(user, ghost)
        assert leftovers(path, user) == []
        checked = await here.store._read("PRAGMA integrity_check")
        assert [row[0] for row in checked] == ["ok"]
        assert (await here.store._read("SELECT count(*) FROM absent"))[0][0] > 7000


async def test_what_the_others_have_stays(path: Path) -> None:
    user = UserId(IDS[1])
    async with world(path) as here:
        others = await played(here.store, user, 30)
        before = {other: await here.store.stats.card(Board(GUILD, "coyote"), other) for other in others}
        history = await here.store.stats.history(GUILD, size=100)
        rows = contents(path)
        await forget(here, user)
        for other in others:
            after = await here.store.stats.card(Board(GUILD, "coyote"), other)
            assert after.totals == before[other].totals
            assert after.curve == before[other].curve
            assert user not in {rival.user for rival in (after.victim, after.nemesis) if rival is not None}
        mine = await here.store.stats.card(Board(GUILD, "coyote"), user)
        assert (mine.totals.games, mine.curve) == (0, ())
        assert (await here.store.stats.history(GUILD, user=user)).games == 0
        again = await here.store.stats.history(GUILD, size=100)
        assert [game.number for game in again.lines] == [game.number for game in history.lines]
        assert [[seat.place for seat in game.seats] for game in again.lines] == [
            [seat.place for seat in game.seats] for game in history.lines
        ]
        replay = await here.store.stats.replay(GUILD, 1)
        assert replay is not None
        assert sum(1 for each in replay.users if each is not None and is_ghost(each)) == 1
    kept = contents(path)
    assert kept["totals"] == [row for row in rows["totals"] if row[1] != user]
    assert kept["pairs"] == [row for row in rows["pairs"] if user not in row[1:3]]
    assert kept["games"] == rows["games"]
    rebuild(path, lambda done, of: None)
    assert contents(path) == kept, "a rebuild finds what the deletion left"


async def test_afterwards_they_play_as_somebody_new(path: Path) -> None:
    user = UserId(IDS[0])
    async with world(path) as here:
        await played(here.store, user)
        await forget(here, user)
        await forget(here, user)  # nothing is there: nothing happens
        await played(here.store, user, 9, seed=6)
        card = await here.store.stats.card(Board(GUILD, "coyote"), user)
        assert 0 < card.totals.games < 9
    kept = contents(path)
    rebuild(path, lambda done, of: None)
    assert {name: contents(path)[name] for name in RESULTS if name != "boards"} == {
        name: rows for name, rows in kept.items() if name != "boards"
    }
    async with world(path) as here:
        await forget(here, user)
    assert leftovers(path, user) == []


async def test_who_is_seated_gets_up_and_the_game_goes_on(path: Path) -> None:
    user = UserId(IDS[0])
    async with world(path) as here:
        await everywhere(here, user)
        running = await here.tables.at(102)
        assert running is not None
        await forget(here, user)
        table = await here.tables.get(running.id)
        assert table.stage is Stage.PLAYING
        assert is_ghost(table.players[1].user)
        assert table.players[1].left
        assert table.players[1].name == ""
        assert table.pause_votes == ()
        hosted = await here.tables.at(101)
        assert hosted is not None
        assert hosted.host == GUEST
        after = await here.tables.submit(running.id, bid(table, 5) if table.next_deal is None else Leave(THIRD))
        assert after.seq == table.seq + 1
        assert leftovers(path, user, NAME) == []
        assert await here.store.open_of(user) == ()


async def test_a_host_who_watches_leaves_the_table_to_somebody_else(path: Path) -> None:
    async with world(path) as here:
        table = await here.lobby()
        for user in (GUEST, THIRD, UserId(14)):
            await here.tables.submit(table.id, Join(user, "guest"))
        await here.tables.submit(table.id, Watch(HOST))
        await here.tables.forget(HOST)
        assert (await here.tables.get(table.id)).host == GUEST
        assert (await here.tables.submit(table.id, Start(GUEST))).stage is Stage.PLAYING


async def test_what_was_on_its_way_does_not_bring_them_back(path: Path) -> None:
    user = UserId(IDS[0])
    async with world(path) as here:
        await everywhere(here, user)
        running = await here.tables.at(102)
        assert running is not None
        await forget(here, user)
        await here.store.told([], stands=[Message(running.id, "dm", user, 4, 6, BEGIN)])
        await here.store.told([], stands=[Message(running.id, "table", None, 4, 7, BEGIN)])
        await here.tables.submit(running.id, DmTried(user, Dm.OPEN))
        await here.store.stats.set_absent(GUILD, user, BEGIN)
        assert [each.kind for each in await here.store.messages(running.id)] == ["table"]
    assert leftovers(path, user, NAME) == []


async def test_finished_tables_in_memory_are_read_anew_and_a_rematch_leaves_them_out(path: Path) -> None:
    user = UserId(IDS[0])
    async with world(path) as here:
        match = play("finished", 9, [user, HOST, GUEST], Random(1))
        await keep(here.store, match)
        held = await here.tables.get(match.over.id)
        assert user in {player.user for player in held.players}
        await forget(here, user)
        table = await here.tables.get(match.over.id)
        assert user not in {player.user for player in table.players}
        staying = next(player.user for player in table.players if not player.left and not is_ghost(player.user))
        again = await here.tables.rematch(table.id, staying)
        assert all(not is_ghost(player.user) and player.user != user for player in again.players)
    assert leftovers(path, user) == []


async def test_a_rematch_in_the_moment_of_a_deletion_is_opened_without_them(path: Path) -> None:
    user = UserId(IDS[0])
    async with world(path) as here:
        match = play("finished", 9, [user, HOST, GUEST], Random(1))
        await keep(here.store, match)
        held = await here.tables.get(match.over.id)
        staying = next(each.user for each in held.players if not each.left and each.user != user)
        await here.store.erase(user, new_ghost(), [], [])  # the table in memory has not heard of it yet
        again = await here.tables.rematch(held.id, staying, interaction_id=77)
        assert again.players
        assert all(not is_ghost(player.user) and player.user != user for player in again.players)
        assert (await here.tables.get(held.id)).rematch == again.id
        assert (await here.tables.rematch(held.id, staying, interaction_id=77)).id == again.id


async def test_in_the_midst_of_everything(path: Path) -> None:
    """Whoever joins, leaves and plays while they are being forgotten is forgotten, or is there as somebody new."""
    user = UserId(IDS[0])
    async with world(path) as here:
        await everywhere(here, user)

        async def restless() -> None:
            for channel in range(200, 230):
                table = await here.tables.open(channel, channel, Join(HOST, "host"), game="coyote")
                await here.tables.submit(table.id, Join(user, NAME))

        await asyncio.gather(restless(), here.tables.forget(user))
        ghost = await here.tables.forget(user)
        assert await here.store.privacy.wipe(user, ghost)
    assert leftovers(path, user, NAME) == []


def test_every_field_that_holds_a_person_is_known() -> None:
    """A new field of a table that names people must be forgotten, too: then add it here and to `forgetting`."""
    named = {
        (kind.__name__, name)
        for kind in (Table, Player, Pause)
        for name, hint in get_type_hints(kind).items()
        if "UserId" in str(hint)
    }
    assert named == {
        *[("Table", name) for name in ("host", "kicked", "starter", "pause_votes", "out_votes", "ended_by")],
        ("Player", "user"),
        ("Pause", "asked_by"),
    }


async def test_a_table_and_its_text_forget_alike(path: Path) -> None:
    user, ghost = UserId(IDS[1]), new_ghost()
    async with world(path) as here:
        await everywhere(here, user)
        running = await here.tables.at(102)
    assert running is not None
    players = running.players
    full = running._replace(
        stage=Stage.CLOSED,  # whose text is changed; an open table is also given another host
        kicked=(GUEST, user),
        starter=user,
        host=user,
        pause=Pause(BEGIN, user),
        pause_votes=(user, HOST),
        out_votes=((user, HOST), (HOST, user)),
        ended_by=user,
    )
    after = decide(full, Forget(user, ghost), BEGIN, Random(1)).table
    written = codec.load(
        codec.Columns(full.id, full.guild, full.channel, full.stage, after.seq),
        codec.dump_setup(full),
        forget_in(codec.dump(full), user, ghost),
    )
    assert written == after
    assert str(user) not in codec.dump(after)
    assert codec.dump(after).count(str(ghost)) == 9
    assert [player.user for player in after.players if player.user != ghost] == [
        p.user for p in players if p.user != user
    ]


def test_a_former_player_is_nobody_in_particular() -> None:
    ghosts = {new_ghost() for _ in range(200)}
    assert len(ghosts) == 200
    assert all(is_ghost(ghost) for ghost in ghosts)
    assert not any(is_ghost(user) for user in (*IDS, -1, -12, 0))


async def test_every_column_with_a_person_is_erased_and_exported(path: Path) -> None:
    """The schema says where people are; a new column must be thought of, and then named here."""
    async with world(path) as here:
        columns = await here.store._read(
            "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns"
            " WHERE columns.name IN ('user', 'other', 'host', 'by_user', 'owner')"
        )
    known = {"seats", "visits", "outbox", "messages", "absent", "game_seats", "totals", "scores", "pairs", "house_log"}
    assert {table for table, _ in columns} <= known


async def test_refused_where_there_is_nobody(path: Path) -> None:
    async with world(path) as here:
        table = await here.lobby()
        with pytest.raises(Rejected):
            await here.tables.submit(table.id, Leave(UserId(IDS[0])))
        await here.tables.forget(UserId(IDS[0]))
        assert (await here.tables.get(table.id)) == table

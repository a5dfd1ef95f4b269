"""Rare faults: lost clicks, racing edits, archived threads, bans, filters, lost servers, and the health check."""

import asyncio
import contextlib
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bot.health import examine
from sandbox.faults import Duplicate, Lose, RateLimited, Refuse, Slow
from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.permissions import Permission
from tests.e2e.bot_process import ROOT
from tests.e2e.common import CALLBACK, EDIT, POST, THROUGH, database, in_turn, meta, said_in, stages, started, until
from tests.e2e.harness import Evening, evening
from tests.e2e.players import TURN, Game, newest


async def test_a_press_that_never_arrives(tmp_path: Path) -> None:  # F05
    async with evening(tmp_path) as held:
        message = await started(held, clock="60s")
        held.sandbox.faults.on_event("INTERACTION_CREATE", Lose())
        assert (await in_turn(held, message).click(message, "5")).failed
        await until(held, lambda: said_in(held, "didn't answer in time"))
        shown = await held.people[0].slash("coyote look")
        assert "what you see" in shown.text or "Between rounds" in shown.text


async def test_edits_do_not_race_and_the_newest_state_stays(tmp_path: Path) -> None:  # F08
    async with evening(tmp_path) as held:
        message = await started(held)
        for route in (THROUGH, EDIT):
            held.sandbox.faults.on(route, Slow(0.4), times=3)
        order = held.people[(at := held.people.index(in_turn(held, message))) :] + held.people[:at]
        for bid, person in enumerate([*order, *order], 5):  # typed, so that nobody waits for the buttons
            assert "what you see" in (await person.slash("coyote bid", number=bid)).text
        await until(held, lambda: "Bid to beat: **10**" in message.text)
        await asyncio.sleep(0.5)
        assert "Bid to beat: **10**" in message.text
        edits = [each for each in held.sandbox.requests if each.route in (THROUGH, EDIT) and _is_table(each.body)]
        spans = sorted((each.at, each.at + each.seconds) for each in edits)
        assert all(one[1] <= other[0] + 0.02 for one, other in pairwise(spans)), spans


def _is_table(body: object) -> bool:
    return "'s turn" in str(body)


async def in_a_thread(held: Evening) -> tuple[Channel, Message]:
    """Start a game in its own thread, with short turns."""
    ana, *others = held.people
    await ana.slash("coyote new", thread=True, clock="60s")
    thread = next(each for each in held.sandbox.world.channels.values() if each.is_thread)
    await ana.wait_for(lambda: newest_in(held, thread))
    message = newest_in(held, thread)
    assert message is not None
    for person in (ana, *others):
        person.where = thread
    for person in others:
        assert not (await person.click(message, "Join")).failed
    await ana.click(message, "Start")
    await ana.wait_for(lambda: TURN.search(message.text))
    return thread, message


def newest_in(held: Evening, thread: Channel) -> Message | None:
    found = [each for each in held.people[0].read(thread) if each.buttons]
    return found[-1] if found else None


def threads(held: Evening) -> list[Channel]:
    return [each for each in held.sandbox.world.channels.values() if each.is_thread]


async def test_a_thread_is_opened_once_however_often_it_is_asked_for(tmp_path: Path) -> None:  # F04
    async with evening(tmp_path) as held:
        held.sandbox.faults.on_event("INTERACTION_CREATE", Duplicate(3))
        shown = await held.people[0].slash("coyote new", thread=True)
        assert "<#" in shown.text, shown.text
        await asyncio.sleep(0.5)
        (thread,) = threads(held)
        await until(held, lambda: newest_in(held, thread))
        assert thread.id in shown.text
        assert stages(held) == ["lobby"]


@pytest.mark.parametrize("allowed", [True, False])
async def test_no_thread_stays_open_for_a_table_that_could_not_be_opened(tmp_path: Path, allowed: bool) -> None:  # F37
    async with evening(tmp_path) as held:
        if not allowed:
            held.sandbox.faults.on("DELETE /channels/{channel_id}", Refuse(50013))
        with busy(held):
            shown = await held.people[0].slash("coyote new", thread=True)
            await until(held, lambda: "can't write anything down" in shown.text)
        await until(held, lambda: all(each.archived for each in threads(held)))
        assert len(threads(held)) == (0 if allowed else 1)
        assert "Your table is in" in (await held.people[0].slash("coyote new", thread=True)).text
        held.bot.log.clear()  # the errors in the log were expected


async def test_an_archived_thread_is_opened_again(tmp_path: Path) -> None:  # F14
    async with evening(tmp_path) as held:
        thread, message = await in_a_thread(held)
        before = message.version
        held.sandbox.world.archive(thread)
        await until(held, lambda: (newest_in(held, thread) or message).version > before and not thread.archived)


async def test_a_thread_that_stays_archived_suspends_its_table(tmp_path: Path) -> None:  # F14
    async with evening(tmp_path) as held:
        thread, message = await in_a_thread(held)
        held.sandbox.faults.on("PATCH /channels/{channel_id}", Refuse(50013), times=None)
        for route in (THROUGH, EDIT, POST):
            held.sandbox.faults.on(route, Refuse(50083), times=None)
        held.sandbox.world.archive(thread)
        await asyncio.sleep(1.5)
        tried = [each for each in held.sandbox.requests if each.route == "PATCH /channels/{channel_id}"]
        assert len(tried) == 1
        held.sandbox.faults.clear()
        held.sandbox.world.archive(thread, False)
        await until(held, lambda: TURN.search((newest_in(held, thread) or message).text))


async def test_a_locked_thread_suspends_its_table_with_a_notice_in_the_parent_channel(tmp_path: Path) -> None:  # F14
    async with evening(tmp_path) as held:
        world = held.sandbox.world
        world.set_overwrite(held.games, world.bot, deny=Permission.MANAGE_THREADS)
        thread, message = await in_a_thread(held)
        assert not (await in_turn(held, message).click(message, "5")).text
        await until(held, lambda: "Bid to beat: **5**" in message.text)
        world.archive(thread, False, locked=True)
        caller = in_turn(held, message)
        await caller.click(message, "Coyote!")
        words = f"I can't go on in <#{thread.id}>: please give me **Manage Threads**"
        await until(held, lambda: said_at(held, held.games, words))
        await asyncio.sleep(2.5)  # the bot retries, but does not repeat the notice
        assert len(said_at(held, held.games, words)) == 1
        assert "Manage Threads" in (await caller.slash("coyote look")).text
        assert not said_at(held, thread, "calls Coyote on")
        world.archive(thread, False, locked=False)
        await until(held, lambda: said_at(held, thread, "calls Coyote on"))
        await until(held, lambda: "round 2" in (newest_in(held, thread) or message).text)
        assert len(said_at(held, thread, "calls Coyote on")) == 1


def said_at(held: Evening, channel: Channel, words: str) -> list[Message]:
    return [each for each in held.people[0].read(channel) if words in each.text]


async def test_a_rate_limit_at_the_edge_pauses_all_requests(tmp_path: Path) -> None:  # F18
    async with evening(tmp_path) as held:
        message = await started(held)
        held.sandbox.faults.on("P* /channels/*", RateLimited(scope="edge"))
        held.sandbox.faults.on(THROUGH, Refuse(50027))
        turn = in_turn(held, message)
        await turn.click(message, "5")
        await asyncio.sleep(1)
        before = len(held.sandbox.requests)
        other = next(person for person in held.people if person is not turn)
        assert (
            "Bid to beat: **5**" in (await other.click(message, "Look")).text
        )  # the move counts, and players get answers
        await asyncio.sleep(1)
        assert {each.route for each in list(held.sandbox.requests)[before:]} == {CALLBACK}
        await held.bot.restart()
        await until(held, lambda: "Bid to beat: **5**" in (newest(turn) or message).text)


async def test_few_logins_are_left(tmp_path: Path) -> None:  # F25
    async with evening(tmp_path, start=False) as held:
        held.sandbox.gateway.identifies_left = 2
        await held.bot.start(connected=False)
        await eventually(lambda: "few logins are left" in held.bot.said)
        await asyncio.sleep(1)
        assert held.sandbox.gateway.connections_seen == 0
        assert (await health(held))[0] == 1
        assert await held.bot.stop() == 0
        held.sandbox.gateway.identifies_again = 4.0
        await held.bot.start(connected=False)
        await held.sandbox.gateway.wait_connected(seconds=15)
        assert held.sandbox.gateway.identified == 1


async def health(held: Evening) -> tuple[int, str]:
    """Run the health check as Docker does; return its exit code and output."""
    env = {"DATABASE_PATH": str(held.bot.database), "PATH": ""}
    asked = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "health"), cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await asked.communicate()
    assert asked.returncode is not None
    assert len(said.decode().splitlines()) == 1
    return asked.returncode, said.decode().strip()


async def healthy(held: Evening, code: int, seconds: float = 30.0) -> str:
    """Wait until the health check exits with this code; return its output."""
    async with asyncio.timeout(seconds):
        while examine(held.bot.database, time.time())[0] != (code == 0):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    asked, line = await health(held)
    assert asked == code, line
    return line


async def test_health(tmp_path: Path) -> None:  # F26
    async with evening(tmp_path, start=False) as held:
        assert "no bot is running" in (await health(held))[1]
        held.sandbox.gateway.heartbeat_seconds = 1.0
        await held.bot.start()
        assert await healthy(held, 0) == "well"
        assert held.bot.process is not None
        held.bot.process.send_signal(signal.SIGSTOP)  # a blocked event loop does not renew the note
        well, line = examine(held.bot.database, time.time() + 21)
        assert (well, "no sign of life" in line) == (False, True)
        held.bot.process.send_signal(signal.SIGCONT)
        held.sandbox.gateway.acknowledges_heartbeats = False
        assert "heard nothing" in await healthy(held, 1)
        held.sandbox.gateway.acknowledges_heartbeats = True
        assert await healthy(held, 0) == "well"
        await held.bot.stop()
        assert "no bot is running" in (await health(held))[1]


@contextlib.contextmanager
def busy(held: Evening) -> Iterator[None]:
    """Hold a write transaction on the bot's database."""
    with database(held) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextlib.contextmanager
def full(held: Evening) -> Iterator[None]:
    """Limit the bot's file size, as if the disk were full."""
    assert held.bot.process is not None
    log = held.bot.database.with_name(f"{held.bot.database.name}-wal")
    hard = resource.RLIM_INFINITY
    resource.prlimit(held.bot.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, hard))
    yield
    resource.prlimit(held.bot.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.parametrize(("trouble", "said"), [(busy, "database is busy"), (full, "database is broken")])
async def test_a_database_that_cannot_be_written(
    tmp_path: Path, trouble: Callable[[Evening], contextlib.AbstractContextManager[None]], said: str
) -> None:  # F37
    async with evening(tmp_path) as held:
        message = await started(held)
        before = message.text
        turn = in_turn(held, message)
        await healthy(held, 0)
        with trouble(held):
            assert (await turn.click(message, "5")).failed is None
            await turn.wait_for(lambda: turn.private() and "can't write anything down" in turn.private()[-1].text)
            assert said in await healthy(held, 1)
        assert message.text == before
        assert not (await turn.click(message, "5")).text
        await until(held, lambda: "Bid to beat: **5**" in message.text)
        await healthy(held, 0)
        assert "nothing was changed" in held.bot.said
        assert "Traceback" not in held.bot.said
        held.bot.log.clear()  # the errors in the log were expected


async def test_removed_from_a_server(tmp_path: Path) -> None:  # F27
    async with evening(tmp_path) as held:
        await started(held)
        world, bot = held.sandbox.world, held.sandbox.world.bot
        world.remove_member(held.guild, bot)
        await eventually(lambda: stages(held) == ["closed"])
        await eventually(lambda: int(meta(held, f"left:{held.guild.id}") or 0) > 0)
        world.add_bot(held.guild)
        await eventually(lambda: meta(held, f"left:{held.guild.id}") is None)
        assert (await held.people[0].slash("coyote new")).message is not None


async def removed_while_down(held: Evening) -> None:
    """Remove the bot from a server with a running game while it is down, then start it."""
    await started(held)
    await eventually(lambda: meta(held, f"in:{held.guild.id}") is not None)
    await held.bot.kill()
    held.sandbox.world.remove_member(held.guild, held.sandbox.world.bot)
    await held.bot.start()


async def test_removed_from_a_server_while_the_bot_was_down_and_the_file_is_busy(tmp_path: Path) -> None:  # F27, F37
    async with evening(tmp_path) as held:
        await removed_while_down(held)
        with busy(held):  # the bot compares its servers about two seconds after the start
            await eventually(lambda: "guilds: to be noted again" in held.bot.said)
            assert stages(held) == ["playing"]
        await eventually(lambda: stages(held) == ["closed"])
        await eventually(lambda: int(meta(held, f"left:{held.guild.id}") or 0) > 0)


async def test_removed_from_a_server_while_the_bot_was_down(tmp_path: Path) -> None:  # F27
    async with evening(tmp_path) as held:
        await removed_while_down(held)
        await eventually(lambda: stages(held) == ["closed"])
        await eventually(lambda: int(meta(held, f"left:{held.guild.id}") or 0) > 0)
        await held.bot.kill()
        held.sandbox.world.add_bot(held.guild)
        await held.bot.start()
        await eventually(lambda: meta(held, f"left:{held.guild.id}") is None)


async def eventually(look: Callable[[], object], seconds: float = 60.0) -> None:
    """Poll until `look` returns something true, for state that no client shows."""
    async with asyncio.timeout(seconds):
        while not look():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_an_outage_that_ends_while_the_database_is_busy(tmp_path: Path) -> None:  # F28, F37
    async with evening(tmp_path) as held:
        message = await started(held)
        held.sandbox.world.set_available(held.guild, False)
        await until(held, lambda: "paused" in message.text.lower())
        await eventually(lambda: any("suspend" in each for each in host_log(held)))
        with busy(held):
            held.sandbox.world.set_available(held.guild, True)
            await eventually(lambda: "guilds: to be noted again" in held.bot.said)
        await eventually(lambda: any("resume" in each for each in host_log(held)))
        await until(held, lambda: TURN.search((newest(held.people[0]) or message).text))


def host_log(held: Evening) -> list[str]:
    """Return the logged actions that the clock caused."""
    with database(held) as found:
        return [row[0] for row in found.execute("SELECT action FROM actions WHERE actor = 'clock'")]


async def test_an_outage_stops_the_clocks(tmp_path: Path) -> None:  # F28
    async with evening(tmp_path) as held:
        message = await started(held, clock="3m")  # 3 s of real time
        held.sandbox.world.set_available(held.guild, False)
        await until(held, lambda: "paused" in message.text.lower())
        before = len(said_in(held, "didn't answer in time"))
        shown = await held.people[0].click(message, "Look")
        assert "goes on by itself" in shown.text
        await asyncio.sleep(4)
        assert len(said_in(held, "didn't answer in time")) == before
        assert stages(held) == ["playing"]
        held.sandbox.world.set_available(held.guild, True)
        await until(held, lambda: TURN.search((newest(held.people[0]) or message).text))
        fresh = newest(held.people[0])
        assert fresh is not None
        assert not (await in_turn(held, fresh).click(fresh, "5")).text
        await until(held, lambda: "Bid to beat: **5**" in fresh.text)


async def test_a_player_leaves_the_server(tmp_path: Path) -> None:  # F29
    async with evening(tmp_path, 4) as held:
        message = await started(held)
        gone = next(person for person in held.people[1:] if person is not in_turn(held, message))
        await gone.wait_for(gone.dms)
        dm = gone.dms()[-1]
        table = message.buttons[0]["custom_id"].split(":")[1]
        gone.leave(held.guild)
        shown = await gone.forge(dm, f"c1:{table}:0:look")
        assert "aren't at this table" in shown.text
        assert "**🪶" not in shown.text
        await until(held, lambda: said_in(held, f"{gone.mention} has left"))
        await until(held, lambda: TURN.search((newest(held.people[0]) or message).text))
        assert "aren't at this table" in (await gone.forge(dm, f"c1:{table}:0:call")).text


async def test_a_refused_dm_shows_that_a_player_left_the_server(tmp_path: Path) -> None:  # F29
    async with evening(tmp_path, 4) as held:
        ana, ben, *_ = held.people
        held.sandbox.faults.on("POST /users/@me/channels", Slow(1.0), times=None, person=ben)
        message = await held.open_table(ana, clock="2h")
        for person in held.people[1:]:
            await person.click(message, "Join")
        ben.leave(held.guild)
        last = held.people[-1].mention
        await until(held, lambda: last in message.text and ben.mention not in message.text)


async def test_an_old_button_of_a_finished_game(tmp_path: Path) -> None:  # F33
    async with evening(tmp_path, 2) as held:
        game = Game(held, held.people)
        kept: list[Message] = []
        ids: list[str] = []

        async def hook(now: str) -> None:
            message = newest(held.people[0])
            if now == "bidding" and message is not None:
                kept.append(message)
                ids.extend(each["custom_id"] for each in message.buttons)

        final = await game.play(hook, edition="scout", coins=2, clock="2h")
        before = final.text
        for custom_id in ids:
            shown = await held.people[0].forge(kept[0], custom_id)
            assert shown.failed is None
            assert "over" in shown.text, (custom_id, shown.text)
        assert final.text == before


@pytest.mark.parametrize("code", [200000, 240000])
async def test_a_filter_refuses_what_names_people(tmp_path: Path, code: int) -> None:  # F38
    async with evening(tmp_path) as held:
        for person in held.people:
            person.dms_open = False
        message = await started(held)
        turn = in_turn(held, message)
        for route in (POST, EDIT, THROUGH):
            held.sandbox.faults.on(route, Refuse(code), times=None, holding=r"<@|https?://")
        await turn.click(message, "5")
        await until(held, lambda: "Bid to beat: **5**" in message.text)
        assert "plainly" in message.text
        assert "<@" not in message.text
        found = held.people[held.people.index(turn) - 2]
        assert not (await found.click(message, "Coyote!")).text
        await until(held, lambda: said_in(held, "calls Coyote on seat"))
        await until(held, lambda: (found := newest(turn)) and found.component("5"))
        held.sandbox.faults.clear()
        fresh = newest(turn)
        assert fresh is not None
        for person in held.people:
            if not (await person.click(fresh, "5")).text:
                break
        await until(held, lambda: f"by {person.mention}" in fresh.text)  # as usual, once the filter allows it


async def test_a_lobby_behind_a_filter(tmp_path: Path) -> None:  # F38
    async with evening(tmp_path) as held:
        for route in (POST, EDIT, THROUGH, CALLBACK):
            held.sandbox.faults.on(route, Refuse(200000), times=None, holding=r"<@")
        ana, ben, _ = held.people
        assert (await ana.slash("coyote new")).failed is None
        await until(held, lambda: newest(ana))
        message = newest(ana)
        assert message is not None
        assert not (await ben.click(message, "Join")).failed
        await until(held, lambda: "seat 2" in message.text)


async def test_a_press_in_a_dm_reaches_shard_zero(tmp_path: Path) -> None:  # F39
    async with evening(tmp_path, start=False) as held:
        sandbox = held.sandbox
        sandbox.gateway.shards = 2
        guild = held.guild
        while int(guild.id) >> 22 & 1 == 0:
            guild = sandbox.world.add_guild("Far")
        held.guild, held.games = guild, sandbox.world.add_channel(guild, "games")
        for person in held.people:
            person.join(guild)
            person.where = held.games
        await held.bot.start()
        await sandbox.gateway.wait_connected(2)
        message = await started(held)
        turn = in_turn(held, message)
        await turn.wait_for(lambda: turn.dms() and "what you see" in turn.dms()[-1].text)
        table, prompt = message.buttons[0]["custom_id"].split(":")[1:3]
        shown = await turn.forge(turn.dms()[-1], f"c1:{table}:0:look")
        assert "what you see" in shown.text
        assert not (await turn.forge(turn.dms()[-1], f"c1:{table}:{prompt}:bid:5")).failed
        await until(held, lambda: "Bid to beat: **5**" in message.text)
        with database(held) as found:
            written = found.execute("SELECT action FROM actions WHERE interaction_id IS NOT NULL ORDER BY seq")
            assert [row[0] for row in written][-1].count('"bid"') == 1

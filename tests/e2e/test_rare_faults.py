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
from tests.e2e.common import (
    CALLBACK,
    EDIT,
    EDIT_ANSWER,
    EDIT_FOLLOW_UP,
    FOLLOW_UP,
    POST,
    database,
    make,
    meta,
    moves,
    said_in,
    stages,
    started,
    until,
)
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, newest


async def test_a_lost_press_fails_and_the_game_goes_on(tmp_path: Path, driver: Driver) -> None:  # F05
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, clock="60s")
        held.sandbox.faults.on_event("INTERACTION_CREATE", Lose())
        assert (await held.move(message).press()).failed
        await until(held, lambda: said_in(held, "didn't answer in time"))
        assert held.is_look(await held.slash(held.people[0], "look"))


async def test_edits_do_not_race_and_the_newest_state_stays(tmp_path: Path, driver: Driver) -> None:  # F08
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        for route in (EDIT_ANSWER, EDIT):
            held.sandbox.faults.on(route, Slow(0.4), times=3)
        signs = [await driver.type_move(held) for _ in range(6)]  # typed, so that nobody waits for the buttons
        await until(held, lambda: signs[-1] in message.text)
        await asyncio.sleep(0.5)
        assert signs[-1] in message.text
        edits = [
            each
            for each in held.sandbox.requests
            if (each.route in (EDIT_ANSWER, EDIT) and message.id in each.path) or each.route == EDIT_ANSWER
        ]
        spans = sorted((each.at, each.at + each.seconds) for each in edits)
        assert len(spans) > 1
        assert all(one[1] <= other[0] + 0.02 for one, other in pairwise(spans)), spans


async def in_a_thread(held: Evening) -> tuple[Channel, Message]:
    """Start a game in its own thread, with short turns."""
    ana, *others = held.people
    await held.slash(ana, "new", thread=True, clock="60s")
    thread = next(each for each in held.sandbox.world.channels.values() if each.is_thread)
    await ana.wait_for(lambda: newest_in(held, thread))
    message = newest_in(held, thread)
    assert message is not None
    for person in (ana, *others):
        person.where = thread
    for person in others:
        assert not (await person.click(message, "Join")).failed
    await ana.click(message, "Start")
    await ana.wait_for(lambda: held.driver.asked(message))
    return thread, message


def newest_in(held: Evening, thread: Channel) -> Message | None:
    found = [each for each in held.people[0].read(thread) if each.buttons]
    return found[-1] if found else None


def threads(held: Evening) -> list[Channel]:
    return [each for each in held.sandbox.world.channels.values() if each.is_thread]


async def test_a_repeated_command_opens_only_one_thread(tmp_path: Path) -> None:  # F04
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
        assert "has opened a table" in (await held.people[0].slash("coyote new", thread=True)).text
        held.bot.log.clear()  # the errors in the log were expected


async def test_an_archived_thread_is_opened_again(tmp_path: Path, driver: Driver) -> None:  # F14
    async with evening(tmp_path, driver=driver) as held:
        thread, message = await in_a_thread(held)
        before = message.version
        held.sandbox.world.archive(thread)
        await until(held, lambda: (newest_in(held, thread) or message).version > before and not thread.archived)


async def test_a_thread_that_stays_archived_suspends_its_table(tmp_path: Path) -> None:  # F14
    async with evening(tmp_path) as held:
        thread, message = await in_a_thread(held)
        held.sandbox.faults.on("PATCH /channels/{channel_id}", Refuse(50013), times=None)
        for route in (EDIT_ANSWER, EDIT, POST, FOLLOW_UP, EDIT_FOLLOW_UP):
            held.sandbox.faults.on(route, Refuse(50083), times=None)
        held.sandbox.world.archive(thread)
        await asyncio.sleep(1.5)
        tried = [each for each in held.sandbox.requests if each.route == "PATCH /channels/{channel_id}"]
        assert len(tried) == 1
        held.sandbox.faults.clear()
        held.sandbox.world.archive(thread, False)
        await until(held, lambda: held.driver.asked(newest_in(held, thread) or message))


async def test_a_locked_thread_suspends_its_table_with_a_notice_in_the_parent_channel(
    tmp_path: Path, driver: Driver
) -> None:  # F14
    async with evening(tmp_path, driver=driver) as held:
        world = held.sandbox.world
        world.set_overwrite(held.games, world.bot, deny=Permission.MANAGE_THREADS)
        thread, message = await in_a_thread(held)
        last = await driver.last_move(held.people, message)
        world.archive(thread, False, locked=True)
        await last.press()
        words = f"I can't go on in <#{thread.id}>: please give me **Manage Threads**"
        await until(held, lambda: said_at(held, held.games, words))
        await asyncio.sleep(2.5)  # the bot retries, but does not repeat the notice
        assert len(said_at(held, held.games, words)) == 1
        assert "Manage Threads" in (await held.slash(last.by, "look")).text
        assert not said_at(held, thread, driver.reveal)
        world.archive(thread, False, locked=False)
        await until(held, lambda: said_at(held, thread, driver.reveal))
        await until(held, lambda: driver.round_of(newest_in(held, thread) or message) == 2)
        assert len(said_at(held, thread, driver.reveal)) == 1


def said_at(held: Evening, channel: Channel, words: str) -> list[Message]:
    return [each for each in held.people[0].read(channel) if words in each.text]


async def test_a_rate_limit_at_the_edge_pauses_all_requests(tmp_path: Path, driver: Driver) -> None:  # F18
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        held.sandbox.faults.on("P* /channels/*", RateLimited(scope="edge"))
        held.sandbox.faults.on(EDIT_ANSWER, Refuse(50027))
        move = held.move(message)
        await move.press()
        await asyncio.sleep(1)
        before = len(held.sandbox.requests)
        other = next(person for person in held.people if person is not move.by)
        assert driver.look in (await held.look(other, message)).text, "players get answers"
        assert len(moves(held)) == 1, "the move counts"
        await asyncio.sleep(1)
        assert {each.route for each in list(held.sandbox.requests)[before:]} == {CALLBACK}
        await held.bot.restart()
        await until(held, lambda: move.is_shown(newest(other)))


async def test_a_login_waits_when_few_are_left(tmp_path: Path) -> None:  # F25
    async with evening(tmp_path, start=False) as held:
        held.sandbox.gateway.identifies_left = 2
        await held.bot.start(connected=False)
        await eventually(lambda: "few logins are left" in held.bot.log_text)
        await asyncio.sleep(1)
        assert held.sandbox.gateway.connections_seen == 0
        assert (await health(held))[0] == 1
        assert await held.bot.stop() == 0
        held.sandbox.gateway.identify_reset_seconds = 4.0
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


async def test_the_health_check_notices_a_hanging_bot_and_a_silent_gateway(tmp_path: Path) -> None:  # F26
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


@pytest.mark.parametrize(("failure", "reported"), [(busy, "database is busy"), (full, "database is broken")])
async def test_a_failing_database_is_reported_and_recovers(
    tmp_path: Path, driver: Driver, failure: Callable[[Evening], contextlib.AbstractContextManager[None]], reported: str
) -> None:  # F37
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        before = message.text
        move = held.move(message)
        turn = move.by
        await healthy(held, 0)
        with failure(held):
            assert (await move.press()).failed is None
            await turn.wait_for(lambda: turn.private() and "can't write anything down" in turn.private()[-1].text)
            assert reported in await healthy(held, 1)
        assert message.text == before
        await make(held, move)
        await healthy(held, 0)
        assert "nothing was changed" in held.bot.log_text
        assert "Traceback" not in held.bot.log_text
        held.bot.log.clear()  # the errors in the log were expected


async def test_a_server_removes_the_bot(tmp_path: Path) -> None:  # F27
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


async def test_a_server_removes_the_bot_while_it_is_down_and_the_database_is_busy(tmp_path: Path) -> None:  # F27, F37
    async with evening(tmp_path) as held:
        await removed_while_down(held)
        with busy(held):  # the bot compares its servers about two seconds after the start
            await eventually(lambda: "guilds: an event will be recorded later" in held.bot.log_text)
            assert stages(held) == ["playing"]
        await eventually(lambda: stages(held) == ["closed"])
        await eventually(lambda: int(meta(held, f"left:{held.guild.id}") or 0) > 0)


async def test_a_server_removes_the_bot_while_it_is_down(tmp_path: Path) -> None:  # F27
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


async def test_an_outage_may_end_while_the_database_is_busy(tmp_path: Path) -> None:  # F28, F37
    async with evening(tmp_path) as held:
        message = await started(held)
        held.sandbox.world.set_available(held.guild, False)
        await until(held, lambda: "paused" in message.text.lower())
        await eventually(lambda: any("suspend" in each for each in host_log(held)))
        with busy(held):
            held.sandbox.world.set_available(held.guild, True)
            await eventually(lambda: "guilds: an event will be recorded later" in held.bot.log_text)
        await eventually(lambda: any("resume" in each for each in host_log(held)))
        await until(held, lambda: held.driver.asked(newest(held.people[0]) or message))


def host_log(held: Evening) -> list[str]:
    """Return the logged actions that the clock caused."""
    with database(held) as found:
        return [row[0] for row in found.execute("SELECT action FROM actions WHERE actor = 'clock'")]


async def test_an_outage_stops_the_clocks(tmp_path: Path, driver: Driver) -> None:  # F28
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, clock="3m")  # 3 s of real time
        held.sandbox.world.set_available(held.guild, False)
        await until(held, lambda: "paused" in message.text.lower())
        before = len(said_in(held, "didn't answer in time"))
        shown = await held.look(held.people[0], message)
        assert "goes on by itself" in shown.text
        await asyncio.sleep(4)
        assert len(said_in(held, "didn't answer in time")) == before
        assert stages(held) == ["playing"]
        held.sandbox.world.set_available(held.guild, True)
        await until(held, lambda: held.driver.asked(newest(held.people[0]) or message))
        await make(held, held.move(newest(held.people[0])))


async def test_a_player_leaves_the_server(tmp_path: Path, driver: Driver) -> None:  # F29
    async with evening(tmp_path, 4, driver=driver) as held:
        message = await started(held)
        gone = next(person for person in held.people[1:] if person is not held.in_turn(message))
        await gone.wait_for(gone.dms)
        dm = gone.dms()[-1]
        table = message.buttons[0]["custom_id"].split(":")[1]
        gone.leave(held.guild)
        shown = await gone.forge(dm, f"c1:{table}:0:look")
        assert "aren't at this table" in shown.text
        assert driver.look not in shown.text
        await until(held, lambda: said_in(held, f"{gone.mention} has left"))
        await until(held, lambda: held.driver.asked(newest(held.people[0]) or message))
        late = driver.move(gone, newest(held.people[0]) or message, on=dm)
        assert "aren't at this table" in (await late.press()).text


async def test_a_refused_dm_reveals_that_a_player_left_the_server(tmp_path: Path, driver: Driver) -> None:  # F29
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, *_ = held.people
        held.sandbox.faults.on("POST /users/@me/channels", Slow(1.0), times=None, person=ben)
        message = await held.open_table(ana, clock="2h")
        for person in held.people[1:]:
            await person.click(message, "Join")
        ben.leave(held.guild)
        last = held.people[-1].mention
        await until(held, lambda: last in message.text and ben.mention not in message.text)


async def test_an_old_button_of_a_finished_game_is_refused(tmp_path: Path, driver: Driver) -> None:  # F33
    async with evening(tmp_path, 2, driver=driver) as held:
        game = Game(held, held.people)
        kept: list[Message] = []
        ids: list[str] = []

        async def hook(now: str) -> None:
            message = newest(held.people[0])
            if now in driver.acting and message is not None:
                kept.append(message)
                ids.extend(each["custom_id"] for each in message.buttons)

        final = await game.play(hook, clock="2h", **driver.quickest)
        before = final.text
        for custom_id in ids:
            shown = await held.people[0].forge(kept[0], custom_id)
            assert shown.failed is None
            assert "over" in shown.text, (custom_id, shown.text)
        assert final.text == before


@pytest.mark.parametrize("code", [200000, 240000])
async def test_a_message_that_a_filter_refuses_is_sent_without_names(
    tmp_path: Path, driver: Driver, code: int
) -> None:  # F38
    async with evening(tmp_path, driver=driver) as held:
        for person in held.people:
            person.dms_open = False
        message = await started(held)
        last = await driver.last_move(held.people, message)
        for route in (POST, EDIT, EDIT_ANSWER, FOLLOW_UP, EDIT_FOLLOW_UP):
            held.sandbox.faults.on(route, Refuse(code), times=None, holding=r"<@|https?://")
        assert (await last.press()).failed is None
        await until(held, lambda: said_in(held, driver.reveal))
        await until(held, lambda: driver.round_of(newest(last.by) or message) == 2)
        plain = newest(last.by)
        assert plain is not None
        assert "plainly" in plain.text
        for each in (plain, *said_in(held, driver.reveal)):
            assert "<@" not in each.text
        held.sandbox.faults.clear()
        sign = await driver.type_move(held)
        await until(held, lambda: sign in plain.text and "<@" in plain.text)  # as usual, once the filter allows it


async def test_a_lobby_works_behind_a_filter(tmp_path: Path, driver: Driver) -> None:  # F38
    async with evening(tmp_path, driver=driver) as held:
        for route in (POST, EDIT, EDIT_ANSWER, FOLLOW_UP, EDIT_FOLLOW_UP, CALLBACK):
            held.sandbox.faults.on(route, Refuse(200000), times=None, holding=r"<@")
        ana, ben, _ = held.people
        assert (await held.slash(ana, "new")).failed is None
        await until(held, lambda: newest(ana))
        message = newest(ana)
        assert message is not None
        assert not (await ben.click(message, "Join")).failed
        await until(held, lambda: "seat 2" in message.text)


async def test_a_press_in_a_dm_reaches_shard_zero(tmp_path: Path, driver: Driver) -> None:  # F39
    async with evening(tmp_path, driver=driver, start=False) as held:
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
        turn = held.in_turn(message)
        await turn.wait_for(lambda: turn.dms() and driver.look in turn.dms()[-1].text)
        table = message.buttons[0]["custom_id"].split(":")[1]
        shown = await turn.forge(turn.dms()[-1], f"c1:{table}:0:look")
        assert driver.look in shown.text
        move = driver.move(turn, message, on=turn.dms()[-1])
        assert not (await move.press()).failed
        await until(held, lambda: move.is_shown(message))
        with database(held) as found:
            ((written,),) = found.execute("SELECT count(*) FROM actions WHERE interaction_id IS NOT NULL").fetchall()
            assert written > 0
        assert len(moves(held)) == 1

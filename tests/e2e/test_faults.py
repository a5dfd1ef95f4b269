"""Faults of Discord and of the machine, and what players see of each."""

import asyncio
import re
from pathlib import Path

import pytest

from sandbox.faults import Delay, Drop, Duplicate, Lose, RateLimited, Refuse, Reset, Slow, Status
from sandbox.messagelog import Message
from sandbox.model import Guild
from sandbox.people import Person
from tests.e2e.common import (
    CALLBACK,
    EDIT,
    EDIT_ANSWER,
    FOLLOW_UP,
    POST,
    database,
    make,
    moves,
    said_in,
    stages,
    started,
    until,
)
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import newest

OPEN_DM = "POST /users/@me/channels"


def tables(held: Evening) -> list[Message]:
    """Return the table messages of the running game."""
    return [each for each in held.people[0].read() if held.driver.asked(each)]


async def test_the_same_press_delivered_twice_counts_once(tmp_path: Path, driver: Driver) -> None:  # F03, F04
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        held.sandbox.faults.on_event("INTERACTION_CREATE", Duplicate(3))
        move = held.move(message)
        await move.press()
        await until(held, lambda: move.is_shown(message))
        await asyncio.sleep(0.3)
        await make(held, held.move(message))


@pytest.mark.parametrize(
    ("route", "fault"),
    [
        (EDIT_ANSWER, Status(503)),  # F21
        (EDIT_ANSWER, Refuse(50027)),  # F02
        (EDIT_ANSWER, Reset(after=True)),
        (CALLBACK, Status(500, after=True)),  # F03: sent again; 40060 counts as acknowledged
        (CALLBACK, Refuse(10062)),  # F01
    ],
    ids=str,
)
async def test_a_move_counts_and_is_shown_whatever_happens_to_its_answer(
    tmp_path: Path, driver: Driver, route: str, fault: Status | Refuse | Reset
) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        held.sandbox.faults.on(route, fault)
        move = held.move(message)
        await move.press()
        await until(held, lambda: move.is_shown(message))
        assert len(tables(held)) == 1


@pytest.mark.parametrize("route", [POST, FOLLOW_UP])
@pytest.mark.parametrize(
    "fault",
    [Status(500, after=True), Status(503), Status(503, after=True), Reset(), Reset(after=True), Drop(after=True)],
    ids=str,
)
async def test_a_posted_message_appears_exactly_once(
    tmp_path: Path, driver: Driver, fault: Status | Reset | Drop, route: str
) -> None:  # F20, F21
    async with evening(tmp_path, driver=driver) as held:
        for person in held.people:
            person.dms_open = False  # a DM would consume the fault
        message = await started(held)
        last = await driver.last_move(held.people, message)
        if route == POST:
            held.sandbox.faults.on(FOLLOW_UP, Refuse(50027), times=None)
        armed = held.sandbox.faults.on(route, fault, times=1)
        await last.press()
        await until(held, lambda: said_in(held, driver.reveal))
        await until(held, lambda: any(driver.round_of(each) == 2 for each in tables(held)))
        await asyncio.sleep(0.3)
        assert len(said_in(held, driver.reveal)) == 1
        assert len(tables(held)) == 1
        assert armed.struck == 1


async def test_the_apology_for_an_internal_error_says_that_the_move_counts(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = held.move(message)
        turn = move.by
        held.sandbox.faults.on(CALLBACK, Refuse(50035))  # an answer that Discord does not understand
        await move.press()
        await turn.wait_for(
            lambda: turn.private() and "it counts, and you needn't do it again" in turn.private()[-1].text
        )
        await until(held, lambda: move.is_shown(message))
        assert held.bot.log_text.count("Traceback") == 1
        held.bot.log.clear()  # the errors in the log were expected


async def test_a_confirmation_that_cannot_be_deleted_is_not_an_error(tmp_path: Path) -> None:  # F21
    async with evening(tmp_path) as held:
        await started(held)
        ana = held.people[0]
        question = (await ana.slash("coyote stop")).message
        assert question is not None
        armed = held.sandbox.faults.on("DELETE /webhooks/*", Reset(), times=2)  # aiohttp retries once by itself
        await ana.click(question, question.buttons[0]["label"])
        await until(held, lambda: stages(held) == ["closed"] and armed.struck == 2)
        await asyncio.sleep(0.3)
        assert not [each for each in ana.private() if "my mistake" in each.text or "went wrong" in each.text]
        assert "Traceback" not in held.bot.log_text


async def test_the_apology_for_an_internal_error_says_that_nothing_was_changed(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        await held.bot.stop()
        with database(held) as found:
            (kept,) = found.execute("SELECT document FROM tables").fetchone()
            found.execute("UPDATE tables SET document = '{}'")
        await held.bot.start()
        move = held.move(message)
        assert "nothing was changed" in (await move.press()).text
        assert "Try again" in (await held.slash(held.people[0], "look")).text
        await held.bot.stop()
        with database(held) as found:
            found.execute("UPDATE tables SET document = ?", (kept,))
        held.bot.log.clear()  # the errors in the log were expected
        await held.bot.start()
        await move.press()
        await until(held, lambda: move.is_shown(message))


async def test_a_slow_answer_is_deferred(tmp_path: Path, driver: Driver) -> None:  # F01
    async with evening(tmp_path, driver=driver, scale=1.0) as held:
        message = await started(held)
        held.sandbox.faults.on_event("INTERACTION_CREATE", Delay(1.0))
        shown = await held.slash(held.people[0], "look")
        assert shown.failed is None
        assert driver.look in shown.text
        held.sandbox.faults.on(CALLBACK, Slow(1.0))
        assert (await held.look(held.people[1], message)).failed is None


async def test_late_suggestions_are_not_an_error(tmp_path: Path) -> None:  # F01
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        held.sandbox.faults.on(CALLBACK, Refuse(10062))
        assert await ana.autocomplete("leaderboard", "period", "") == []
        assert await ana.autocomplete("leaderboard", "period", "")
        assert "Traceback" not in held.bot.log_text


@pytest.mark.parametrize("code", [50007, 50278])
async def test_closed_dms_are_tried_once_and_the_game_goes_on(tmp_path: Path, driver: Driver, code: int) -> None:  # F09
    async with evening(tmp_path, driver=driver) as held:
        armed = held.sandbox.faults.on(POST, Refuse(code), times=None, person=held.people[1])
        message = await started(held)
        await until(held, lambda: driver.closed_dms_mark in message.text)
        assert armed.struck == 1
        assert driver.look in (await held.look(held.people[1], message)).text


async def test_no_dms_are_opened_for_a_while_after_too_many(tmp_path: Path, driver: Driver) -> None:  # F10
    async with evening(tmp_path, driver=driver) as held:
        armed = held.sandbox.faults.on(OPEN_DM, Refuse(40003), times=None)
        message = await started(held)
        move = held.move(message)
        await move.press()
        await until(held, lambda: move.is_shown(message))
        assert armed.struck <= 3  # DMs that were already being opened
        assert driver.look in (await held.look(held.people[0], message)).text


async def test_a_missing_permission_pauses_the_table_and_is_named(tmp_path: Path, driver: Driver) -> None:  # F11
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        for route in (EDIT_ANSWER, EDIT, POST, FOLLOW_UP):
            held.sandbox.faults.on(route, Refuse(50013), times=None)
        move = held.move(message)
        await move.press()
        await asyncio.sleep(0.5)
        other = next(person for person in held.people if person is not move.by)
        shown = await driver.move(other, message).press()
        assert "please give me" in shown.text, shown.text
        assert "Send Messages" in shown.text
        assert "please give me" in (await held.slash(other, "table")).text, "the table is not moved down here again"
        held.sandbox.faults.clear()
        await until(held, lambda: move.is_shown(newest(other)))
        await until(held, lambda: driver.asked(newest(other) or message))


async def test_a_deleted_table_message_is_posted_again_once(tmp_path: Path, driver: Driver) -> None:  # F12
    async with evening(tmp_path, driver=driver) as held:
        for person in held.people:
            person.dms_open = False  # edits of DMs would consume the fault
        message = await started(held)
        move = held.move(message)
        held.sandbox.faults.on(EDIT_ANSWER, Refuse(10008), times=None)
        held.sandbox.faults.on(EDIT, Refuse(10008), times=1)
        await move.press()
        await until(held, lambda: newest(move.by) is not message)
        await until(held, lambda: move.is_shown(newest(move.by)))
        held.sandbox.faults.clear()
        await make(held, held.move(newest(move.by)))


async def test_a_message_too_old_to_edit_is_replaced(tmp_path: Path, driver: Driver) -> None:  # F15
    async with evening(tmp_path, driver=driver) as held:
        for person in held.people:
            person.dms_open = False  # edits of DMs would consume the fault
        message = await started(held)
        move = held.move(message)
        held.sandbox.faults.on(EDIT_ANSWER, Refuse(50027), times=None)
        held.sandbox.faults.on(EDIT, Refuse(30046), times=5)  # discord.py tries five times
        await move.press()
        await until(held, lambda: message.deleted)
        await until(held, lambda: move.is_shown(newest(move.by)))


@pytest.mark.parametrize("notified", [True, False], ids=["with the event", "without the event"])
async def test_a_deleted_channel_closes_its_table(tmp_path: Path, driver: Driver, notified: bool) -> None:  # F13
    async with evening(tmp_path, driver=driver) as held:
        await started(held, clock="2h" if notified else "60s")
        await _all_have_dms(held)
        if not notified:
            held.sandbox.faults.on_event("CHANNEL_DELETE", Lose())
        held.sandbox.world.remove_channel(held.games)
        await _wait_until_dms_say_it_is_gone(held)
        again = held.room("elsewhere", 1)[0]
        assert (await held.slash(again, "new")).message is not None


async def test_a_server_that_removes_the_bot_leaves_no_game_in_the_dms(tmp_path: Path, driver: Driver) -> None:  # F27
    async with evening(tmp_path, driver=driver) as held:
        await started(held)
        await _all_have_dms(held)
        held.sandbox.world.remove_member(held.guild, held.sandbox.world.bot)
        await _wait_until_dms_say_it_is_gone(held)


async def _all_have_dms(held: Evening) -> None:
    for person in held.people:
        await _reads(person, held.driver.look)


async def _reads(person: Person, words: str) -> None:
    """Wait until the person's newest DM contains these words."""
    await person.wait_for(lambda: person.dms() and words in person.dms()[-1].text, 60.0)


async def _wait_until_dms_say_it_is_gone(held: Evening) -> None:
    """Wait until each player's only DM says that the table is gone, without cards or buttons."""
    for person in held.people:
        await _reads(person, "place where it stood is gone")
        (dm,) = person.dms()
        assert held.driver.look not in dm.text
        assert not dm.buttons
    with database(held) as found:
        async with asyncio.timeout(60):
            while found.execute("SELECT 1 FROM outbox").fetchone():  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_clicks_are_answered_while_the_outbox_waits(tmp_path: Path, driver: Driver) -> None:  # F16, F17
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        held.sandbox.faults.on("P* /channels/*", RateLimited(1.5, scope="global"), times=1)
        held.sandbox.faults.on(EDIT_ANSWER, Refuse(50027), times=None)
        move = held.move(message)
        assert (await move.press()).failed is None
        assert (await held.look(held.people[0], message)).failed is None
        await until(held, lambda: move.is_shown(message))


@pytest.mark.parametrize("how", ["reconnect", "cut", "invalidate"])
async def test_the_game_goes_on_after_the_gateway_reconnects(
    tmp_path: Path, driver: Driver, how: str
) -> None:  # F22, F23
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        match how:
            case "reconnect":
                held.sandbox.gateway.ask_reconnect()
            case "cut":
                held.sandbox.gateway.cut()
            case _:
                held.sandbox.gateway.invalidate()
        await asyncio.sleep(0.5)
        async with asyncio.timeout(60):
            while not held.sandbox.gateway.connected:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        move = held.move(message)
        assert (await move.press()).failed is None
        await until(held, lambda: move.is_shown(message))


LATE = "didn't answer in time"
COUNTDOWN = re.compile(r"<t:(\d+):R>")


async def test_clocks_stop_while_the_gateway_is_lost(tmp_path: Path, driver: Driver) -> None:  # F22
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, clock="3m")  # 3 s of real time
        await asyncio.sleep(0.5)  # until the bot has checked the connection once
        turn, gateway = held.in_turn(message), held.sandbox.gateway
        before, shown = message.version, COUNTDOWN.findall(message.text)
        gateway.open.clear()
        gateway.cut()
        await asyncio.sleep(5)
        assert (message.version, said_in(held, LATE)) == (before, [])
        gateway.open.set()
        await until(held, lambda: said_in(held, "Back again"))
        await until(held, lambda: message.version > before)
        assert COUNTDOWN.findall(message.text) > shown, "the message shows the new deadline"
        assert held.in_turn(message) is turn
        move = held.move(message)
        assert not (await move.press()).failed
        await until(held, lambda: move.is_shown(message))
        assert len(said_in(held, "Back again")) == 1
        assert not said_in(held, LATE)
        await until(held, lambda: said_in(held, LATE))  # the clocks run again


async def test_a_short_reconnect_goes_unnoticed(tmp_path: Path, driver: Driver) -> None:  # F22
    async with evening(tmp_path, driver=driver, scale=1.0) as held:
        message = await started(held)
        await held.people[-1].wait_for(held.people[-1].dms)
        await asyncio.sleep(3.0)  # the ping is sent after a delay
        before, seen, sent = message.version, len(held.people[0].read()), len(held.sandbox.requests)
        held.sandbox.gateway.open.clear()
        held.sandbox.gateway.cut()
        await asyncio.sleep(1.5)
        held.sandbox.gateway.open.set()
        await held.sandbox.gateway.wait_connected()
        await asyncio.sleep(2.0)
        assert (message.version, len(held.people[0].read())) == (before, seen)
        assert not [each.path for each in list(held.sandbox.requests)[sent:] if "/messages" in each.path]


async def test_only_the_servers_of_a_lost_shard_stop(tmp_path: Path, driver: Driver) -> None:  # F22
    async with evening(tmp_path, driver=driver, start=False) as held:
        sandbox = held.sandbox
        sandbox.gateway.shards = 2
        there = sandbox.world.add_guild("Others")
        while shard(there) == shard(held.guild):  # it depends on the millisecond a server was made
            await asyncio.sleep(0.001)
            there = sandbox.world.add_guild("Others")
        room = sandbox.world.add_channel(there, "games")
        others = [sandbox.people.add(name, there) for name in ("Xena", "Yves", "Zoe")]
        for person in others:
            person.where = room
        await held.bot.start(connected=False)
        await sandbox.gateway.wait_connected(2, 60)
        message = await started(held, clock="3m")
        first = await held.slash(others[0], "new", room, clock="3m")
        assert first.message is not None
        for person in others[1:]:
            await person.click(first.message, "Join")
        assert not (await others[0].click(first.message, "Start")).text
        sandbox.gateway.open.clear()
        sandbox.gateway.cut(shard=shard(held.guild))
        await others[0].wait_for(lambda: any(LATE in each.text for each in others[0].read()))
        await asyncio.sleep(1.5)
        assert not said_in(held, LATE)
        assert held.driver.asked(message)
        sandbox.gateway.open.set()
        await until(held, lambda: said_in(held, LATE))


def shard(guild: Guild) -> int:
    return (int(guild.id) >> 22) % 2


async def test_a_restart_while_the_gateway_is_lost_gives_back_all_the_time(
    tmp_path: Path, driver: Driver
) -> None:  # F22, F31
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, clock="3m")
        held.sandbox.gateway.open.clear()
        held.sandbox.gateway.cut()
        await asyncio.sleep(4)
        await held.bot.kill()
        await held.bot.start(connected=False)
        await asyncio.sleep(3)  # the process runs, but Discord refuses its session
        assert not said_in(held, LATE)
        held.sandbox.gateway.open.set()
        await held.sandbox.gateway.wait_connected(seconds=60)
        move = held.move(message)
        assert not (await move.press()).failed
        await until(held, lambda: move.is_shown(message))
        assert not said_in(held, LATE)


@pytest.mark.parametrize("code", [4004, 4013, 4014])
async def test_a_fatal_close_ends_the_process_with_one_line(tmp_path: Path, code: int) -> None:  # F24
    async with evening(tmp_path) as held:
        assert held.bot.process is not None
        async with asyncio.timeout(60):
            while held.bot.process.returncode is None:  # Discord, too, closes every new connection
                await held.sandbox.gateway.close(code)
                await asyncio.sleep(0.3)
        assert await held.bot.ended() == 4
        assert "Traceback" not in held.bot.log_text
        line = {4004: "refuses the token", 4013: "does not know the intents", 4014: "refuses the intents"}[code]
        assert line in held.bot.log_text.splitlines()[-1]


@pytest.mark.parametrize("code", [4004, 4013, 4014])
async def test_a_refused_login_is_not_tried_again(tmp_path: Path, code: int) -> None:  # F24
    async with evening(tmp_path, start=False) as held:
        held.sandbox.gateway.refuse_identify = code
        await held.bot.start(connected=False)
        assert await held.bot.ended() == 4
        assert held.sandbox.gateway.connections_seen == 1
        assert "Traceback" not in held.bot.log_text


async def test_a_start_without_discord_says_so_in_one_line(tmp_path: Path) -> None:
    async with evening(tmp_path, start=False) as held:
        held.bot.env["DISCORD_API_URL"] = "http://127.0.0.1:9/api/v10"  # nothing listens on this port
        await held.bot.start(connected=False)
        assert await held.bot.ended() == 1
        assert "Traceback" not in held.bot.log_text
        assert "Discord cannot be reached" in held.bot.log_text.splitlines()[-1]


async def test_a_start_while_discord_is_down_says_so_in_one_line(tmp_path: Path) -> None:
    async with evening(tmp_path, start=False) as held:
        held.sandbox.faults.on("GET /users/@me", Status(503), times=10)
        await held.bot.start(connected=False)
        assert await held.bot.ended() == 1
        assert "Traceback" not in held.bot.log_text
        assert "Discord cannot be reached (503" in held.bot.log_text.splitlines()[-1]


async def test_a_revoked_token_ends_the_process_with_one_line(tmp_path: Path, driver: Driver) -> None:  # F19
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        held.sandbox.faults.on("P* /channels/*", Refuse(0, status=401), times=None)
        held.sandbox.faults.on(EDIT_ANSWER, Refuse(50027), times=None)
        move = held.move(message)
        await move.press()
        assert await held.bot.ended() == 4
        assert "revoked" in held.bot.log_text


async def test_sigterm_drains_and_loses_nothing(tmp_path: Path, driver: Driver) -> None:  # F31, F35
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = held.move(message)
        await move.press()
        assert await held.bot.stop() == 0
        synced = [each for each in held.sandbox.requests if each.method == "PUT" and each.path.endswith("/commands")]
        await held.bot.start()
        await until(held, lambda: move.is_shown(message))
        again = [each for each in held.sandbox.requests if each.method == "PUT" and each.path.endswith("/commands")]
        assert len(again) == len(synced) == 1


async def test_a_second_process_on_the_same_file_refuses_to_start(tmp_path: Path) -> None:  # F36
    async with evening(tmp_path) as held:
        second = type(held.bot)(held.sandbox, held.bot.database)
        await second.start(connected=False)
        assert await second.ended() == 3
        assert len(second.log_text.strip().splitlines()) == 1
        assert "is in use by another process" in second.log_text


async def test_of_three_presses_at_once_only_the_first_counts(tmp_path: Path, driver: Driver) -> None:  # F06, F07
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        last = await driver.last_move(held.people, message)
        before = len(moves(held))
        shown = await asyncio.gather(*(last.press() for _ in range(3)))
        assert all(each.failed is None for each in shown)
        await until(held, lambda: said_in(held, driver.reveal))
        await until(held, lambda: any("moved on" in each.text for each in last.by.private()))
        await asyncio.sleep(0.3)
        assert len(said_in(held, driver.reveal)) == 1
        assert len(moves(held)) == before + 1

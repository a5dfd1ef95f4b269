"""DMs of people who have nothing more to see: none of them goes on showing what was dealt."""

from collections import defaultdict, deque
from pathlib import Path

from sandbox.events import Change
from sandbox.faults import Status
from sandbox.people import Person
from tests.e2e.common import EDIT, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.leak_check import texts
from tests.e2e.players import Game, is_won

OUT, OVER, LEFT = "You're out", "is over:", "You've left the game"


def recorded_dms(held: Evening) -> dict[str, list[str]]:
    """Return what each person's DMs from the bot say, version by version; it grows as they change."""
    found: dict[str, list[str]] = defaultdict(list)

    def listen(change: Change) -> None:
        whose = None if change.channel is None else change.channel.recipient_id
        if whose is not None and change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            found[whose].append("\n".join(texts(change.data)))

    held.sandbox.world.subscribe(listen)
    return found


def check_one_line(person: Person, words: str = OVER) -> None:
    """Check that a person's DMs are one small line each, without buttons."""
    for dm in person.dms():
        assert words in dm.text
        assert dm.text.startswith("-# ")
        assert "\n" not in dm.text
        assert not dm.buttons


async def test_the_dm_of_somebody_who_is_out_says_so_until_the_game_is_over(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        said = recorded_dms(held)
        final = await Game(held, held.people, seed=2).play(clock="2h", coins=2)
        assert is_won(final)
        for person in held.people:
            await person.wait_for(lambda person=person: person.dms() and OVER in person.dms()[-1].text)  # type: ignore[misc]
            check_one_line(person)
        first_out = max(held.people, key=lambda person: final.text.index(person.mention))
        dms = said[first_out.id]
        last_look = max(at for at, each in enumerate(dms) if held.driver.look in each)
        assert [OUT in each for each in dms[last_look + 1 :]] == [True, False], dms[last_look + 1 :]


async def test_the_dm_of_somebody_who_has_left_says_so(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        await started(held)
        ben = held.people[1]
        await ben.wait_for(lambda: ben.dms() and driver.look in ben.dms()[-1].text)
        asked = await held.slash(ben, "leave")
        assert asked.message is not None
        await ben.click(asked.message, "Leave")
        await ben.wait_for(lambda: LEFT in ben.dms()[-1].text)
        check_one_line(ben, LEFT)


async def test_the_dm_of_a_host_who_watches_says_so_and_then_who_won(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=300.0) as held:
        (ana,) = held.people
        message = await held.open_table(ana, clock="2h", **driver.quickest)
        await ana.wait_for(lambda: ana.dms() and "Nothing is dealt yet" in ana.dms()[-1].text)
        await ana.click(message, "Fill the table")
        await until(held, lambda: "🤖 AI" in message.text)
        assert "still the host" in (await held.slash(ana, "ai watch")).text
        await ana.wait_for(lambda: "you're the host: [watch at the table]" in ana.dms()[-1].text)
        check_one_line(ana, "you're the host")
        await ana.click(message, "Start")
        await ana.wait_for(lambda: held.phase(ana) == "over", 200)
        await ana.wait_for(lambda: OVER in ana.dms()[-1].text)
        check_one_line(ana)


async def test_the_dm_of_a_host_who_watched_and_passed_on_the_role_says_so(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        message = await held.open_table(ana)
        await ben.click(message, "Join")
        await ana.wait_for(lambda: ana.dms() and "Nothing is dealt yet" in ana.dms()[-1].text)
        await held.slash(ana, "ai watch")
        await ana.wait_for(lambda: "you're the host" in ana.dms()[-1].text)
        await held.slash(ana, "host", player=ben)
        await ana.wait_for(lambda: "You've left the table" in ana.dms()[-1].text)
        check_one_line(ana, "You've left the table")


async def test_dms_are_tidied_after_a_kill_and_nobody_waits_for_them(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        ana, ben, _ = held.people
        for person in held.people:
            await person.wait_for(lambda person=person: person.dms() and driver.look in person.dms()[-1].text)  # type: ignore[misc]
        held.sandbox.faults.on(EDIT, Status(503), times=None)
        asked = await held.slash(ben, "leave")
        assert asked.message is not None
        assert not (await ben.click(asked.message, "Leave")).failed
        assert "it was you" in (await held.slash(ana, "stop", sure=True)).text
        await held.bot.kill()
        assert all(driver.look in person.dms()[-1].text for person in held.people)
        held.sandbox.faults.clear()
        held.sandbox.api.requests = deque()
        await held.bot.start()
        for person in held.people:
            await person.wait_for(lambda person=person: "without a winner" in person.dms()[-1].text)  # type: ignore[misc]
            assert len(person.dms()) == 1
            check_one_line(person, "without a winner")
        await until(held, lambda: not message.component("Stop"))
        dms = {held.sandbox.world.dm_of[person.id].id for person in held.people}
        edits = [each for each in held.sandbox.api.requests if each.route == EDIT and each.path.split("/")[4] in dms]
        assert len(edits) == len(held.people), "one edit for each DM, whatever happened before"


async def test_finished_tables_leave_one_line_each(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        for number in range(3):
            room = held.sandbox.world.add_channel(held.guild, f"room-{number}")
            for person in held.people:
                person.where = room
            final = await Game(held, held.people, seed=number).play(clock="2h", **held.driver.quickest)
            assert is_won(final)
            for person in held.people:
                done = number + 1
                await person.wait_for(
                    lambda person=person, done=done: [OVER in each.text for each in person.dms()] == [True] * done  # type: ignore[misc]
                )
                check_one_line(person)
        ana = held.people[0]
        closed = await held.open_table(ana)
        await ana.wait_for(lambda: len(ana.dms()) == 4)
        await ana.click(closed, "Leave")
        await ana.wait_for(lambda: "closed before a game began" in ana.dms()[-1].text)

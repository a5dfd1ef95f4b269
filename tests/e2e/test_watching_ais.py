"""People who watch AI players among themselves: the host who never sat down, and the last person who is out."""

import re
from pathlib import Path

import pytest

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import can_look, newest
from tests.games.coyote.leaks import OPEN, WEARS

LONG_BREAK = "pause_seconds=300"
SCALE = 20.0


async def table_of_ais(held: Evening, *, watched: bool, **options: object) -> None:
    """Let the only person start a game with two AI players; with `watched`, they get up before."""
    (you,) = held.people
    message = await held.open_table(you, clock="2h", **options)
    for _ in range(3):
        assert not (await held.slash(you, "ai add", strength=1)).failed
    if watched:
        assert not (await held.slash(you, "ai watch")).failed
    assert not (await you.click(message, "Start")).failed


async def between_rounds(held: Evening) -> Message:
    (you,) = held.people
    await you.wait_for(lambda: held.phase(you) == "between", 60)
    message = newest(you)
    assert message is not None
    return message


async def get_out(held: Evening) -> Message:
    """Let the only person bid so high that they are called, until they are out; return the reveal that says so."""
    (you,) = held.people
    told = re.compile(rf"{you.mention} takes .* and is \*\*out\*\*")

    def now() -> Message | None:
        message = newest(you)
        return message if message is not None and held.phase(you) in ("bidding", "between") else None

    while True:
        message = await you.wait_for(now, 60)
        version = message.version
        if told.search(message.text):
            return message
        if held.phase(you) == "between":
            assert not (await you.click(message, "Deal now")).failed
        else:
            shown = await held.slash(you, "bid", number=150)
            anyway = [
                each for answer in shown.appeared for each in answer.buttons if "anyway" in str(each.get("label"))
            ]
            if anyway:
                await you.click(shown.appeared[0], anyway[0]["custom_id"])

        def moved(message: Message = message, version: int = version) -> bool:
            return newest(you) is not message or message.version != version

        await you.wait_for(moved, 60)


async def all_feathers(held: Evening, you: Person) -> str:
    """Open a look during a round; return what it shows."""

    def running() -> Message | None:
        message = newest(you)
        return message if message is not None and can_look(message) and held.phase(you) == "still" else None

    for _ in range(20):
        shown = await held.look(you, await you.wait_for(running, 60))
        if str(held.driver.look_between) not in shown.text:
            return shown.text
    raise AssertionError("there was never a round")


async def test_a_host_who_watches_deals_and_sees_everything(tmp_path: Path) -> None:
    async with evening(tmp_path, 1, scale=SCALE) as held:
        (you,) = held.people
        await table_of_ais(held, watched=True, rules=LONG_BREAK)
        seen = await all_feathers(held, you)
        assert OPEN.search(seen), seen
        assert len(WEARS.findall(seen)) == 3
        message = await between_rounds(held)
        assert message.component("Ask for a pause") is None, "nobody could agree to it"
        shown = await you.click(message, "Deal now")
        assert not shown.text
        await you.wait_for(lambda: held.phase(you) == "still")


@pytest.mark.parametrize("looks", ["on", "off"])
async def test_the_last_person_who_is_out_deals_and_sees_everything(tmp_path: Path, looks: str) -> None:
    async with evening(tmp_path, 1, scale=SCALE) as held:
        (you,) = held.people
        await table_of_ais(held, watched=False, coins=2, rules=f"{LONG_BREAK}, open_looks={looks}")
        shown = await you.click(await get_out(held), "Deal now")
        assert not shown.text, "it was for the AIs to decide"
        seen = await all_feathers(held, you)
        assert bool(OPEN.search(seen)) is (looks == "on"), seen
        assert len(WEARS.findall(seen)) == (3 if looks == "on" else 0)


async def test_somebody_who_watches_people_sees_nothing_hidden(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 2, driver=driver, scale=SCALE) as held:
        ana, ben = held.people
        message = await held.open_table(ana, clock="2h", **driver.long)
        for _ in range(3):
            assert not (await held.slash(ana, "ai add", strength=1)).failed
        assert not (await ana.click(message, "Start")).failed
        await ana.wait_for(lambda: held.phase(ana) not in ("lobby", "nothing"))
        table = newest(ben)
        assert table is not None
        seen = (await held.look(ben, table)).text
        assert driver.side in seen
        assert not OPEN.search(seen)


async def test_a_person_watching_ais_sees_every_hand(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=5.0) as held:
        (you,) = held.people
        await table_of_ais(held, watched=True, **driver.long)
        await you.wait_for(lambda: held.phase(you) == "still", 60)
        table = newest(you)
        assert table is not None
        seen = (await held.look(you, table)).text
        assert OPEN.search(seen), seen
        assert "nothing hidden" in seen

"""What people do to each other at a table: removing somebody, asking for a pause, standing in."""

import re
from pathlib import Path

from tests.e2e.common import started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import evening
from tests.e2e.players import newest


async def test_the_host_is_asked_before_somebody_is_removed_and_that_person_is_told(
    tmp_path: Path, driver: Driver
) -> None:
    async with evening(tmp_path, 2, driver=driver) as held:
        ana, ben = held.people
        message = await held.open_table(ana)
        await ben.click(message, "Join")
        await until(held, lambda: ben.mention in message.text)
        menu = (await ana.click(message, "Host…")).message
        assert menu is not None
        asked = await ana.select(menu, "Remove …", ben.id)
        assert f"Remove {ben.mention} from this table?" in asked.text
        assert "Nothing has changed" in (await ana.click(menu, "Never mind")).text
        assert ben.mention in message.text

        asked = await held.slash(ana, "kick", player=ben)
        assert asked.message is not None
        assert "has been removed" in (await ana.click(asked.message, "Remove")).text
        await until(held, lambda: ben.mention not in message.text)
        await ben.wait_for(lambda: any(f"{ana.mention} has removed you" in each.text for each in ben.pings()))
        assert "has removed you" in (await ben.click(message, "Join")).text


async def test_a_host_among_ais_is_not_told_that_nobody_is_here(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver) as held:
        (ana,) = held.people
        message = await held.open_table(ana)
        assert "Nobody else is here yet" in (await ana.click(message, "Host…")).text
        await ana.click(message, "Fill the table")
        await until(held, lambda: "🤖 AI" in message.text)
        text = (await ana.click(message, "Host…")).text
        assert "Nobody else is here" not in text
        assert "the only person here" in text


async def test_a_pause_is_seconded_by_a_button_during_a_round(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        ana, ben, chloe = held.people
        message = await started(held)
        assert message.component("Pause (1 of 3)") is None
        assert "Noted" in (await held.slash(ana, "pause")).text
        await until(held, lambda: message.component("Pause (1 of 3)"))
        assert not (await ben.click(message, "Pause (1 of 3)")).text
        await until(held, lambda: message.component("Pause (2 of 3)"))
        await chloe.click(message, "Pause (2 of 3)")
        await until(held, lambda: "paused" in (newest(ana) or message).text.lower())


async def test_what_a_stand_in_does_reads_as_its_own(tmp_path: Path) -> None:
    async with evening(tmp_path, 3, scale=20.0) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, clock="20s", coins=5, rules="away_after=1")
        for person in (ben, chloe):
            await person.click(message, "Join")
        await ana.click(message, "Start")
        bid = re.compile(r"(?:Bid to beat: \*\*.+\*\* by|\*\*) 🤖 AI \w+ \(for <@\d+>\)|🤖 AI \w+ \(for <@\d+>\) calls")
        await ana.wait_for(lambda: any(bid.search(each.text) for each in ana.read()), 60)

"""Finds the lessons from the page's start in one click and plays them to the end, on a desktop and on a phone."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Locator, expect
from playwright.async_api import Page as Tab

from tests.needs import needs_chromium
from tests.page.stage import ROOT, keep_screenshot, tab, without_token

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

MOVES = (("10", "Coyote!"), ("18",), ("15",), ("10",), ("Coyote!",), ("−4", "Coyote!"), ("15",), ("13",), ("Skip",))
"""What a learner does in each step."""
PICKS = (
    (r"Weapon.3 and .*Horse", r"^Breed", r"^Raid .*Black.3"),
    (r"coup", r"^Hunt", r"Weapon.2"),
    (r"^Defend with .*Weapon.4", r"coup"),
    (r"Black.2", r"stick"),
)
"""What a learner picks in each step of the lesson in Plenty Coups."""


@asynccontextmanager
async def sandbox() -> AsyncIterator[str]:
    """Run the bot with a sandbox of its own, as `make play` does; yield the page's address."""
    play = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        cwd=ROOT,
        env=without_token() | {"SANDBOX_PORT": "0"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert play.stdout is not None
        line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
        yield line.split()[1]
    finally:
        play.terminate()
        assert await asyncio.wait_for(play.wait(), 60) == 0


@pytest.mark.parametrize("width", [1280, 390])
async def test_the_lesson_is_one_click_away_and_can_be_taken_to_its_end(browser: Browser, width: int) -> None:
    async with sandbox() as url, tab(browser, url, width=width, height=1000) as page:
        await page.get_by_role("button", name="Five-minute lesson").last.click()
        for step, moves in enumerate(MOVES, 1):
            await expect(_lesson(page).get_by_text(f"{step} of 9")).to_be_visible()
            for move in moves:
                await keep_screenshot(page, f"lesson-{width}-{step}-{move}")
                await _move(page, move)
            go_on = _lesson(page).get_by_role("button", name="Next", exact=True)
            await expect(go_on).to_be_visible()
            await keep_screenshot(page, f"lesson-{width}-{step}-done")
            await go_on.click()
        await expect(page.get_by_text("You've learned Coyote")).to_be_visible()
        await keep_screenshot(page, f"lesson-{width}-end")


async def test_the_lesson_in_plenty_coups_can_be_taken_to_its_end(browser: Browser) -> None:
    async with sandbox() as url, tab(browser, url, width=390, height=1000) as page:
        await page.get_by_role("button", name="Five-minute lesson").last.click()
        await _lesson(page).get_by_role("button", name="Learn Plenty Coups").click()
        for step, picks in enumerate(PICKS, 1):
            await expect(_lesson(page).get_by_text(f"{step} of 4")).to_be_visible()
            for number, picked in enumerate(picks):
                await keep_screenshot(page, f"lesson-plenty-{step}-{number}")
                before = await _lesson(page).inner_text()
                await _lesson(page).locator("button.select").click()
                await page.get_by_role("option", name=re.compile(picked)).first.click()
                await expect(_lesson(page)).not_to_have_text(before)
                await expect(page.get_by_text("Not this time")).to_have_count(0)
            await _lesson(page).get_by_role("button", name="Next", exact=True).click()
        await expect(page.get_by_text("You've learned Plenty Coups")).to_be_visible()
        await keep_screenshot(page, "lesson-plenty-end")


async def _move(page: Tab, move: str) -> None:
    lesson = _lesson(page)
    if move == "Skip":
        await lesson.get_by_text("Special action…", exact=True).last.click()
        await page.get_by_role("option", name=re.compile("^Skip")).click()
    elif move.startswith("−"):
        await lesson.get_by_role("button", name="Bid…").click()
        await page.get_by_role("dialog").get_by_role("textbox").fill(move)
        await page.get_by_role("dialog").get_by_role("button", name="Submit").click()
    else:
        await lesson.get_by_role("button", name=re.compile(rf"^(🐺\s*)?{move}$")).click()
    await expect(page.get_by_text("Not this time")).to_have_count(0)


def _lesson(page: Tab) -> Locator:
    """Return the lesson's message, the newest one."""
    return page.locator(".message").last

"""One person alone: two clicks to the first bid, and a round against AI players on the page."""

import asyncio
import re
import sys
import time

import pytest
from playwright.async_api import Browser, Locator, expect
from playwright.async_api import Page as Tab

from tests.needs import needs_chromium
from tests.page.stage import ROOT, keep_screenshot, tab, without_token

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

ONE_MINUTE = 60.0
TURN = re.compile("'s turn")
BID = re.compile(r"Bid to beat")


async def test_two_clicks_to_the_first_bid_and_a_round_against_ais(browser: Browser) -> None:
    begun = time.monotonic()
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
        async with tab(browser, line.split()[1], height=1200) as page:
            await expect(page.get_by_text("6 of 12 seats taken")).to_be_visible(timeout=30_000)
            await page.get_by_role("button", name="Start", exact=True).click()  # the first click
            await expect(page.get_by_role("heading", name=TURN).last).to_be_visible()
            await _first_bid(page)
            assert time.monotonic() - begun < ONE_MINUTE
            await keep_screenshot(page, "alone-first-bid")
            await _play_on(page)
            await expect(page.get_by_text("🤖 AI").last).to_be_visible()
            await expect(page.get_by_text("“").last).to_be_visible()
            await keep_screenshot(page, "alone-reveal")
    finally:
        play.terminate()
        assert await asyncio.wait_for(play.wait(), 60) == 0


async def _first_bid(page: Tab) -> None:
    """Wait for an AI player's bid; if "Sam" happens to begin, make the first bid with the second click."""
    mine = _raises(page).first
    theirs = page.get_by_text(BID).last
    await expect(mine.or_(theirs).first).to_be_visible(timeout=20_000)
    if not await theirs.is_visible():
        await mine.click()
        await expect(theirs).to_be_visible()


async def _play_on(page: Tab) -> None:
    """Raise by one on every turn of "Sam", until somebody calls."""
    reveal = page.get_by_text("calls Coyote on").last
    for _ in range(30):
        await expect(_raises(page).first.or_(reveal).first).to_be_visible(timeout=45_000)
        if await reveal.is_visible():
            return
        await _raises(page).first.click()
        await expect(_raises(page)).to_have_count(0)
    raise AssertionError("nobody calls")


def _raises(page: Tab) -> Locator:
    """Return the enabled quick raise buttons; there are none on an AI player's turn."""
    return page.locator("button:enabled").filter(has_text=re.compile(r"^\s*−?\d+\s*$"))

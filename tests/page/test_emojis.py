"""The bot's own emojis on the page, in both games and both themes, for people to review."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from sandbox import scenes
from sandbox.page import Page
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.e2e.common import make, started
from tests.e2e.driver import Driver
from tests.e2e.harness import Bot, Evening
from tests.e2e.players import newest
from tests.games.drivers import COYOTE, DRIVERS
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

TEXT_PIXELS = 22
"""How large Discord shows an emoji in a text."""
SMALL_PIXELS = 18
"""The same in a small line."""


@asynccontextmanager
async def table(tmp_path: Path, driver: Driver) -> AsyncIterator[Evening]:
    """Run the bot with all its emojis uploaded, and a sandbox with a page."""
    sandbox = Sandbox(rate_limits=False)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, "Ana", "Ben", "Chloé")
    people = [sandbox.people[name] for name in ("Sam", "Ana", "Ben", "Chloé")]
    async with sandbox:
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3", env={"EMOJIS": "1"})
        guild = next(each for each in sandbox.world.guilds.values() if games.id in each.channels)
        try:
            await bot.start()
            async with asyncio.timeout(120):
                while "emojis: all" not in bot.log_text:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            with checked(sandbox):
                yield Evening(sandbox, guild, games, people, bot, driver)
        finally:
            await bot.kill()


async def heights(page: Tab, where: str) -> set[float]:
    """Return how large the emojis in a part of the page are; each has been loaded, and has an alternative text."""
    found = await page.locator(f"{where} img.emoji").evaluate_all(
        "(all) => all.map((one) => [one.getBoundingClientRect().height, one.naturalWidth, one.alt])"
    )
    assert all(width and re.fullmatch(r":\w+:", alt) for _, width, alt in found), found
    return {round(height) for height, _, _ in found}


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
async def test_emojis_are_readable_in_both_themes(browser: Browser, tmp_path: Path, driver: Driver) -> None:
    async with table(tmp_path, driver) as held:
        message = await (started(held, actions=True) if driver is COYOTE else started(held))
        for _ in range(2 if driver is COYOTE else 1):
            await make(held, held.move(message))
        sam = held.people[0]
        for theme in ("dark", "light"):
            async with tab(browser, f"{held.sandbox.url}/", theme=theme, height=1000) as page:
                await expect(page.locator("img.emoji").first).to_be_visible()
                await page.get_by_role("button", name=re.compile("^(Look|Your hand)$")).last.click()
                look = page.get_by_text(re.compile("what you see|your hand")).last
                await expect(look).to_be_visible()
                await page.wait_for_load_state("networkidle")
                shown = await heights(page, ".md")
                assert TEXT_PIXELS in shown
                assert min(shown) >= SMALL_PIXELS
                await keep_screenshot(page, f"emojis-{driver.name}-{theme}-look")
                picker = page.locator("button.control.select")
                if await picker.count():
                    await picker.last.click()
                    await keep_screenshot(page, f"emojis-{driver.name}-{theme}-options")
                    await page.keyboard.press("Escape")
        if driver is not COYOTE:
            return
        caller = held.in_turn(newest(sam))
        await caller.click(message, "Coyote!")
        # The next deal may follow at once, and then the reveal is no longer the newest table message.
        await sam.wait_for(lambda: any(driver.reveal in each.text for each in sam.read()))
        for theme in ("dark", "light"):
            async with tab(browser, f"{held.sandbox.url}/", theme=theme, height=1000) as page:
                await expect(page.get_by_text(driver.reveal).last).to_be_visible()
                await page.wait_for_load_state("networkidle")
                await keep_screenshot(page, f"emojis-{driver.name}-{theme}-reveal")

"""The pictures of a real game as people see them on the page, with their alt texts."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from tests.needs import needs_chromium
from tests.page.stage import ROOT, keep_screenshot, tab, without_token
from tests.page.test_looks import OVERFLOWING, SIZES
from tests.page.test_pictures import LOADED

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


@asynccontextmanager
async def game(tmp_path: Path) -> AsyncIterator[str]:
    """Run the bot on a sandbox in which Sam and three friends have begun a game; yield the page's address."""
    env = without_token() | {"SANDBOX_PORT": "0", "SCENE": "table", "SANDBOX_DATA": str(tmp_path)}
    play = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", cwd=ROOT, env=os.environ | env, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert play.stdout is not None
        yield (await asyncio.wait_for(play.stdout.readline(), 60)).decode().split()[1]
    finally:
        play.terminate()
        await asyncio.wait_for(play.wait(), 60)


async def in_turn(page: Tab) -> None:
    """Become the player whose turn it is."""
    turn = page.get_by_role("heading", name=re.compile("'s turn")).last
    await expect(turn).to_be_visible()
    name = re.sub(r"^@|'s turn.*$", "", (await turn.inner_text()).strip())
    await page.get_by_role("button", name=re.compile(f"^(Be )?{re.escape(name)}")).first.click()


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_look_and_a_reveal_are_drawn(browser: Browser, tmp_path: Path, size: str) -> None:
    width, height = SIZES[size]
    async with game(tmp_path) as url, tab(browser, url, width=width, height=height) as page:
        await in_turn(page)
        await page.get_by_role("button", name="Look", exact=True).last.click()
        look = page.locator(".message", has_text="Only you can see this").last.locator(".gallery img")
        await expect(look).to_have_attribute(
            "alt", re.compile(r"^Round 1, as you see it\..*You wear a feather that is")
        )
        await look.evaluate("image => image.scrollIntoView()")  # it may be drawn anew at any moment
        await page.wait_for_function(f"({LOADED})([...document.querySelectorAll('.gallery img')])")
        await keep_screenshot(page, f"{size}-game-look")
        assert await page.evaluate(OVERFLOWING) == []
        await page.get_by_role("button", name="10", exact=True).first.click()
        await expect(page.get_by_text("Bid to beat").last).to_be_visible()
        await in_turn(page)
        await page.get_by_role("button", name="Coyote!").last.click()
        reveal = page.locator(".message", has_text="calls Coyote on").last.locator(".gallery img")
        await expect(reveal).to_have_attribute(
            "alt", re.compile(r"calls Coyote on .+'s 10\. .*takes a coin\. .* coins\.$")
        )
        badge = page.get_by_role("button", name="Show the alt text").last
        await badge.click()
        await expect(page.locator(".popover")).to_have_text(re.compile("takes a coin"))
        await page.keyboard.press("Escape")
        await page.wait_for_function(f"({LOADED})([...document.querySelectorAll('.gallery img')])")
        await keep_screenshot(page, f"{size}-game-reveal")
        assert await page.evaluate(OVERFLOWING) == []

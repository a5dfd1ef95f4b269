"""Starts the real bot with one command, as a newcomer would, and waits for its first answer."""

import asyncio
import sys

import pytest
from playwright.async_api import Browser, expect

from tests.needs import needs_chromium
from tests.page.stage import ROOT, keep_screenshot, tab, without_token

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_after_one_command_the_bot_answers_on_the_page(browser: Browser, theme: str) -> None:
    env = without_token() | {"SANDBOX_PORT": "0", "SCENE": "lobby"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=ROOT,
        env=env,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        assert line.startswith("Sandbox: http://127.0.0.1:")
        async with tab(browser, line.split()[1], theme=theme) as page:
            await expect(page.get_by_text("Coyote is connected")).to_be_visible(timeout=15_000)
            box = page.locator(".composer-input")
            await box.press_sequentially("/help")
            await expect(page.get_by_role("option", name="/help").first).to_be_visible()
            await box.press("Enter")
            await expect(page.get_by_text("Only you can see this").last).to_be_visible()
            await keep_screenshot(page, f"{theme}-help")
            await page.get_by_role("button", name="Inspector").click()
            await expect(page.get_by_text("all within the rules")).to_be_visible()
    finally:
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 60) == 0

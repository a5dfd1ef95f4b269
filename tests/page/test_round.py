"""One round of a real game, played by clicking on the page."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.needs import needs_chromium
from tests.page.stage import ROOT, keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def test_a_round_can_be_played_by_clicking(browser: Browser, tmp_path: Path) -> None:
    kept_out = {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "KEEP"}
    env = {key: value for key, value in os.environ.items() if key not in kept_out}
    env |= {"SANDBOX_PORT": "0", "SCENE": "table", "SANDBOX_DATA": str(tmp_path)}
    play = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert play.stdout is not None
        line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
        async with tab(browser, line.split()[1]) as page:
            turn = page.get_by_role("heading", name=re.compile("'s turn")).last
            await expect(turn).to_be_visible(timeout=30_000)
            for button in ("10", "Coyote!"):
                name = re.sub(r"^@|'s turn.*$", "", (await turn.inner_text()).strip())
                await page.get_by_role("button", name=re.compile(f"^(Be )?{re.escape(name)}")).first.click()
                await page.get_by_role("button", name=button, exact=button == "10").last.click()
                if button == "10":
                    await expect(page.get_by_text("Bid to beat").last).to_be_visible()
            await expect(page.get_by_text("calls Coyote on").last).to_be_visible()
            await keep_screenshot(page, "a-reveal")
    finally:
        play.terminate()
        await asyncio.wait_for(play.wait(), 60)

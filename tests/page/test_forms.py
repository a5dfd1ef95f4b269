"""Forms of the real bot in a browser: answers to tick, and a file to hand over."""

import json
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.house_rules.documents import MARK
from sandbox import scenes
from sandbox.page import Page
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.e2e.harness import Bot
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def test_a_file_is_handed_over_and_a_switch_is_ticked(browser: Browser, tmp_path: Path) -> None:
    rules = tmp_path / "house-rules.json"
    rules.write_text(json.dumps({MARK: 1, "rules": {"threshold": 2}}), encoding="utf-8")
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    scenes.furnish(sandbox.world, sandbox.people)
    async with sandbox:
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3")
        await bot.start()
        try:
            with checked(sandbox):
                async with tab(browser, f"{sandbox.url}/", height=1200) as page:
                    box = page.locator(".composer-input")
                    await box.press_sequentially("/houserules import")
                    await page.get_by_role("option", name="/houserules import").first.click()
                    await page.keyboard.press("Enter")
                    form = page.get_by_role("dialog")
                    await form.get_by_label("The file").set_input_files(rules)
                    await keep_screenshot(page, "form-file")
                    await form.get_by_role("button", name="Submit").click()
                    await page.get_by_role("button", name="Use these rules").click()
                    await expect(page.get_by_text("Only you can see this").last).to_be_visible()
                    await sandbox.people["Sam"].slash("help")
                    await page.get_by_role("button", name="Coyote, with other rules…").last.click()
                    usual = form.get_by_role("radio", name="As the house has it").first
                    await expect(usual).to_be_checked()
                    await form.get_by_role("radio").nth(1).check()
                    await expect(usual).not_to_be_checked()
                    await keep_screenshot(page, "form-radio")
                    await form.get_by_role("button", name="Submit").click()
                    await expect(page.get_by_role("button", name="Join").last).to_be_visible()
        finally:
            await bot.kill()

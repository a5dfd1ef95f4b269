"""Statistics in a real browser, on a wide screen and on a phone."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from sandbox import scenes
from sandbox.page import Page
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.e2e.harness import Bot, Evening
from tests.e2e.past import remember
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]
NAMES = ("Ana", "Ben", "Chloé", "**@everyone** <t:0:R> [x](https://x.y)")


async def test_a_card_a_leaderboard_and_a_replay_are_shown(browser: Browser, tmp_path: Path) -> None:
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, *NAMES)
    async with sandbox:
        people = [sandbox.people[name] for name in ("Sam", *NAMES)]
        guild = sandbox.world.guilds[games.guild_id or ""]
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3")
        await remember(Evening(sandbox, guild, games, people, bot), [int(each.id) for each in people], 30)
        await bot.start()
        try:
            with checked(sandbox):
                for theme, width in (("dark", 1280), ("light", 390)):
                    async with tab(browser, f"{sandbox.url}/", theme=theme, width=width, height=1100) as page:
                        you = sandbox.people["Sam"]
                        card = await you.slash("stats")
                        assert card.message is not None
                        curve = page.locator("img[alt*='rating' i]").last
                        await expect(curve).to_be_visible()
                        await keep_screenshot(page, f"{theme}-stats")
                        await you.slash("leaderboard")
                        await expect(page.get_by_text("5 ranked").last).to_be_visible()
                        await keep_screenshot(page, f"{theme}-leaderboard")
                        await you.slash("replay", game=30)
                        await expect(page.get_by_text("step 1 of").last).to_be_visible()
                        await expect(page.get_by_text("The best moments").last).to_be_visible()
                        await keep_screenshot(page, f"{theme}-highlights")
                        await page.get_by_role("button", name="Next").last.click()
                        await expect(page.get_by_text("step 2 of").last).to_be_visible()
                        await keep_screenshot(page, f"{theme}-replay")
                        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                        if theme == "dark":  # the second one within a minute would be refused
                            await page.get_by_role("button", name="Share").last.click()
                            await expect(page.get_by_text("Shared by").last).to_be_visible()
                            await keep_screenshot(page, "dark-shared")
        finally:
            await bot.kill()

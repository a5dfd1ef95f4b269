"""A command in a text of the real bot: named in the reader's language, and one press opens it."""

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
from tests.page.stage import keep_screenshot, stage, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def test_a_press_on_a_command_in_help_opens_it(browser: Browser, tmp_path: Path) -> None:
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    scenes.furnish(sandbox.world, sandbox.people)
    async with sandbox:
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3")
        await bot.start()
        try:
            with checked(sandbox):
                async with tab(browser, f"{sandbox.url}/", height=1200) as page:
                    await sandbox.people["Sam"].slash("help")
                    new = page.get_by_role("button", name="/coyote new", exact=True).last
                    await keep_screenshot(page, "help-clickable")
                    await new.click()
                    await expect(page.locator(".command-form")).to_contain_text("/coyote new")
        finally:
            await bot.kill()


async def test_a_mention_is_named_in_the_readers_language_and_inert_where_it_is_not_offered(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        here.people["Ana"].locale = "fr"
        body = {"name": "help", "description": "What I can do", "name_localizations": {"fr": "aide"}}
        (command,) = here.world.commands.replace_all(here.world.bot.id, [body])
        await page.keyboard.press("Shift+Alt+Digit2")
        await here.people["Sam"].say(f"</help:{command['id']}> or </gone:{command['id']}> or </help:1>", here.games)
        for name, shown in (("Sam", "/help"), ("Ana", "/aide")):
            view = page.get_by_role("region", name=f"As {name}")
            await view.get_by_role("button", name="Commands").click()
            await page.keyboard.press("Escape")
            mentions = view.locator(".message .mention")
            await expect(mentions).to_have_text([shown, "/gone", "/help"])
            await expect(view.locator(".message button.mention")).to_have_count(1)


async def test_a_persons_menu_is_opened_from_a_mention_and_looks_them_up(browser: Browser, tmp_path: Path) -> None:
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, "Ana", "Ben")
    async with sandbox:
        people = [sandbox.people[name] for name in ("Sam", "Ana", "Ben")]
        guild = sandbox.world.guilds[games.guild_id or ""]
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3")
        await remember(Evening(sandbox, guild, games, people, bot), [int(each.id) for each in people], 6)
        await bot.start()
        try:
            with checked(sandbox):
                async with tab(browser, f"{sandbox.url}/", height=1200) as page:
                    await sandbox.people["Ana"].slash("leaderboard", games)
                    await page.get_by_role("button", name="@Ben", exact=True).first.click()
                    await keep_screenshot(page, "person-menu")
                    await page.get_by_role("menuitem", name="Coyote stats").click()
                    await expect(page.get_by_text("Only you can see this").last).to_be_visible()
                    await page.get_by_role("button", name="@Ben", exact=True).first.click()
                    await page.get_by_role("menuitem", name="Versus me").click()
                    await expect(page.get_by_text("games together").last).to_be_visible()
                    await keep_screenshot(page, "versus-me")
        finally:
            await bot.kill()

"""The page while things change: rapid events, a restarted server, a phone, many people."""

import re
import time

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from sandbox import posting
from sandbox.permissions import Permission
from tests.needs import needs_chromium
from tests.page.stage import stage, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def test_new_messages_appear_by_themselves_and_in_order(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        for number in range(5):
            await here.people["Ana"].say(f"message {number}")
        await page.get_by_text("message 4", exact=True).wait_for()
        texts = await page.locator(".timeline-inner .md").all_text_contents()
        assert [text for text in texts if text.startswith("message")] == [f"message {number}" for number in range(5)]


async def test_the_page_reconnects_when_the_server_is_back(browser: Browser) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    async with stage("Ana") as first:
        await page.goto(first.url)
        await page.get_by_role("button", name="Be Ana").wait_for()
    await expect(page.get_by_text("The sandbox is not connected.").first).to_be_visible()
    port = int(first.url.rstrip("/").rpartition(":")[2])
    async with stage("Zoë", port=port) as second:
        await expect(page.get_by_role("button", name="Be Zoë")).to_be_visible(timeout=10_000)
        await expect(page.locator("#banner")).to_be_hidden()
        await second.people["Zoë"].say("back again")
        await expect(page.get_by_text("back again")).to_be_visible()
        await context.close()


async def test_a_channel_that_somebody_can_no_longer_see_says_so(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        here.world.set_overwrite(here.games, here.people["Ana"].user, deny=int(Permission.SEND_MESSAGES))
        await page.keyboard.press("Shift+Alt+Digit2")
        ana = page.get_by_role("region", name="As Ana")
        await expect(ana.get_by_placeholder("You cannot write here")).to_be_disabled()
        await expect(page.get_by_placeholder("Message #games")).to_be_enabled()


async def test_a_countdown_counts_down(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        posting.post(here.world, here.games, here.world.bot, {"content": f"soon: <t:{int(time.time()) + 40}:R>"})
        stamp = page.locator("time.stamp")
        first = await stamp.inner_text()
        assert re.fullmatch(r"in \d+ seconds", first)
        await expect(stamp).not_to_have_text(first)


async def test_an_edit_does_not_move_the_focus(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "15", "custom_id": "raise"}]}
        message = posting.post(here.world, here.games, here.world.bot, {"content": "old", "components": [row]})
        await page.get_by_role("button", name="15").focus()
        row["components"][0]["label"] = "16"  # type: ignore[index]
        posting.edit(here.world, message, {"content": "new", "components": [row]})
        await expect(page.get_by_role("button", name="16")).to_be_focused()


async def test_older_messages_are_loaded_on_scrolling_up(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        for number in range(130):
            posting.post(here.world, here.games, here.people["Sam"].user, {"content": f"line {number}"})
        await page.reload()
        await expect(page.get_by_text("line 129", exact=True)).to_be_visible()
        assert await page.get_by_text("line 3", exact=True).count() == 0
        for _ in range(4):
            await page.locator(".timeline").evaluate("(node) => { node.scrollTop = 0; }")
            await page.wait_for_timeout(150)
        await expect(page.get_by_text("This is the start of #games")).to_be_visible()


async def test_the_page_works_on_a_phone(browser: Browser) -> None:
    async with stage("Ana", "Ben") as here, tab(browser, here.url, width=360, height=740) as page:
        await no_sideways_scrolling(page)
        await page.get_by_role("button", name="Channels").click()
        await page.get_by_role("button", name="general").click()
        await expect(page.get_by_role("heading", name="general", exact=True).first).to_be_visible()
        await expect(page.locator(".sidebar")).not_to_be_in_viewport()
        await page.get_by_role("button", name="Be Ben").click()
        await expect(page.get_by_role("region", name="As Ben")).to_be_visible()
        await page.locator(".composer-input").fill("from my phone")
        await page.get_by_role("button", name="Send").click()
        await expect(page.get_by_text("from my phone")).to_be_visible()
        await no_sideways_scrolling(page)


async def no_sideways_scrolling(page: Tab) -> None:
    """Check that the page is not wider than the screen."""
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_opening_a_second_pane_does_not_scroll_the_first(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        for number in range(40):
            await here.people["Ana"].say(f"line {number}")
        await expect(page.get_by_text("line 39", exact=True)).to_be_in_viewport()
        await page.keyboard.press("Shift+Alt+Digit2")
        await expect(page.locator(".pane")).to_have_count(2)
        for name in ("Sam", "Ana"):
            view = page.get_by_role("region", name=f"As {name}")
            await expect(view.get_by_text("line 39", exact=True)).to_be_in_viewport()


async def test_the_theme_button_cycles_and_the_choice_is_remembered(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url, theme="dark") as page:
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = await page.evaluate(ground)
        await page.get_by_role("button", name="Theme: as the system").click()
        light = await page.evaluate(ground)
        assert light != dark
        await page.reload()
        await page.get_by_role("button", name="Theme: light").click()
        assert await page.evaluate(ground) == dark


async def test_four_people_can_be_shown_side_by_side(browser: Browser) -> None:
    async with stage("Ana", "Ben", "Chloé") as here, tab(browser, here.url, width=1600) as page:
        for digit in (2, 3, 4):
            await page.keyboard.press(f"Shift+Alt+Digit{digit}")
            await expect(page.locator(".pane")).to_have_count(digit)
        ana = here.people["Ana"]
        posting.post(here.world, here.games, here.world.bot, {"content": "Ben 3 · You ?"}, only=ana.id)
        await expect(page.get_by_role("region", name="As Ana").get_by_text("Ben 3 · You ?")).to_be_visible()
        await expect(page.get_by_text("Ben 3 · You ?")).to_have_count(1)
        await page.reload()
        await expect(page.locator(".pane")).to_have_count(4)
        await page.keyboard.press("F6")
        await page.get_by_role("button", name="Close this view").first.click()
        await expect(page.locator(".pane")).to_have_count(3)


async def test_a_server_can_change_its_language(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        for locale in ("it", "de"):
            await page.get_by_role("button", name="Language of the server").click()
            await page.get_by_role("combobox", name="Language of the server").select_option(locale)
            await page.get_by_role("button", name="Save").click()
            await expect(page.locator(".person-form")).to_have_count(0)
            assert here.world.guilds[here.games.guild_id or ""].locale == locale
            await page.get_by_role("button", name="Language of the server").click()
            await expect(page.get_by_role("combobox", name="Language of the server")).to_have_value(locale)
            await page.keyboard.press("Escape")


async def test_channels_can_be_added_and_people_removed(browser: Browser) -> None:
    async with stage("Ana", "Ben") as here, tab(browser, here.url) as page:
        await page.get_by_role("button", name="Add a channel").click()
        await page.get_by_label("Name of the channel").fill("Second table!")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="second-table").first).to_be_visible()
        await page.get_by_role("button", name="Write to the bot").click()
        await expect(page.get_by_role("heading", name="Coyote", exact=True).first).to_be_visible()
        await page.get_by_role("button", name="Be Ben").click()
        await page.get_by_role("region", name="As Ben").get_by_role("button", name="Name and language").click()
        await page.get_by_role("button", name="Leaves the server").click()
        await expect(page.get_by_role("region", name="As Sam")).to_be_visible()
        assert [each.user.display_name for each in here.people] == ["Sam", "Ana"]
        await page.get_by_role("button", name="Name and language").click()
        await page.get_by_label("Has added the bot to their own account").check()
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".person-form")).to_have_count(0)
        assert here.people["Sam"].has_app
        await page.get_by_role("button", name="Name and language").click()
        await expect(page.get_by_label("Has added the bot to their own account")).to_be_checked()
        await page.get_by_role("button", name="Leaves the server").click()
        await expect(page.get_by_text("the owner of the server stays")).to_be_visible()


async def test_each_person_reads_commands_in_their_language(browser: Browser) -> None:
    async with stage("Ana") as here, tab(browser, here.url) as page:
        here.people["Ana"].locale = "fr"
        names = {"name": "help", "description": "What I can do"}
        french = {"name_localizations": {"fr": "aide"}, "description_localizations": {"fr": "Ce que je sais faire"}}
        here.world.commands.replace_all(here.world.bot.id, [names | french])
        await page.keyboard.press("Shift+Alt+Digit2")
        for name, command, what in (("Sam", "/help", "What I can do"), ("Ana", "/aide", "Ce que je sais faire")):
            view = page.get_by_role("region", name=f"As {name}")
            await view.get_by_role("button", name="Commands").click()
            await expect(view.get_by_role("option", name=command)).to_contain_text(what)
            await page.keyboard.press("Escape")

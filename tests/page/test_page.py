"""A newcomer's path through the page, by pointer and by keyboard, with the gallery bot as a real process."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect
from playwright.async_api import Page as Tab

from sandbox.server import Sandbox
from tests.needs import needs_chromium
from tests.page.stage import gallery, keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def house() -> AsyncIterator[Sandbox]:
    """Run a sandbox with the gallery bot, shared by the tests of this module."""
    async with gallery() as sandbox:
        yield sandbox


def pane(page: Tab, name: str) -> Locator:
    """Return the pane of one person."""
    return page.get_by_role("region", name=f"As {name}")


async def add(page: Tab, name: str) -> None:
    """Add a person with the form in the list of people."""
    await page.get_by_role("button", name="Add a person").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(pane(page, name)).to_be_visible()


async def run(view: Locator, command: str) -> None:
    """Type a command without options and send it."""
    box = view.locator(".composer-input")
    await box.press_sequentially(f"/{command}")
    await expect(view.get_by_role("option", name=f"/{command}").first).to_be_visible()
    await box.press("Enter")
    await expect(view.locator(".pane-main.busy")).to_have_count(0)  # answered or failed


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_a_newcomer_can_click_through_the_page(house: Sandbox, browser: Browser, theme: str) -> None:
    async with tab(browser, f"{house.url}/", theme=theme) as page:
        first, second = f"Nora {theme}", f"Omar {theme}"
        await add(page, first)
        await add(page, second)
        await page.get_by_role("button", name=f"Show {first} beside").click()
        nora, omar = pane(page, first), pane(page, second)

        await run(nora, "show buttons")
        await expect(nora.get_by_text("used /show buttons").last).to_be_visible()
        await omar.get_by_role("button", name="Count").last.click()
        await expect(nora.get_by_text("Pressed 1 times.").last).to_be_visible()
        await expect(nora.get_by_text("(edited)").last).to_be_visible()

        await nora.get_by_role("button", name="Whisper").last.click()
        await expect(nora.get_by_text(f"Only @{first} reads this.")).to_be_visible()
        await expect(nora.get_by_text("Only you can see this")).to_be_visible()
        await expect(omar.get_by_text(f"Only @{first} reads this.")).to_have_count(0)
        await keep_screenshot(page, f"{theme}-side-by-side")

        await omar.get_by_role("button", name="Fill in…").last.click()
        form = omar.get_by_role("dialog", name="Your bid")
        await form.get_by_label("Number").fill("15")
        await keep_screenshot(page, f"{theme}-modal")
        await form.get_by_role("button", name="Submit").click()
        await expect(nora.get_by_text(f"@{second} bids 15.")).to_be_visible()
        await expect(form).to_have_count(0)

        await run(omar, "dm")
        await omar.get_by_role("button", name="Channels").click()
        await omar.get_by_role("button", name="Coyote 1 for you").click()
        await expect(omar.get_by_text("what you see")).to_be_visible()
        await expect(nora.get_by_text("what you see")).to_have_count(0)
        await keep_screenshot(page, f"{theme}-dm")

        await nora.get_by_role("button", name="Dismiss message").click()
        await expect(nora.get_by_text("Only you can see this")).to_have_count(0)


async def test_everything_can_be_done_with_the_keyboard_alone(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        await page.keyboard.press("Alt+KeyN")
        await page.keyboard.type("Kim")
        await page.keyboard.press("Enter")
        kim = pane(page, "Kim")
        await expect(kim).to_be_visible()
        await expect(kim.locator(".composer-input")).to_be_focused()
        await page.keyboard.type("/new")
        await expect(kim.get_by_role("option", name="/new").first).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(kim.get_by_role("option", name="Trickster")).to_be_visible()
        await page.keyboard.type("pe")
        await expect(kim.get_by_role("option")).to_have_count(1)
        await page.keyboard.press("Enter")
        await keep_screenshot(page, "command-form")
        await page.keyboard.press("Enter")
        await expect(kim.get_by_text("A table for 6, peek, open: 1.")).to_be_visible()

        await page.keyboard.type("/rules")
        await page.keyboard.press("Enter")
        form = kim.get_by_role("dialog", name="House rules")
        await expect(form).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(form).to_have_count(0)
        await expect(kim.locator(".composer-input")).to_be_focused()
        await page.keyboard.press("Escape")
        await page.keyboard.press("Alt+Digit1")
        await expect(pane(page, "Sam").locator(".composer-input")).to_be_focused()


async def test_a_command_can_be_typed_in_one_go(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await you.locator(".composer-input").press_sequentially("/")
        await expect(you.get_by_role("option", name="/show layout").first).to_be_visible()
        await page.keyboard.type("show layout 7")
        await page.keyboard.press("Enter")
        await expect(you.get_by_text("Greta").last).to_be_visible()


async def test_wrong_options_are_named_before_anything_is_sent(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await you.locator(".composer-input").press_sequentially("/new")
        await expect(you.get_by_role("option", name="/new").first).to_be_visible()
        await page.keyboard.press("Enter")
        await you.get_by_label("edition").press_sequentially("classic")
        await you.get_by_role("button", name="+ seats").click()
        await you.get_by_label("seats").fill("99")
        await page.keyboard.press("Enter")
        await expect(you.get_by_text("seats: at most 12.")).to_be_visible()
        await you.get_by_label("seats").fill("3")
        await page.keyboard.press("Enter")
        await expect(you.get_by_text("A table for 3, classic, open: 1.")).to_be_visible()


NOTE_WHAT_IS_BUSY = """() => {
    window.wasBusy = [];
    const look = () => document.querySelectorAll("[aria-busy=true]").forEach(
        each => window.wasBusy.push(each.getAttribute("aria-label"))
    );
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


async def test_failures_are_shown(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await run(you, "show buttons")
        await page.evaluate(NOTE_WHAT_IS_BUSY)  # recorded, because the control is busy for only three seconds
        await you.get_by_role("button", name="Silence").last.click()
        await expect(you.get_by_text("This interaction failed").last).to_be_visible()
        assert set(await page.evaluate("window.wasBusy")) == {"Silence"}
        await expect(you.get_by_role("button", name="Disabled").last).to_be_disabled()
        await run(you, "silent")
        await expect(you.get_by_text("The application did not respond")).to_be_visible()
        await keep_screenshot(page, "failures")


async def test_thinking_is_shown_until_the_answer_comes(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await you.locator(".composer-input").press_sequentially("/slow")
        await expect(you.get_by_role("option", name="/slow").first).to_be_visible()
        await page.keyboard.press("Enter")
        await page.keyboard.type("2.5")
        await page.keyboard.press("Enter")
        await expect(you.get_by_text("Coyote is thinking…")).to_be_visible()
        await expect(you.get_by_text("Here I am.")).to_be_visible()
        await expect(you.get_by_text("Coyote is thinking…")).to_have_count(0)


async def test_selects_of_every_kind_work(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await run(you, "show selects")
        await you.get_by_role("button", name="An action").last.click()
        await keep_screenshot(page, "select")
        await page.keyboard.press("Enter")
        await expect(you.get_by_text("Chosen: extra")).to_be_visible()
        await you.get_by_role("button", name="Some people").last.click()
        for name in ("Sam", "Coyote"):
            await you.get_by_role("option", name=name).first.click()
        await you.get_by_role("button", name="Done").click()
        await expect(you.get_by_text("Chosen: @Sam, @Coyote")).to_be_visible()
        await you.get_by_role("button", name="Some people").last.click()
        await you.get_by_role("option", name="Coyote").first.click()
        await you.locator(".channel-head").click()  # a click elsewhere is as good as "Done"
        await expect(you.get_by_text("Chosen: @Coyote")).to_be_visible()
        await you.get_by_role("button", name="A channel").last.click()
        await you.get_by_role("option", name="general").click()
        await expect(you.get_by_text("Chosen: general")).to_be_visible()


async def test_a_form_with_labels_and_checkboxes_works(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await run(you, "rules")
        form = you.get_by_role("dialog", name="House rules")
        await form.get_by_role("button", name="Submit").click()
        await expect(form.get_by_text("Out at the: choose at least 1.")).to_be_visible()
        await form.get_by_role("button", name="Out at the").click()
        await you.get_by_role("option", name="4 coins").click()
        await form.get_by_role("button", name="Host").click()
        await you.get_by_role("option", name="Sam").first.click()  # optional, and chosen at once
        await keep_screenshot(page, "form-labels")
        await form.get_by_role("button", name="Submit").click()
        await expect(you.get_by_text("Out at 4 coins, with @Sam as host.")).to_be_visible()
        await run(you, "extras")
        boxes = you.get_by_role("dialog", name="Extras")
        await boxes.get_by_label("Quick").check()
        await boxes.get_by_label("Skip").check()
        await boxes.get_by_role("button", name="Submit").click()
        await expect(you.get_by_text("Pace: Quick")).to_be_visible()


async def test_the_time_of_a_message_below_another_is_shown_whole(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        for line in ("one line", "the next line"):
            await you.locator(".composer-input").fill(line)
            await page.keyboard.press("Enter")
        below = you.locator(".message.grouped", has_text="the next line")
        await below.hover()
        gutter = below.locator(".gutter")
        await gutter.evaluate("node => { node.textContent = '12:34 PM' }")
        assert await gutter.evaluate("node => node.scrollWidth <= node.clientWidth")
        await keep_screenshot(page, "time")


async def test_threads_menus_reactions_and_pins_work(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        you = pane(page, "Sam")
        await you.locator(".composer-input").fill("quotable words")
        await page.keyboard.press("Enter")
        mine = you.locator(".message", has_text="quotable words").first
        await mine.hover()
        await mine.get_by_role("button", name="Apps").click()
        await you.get_by_role("menuitem", name="Quote this").click()
        await expect(you.locator("blockquote", has_text="quotable words")).to_be_visible()
        await mine.hover()
        await mine.get_by_role("button", name="Add a reaction").click()
        await you.get_by_role("button", name="React with 🐺").click()
        await expect(mine.get_by_role("button", name="🐺, 1")).to_have_attribute("aria-pressed", "true")
        await mine.hover()
        await mine.get_by_role("button", name="Pin", exact=True).click()
        await expect(you.get_by_text("pinned a message to this channel.")).to_be_visible()
        await you.get_by_role("button", name="Pinned messages").click()
        await expect(you.get_by_role("dialog", name="Pinned messages").get_by_text("quotable words")).to_be_visible()
        await page.keyboard.press("Escape")
        await run(you, "aside")
        await you.get_by_role("navigation").get_by_role("button", name="A word aside").click()
        await expect(you.get_by_text("Here we are.")).to_be_visible()


async def test_names_and_languages_can_be_changed(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        await add(page, "Lou")
        lou = pane(page, "Lou")
        await lou.get_by_role("button", name="Name and language").click()
        await page.get_by_label("Name", exact=True).fill("Louise")
        await page.get_by_label("Language", exact=True).select_option("fr")
        await page.get_by_label("Accepts direct messages").uncheck()
        await page.get_by_role("button", name="Save").click()
        louise = pane(page, "Louise")
        await expect(louise).to_be_visible()
        await run(louise, "dm")
        await expect(louise.get_by_text("I couldn't DM you.")).to_be_visible()
        assert house.people["Louise"].locale == "fr"
        await expect(page.get_by_role("button", name="Be Louise").locator(".person-locale")).to_have_text("fr")
        await expect(louise.locator(".who-locale")).to_have_text("fr")


async def test_the_inspector_follows_the_bot(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/") as page:
        await page.keyboard.press("Escape")
        await page.keyboard.press("Alt+KeyI")
        inspector = page.get_by_role("complementary", name="Inspector")
        await expect(inspector.get_by_text("all within the rules")).to_be_visible()
        before = await inspector.locator(".request").count()
        await run(pane(page, "Sam"), "help")
        await expect(inspector.locator(".request")).to_have_count(before + 1)
        await inspector.locator(".request summary").first.click()
        await expect(inspector.locator("pre")).to_contain_text("look around")
        await keep_screenshot(page, "inspector")

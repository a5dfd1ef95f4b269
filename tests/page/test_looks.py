"""Screenshots of the page for people to review, and a check that nothing overflows its pane."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from sandbox import posting
from sandbox.server import Sandbox
from tests.needs import needs_chromium
from tests.page.stage import gallery, keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

LONG = "Maximiliane von und zu Feather 🪶"
NAMES = ("Ana", "Ben", "Chloé", "Dmitri", "Emi", "Farid", "Greta", "Hugo", "Ines", "Jun", LONG)
SIZES = {"desktop": (1280, 860), "phone": (360, 740)}
OVERFLOWING = """() => {
  const sticksOut = (node) => {
    const box = node.getBoundingClientRect();
    const pane = node.closest(".pane").getBoundingClientRect();
    return box.width > 0 && !node.closest(".toolbar") && (box.right > pane.right + 1 || box.left < pane.left - 1);
  };
  const all = document.querySelectorAll(".message *, .composer *, .channel-head *, .modal *");
  return [...all].filter(sticksOut).map((node) => node.outerHTML.slice(0, 120));
}"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def house() -> AsyncIterator[Sandbox]:
    """Run a sandbox in which every kind of message has been posted."""
    async with gallery(*NAMES) as sandbox:
        ana = sandbox.people["Ana"]
        await ana.say("anyone for a game? :)")
        await sandbox.people[LONG].say("always 🪶\n> anyone for a game?\nlet me get **coffee** first")
        for command in ("show text", "show embed", "show pictures", "show selects", "show buttons"):
            assert (await ana.slash(command)).failed is None
        assert (await ana.slash("show layout", players=12, long_names=True)).failed is None
        assert (await sandbox.people["Sam"].slash("show layout", players=5)).failed is None
        yield sandbox


async def look(page: Tab, name: str) -> None:
    """Save a screenshot and check that nothing overflows its pane."""
    await keep_screenshot(page, name)
    assert await page.evaluate(OVERFLOWING) == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_every_kind_of_message_fits_its_pane(house: Sandbox, browser: Browser, theme: str, size: str) -> None:
    width, height = SIZES[size]
    async with tab(browser, f"{house.url}/", theme=theme, width=width, height=height) as page:
        messages = page.locator(".message")
        await expect(messages).to_have_count(9)
        await look(page, f"{size}-{theme}-table")
        for number, name in enumerate(("chat", None, "text", "embed", "pictures", "selects", "buttons", "twelve")):
            if name is not None:
                await messages.nth(number).evaluate("(node) => node.scrollIntoView({ block: 'start' })")
                await look(page, f"{size}-{theme}-{name}")
        await page.keyboard.press("/")
        await expect(page.locator(".palette")).to_be_visible()
        await look(page, f"{size}-{theme}-palette")
        await page.keyboard.type("rules")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog", name="House rules")).to_be_visible()
        await look(page, f"{size}-{theme}-form")
        await page.keyboard.press("Escape")
        if size == "phone":
            await page.get_by_role("button", name="Channels").click()
            await keep_screenshot(page, f"{size}-{theme}-channels")
            await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Add a person").click()
        await keep_screenshot(page, f"{size}-{theme}-person")
        await page.keyboard.press("Escape")
        await page.locator(".picture").first.scroll_into_view_if_needed()
        await page.locator(".picture").first.click()
        await expect(page.locator("dialog.lightbox")).to_be_visible()
        await keep_screenshot(page, f"{size}-{theme}-lightbox")


async def test_three_people_see_three_different_things(house: Sandbox, browser: Browser) -> None:
    feathers = {"Sam": "10", "Ana": "7", "Ben": "3"}
    games = house.people["Sam"].where
    assert games is not None
    for reader in feathers:
        seen = " · ".join(f"{name} **{value}**" for name, value in feathers.items() if name != reader)
        text = f"### Round 5 · what you see\n{seen}\n{reader}: **?**"
        posting.post(house.world, games, house.world.bot, {"content": text}, only=house.people[reader].id)
    async with tab(browser, f"{house.url}/", width=1500) as page:
        for digit in (2, 3):
            await page.keyboard.press(f"Shift+Alt+Digit{digit}")
            await expect(page.locator(".pane")).to_have_count(digit)
        for reader in feathers:
            view = page.get_by_role("region", name=f"As {reader}")
            await expect(view.get_by_text(f"{reader}: ?")).to_be_in_viewport()
        await look(page, "three-see-differently")

"""Emojis, attachments and media galleries as the page shows them, sent by the real library."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect
from playwright.async_api import Page as Tab

from sandbox import posting
from sandbox.server import Sandbox
from tests.needs import needs_chromium
from tests.page.stage import gallery, keep_screenshot, tab
from tests.page.test_looks import OVERFLOWING, SIZES

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

ROWS = {1: [1], 2: [2], 4: [2, 2], 5: [2, 3], 6: [3, 3], 7: [1, 3, 3], 8: [2, 3, 3], 9: [3, 3, 3], 10: [1, 3, 3, 3]}
"""How many pictures are beside each other in a gallery, by its number of pictures; three are not in rows."""
LOADED = "images => images.every(image => image.complete && image.naturalWidth > 0)"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def house() -> AsyncIterator[Sandbox]:
    """Run a sandbox with the gallery bot, shared by the tests of this module."""
    async with gallery("Ana") as sandbox:
        yield sandbox


async def show(house: Sandbox, what: str, **options: int) -> None:
    """Clear the channel, then have Sam ask for something."""
    sam = house.people["Sam"]
    for message in sam.read():
        posting.delete(house.world, message)
    shown = await sam.slash(f"show {what}", **options)
    assert shown.failed is None


def pane(page: Tab, name: str = "Sam") -> Locator:
    """Return the pane of one person."""
    return page.get_by_role("region", name=f"As {name}")


async def size(part: Locator) -> tuple[float, float]:
    """Return the width and height on screen."""
    box = await part.bounding_box()
    assert box is not None
    return round(box["width"], 1), round(box["height"], 1)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
async def test_emojis_in_texts_buttons_and_options(house: Sandbox, browser: Browser, theme: str, screen: str) -> None:
    await show(house, "emojis")
    width, height = SIZES[screen]
    async with tab(browser, f"{house.url}/", theme=theme, width=width, height=height) as page:
        view = pane(page)
        text, alone = view.locator(".message").nth(0), view.locator(".message").nth(1)
        await expect(alone).to_be_visible()
        inline = text.locator("p .emoji")
        await expect(inline).to_have_count(3)
        assert [await size(each) for each in await inline.all()] == [(22, 22)] * 3
        await expect(text.locator("p").get_by_role("img", name=":feather_7:")).to_be_visible()
        await expect(text.get_by_text(":gone:")).to_be_visible()
        assert (await size(text.locator(".md-h2 .emoji")))[0] > 22
        assert [await size(each) for each in await alone.locator(".emoji").all()] == [(48, 48)] * 3
        look, coin = text.get_by_role("button", name="Look"), text.get_by_role("button", name="coin", exact=True)
        for button in (look, coin):
            assert await size(button.locator("img.emoji")) == (20, 20)
        assert await text.locator("img.emoji").evaluate_all(LOADED)
        chosen = text.get_by_role("button", name="A piece")
        await expect(chosen.locator("img.emoji")).to_have_attribute("alt", ":feather_7:")
        await chosen.click()
        option = view.get_by_role("option", name=":coin: Coin")
        assert await size(option.locator("img.emoji")) == (20, 20)
        await keep_screenshot(page, f"{screen}-{theme}-emojis")
        assert await page.evaluate(OVERFLOWING) == []


async def test_a_reply_names_the_emojis_of_its_message(house: Sandbox, browser: Browser) -> None:
    await show(house, "emojis")
    async with tab(browser, f"{house.url}/") as page:
        reply = pane(page).locator(".message").nth(1).locator(".excerpt")
        await expect(reply).to_have_text(
            ":feather_7: Round 5 Ana wears :feather_7:, Ben has :coin::coin:, lost: :gone: :coin: small print"
        )


@pytest.mark.parametrize("count", range(1, 11))
async def test_a_gallery_has_discords_pattern(house: Sandbox, browser: Browser, count: int) -> None:
    await show(house, "mosaic", count=count)
    async with tab(browser, f"{house.url}/") as page:
        pictures = pane(page).locator(".gallery .picture")
        await expect(pictures).to_have_count(count)
        for picture in await pictures.all():
            await picture.scroll_into_view_if_needed()
        await page.wait_for_function(f"({LOADED})([...document.querySelectorAll('.gallery img')])")
        boxes = [await each.bounding_box() for each in await pictures.all()]
        tops = [round(box["y"]) for box in boxes if box is not None]
        if count == 3:
            assert (tops[0], len(set(tops))) == (tops[1], 2)
            big, small, below = ((box["width"], box["height"]) for box in boxes if box is not None)
            assert big[0] > 1.9 * small[0]
            assert abs(big[1] - small[1] - below[1]) < 6
        else:
            assert [tops.count(top) for top in sorted(set(tops))] == ROWS[count]
        frame = await pane(page).locator(".gallery").bounding_box()
        assert frame is not None
        assert frame["width"] <= 550
        assert await pictures.locator("img").evaluate_all("all => all.map(image => image.alt)") == [
            f"Picture {number} of {count}" for number in range(1, count + 1)
        ]
        await keep_screenshot(page, f"mosaic-{count}")


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_a_picture_has_its_alt_text_at_hand(house: Sandbox, browser: Browser, theme: str) -> None:
    await show(house, "mosaic", count=3)
    width, height = SIZES["phone"]
    async with tab(browser, f"{house.url}/", theme=theme, width=width, height=height) as page:
        view = pane(page)
        badge = view.get_by_role("button", name="Show the alt text").nth(1)
        await expect(badge).to_have_text("ALT")
        await badge.click()
        await expect(view.locator(".popover")).to_have_text("Picture 2 of 3")
        await expect(badge).to_have_attribute("aria-expanded", "true")
        await keep_screenshot(page, f"phone-{theme}-alt")
        assert await page.evaluate(OVERFLOWING) == []
        await page.keyboard.press("Escape")
        await expect(badge).to_have_attribute("aria-expanded", "false")
        opener = view.get_by_role("button", name="Picture: Picture 2 of 3. Open")
        await opener.click()
        large = page.get_by_role("dialog", name="Picture 2 of 3")
        await expect(large.get_by_role("img", name="Picture 2 of 3")).to_be_visible()
        await expect(large.locator("figcaption")).to_have_text("Picture 2 of 3")
        await keep_screenshot(page, f"phone-{theme}-enlarged")
        await large.click()
        await expect(large).to_have_count(0)
        await expect(opener).to_be_focused()


async def test_a_private_picture_is_shown_to_its_reader_only(house: Sandbox, browser: Browser) -> None:
    async with tab(browser, f"{house.url}/", width=1500) as page:
        await page.keyboard.press("Shift+Alt+Digit2")
        await expect(page.locator(".pane")).to_have_count(2)
        await show(house, "private")
        picture = pane(page).get_by_role("img", name="Ana wears a 7.")
        await expect(picture).to_have_js_property("naturalWidth", 400)
        await expect(pane(page).locator(".message.private")).to_have_count(1)
        await expect(pane(page).get_by_role("img", name="An old look")).to_have_count(0)
        await keep_screenshot(page, "private-picture")
        url = await picture.get_attribute("src")
        assert url is not None
        others = pane(page, "Ana")
        await expect(others.locator(".composer-input")).to_be_visible()
        await expect(others.locator(".picture")).to_have_count(0)
        guess = await page.request.get(url.split("?")[0])
        assert (await page.request.get(url)).status == 200
        assert guess.status == 404


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_spoilers_hide_pictures_until_they_are_pressed(house: Sandbox, browser: Browser, theme: str) -> None:
    await show(house, "spoilers")
    async with tab(browser, f"{house.url}/", theme=theme) as page:
        view = pane(page)
        hidden = view.get_by_role("button", name="Spoiler, press to show")
        await expect(hidden).to_have_count(3)
        await expect(view.get_by_role("img", name="Who won")).to_have_count(0)
        await expect(view.get_by_role("img", name="The table")).to_be_visible()
        await keep_screenshot(page, f"{theme}-spoilers")
        await hidden.last.press("Enter")
        await expect(view.get_by_role("img", name="The winner")).to_be_visible()
        await hidden.first.click()
        await expect(view.get_by_role("img", name="Who won")).to_be_visible()
        await expect(page.locator("dialog.lightbox")).to_have_count(0)
        await keep_screenshot(page, f"{theme}-spoilers-shown")

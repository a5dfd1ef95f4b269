"""Names and messages of people and bots are always shown as text, never as markup."""

import pytest
from playwright.async_api import Browser

from sandbox import posting
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, stage, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

HOSTILE = '<img src=x onerror="alert(1)">'
NAMES = (
    HOSTILE,
    "</button><script>alert(2)</script>",
    "**bold** @everyone",
    "\u202ereversed\u202c",
    "a" * 32,
    "👩‍👩‍👧‍👦",
    "'\";--",
)
TEXTS = (
    HOSTILE,
    "[press me](javascript:alert(3))",
    "[press me](data:text/html,<script>alert(4)</script>)",
    "<a href='javascript:alert(5)'>link</a>",
    'https://example.org/"onmouseover="alert(6)',
    "```html\n<script>alert(7)</script>\n```",
    "||<svg onload=alert(8)>||",
    "<t:99999999999999999:R> <t:8640000000001:F>",
    "[" * 500 + "**" * 300 + "_" * 500,
)


async def test_hostile_names_and_texts_are_shown_as_they_are(browser: Browser) -> None:
    async with stage(*NAMES) as here, tab(browser, here.url) as page:
        for person, text in zip(here.people, (*TEXTS, *TEXTS), strict=False):
            await person.say(text, here.games)
        bot = here.world.bot
        component = {"type": 2, "style": 5, "label": HOSTILE, "url": "javascript:alert(9)"}
        option = {"label": HOSTILE, "value": "1", "description": HOSTILE}
        rows = [
            {"type": 1, "components": [component]},
            {"type": 1, "components": [{"type": 3, "custom_id": "s", "placeholder": HOSTILE, "options": [option]}]},
        ]
        embed = {"title": HOSTILE, "url": "javascript:alert(10)", "description": HOSTILE, "footer": {"text": HOSTILE}}
        posting.post(here.world, here.games, bot, {"content": TEXTS[1], "embeds": [embed], "components": rows})
        here.world.add_thread(here.games, HOSTILE, here.people["Sam"].user)
        await page.get_by_text("press me").last.wait_for()
        await page.get_by_role("button", name=HOSTILE).last.click()
        await page.get_by_role("option").first.wait_for()
        await keep_screenshot(page, "hostile")
        assert await page.locator("script:not([src]), img[onerror], [onload], [onmouseover]").count() == 0
        assert await page.locator("a[href^='javascript'], a[href^='data']").count() == 0
        assert await page.evaluate("[...document.querySelectorAll('.person-name')].map((n) => n.textContent)") == [
            "Sam",
            *NAMES,
            "Add a person",
        ]


async def test_a_picture_from_another_host_is_never_requested(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        embed = {"title": "Look", "image": {"url": "https://example.org/spy.png"}}
        posting.post(here.world, here.games, here.world.bot, {"embeds": [embed]})
        await page.get_by_text("not loaded in the sandbox").wait_for()

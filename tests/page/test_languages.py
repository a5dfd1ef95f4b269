"""A game in each language, looked at in the page: screenshots for people to review.

`make screenshots` takes them in all languages; a run of all tests plays in one that is not English.
"""

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from bot.text.catalogue import languages
from sandbox import scenes
from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.page import Page
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.e2e.harness import Bot
from tests.e2e.players import newest, quiet
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

LOCALES = {"en": "en-US", "es": "es-ES"}
"""What Discord calls a language that has several locales there."""
MOST_STEPS = 400
SCROLLED_DOWN = """() => {
  const long = [...document.querySelectorAll("*")].filter((node) => node.scrollHeight > node.clientHeight);
  for (const node of long) node.scrollTop = node.scrollHeight;
}"""


TURN = re.compile(r"^## .*?<@(\d+)>", re.M)


@pytest.mark.parametrize("language", languages() if "SCREENSHOTS" in os.environ else ("it",))
async def test_a_game_is_seen_in_every_language(browser: Browser, tmp_path: Path, language: str) -> None:
    sandbox = Sandbox(check_answers=True, rate_limits=False)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, "Ben", "Chloé")
    locale = LOCALES.get(language, language)
    async with sandbox:
        sandbox.world.speak(sandbox.world.guilds[games.guild_id or ""], locale)
        you = sandbox.people["Sam"]
        for person in sandbox.people:
            person.locale = locale
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3")
        await bot.start()
        try:
            with checked(sandbox):
                async with tab(browser, f"{sandbox.url}/", height=1200) as page:
                    moments = [moment async for moment in play(you, list(sandbox.people), games, page, language)]
            assert moments == ["lobby", "turn", "look", "reveal", "final"]
        finally:
            await bot.kill()


async def play(you: Person, people: list[Person], games: Channel, page: Tab, language: str) -> AsyncIterator[str]:
    """Play a game, keep a screenshot of each moment when it is first there, and yield the moments."""

    async def kept(moment: str) -> str:
        await expect(page.locator(".message").first).to_be_visible()
        await quiet(1)
        await page.evaluate(SCROLLED_DOWN)
        await quiet(0.5)  # pictures are loaded once they are in sight
        await keep_screenshot(page, f"language-{language}-{moment}")
        return moment

    await you.slash("coyote new", games, clock="2h", coins=2, rules="pause_seconds=5m")
    message = await you.wait_for(lambda: newest(you))
    for person in people[1:]:
        await person.click(message, pressed(message, "join"))
    await quiet()
    yield await kept("lobby")
    await you.click(message, pressed(message, "start"))
    seen = set[str]()
    for _ in range(MOST_STEPS):
        message = await you.wait_for(lambda: newest(you))
        deal, call, bid, found = (
            *(pressed(message, verb) for verb in ("deal", "call", "bid:")),
            TURN.search(message.text),
        )
        if pressed(message, "rematch"):
            yield await kept("final")
            return
        if deal:
            if "reveal" not in seen:
                seen.add("reveal")
                yield await kept("reveal")
            await you.click(message, deal)
        elif found is not None and (call or bid):  # neither while the feathers are counted
            person = next(each for each in people if each.id == found[1])
            if call and "turn" not in seen:
                seen.add("turn")
                yield await kept("turn")
                await you.click(message, pressed(message, "look"))
                yield await kept("look")
            await person.click(message, call or bid)
        await quiet()
    raise AssertionError("the game does not end")


def pressed(message: Message, verb: str) -> str:
    """Return the custom_id of the first button with this verb; empty if there is none."""
    found = [str(each["custom_id"]) for each in message.buttons if f":{verb}" in each.get("custom_id", "")]
    return found[0] if found else ""

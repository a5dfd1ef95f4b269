"""A whole game of Plenty Coups, clicked in the page by two people, and looked at on a phone."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Page as Tab

from sandbox import scenes
from sandbox.messagelog import Message
from sandbox.page import Page
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.e2e.harness import Bot
from tests.e2e.players import is_won, newest, phase, prompt_of
from tests.games.drivers import PLENTY_COUPS
from tests.games.plenty_coups.driver import asked_for, is_winter, select_in
from tests.needs import needs_chromium
from tests.page.stage import keep_screenshot, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

MOST_TURNS = 200
TRIES = 3
"""How often the same question is answered: a press on a hand of a moment before, or during an edit, changes nothing."""
GIFTS = re.compile(r"^Exchange gifts")
PREFERRED = re.compile(r"^(?:Raid|Breed|Make|Defend|Strike)(?!.*…)")
"""Moves that are made with one choice."""


class Clicker:
    """Clicks for everybody: becomes the person who is asked, and presses what the page offers."""

    def __init__(self, page: Tab, you: Person) -> None:
        self.page = page
        self.you = you
        self.who = "Sam"
        self.forms = 0
        self.answered: set[str] = set()
        """The selects that have been used."""

    async def asking(self) -> Message:
        """Wait for a table message that waits for a person, or is the last one; return it."""

        def look() -> Message | None:
            message = newest(self.you)
            return message if phase(PLENTY_COUPS, message) not in ("nothing", "lobby", "still") else None

        return await self.you.wait_for(look)

    async def be(self, name: str) -> None:
        if name != self.who:
            await self.page.get_by_role("button", name=f"Be {name}").first.click()
            self.who = name

    async def press(self, name: str) -> None:
        await self.page.get_by_role("button", name=name).last.click()

    async def choose(self, label: re.Pattern[str], wanted: re.Pattern[str] | None = None) -> str:
        """Open the newest select with this label and choose an option; return what it says."""
        await self.page.get_by_role("button", name=label).last.click()
        options = self.page.get_by_role("option")
        await options.first.wait_for()
        liked = options.filter(has_text=wanted) if wanted is not None else options
        chosen = liked.first if await liked.count() else options.first
        said = await chosen.inner_text()
        await chosen.click()
        return said

    async def step(self, message: Message, people: dict[str, Person]) -> None:
        """Do one thing that the table waits for; if the table does not show it, try again, as people do."""
        version = message.version

        def has_moved() -> bool:
            return newest(self.you) is not message or message.version != version

        (user,) = PLENTY_COUPS.asked(message)
        await self.be(next(name for name, person in people.items() if person.id == user))
        for _ in range(TRIES):
            await self._answer(message, people[self.who])
            with suppress(TimeoutError):
                await self.you.wait_for(has_moved, seconds=15)
                return
            self.answered.clear()
        raise AssertionError(f"the table stands still: {message.text}")

    async def _answer(self, message: Message, person: Person) -> None:
        match asked_for(message):
            case "take":
                await self.choose(re.compile("from the offer"))
            case "disdain":
                await self.press("Decline")
            case "gift":
                await self._play(message, person, "Choose a card")
            case "act" if is_winter(message):
                await self.press("End the turn")
            case _:
                await self._play(message, person)

    async def _play(self, message: Message, person: Person, button: str = "Your hand") -> None:
        """Choose a move in the newest private hand; the first time, one that opens a form."""
        asked = {prompt_of(each) for each in message.components} - {0}

        def fresh() -> dict[str, Any] | None:
            private = person.private()
            select = select_in(private[-1]) if private else None
            if select is None or select["custom_id"] in self.answered or (asked and prompt_of(select) not in asked):
                return None
            return select

        if fresh() is None:
            await self.press(button)
        select = await person.wait_for(fresh)
        self.answered.add(select["custom_id"])
        said = await self.choose(re.compile(re.escape(select["placeholder"])), PREFERRED if self.forms else GIFTS)
        if GIFTS.match(said):
            await self._fill_in()

    async def _fill_in(self) -> None:
        """Choose the first of everything in an open form, and submit it."""
        form = self.page.get_by_role("dialog").last
        await form.wait_for()
        for field in await form.locator("[aria-haspopup=listbox]").all():
            await field.click()
            await self.page.get_by_role("option").first.click()
        await form.get_by_role("button", name="Submit").click()
        self.forms += 1


async def test_a_whole_game_is_played_by_clicking(browser: Browser, tmp_path: Path) -> None:
    sandbox = Sandbox(check_answers=True, rate_limits=False)  # nobody clicks as fast as this test
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, "Ben")
    async with sandbox:
        bot = Bot(sandbox, tmp_path / "plenty.sqlite3")
        await bot.start()
        people = {name: sandbox.people[name] for name in ("Sam", "Ben")}
        you = people["Sam"]
        try:
            with checked(sandbox):
                async with tab(browser, f"{sandbox.url}/", height=1100) as page:
                    assert (await you.slash("plenty new", games, clock="2h", rules="rounds=3")).message is not None
                    clicker = Clicker(page, you)
                    await clicker.be("Ben")
                    await clicker.press("Join")
                    await you.wait_for(lambda: any(people["Ben"].mention in each.text for each in you.read()))
                    await clicker.be("Sam")
                    await clicker.press("Start")
                    for turn in range(MOST_TURNS):
                        message = await clicker.asking()
                        if phase(PLENTY_COUPS, message) == "over":
                            break
                        await clicker.step(message, people)
                        if turn == 5:
                            await keep_screenshot(page, "plenty-coups")
                            await _look_on_a_phone(browser, sandbox.url)
                    assert is_won(message)
                    assert clicker.forms > 0
                    await expect(page.get_by_text("How the points came about").last).to_be_visible()
                    await keep_screenshot(page, "plenty-coups-end")
        finally:
            await bot.kill()


async def _look_on_a_phone(browser: Browser, url: str) -> None:
    async with tab(browser, f"{url}/", theme="light", width=390, height=1600) as phone:
        await expect(phone.get_by_text("Offer:").last).to_be_visible()
        await phone.get_by_role("button", name="Your hand").last.click()
        await expect(phone.get_by_role("heading", name=re.compile("your hand")).last).to_be_visible()
        await keep_screenshot(phone, "plenty-coups-phone")
        assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

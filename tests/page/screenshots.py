"""`make screenshots`: the README's images, taken from a real game on the page, and the labels of buttons on them."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser, Locator, expect

from sandbox.messagelog import Message
from tests.e2e.common import started, until
from tests.e2e.players import Game, newest, phase
from tests.games.drivers import COYOTE, PLENTY_COUPS
from tests.page.stage import ROOT, chromium, tab
from tests.page.test_emojis import table
from tests.page.test_pictures import LOADED

IMAGES: Final = ROOT / "docs" / "images"
LABELS: Final = IMAGES / "labels.json"
"""The labels of the buttons on each image: a test checks that there are still such buttons."""
WIDTH, DENSITY = 480, 1.5
SEED: Final = 3
"""Leads to a round with raids and alliances."""


class Photographer:
    """Takes pictures of messages on the page, and notes their buttons."""

    def __init__(self) -> None:
        self.labels: dict[str, list[str]] = {}

    async def take(self, message: Locator, name: str) -> None:
        """Save an image of a message."""
        await message.page.mouse.move(0, 0)  # or a toolbar would hover over the message
        await message.scroll_into_view_if_needed()
        async with asyncio.timeout(30):
            while not await message.locator("img").evaluate_all(LOADED):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        shot = Image.open(io.BytesIO(await message.screenshot(animations="disabled")))
        shot.convert("RGB").quantize(256, kmeans=2).save(IMAGES / f"{name}.png", optimize=True)
        buttons = await message.locator("button.control:not(.select), a.control").all_inner_texts()
        written = [re.sub(r"^[^\w]+|[^\w!?…]+$", "", each.strip()) for each in buttons]
        self.labels[name] = [each for each in written if each and not each.isdigit()]


async def _coyote(browser: Browser, folder: Path, photographer: Photographer) -> None:
    async with table(folder, COYOTE) as held:
        message = await started(held)
        for bid in ("10", "15", "20"):
            bidder = held.in_turn(message)
            await bidder.click(message, bid)
            await until(held, lambda bidder=bidder: held.driver.asked(message)[0] != bidder.id)  # type: ignore[misc]
        async with tab(browser, f"{held.sandbox.url}/", width=WIDTH, height=1300, density=DENSITY) as page:
            shown = page.locator(".message", has=page.get_by_role("button", name="Coyote!")).last
            await expect(shown).to_be_visible()
            await photographer.take(shown, "turn")
            await page.get_by_role("button", name="Look", exact=True).last.click()
            look = page.locator(".message", has_text="Only you can see this").last
            await expect(look.locator(".gallery img")).to_be_visible()
            await photographer.take(look, "look")
            await held.in_turn(message).click(message, "Coyote!")
            reveal = page.locator(".message", has_text="calls Coyote on").last
            await expect(reveal.locator(".gallery img")).to_have_attribute("alt", re.compile(r"coins?\.$"))
            await photographer.take(reveal, "reveal")


async def _plenty_coups(browser: Browser, folder: Path, photographer: Photographer) -> None:
    async with table(folder, PLENTY_COUPS) as held:
        await started(held)
        reader, *_ = held.people
        game = Game(held, held.people, seed=SEED)
        while not any(map(_tells_much, reader.read(limit=5))):
            message = newest(reader)
            version = None if message is None else message.version
            if message is not None and phase(held.driver, message) in held.driver.acting:
                await held.driver.act(game, message)
            else:
                await game.changed(message, version)
        async with tab(browser, f"{held.sandbox.url}/", width=WIDTH, height=1300, density=DENSITY) as page:
            summary = page.locator(".message", has=page.locator(".gallery img[alt*='raids']")).last
            await expect(summary).to_be_visible()
            await photographer.take(summary, "plenty-coups")


def _tells_much(message: Message) -> bool:
    """Return whether a message has a picture of camps with two raids and an alliance."""
    pictures = re.findall(r'"description": "(Round [^"]*)"', json.dumps(message.json.get("components", [])))
    return any(said.count(" raids ") >= 2 and re.search("allied to|proposes", said) for said in pictures)


async def main() -> None:
    """Take all images."""
    photographer = Photographer()
    async with chromium() as browser:
        for take in (_coyote, _plenty_coups):
            with tempfile.TemporaryDirectory() as folder:
                await take(browser, Path(folder), photographer)
    LABELS.write_text(json.dumps(photographer.labels, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{IMAGES}: {', '.join(photographer.labels)}\n")


if __name__ == "__main__":
    asyncio.run(main())

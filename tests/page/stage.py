"""A page on a free port over a furnished world, without a bot; and a browser to look at it with."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from playwright.async_api import Browser, ConsoleMessage, async_playwright, expect
from playwright.async_api import Page as Tab

from sandbox import scenes
from sandbox.guard import protect
from sandbox.model import Channel
from sandbox.page import Page
from sandbox.people import People
from sandbox.server import Sandbox
from sandbox.testing import checked
from sandbox.world import World
from tests.needs import CHROMIUM

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts"
OURS = (
    *("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DISCORD_OPENAPI", "LOG_LEVEL"),
    *("KEEP", "SCENE", "SANDBOX_PORT", "SANDBOX_DATA"),
)
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

expect.set_options(timeout=30_000)  # a busy machine shows it late


def without_token() -> dict[str, str]:
    """Return the environment of somebody who has set nothing of ours."""
    return {key: value for key, value in os.environ.items() if key not in OURS}


@dataclass(frozen=True, slots=True)
class Stage:
    """A running page and what is behind it."""

    url: str
    world: World
    people: People
    games: Channel


@asynccontextmanager
async def stage(*names: str, port: int = 0) -> AsyncIterator[Stage]:
    """Serve a page over a server with these people, besides "You"."""
    world = World()
    people = People(world)
    games = scenes.furnish(world, people, *names)
    app = web.Application()
    protect(app)
    Page(world, people).attach(app)
    async with serving(app, port) as url:
        world.base_url = url.rstrip("/")
        yield Stage(url, world, people, games)


@asynccontextmanager
async def serving(app: web.Application, port: int = 0) -> AsyncIterator[str]:
    """Serve an application on a port of loopback, any free one by default."""
    runner = web.AppRunner(app, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start the system's Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        yield browser
        await browser.close()


@asynccontextmanager
async def tab(
    browser: Browser, url: str, *, theme: str = "dark", width: int = 1280, height: int = 800
) -> AsyncIterator[Tab]:
    """Open the page; whatever goes wrong in it, or leaves this machine, fails the test."""
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light" if theme == "light" else "dark",
        reduced_motion="reduce",
        locale="en-GB",
    )
    opened = await context.new_page()
    opened.set_default_timeout(30_000)
    trouble: list[str] = []
    opened.on("pageerror", lambda error: trouble.append(f"error: {error}"))
    opened.on("console", lambda message: trouble.append(message.text) if _is_trouble(message) else None)
    opened.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
    opened.on("request", lambda request: None if request.url.startswith(url) else trouble.append(request.url))
    await opened.goto(url)
    await opened.locator(".composer-input").first.wait_for()
    yield opened
    await context.close()
    assert trouble == [], trouble


def _is_trouble(message: ConsoleMessage) -> bool:
    # An emoji that is gone is drawn by its name; the browser still reports the picture it did not get.
    return message.type == "error" and "/emojis/" not in message.location["url"]


async def keep_screenshot(tab: Tab, name: str) -> None:
    """Save what is on show among the artefacts."""
    ARTEFACTS.mkdir(exist_ok=True)
    await tab.screenshot(path=ARTEFACTS / f"{name}.png")


@asynccontextmanager
async def gallery(*names: str) -> AsyncIterator[Sandbox]:
    """Run a whole sandbox, these people in it besides "You", and the gallery bot as a process of its own."""
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, *names)
    async with sandbox:
        command = (sys.executable, "-m", "tests.page.gallery_bot", sandbox.api_url, sandbox.gateway_url, sandbox.token)
        bot = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
        try:
            if not await scenes.offers(sandbox, sandbox.people["You"], "help", games):
                raise RuntimeError("the gallery bot did not come")
            with checked(sandbox):
                yield sandbox
        finally:
            bot.kill()
            await bot.wait()

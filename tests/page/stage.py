"""Helpers for page tests: a page on a free port with people but no bot, and a browser."""

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

expect.set_options(timeout=30_000)  # long enough for a busy machine


def without_token() -> dict[str, str]:
    """Return the environment without any of the project's variables."""
    return {key: value for key, value in os.environ.items() if key not in OURS}


@dataclass(frozen=True, slots=True)
class Stage:
    """A running page with its world and people."""

    url: str
    world: World
    people: People
    games: Channel


@asynccontextmanager
async def stage(*names: str, port: int = 0) -> AsyncIterator[Stage]:
    """Serve a page with a server that has "Sam" and these people."""
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
    """Serve an application on a loopback port, by default any free one."""
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
    browser: Browser, url: str, *, theme: str = "dark", width: int = 1280, height: int = 800, density: float = 1
) -> AsyncIterator[Tab]:
    """Open the page; any error in it, or request to another host, fails the test."""
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=density,
        color_scheme="light" if theme == "light" else "dark",
        reduced_motion="reduce",
        locale="en-GB",
    )
    opened = await context.new_page()
    opened.set_default_timeout(30_000)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(f"error: {error}"))
    opened.on("console", lambda message: problems.append(message.text) if _is_problem(message) else None)
    opened.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
    opened.on("request", lambda request: None if request.url.startswith(url) else problems.append(request.url))
    await opened.goto(url)
    await opened.locator(".composer-input").first.wait_for()
    yield opened
    await context.close()
    assert problems == [], problems


def _is_problem(message: ConsoleMessage) -> bool:
    # A deleted emoji is drawn as its name, but the browser still reports the missing picture.
    return message.type == "error" and "/emojis/" not in message.location["url"]


async def keep_screenshot(tab: Tab, name: str) -> None:
    """Save a screenshot among the artefacts."""
    ARTEFACTS.mkdir(exist_ok=True)
    await tab.screenshot(path=ARTEFACTS / f"{name}.png")


@asynccontextmanager
async def gallery(*names: str) -> AsyncIterator[Sandbox]:
    """Run a sandbox with "Sam" and these people, and the gallery bot as a separate process."""
    sandbox = Sandbox(check_answers=True)
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people, *names)
    async with sandbox:
        command = (sys.executable, "-m", "tests.page.gallery_bot", sandbox.api_url, sandbox.gateway_url, sandbox.token)
        bot = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
        try:
            if not await scenes.offers(sandbox, sandbox.people["Sam"], "help", games):
                raise RuntimeError("the gallery bot did not start")
            with checked(sandbox):
                yield sandbox
        finally:
            bot.kill()
            await bot.wait()

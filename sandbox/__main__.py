"""`python -m sandbox`: runs the sandbox by itself, for any bot."""

import argparse
import asyncio
import signal
import sys
import webbrowser

from sandbox.errors import WrongSetting
from sandbox.launch import Settings, running, where_lines
from sandbox.server import Sandbox

HOW = """
To connect a bot, run it with the token {token}
and, before it starts, set:
    discord.http.Route.BASE = "{api}"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL("{gateway}")
Press Ctrl+C to stop the sandbox."""


async def serve(settings: Settings, *, open_browser: bool) -> None:
    """Run the sandbox by itself, for any bot, until it is interrupted."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with running(settings) as sandbox:
        print(where_lines(settings, sandbox), flush=True)
        print(directions(sandbox), flush=True)
        if open_browser:
            webbrowser.open(f"{sandbox.url}/")
        await stopped.wait()


def directions(sandbox: Sandbox) -> str:
    """Return instructions for connecting a discord.py bot."""
    return HOW.format(token=sandbox.token, api=sandbox.api_url, gateway=sandbox.gateway_url)


def main() -> None:
    """Run `python -m sandbox`."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A Discord on this machine, for any bot.")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    open_browser = parser.parse_args().open
    try:
        asyncio.run(serve(Settings.read(), open_browser=open_browser))
    except WrongSetting as wrong:
        print(wrong, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()

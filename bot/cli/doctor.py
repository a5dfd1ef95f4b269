"""`invite` prints the link that adds the bot to a server; `doctor` finds what keeps the bot from working."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from bot.cli.command import Commands, add_command
from bot.cli.progress import Progress
from bot.exit_codes import FAILED, REFUSED, WRONG_SETTINGS
from bot.settings import DISCORD_REFUSES, Settings, load_settings

MOST_SERVERS: Final = 25
"""How many servers are examined by default; each takes three requests."""
MAX_SERVERS: Final = 100_000
"""Cap on `--servers`."""
NOTICEABLE_SECONDS: Final = 2.0
"""A rate limit that lasts this long is mentioned."""
MARKS: Final = {"good": "ok  ", "note": "note", "bad": "BAD "}


def add_commands(commands: Commands) -> None:
    """Add `invite` and `doctor`."""
    inviting = add_command(
        commands,
        "invite",
        "print the link with which you add the bot to a server",
        run=_invite,
        example="invite",
        more="It asks for few permissions: to see channels, write in them, attach pictures, and play in threads.",
    )
    inviting.add_argument("--json", action="store_true", help="print it as JSON")
    examining = add_command(
        commands,
        "doctor",
        "check everything the bot needs, and say how to fix what is wrong",
        run=_doctor,
        example="doctor --json",
        more="Exit code 0 if all is well, else 1. It changes nothing, and the bot may be running.",
    )
    examining.add_argument("--json", action="store_true", help="print the findings as JSON")
    examining.add_argument("--offline", action="store_true", help="check only this machine, without Discord")
    examining.add_argument(
        "--servers",
        type=_servers,
        default=MOST_SERVERS,
        metavar="N",
        help=f"examine N servers (default: {MOST_SERVERS})",
    )


def _servers(written: str) -> int:
    if not written.isascii() or not written.isdigit() or not 0 <= int(written) <= MAX_SERVERS:
        raise argparse.ArgumentTypeError(f"use a number from 0 to {MAX_SERVERS}")
    return int(written)


def _say_wait(seconds: float) -> None:
    if seconds >= NOTICEABLE_SECONDS:
        print(f"Discord asks us to wait for {seconds:.0f} s ...", file=sys.stderr)


def _invite(options: argparse.Namespace) -> int:
    from bot.discord_ui.gateway.invite import INVITE_PERMISSIONS, invite_link  # noqa: PLC0415 - imports discord.py
    from bot.doctor.discord_account import Account, DiscordRefused, Unreachable  # noqa: PLC0415

    settings = load_settings()
    if settings.token is None:
        print("There is no token: write DISCORD_TOKEN into .env first.", file=sys.stderr)
        return WRONG_SETTINGS

    async def ask(token: str) -> dict[str, Any]:
        async with Account(settings.discord_api_url, token, _say_wait) as account:
            return await account.application()

    try:
        application = asyncio.run(ask(settings.token.get_secret_value()))
    except Unreachable as fault:
        print(f"Discord cannot be reached ({fault}). Check the network.", file=sys.stderr)
        return FAILED
    except DiscordRefused as refused:
        if refused.status == 401:
            print(DISCORD_REFUSES, file=sys.stderr)
            return REFUSED
        print(f"{refused}. Wait a while; see discordstatus.com.", file=sys.stderr)
        return FAILED
    link = invite_link(int(application["id"]))
    if options.json:
        permissions = str(INVITE_PERMISSIONS.value)
        print(json.dumps({"application": application["id"], "permissions": permissions, "link": link}))
    else:
        print(link)
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from bot.findings import Level  # noqa: PLC0415

    with Progress("servers") as progress:
        findings = asyncio.run(_examine(load_settings(), options, progress))
    well = all(finding.level is not Level.BAD for finding in findings)
    if options.json:
        print(json.dumps({"well": well, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        print(*_lines(findings), sep="\n")
        print("All is well." if well else "Something needs to be fixed.")
    return 0 if well else FAILED


async def _examine(settings: Settings, options: argparse.Namespace, progress: Progress) -> list[Any]:
    from bot.doctor.discord_account import Account, examine_account  # noqa: PLC0415
    from bot.doctor.machine import examine_env_file, examine_machine  # noqa: PLC0415
    from bot.pictures.game import emoji_names  # noqa: PLC0415
    from bot.store.opening import database_of  # noqa: PLC0415

    findings = [*examine_machine(database_of(settings), settings.database_path), *examine_env_file(Path(".env"))]
    if options.offline:
        return findings
    if settings.token is None:
        return [*findings, _no_token()]
    names = await _command_names()
    emojis = emoji_names() if settings.emojis else ()
    async with Account(settings.discord_api_url, settings.token.get_secret_value(), _say_wait) as account:
        return findings + [each async for each in examine_account(account, names, emojis, options.servers, progress)]


def _no_token() -> Any:
    """Without the sandbox, as in the image, a bot needs a token."""
    from bot.findings import bad, note  # noqa: PLC0415

    says = "there is none, so Discord was not asked"
    if find_spec("sandbox") is None:
        return bad("token", says, "Set DISCORD_TOKEN or DISCORD_TOKEN_FILE.")
    return note("token", f"{says}: this bot plays on the sandbox only", "For Discord, set DISCORD_TOKEN.")


async def _command_names() -> list[str]:
    """Return the names of all slash commands that this version of the bot has."""
    import discord  # noqa: PLC0415
    from discord.ext import commands  # noqa: PLC0415

    from bot.run import EXTENSIONS  # noqa: PLC0415 - importing it registers the games

    bot = commands.Bot(commands.when_mentioned, intents=discord.Intents.none())
    for extension in EXTENSIONS:
        await bot.load_extension(extension)
    return [command.name for command in bot.tree.get_commands(type=discord.AppCommandType.chat_input)]


def _lines(findings: Iterable[Any]) -> Iterable[str]:
    for finding in findings:
        yield f"{MARKS[finding.level]} {finding.check}: {finding.says}."
        if finding.fix is not None:
            yield f"       → {finding.fix}{f' {finding.link}' if finding.link else ''}"

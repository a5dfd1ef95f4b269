"""`run`, `play`, and what `python -m bot` does without a command."""

from __future__ import annotations

import argparse
import asyncio
import sys
from importlib.util import find_spec

from bot.cli.command import Commands, add_command
from bot.exit_codes import WRONG_SETTINGS
from bot.settings import Settings, WrongSettings, load_settings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `python -m bot` without a command."""
    _add_open(parser)
    _add_until_input_ends(parser)


def add_commands(commands: Commands) -> None:
    """Add `run` and `play`."""
    running = add_command(
        commands,
        "run",
        "run the bot on Discord, until Ctrl-C or SIGTERM",
        run=_run,
        example="run",
        more="The token comes from DISCORD_TOKEN or DISCORD_TOKEN_FILE, in the environment or in .env.",
    )
    _add_until_input_ends(running)
    running.set_defaults(logs=True)
    running.add_argument("--ignore-env-file", action="store_true", help=argparse.SUPPRESS)  # for `play`
    playing = add_command(
        commands,
        "play",
        "play on the sandbox, a small Discord in your browser; needs no token",
        run=_play,
        example="play --open",
        more="SCENE, KEEP and SANDBOX_PORT choose what is there; see docs/configuration.md.",
    )
    _add_open(playing)


def run_or_play(options: argparse.Namespace) -> int:
    """Run the bot if there is a token, otherwise play on the sandbox."""
    settings = load_settings()
    if settings.token is None:
        return _on_sandbox(settings, open_browser=options.open)
    return _on_discord(settings, until_input_ends=options.until_input_ends)


def _run(options: argparse.Namespace) -> int:
    settings = load_settings(env_file=not options.ignore_env_file)
    if settings.token is None:
        raise WrongSettings(["There is no token: set DISCORD_TOKEN, or play without one: python -m bot play."])
    return _on_discord(settings, until_input_ends=options.until_input_ends)


def _play(options: argparse.Namespace) -> int:
    return _on_sandbox(load_settings(), open_browser=options.open)


def _on_discord(settings: Settings, *, until_input_ends: bool) -> int:
    from bot.run import run  # noqa: PLC0415 - few commands need discord.py

    return asyncio.run(run(settings, until_input_ends=until_input_ends))


def _on_sandbox(settings: Settings, *, open_browser: bool) -> int:
    if find_spec("sandbox") is None:
        print(
            "The sandbox is not installed here (the Docker image leaves it out):"
            " set DISCORD_TOKEN, or play from a clone of the project.",
            file=sys.stderr,
        )
        return WRONG_SETTINGS
    from bot.play import play  # noqa: PLC0415 - a bot on Discord does not need the sandbox

    # By default the sandbox prints its address and nothing else.
    level = settings.log_level if "log_level" in settings.model_fields_set else "WARNING"
    return asyncio.run(play(open_browser=open_browser, log_level=level, ignore_env_file=settings.token is not None))


def _add_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--open", action="store_true", help="open the sandbox in the browser")


def _add_until_input_ends(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--until-input-ends", action="store_true", help="stop as soon as standard input is closed")

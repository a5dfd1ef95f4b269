"""`health`: whether the bot is well. `bot.__main__` answers it without this module if it can."""

from __future__ import annotations

import argparse

from bot import health
from bot.cli.command import Commands, add_command
from bot.exit_codes import FAILED
from bot.settings import WrongSettings, load_settings


def add_commands(commands: Commands) -> None:
    """Add `health`."""
    add_command(
        commands,
        "health",
        "say in one line whether the bot on this database is well",
        run=_health,
        example="health && echo all is well",
        more="Exit code 0 if it is, 1 if it is not.",
    )


def _health(_: argparse.Namespace) -> int:
    try:
        return health.report(load_settings().database_path)
    except WrongSettings as wrong:
        print(f"unwell: {wrong.lines[0]}")
        return FAILED

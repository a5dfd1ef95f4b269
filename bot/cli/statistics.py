"""`stats rebuild`: counts all finished games again."""

from __future__ import annotations

import argparse

from bot.cli.command import Commands, add_command
from bot.cli.progress import Progress
from bot.settings import load_settings


def add_commands(commands: Commands) -> None:
    """Add `stats`."""
    stats = add_command(
        commands,
        "stats",
        "look after the statistics: rebuild them from the log of all games",
        run=_rebuild,
        example="stats rebuild",
        more="Stop the bot first. An interrupted rebuild leaves the old statistics.",
    )
    stats.add_argument(
        "what", metavar="rebuild", choices=("rebuild",), help="count all finished games again, from the log"
    )


def _rebuild(_: argparse.Namespace) -> int:
    import bot.games.registry  # noqa: F401, PLC0415 - importing it registers the games, which are counted
    from bot.store.opening import database_of  # noqa: PLC0415 - few commands need the store

    with Progress("games") as progress:
        games = database_of(load_settings()).rebuild(progress)
    print(f"The statistics of {games} games are rebuilt.")
    return 0

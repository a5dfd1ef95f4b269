"""`cluster`: many bot processes on this machine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from bot.cli.command import Commands, add_command
from bot.exit_codes import DATABASE, WRONG_SETTINGS
from bot.settings import load_settings

MAX_PROCESSES = 256
"""Cap on `--processes`, far above what one machine can use."""


def add_commands(commands: Commands) -> None:
    """Add `cluster`."""
    cluster = add_command(
        commands,
        "cluster",
        "run many bot processes on this machine, and start them again when they die",
        run=_cluster,
        example="cluster --processes 4",
        more=(
            "They share one PostgreSQL database (DATABASE_URL) and the bot's shards: as many as SHARD_COUNT says, or as"
            " Discord recommends. A spare waits until a process dies, and takes its place at once."
        ),
    )
    cluster.add_argument("--processes", type=_count(1), required=True, metavar="N", help="how many processes serve")
    cluster.add_argument("--spares", type=_count(0), default=1, metavar="N", help="how many wait (1 unless you say so)")
    cluster.add_argument("--ignore-env-file", action="store_true", help=argparse.SUPPRESS)


def _count(least: int) -> Callable[[str], int]:
    def read(written: str) -> int:
        if not written.isascii() or not written.isdigit() or not least <= int(written) <= MAX_PROCESSES:
            raise argparse.ArgumentTypeError(f"use a number from {least} to {MAX_PROCESSES}")
        return int(written)

    return read


def _cluster(options: argparse.Namespace) -> int:
    settings = load_settings(env_file=not options.ignore_env_file)
    if settings.token is None:
        print("There is no token: set DISCORD_TOKEN.", file=sys.stderr)
        return WRONG_SETTINGS
    if settings.database_url is None:
        print("A SQLite file serves one process only: set DATABASE_URL for many.", file=sys.stderr)
        return DATABASE
    from bot.cluster import run_cluster  # noqa: PLC0415 - the other commands do not need it

    passed_on = ["--ignore-env-file"] if options.ignore_env_file else []
    return asyncio.run(run_cluster(settings, options.processes, options.spares, passed_on))

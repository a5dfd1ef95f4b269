"""`store copy`: copies everything from SQLite to PostgreSQL, or back."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import ExitStack
from typing import Final

from bot.cli.command import Commands, add_command
from bot.cli.progress import Progress
from bot.settings import Settings, WrongSettings, check_postgres_address, load_settings

SQLITE: Final = "sqlite"
POSTGRES: Final = "postgres"


def add_commands(commands: Commands) -> None:
    """Add `store`."""
    store = add_command(
        commands,
        "store",
        "copy everything from SQLite to PostgreSQL, or back; stop the bot first",
        run=_copy,
        example="store copy sqlite postgres",
        more="FROM and TO are a file, an address (postgresql://…), or sqlite and postgres for DATABASE_PATH and"
        " DATABASE_URL. TO must be empty. The copy is checked table by table. If it is interrupted, the same command"
        " goes on with it. FROM is not changed.",
    )
    store.add_argument("what", metavar="copy", choices=("copy",), help="copy everything")
    store.add_argument("source", metavar="FROM", help="what to copy")
    store.add_argument("target", metavar="TO", help="where to")
    store.add_argument("--start-over", action="store_true", help="delete an unfinished copy in TO, and begin again")


def _copy(options: argparse.Namespace) -> int:
    from bot.store.opening import is_postgres, side_of  # noqa: PLC0415 - few commands need the store
    from bot.store.transfer import Copied, Side, transfer  # noqa: PLC0415

    settings = load_settings()
    source, target = _address(options.source, settings), _address(options.target, settings)
    if is_postgres(source) == is_postgres(target):
        instead = "pg_dump and pg_restore" if is_postgres(source) else "python -m bot backup"
        raise WrongSettings([f"Both are of the same kind. To copy one to another of its kind, use {instead}."])
    for address in filter(is_postgres, (source, target)):
        _check(address)
    sides: tuple[Side, Side] = (side_of(source), side_of(target))

    async def run() -> list[Copied]:
        bars = ExitStack()

        def bar(what: str) -> Progress:
            bars.close()  # one at a time
            return bars.enter_context(Progress(what))

        try:
            return await transfer(*sides, bar, start_over=options.start_over)
        finally:
            bars.close()
            for side in sides:
                await side.close()

    copied = asyncio.run(run())
    for table in copied:
        print(f"{table.table:<12} {table.rows:>12,} rows  {table.checksum or '-'}")
    total = sum(table.rows for table in copied)
    print(f"Copied and checked: {total:,} rows from {sides[0].name} to {sides[1].name}.")
    if is_postgres(target):
        print("Set DATABASE_URL to it, and start the bot. Delete the file when you no longer need it.")
    else:
        print("Remove DATABASE_URL, set DATABASE_PATH to the file, and start the bot.")
    return 0


def _check(address: str) -> None:
    try:
        check_postgres_address(address)
    except ValueError as fault:
        raise WrongSettings([f"The PostgreSQL address {fault}."]) from None


def _address(written: str, settings: Settings) -> str:
    """Return the file or the address that an argument means."""
    if written == SQLITE:
        return str(settings.database_path)
    if written != POSTGRES:
        return written
    if settings.database_url is None:
        raise WrongSettings(["DATABASE_URL is not set: set it, or name the database by its address."])
    return settings.database_url.get_secret_value()

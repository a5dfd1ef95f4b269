"""`backup` and `restore`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.cli.command import Commands, add_command
from bot.cli.progress import Progress, size
from bot.exit_codes import WRONG_SETTINGS
from bot.settings import Settings, WrongSettings, load_settings


def add_commands(commands: Commands) -> None:
    """Add `backup` and `restore`."""
    backing_up = add_command(
        commands,
        "backup",
        "copy the database to a file, also while the bot is running",
        run=_back_up,
        example="backup /mnt/usb/coyote-friday.sqlite3",
        more="The copy is checked before it gets its name. Without FILE it goes to BACKUP_FOLDER, named by the time.",
    )
    backing_up.add_argument("file", nargs="?", type=Path, metavar="FILE", help="where to; must not exist yet")
    restoring = add_command(
        commands,
        "restore",
        "put a backup in the place of the database; stop the bot first",
        run=_restore,
        example="restore data/backups/coyote-2026-11-18-103000.sqlite3 --overwrite --confirm coyote.sqlite3",
        more="A database that is there is kept beside it under another name, and only if you say so twice.",
    )
    restoring.add_argument("file", type=Path, metavar="FILE", help="the backup")
    restoring.add_argument("--overwrite", action="store_true", help="replace the database that is there")
    restoring.add_argument("--confirm", metavar="NAME", help="the name of that database, to say so a second time")


def _back_up(options: argparse.Namespace) -> int:
    from bot.store.sqlite.backup import back_up, name_of  # noqa: PLC0415 - few commands need the store

    settings = _settings()
    target: Path = options.file or settings.backups / name_of(settings.database_path, time.time())
    with Progress("KB") as progress:
        made = back_up(settings.database_path, target, progress)
    print(f"Backed up and checked: {made.path} ({size(made.size)}).")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from bot.store.erasures import DAY_SECONDS  # noqa: PLC0415
    from bot.store.sqlite.backup import inspect, restore  # noqa: PLC0415

    settings = _settings()
    database = settings.database_path
    backup = inspect(options.file)
    made = datetime.fromtimestamp(backup.made_at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    there = os.path.isfile(database) and os.path.getsize(database) > 0  # noqa: PTH113, PTH202 - pathlib may raise
    if there and not _may_overwrite(options, database.name, made):
        return WRONG_SETTINGS
    with Progress("KB") as progress:
        done = restore(options.file, database, overwrite=there, progress=progress)
    print(f"Restored: {database} is as it was on {made}.")
    if done.replaced is not None:
        print(f"The database from before is {done.replaced}; the bot deletes it after {settings.retention_days} days.")
    if done.erased_again:
        people = "1 person has" if done.erased_again == 1 else f"{done.erased_again} people have"
        print(f"{people} deleted their data since then: the bot does so again when it starts.")
    if done.erased_again is None or time.time() - backup.made_at > settings.retention_days * DAY_SECONDS:
        print("People who have deleted their data since then are back: nothing here remembers them.", file=sys.stderr)
    return 0


def _settings() -> Settings:
    settings = load_settings()
    if settings.database_url is not None:
        raise WrongSettings(["This bot's data is in PostgreSQL (DATABASE_URL): use pg_dump and pg_restore."])
    return settings


def _may_overwrite(options: argparse.Namespace, name: str, made: str) -> bool:
    """Return whether the user asked for it twice: with `--overwrite`, and by the name of the database."""
    if not options.overwrite:
        print(f"{name} exists. To replace it with the backup of {made}, add: --overwrite", file=sys.stderr)
        return False
    confirmed = options.confirm
    if confirmed is None and sys.stdin.isatty():
        confirmed = input(f"This replaces {name} with the backup of {made}. Type {name} to go on: ").strip()
    if confirmed != name:
        print(f"Nothing was changed. To replace {name}, also add: --confirm {name}", file=sys.stderr)
        return False
    return True

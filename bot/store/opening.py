"""Chooses the store by the settings: the only module that knows all kinds of them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from bot.settings import Settings
from bot.store.ports import BackupPlan, Database
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.transfer import SqliteSide
from bot.store.transfer import Side


def database_of(settings: Settings) -> Database:
    """Return the database that the settings name; nothing is opened yet."""
    if settings.database_url is not None:
        # Only who uses PostgreSQL waits for its driver to be loaded.
        from bot.store.postgres.database import PostgresDatabase  # noqa: PLC0415

        name = (settings.process_name or f"{socket.gethostname()}.{os.getpid()}")[:40]
        return PostgresDatabase(settings.database_url.get_secret_value(), name if settings.is_one_of_many else None)
    plan = BackupPlan(settings.backups, settings.backup_every_hours, settings.backup_keep)
    return SqliteDatabase(settings.database_path, plan)


def is_postgres(address: str) -> bool:
    """Return whether an address names a PostgreSQL database, and not a file."""
    return address.startswith(("postgresql://", "postgres://"))


def side_of(address: str) -> Side:
    """Return the database at an address, to copy from it or to it; nothing is opened yet."""
    if is_postgres(address):
        from bot.store.postgres.transfer import PostgresSide  # noqa: PLC0415 - as above

        return PostgresSide(address)
    return SqliteSide(Path(address))

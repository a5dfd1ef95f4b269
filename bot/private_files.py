"""Keeps the bot's files for their owner alone: the database holds every hand in plain text."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

PRIVATE_FILE: Final = 0o600
"""The mode of a file that only its owner may read and write."""
PRIVATE_FOLDER: Final = 0o700
"""The mode of a folder that only its owner may enter."""


def open_private(path: str, flags: int) -> int:
    """Open a file, which only its owner can read if it is new; to be used as `opener`."""
    return os.open(path, flags, PRIVATE_FILE)


def give_to_owner(path: Path, like: Path) -> None:
    """Give a file or folder that root has made to the owner of another one; else the bot could not open it."""
    if os.geteuid() != 0:
        return
    there, now = like.stat(), path.lstat()
    if (there.st_uid, there.st_gid) == (now.st_uid, now.st_gid):
        return
    try:
        os.chown(path, there.st_uid, there.st_gid, follow_symlinks=False)
    except OSError as fault:  # a container may forbid it, even to root
        log.warning("%s stays with root (%s)", path, fault.strerror)


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it, which only the owner of the first one that exists can open."""
    if not folder.is_dir():
        make_private_folder(folder.parent)
        folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
        give_to_owner(folder, folder.parent)


def make_private(files: Iterable[Path]) -> None:
    """Take away everybody else's access to files that exist; a file of another owner is only reported."""
    for file in files:
        try:
            if stat.S_IMODE(file.stat().st_mode) & ~PRIVATE_FILE:
                file.chmod(PRIVATE_FILE)
        except FileNotFoundError:
            continue
        except OSError as fault:
            log.warning("%s may be read by others (%s)", file, fault.strerror)

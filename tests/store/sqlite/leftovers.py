"""Searches the raw bytes of a database's files for a user, in every form in which SQLite may have written them."""

from __future__ import annotations

import json
import struct
from mmap import ACCESS_READ, mmap
from pathlib import Path


def spellings(user: int, *names: str) -> dict[str, bytes]:
    """Return every written form of an id and names. Follows SQLite's file format, and uses none of the bot's code."""
    found = {
        "text": str(user).encode(),
        "eight bytes": struct.pack(">q", user),
        "little-endian": struct.pack("<q", user),
    }
    if user < 1 << 47:
        found["six bytes"] = struct.pack(">q", user)[2:]
    groups, rest = [], user
    if user >= 1 << 56:
        groups, rest = [user & 0xFF], user >> 8
    while rest or not groups:
        groups.append(rest & 0x7F | (0x80 if groups else 0))
        rest >>= 7
    found["row number"] = bytes(reversed(groups))
    for name in names:
        found[f"name {name}"] = json.dumps(name, ensure_ascii=False)[1:-1].encode()
        found[f"name {name}, spelled out"] = json.dumps(name)[1:-1].encode()
    return found


def leftovers(path: Path, user: int, *names: str) -> list[tuple[str, str]]:
    """Return the files of the database in which the user is found, each with the written form."""
    wanted = spellings(user, *names)
    files = [file for file in sorted(path.parent.iterdir()) if file.name.startswith(path.name) and file.is_file()]
    return [(file.name, how) for file in files for how, written in wanted.items() if _holds(file, written)]


def _holds(file: Path, wanted: bytes) -> bool:
    """Whether a file, which may be larger than the memory, contains these bytes."""
    if not file.stat().st_size:
        return False
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(wanted) >= 0

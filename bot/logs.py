"""What goes to the log: our own words at the level that the host sets, never a feather or a token."""

from __future__ import annotations

import logging
from typing import Final

_TELLTALES: Final = ("discord.http", "discord.gateway", "discord.webhook", "aiosqlite")
"""Loggers that print message bodies, whole events, interaction tokens or rows at DEBUG."""


def set_up_logs(level: str) -> None:
    """Log to standard error at `level`; what would print secrets stays at INFO or above."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s", force=True)
    for name in _TELLTALES:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))

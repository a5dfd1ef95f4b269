"""Logging to standard error, without cards, tokens or other secrets."""

from __future__ import annotations

import logging
from typing import Final

_INDISCREET: Final = ("discord.http", "discord.gateway", "discord.webhook", "aiosqlite")
"""Loggers that print message bodies, events, interaction tokens or database rows at DEBUG."""


def set_up_logs(level: str) -> None:
    """Log to standard error at `level`; loggers that would print secrets stay at INFO or above."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s", force=True)
    for name in _INDISCREET:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))

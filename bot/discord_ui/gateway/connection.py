"""The way in to Discord: how often a bot may still log in today, and whether the connection lives."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any, Final

import discord

log = logging.getLogger(__name__)

PLENTY: Final = 100
"""With more logins than this left of the thousand a day, nobody needs to wait."""
ANSWER_WITHIN: Final = 10.0
"""Seconds after the next heartbeat is due by which Discord must have answered the last one."""


def wait_for(limit: Mapping[str, Any], shards: int) -> float:
    """Return how many seconds to wait before the bot logs in.

    A bot that crashes and is started again and again would use up its logins, and Discord would then reset its token.
    So what is left is spread over the time until there are new ones.
    """
    left, reset = int(limit.get("remaining", PLENTY + shards)), float(limit.get("reset_after", 0)) / 1000
    if left >= PLENTY + shards:
        return 0.0
    starts = left // max(1, shards)
    return reset / starts if starts else reset


def gateway_troubles(bot: discord.AutoShardedClient) -> list[str]:
    """Say which connections are not there, or only seem to be."""
    if not bot.shards:
        return ["not connected to Discord yet"]
    troubles = []
    for shard in bot.shards.values():
        silent = _silence(shard)
        if shard.is_closed():
            troubles.append(f"shard {shard.id} is not connected to Discord")
        elif silent is not None and silent > ANSWER_WITHIN:
            troubles.append(f"shard {shard.id} has heard nothing from Discord for too long ({silent:.0f} s)")
    return troubles


class Lines:
    """The bot's connections to Discord, by shard."""

    def __init__(self, bot: discord.AutoShardedClient) -> None:
        self._bot = bot

    @property
    def count(self) -> int:
        """How many there should be; 0: that is not known yet."""
        return self._bot.shard_count or 0

    def silence(self, shard: int) -> float | None:
        """Return for how many seconds Discord has been silent for too long: 0 if it is not; None: no connection."""
        found = self._bot.get_shard(shard)
        if found is None or found.is_closed():
            return None
        silent = _silence(found) or 0.0
        return silent if silent > ANSWER_WITHIN else 0.0


def _silence(shard: discord.ShardInfo) -> float | None:
    """Return how many seconds the answer to a heartbeat is overdue; discord.py has no public word for it."""
    keeper = getattr(shard._parent.ws, "_keep_alive", None)
    if keeper is None or keeper.interval is None:
        return None
    overdue: float = time.perf_counter() - keeper._last_ack - keeper.interval
    return overdue

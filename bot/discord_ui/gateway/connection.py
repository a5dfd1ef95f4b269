"""Watches the bot's connections to Discord: when it may log in, and whether each shard is alive."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

log = logging.getLogger(__name__)

PLENTY_OF_LOGINS: Final = 100
"""No login waits while this many of the day's thousand logins are left, in addition to one per shard."""
ACK_OVERDUE_SECONDS: Final = 10.0
"""How late the answer to a heartbeat may be before the connection counts as silent."""


def login_delay(limit: Mapping[str, Any], shards: int) -> float:
    """Return how many seconds to wait before the bot logs in.

    A bot that crashes and restarts in a loop would use up its logins, and Discord would reset its token. So the
    remaining logins are spread over the time until Discord grants new ones.
    """
    left, reset = int(limit.get("remaining", PLENTY_OF_LOGINS + shards)), float(limit.get("reset_after", 0)) / 1000
    if left >= PLENTY_OF_LOGINS + shards:
        return 0.0
    starts = left // max(1, shards)
    return reset / starts if starts else reset


def gateway_problems(client: discord.AutoShardedClient) -> list[str]:
    """Return a line for each connection that is missing or silent."""
    if not client.shards:
        return ["not connected to Discord yet"]
    problems = []
    for shard in client.shards.values():
        overdue = _ack_overdue(shard)
        if shard.is_closed():
            problems.append(f"shard {shard.id} is not connected to Discord")
        elif overdue is not None and overdue > ACK_OVERDUE_SECONDS:
            problems.append(f"shard {shard.id} has heard nothing from Discord for too long ({overdue:.0f} s)")
    return problems


class ShardConnections:
    """The bot's connections to Discord, by shard. See `bot.discord_ui.gateway.outages.Connections`."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client

    @property
    def count(self) -> int:
        """How many connections there should be; 0 until that is known."""
        return self._client.shard_count or 0

    @property
    def ids(self) -> Sequence[int]:
        """The shards of this process."""
        return self._client.shard_ids or range(self.count)

    def silence(self, shard: int) -> float | None:
        """Return for how many seconds a shard has been silent: 0 if it is healthy, None if it is not connected."""
        found = self._client.get_shard(shard)
        if found is None or found.is_closed():
            return None
        overdue = _ack_overdue(found) or 0.0
        return overdue if overdue > ACK_OVERDUE_SECONDS else 0.0


def _ack_overdue(shard: discord.ShardInfo) -> float | None:
    """Return how many seconds overdue a heartbeat's answer is. discord.py has no public way to ask."""
    heartbeat = getattr(shard._parent.ws, "_keep_alive", None)
    if heartbeat is None or heartbeat.interval is None:
        return None
    overdue: float = time.perf_counter() - heartbeat._last_ack - heartbeat.interval
    return overdue

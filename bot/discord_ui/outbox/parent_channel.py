"""A thread that is closed to the bot is closed to its players, too: the channel above it hears why a table waits."""

from __future__ import annotations

import logging

from bot.discord_ui.drawing import spoken_at
from bot.discord_ui.gateway.guilds import spoken_permission
from bot.discord_ui.wire.rest import Outgoing, Passing, Refused, Wire
from bot.host.model import Table
from bot.screens.answers import permission_text

log = logging.getLogger(__name__)


async def tell_above(out: Wire, table: Table, missing: str) -> None:
    """Say once above a table's thread that it waits there, and for what; if that cannot be said, nothing is lost."""
    try:
        above = await out.above(table.channel)
        if above is not None:
            line = permission_text(spoken_at(table), table.channel, spoken_permission(missing))
            await out.post(above, Outgoing(line), f"w{table.id}.{table.seq}")
    except (Refused, Passing) as fault:
        log.info("table %s: nobody could be told why it waits, %s", table.id, fault)

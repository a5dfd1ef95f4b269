"""Tells a thread's parent channel why a table waits: nobody can write in a closed thread."""

from __future__ import annotations

import logging

from bot.discord_ui.drawing import table_texts
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.host.model import Table
from bot.screens.answers import permission_text

log = logging.getLogger(__name__)


async def tell_parent_channel(rest: Rest, table: Table, missing: str) -> None:
    """Post once in the parent channel which permission a table's thread waits for; a failure is only logged."""
    try:
        parent = await rest.parent_of(table.channel)
        if parent is not None:
            line = permission_text(table_texts(table), table.channel, missing)
            await rest.post(parent, Outgoing(line), f"w{table.id}.{table.seq}")
    except (RequestRefused, TemporaryFailure) as fault:
        log.info("table %s: could not tell the parent channel why the table waits, %s", table.id, fault)

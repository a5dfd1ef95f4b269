"""The one error boundary: every interaction is answered within three seconds, whatever happens."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import discord

from bot import metrics
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import Table
from bot.host.ports import Fault, StoreFault
from bot.screens.answers import failure_text, storage_text

log = logging.getLogger(__name__)

DEFER_AFTER_SECONDS: Final = 2.0
"""How long an interaction may take before it is deferred; Discord waits for three seconds."""


@asynccontextmanager
async def answered(context: Context) -> AsyncIterator[None]:
    """Answer the user whatever happens inside: explain a refusal, apologise for a fault of ours, never stay silent."""
    timer = asyncio.get_running_loop().call_later(DEFER_AFTER_SECONDS, context.defer_soon)
    with context.waiting():
        try:
            try:
                yield
                await context.note_language()
            except Rejected as refused:
                metrics.REFUSALS.labels(refused.reason).inc()
                await context.refuse(refused)
            except StoreFault as fault:
                level = logging.INFO if fault.fault is Fault.CLOSED else logging.ERROR
                log.log(level, "interaction %s: nothing was changed, %s", context.id, fault)
                await context.tell(storage_text(context.say), beside=True)
        except Exception:
            record = secrets.token_hex(2).upper()
            log.exception("record %s: interaction %s failed at table %s", record, context.id, context.table_id)
            await apologise(context, record)
        finally:
            timer.cancel()


@asynccontextmanager
async def answered_at_table(context: Context) -> AsyncIterator[Table | None]:
    """Answer a slash command about the table of the channel in which it was typed, and yield that table."""
    async with answered(context):
        yield await context.find_table()  # without one, a handler that needs a table raises Rejected


async def apologise(context: Context, record: str) -> None:
    """Say privately that it was our fault, if the user can still be reached."""
    try:
        await context.tell(failure_text(context.say, record, saved=context.saved), beside=True)
    except discord.HTTPException as unreachable:
        log.warning("record %s: no apology possible (%s)", record, unreachable.code)

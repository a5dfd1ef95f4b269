"""The one error boundary: every interaction gets an answer within three seconds, whatever happens on the way to it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import discord

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.ports import Fault, StoreFault
from bot.screens.answers import failure_text, storage_text

log = logging.getLogger(__name__)

PATIENCE: Final = 2.0
"""Seconds after which an interaction is deferred; Discord waits for three."""


@asynccontextmanager
async def answered(context: Context) -> AsyncIterator[None]:
    """Answer the person whatever happens inside: a refusal kindly, a fault of ours with an apology, never silence."""
    timer = asyncio.get_running_loop().call_later(PATIENCE, context.defer_soon)
    publisher = context.bot.publisher
    publisher.people_waiting += 1
    try:
        try:
            yield
        except Rejected as refused:
            await context.refuse(refused)
        except StoreFault as fault:
            level = logging.INFO if fault.fault is Fault.CLOSED else logging.ERROR
            log.log(level, "interaction %s: nothing was changed, %s", context.id, fault)
            await context.tell(storage_text(context.say))
    except Exception:
        record = secrets.token_hex(2).upper()
        log.exception("record %s: interaction %s failed at table %s", record, context.id, context.table_id)
        await apologise(context, record)
    finally:
        publisher.people_waiting -= 1
        timer.cancel()


async def apologise(context: Context, record: str) -> None:
    """Say privately that it was our fault, if the person can still be reached."""
    try:
        await context.tell(failure_text(context.say, record, saved=context.saved))
    except discord.HTTPException as unreachable:
        log.warning("record %s: no apology possible (%s)", record, unreachable.code)

"""The one error boundary: every interaction gets an answer, whatever happens on the way to it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.text.catalogue import catalogue

log = logging.getLogger(__name__)

ALREADY_ANSWERED = 40060
UNKNOWN_INTERACTION = 10062


@asynccontextmanager
async def answering(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Answer the person if what happens inside fails: an apology with a record number, never silence."""
    try:
        yield
    except Exception:
        record = secrets.token_hex(2).upper()
        log.exception("record %s: interaction %s failed", record, interaction.id)
        await apologise(interaction, record)


async def apologise(interaction: discord.Interaction, record: str) -> None:
    """Say privately that it was our fault, if the person can still be reached."""
    text = catalogue(interaction.locale.value)("failure.ours", record=record)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
    except discord.HTTPException as unreachable:
        log.warning("record %s: no apology possible (%s)", record, unreachable.code)

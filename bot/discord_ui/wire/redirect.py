"""Points discord.py at another address than Discord's: a proxy, or the sandbox."""

from __future__ import annotations

import discord.gateway
import discord.http
from yarl import URL

from bot.settings import Settings


def redirect(settings: Settings) -> None:
    """Send REST, webhooks, callbacks and the gateway to the configured addresses. Call it before a client is made."""
    discord.http.Route.BASE = settings.discord_api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.discord_gateway_url)

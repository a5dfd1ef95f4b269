"""Examines the bot's account at Discord: token, application, commands, emojis, and permissions in each server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final

import aiohttp
import discord

from bot.discord_ui.gateway.connection import PLENTY_OF_LOGINS
from bot.discord_ui.gateway.invite import INVITE_PERMISSIONS, invite_link
from bot.findings import Finding, bad, good, note
from bot.screens.answers import permission_name
from bot.text.catalogue import catalogue
from bot.version import VERSION

Progress = Callable[[int, int], None]
PORTAL: Final = "https://discord.com/developers/applications"
TIMEOUT_SECONDS: Final = 15.0
"""How long Discord may take to answer one request."""
MAX_TRIES: Final = 5
"""How many times a request that meets a rate limit is made."""
MAX_WAIT_SECONDS: Final = 30.0
"""How long a rate limit may last for the doctor to wait for its end."""
GUILDS_PER_PAGE: Final = 200
"""How many servers Discord lists at once, at most."""
MAX_CLOCK_ERROR_SECONDS: Final = 30.0
"""How wrong the machine's clock may be. Discord and players see the times that the bot writes."""
TEXT_CHANNELS: Final = (0, 5)
"""Discord's numbers for text and announcement channels."""
MAX_EMOJIS: Final = 2000
"""How many emojis Discord allows an application."""
PLAYING: Final = discord.Permissions(view_channel=True, send_messages=True)
"""What a table needs in a channel; without the rest of what the invitation asks for, something is missing there."""
PRIVILEGED: Final = (1 << 12 | 1 << 13, 1 << 14 | 1 << 15, 1 << 18 | 1 << 19)
"""Flags of an application with privileged intents: presence, members, message content."""


MOST_CHANNELS: Final = 10
"""How many channels of a server are named."""
_OTHER_SHAPES: Final = (KeyError, TypeError, ValueError, AttributeError)
"""Raised by an answer that is not as Discord's documentation says."""


class Unreachable(Exception):
    """Discord did not answer."""


class DiscordRefused(Exception):
    """Discord refused a request."""

    def __init__(self, status: int) -> None:
        super().__init__(f"Discord answered {status}")
        self.status = status


class Nonsense(Unreachable):
    """Something answered, but not as Discord does: perhaps a proxy, or a page to log in to a network."""

    def __init__(self) -> None:
        super().__init__("what answers there does not speak as Discord does")


class Account:
    """Asks Discord about the bot, with its token. Use it as a context manager."""

    def __init__(self, api_url: str, token: str, waiting: Callable[[float], None] = lambda _: None) -> None:
        """`waiting` is told for how many seconds a rate limit makes us wait."""
        self._waiting = waiting
        self._api_url = api_url
        self._headers = {
            "Authorization": f"Bot {token}",
            "User-Agent": f"DiscordBot (Coyote Table, {VERSION})",
        }
        self.clock_error = 0.0
        """By how many seconds this machine's clock is ahead of Discord's."""

    async def __aenter__(self) -> Account:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=timeout, trust_env=True)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def application(self) -> dict[str, Any]:
        """Return the bot's application."""
        found = await self.get("/applications/@me")
        if not isinstance(found, dict) or not str(found.get("id")).isdigit() or "name" not in found:
            raise Nonsense
        return found

    async def guilds(self) -> list[dict[str, Any]]:
        """Return all servers that the bot is in."""
        found: list[dict[str, Any]] = []
        while True:
            after = f"&after={found[-1]['id']}" if found else ""
            page = await self.get(f"/users/@me/guilds?limit={GUILDS_PER_PAGE}{after}")
            if not isinstance(page, list) or not all(
                isinstance(each, dict) and {"id", "name"} <= {*each} for each in page
            ):
                raise Nonsense
            found += page
            if len(page) < GUILDS_PER_PAGE:
                return found

    async def get(self, path: str) -> Any:
        """Return Discord's answer; wait for a short rate limit, and raise Unreachable or DiscordRefused."""
        for _ in range(MAX_TRIES):
            try:
                async with self._session.get(f"{self._api_url}{path}") as answer:
                    self._compare_clocks(answer.headers.get("Date"))
                    if answer.status == 429:
                        await self._wait(answer.headers.get("Retry-After", "1"))
                        continue
                    if answer.status >= 400:
                        raise DiscordRefused(answer.status)
                    return await answer.json()
            except (ValueError, aiohttp.ContentTypeError) as fault:
                raise Nonsense from fault
            except (aiohttp.ClientError, TimeoutError, OSError) as fault:
                raise Unreachable(str(fault) or type(fault).__name__) from fault
        raise Unreachable("Discord's rate limit does not end")

    def _compare_clocks(self, written: str | None) -> None:
        with suppress(ValueError, OverflowError):  # a proxy may write nonsense
            if written is not None:
                self.clock_error = time.time() - parsedate_to_datetime(written).timestamp()

    async def _wait(self, written: str) -> None:
        """Wait for the end of a rate limit, unless it is far away."""
        seconds = float(written)
        if not 0 <= seconds <= MAX_WAIT_SECONDS:
            raise Unreachable(f"it wants us to wait for {seconds:,.0f} s; try again then")
        self._waiting(seconds)
        await asyncio.sleep(seconds)


async def examine_account(
    account: Account, commands: Sequence[str], emojis: Sequence[str], most_servers: int, progress: Progress
) -> AsyncIterator[Finding]:
    """Check the account; `commands` and `emojis` are the names that Discord should know."""
    try:
        application = await account.application()
    except Unreachable as fault:
        yield bad("Discord", f"it cannot be reached ({fault})", "Check the network, and DISCORD_API_URL if it is set.")
        return
    except DiscordRefused as refused:
        if refused.status == 401:
            yield bad("token", "Discord refuses it", "Copy the token again, from the page Bot.", PORTAL)
        else:
            yield bad("Discord", f"it answers {refused.status}", "Wait a while; see discordstatus.com.")
        return
    id_ = int(application["id"])
    yield good("Discord", "it can be reached")
    yield good("token", f"it belongs to {application['name']} ({id_})")
    yield _clock(account.clock_error)
    for finding in _settings(application, id_):
        yield finding
    yield await _logins(account)
    yield await _commands(account, id_, commands)
    yield await _emojis(account, id_, emojis)
    async for finding in _servers(account, id_, most_servers, progress):
        yield finding


def _clock(error: float) -> Finding:
    if abs(error) > MAX_CLOCK_ERROR_SECONDS:
        side = "ahead" if error > 0 else "behind"
        return bad(
            "clock", f"it is {abs(error):.0f} s {side}", "Let the machine set its clock: timedatectl set-ntp true"
        )
    return good("clock", "it agrees with Discord's")


def _settings(application: Mapping[str, Any], id_: int) -> list[Finding]:
    """Check what is set in Discord's developer portal."""
    portal, found = f"{PORTAL}/{id_}", []
    if application.get("interactions_endpoint_url"):
        found.append(
            bad(
                "application",
                "an interactions endpoint is set, so Discord sends no clicks to the bot",
                "Empty the field Interactions Endpoint URL.",
                f"{portal}/information",
            )
        )
    if application.get("bot_require_code_grant"):
        found.append(
            bad(
                "application",
                "it requires a code grant, so nobody can add the bot",
                "Turn off Requires OAuth2 Code Grant.",
                f"{portal}/bot",
            )
        )
    if "0" not in (application.get("integration_types_config") or {"0": {}}):
        found.append(
            bad(
                "application",
                "it cannot be installed in servers",
                "Turn on Guild Install on the page Installation.",
                f"{portal}/installation",
            )
        )
    if "1" not in (application.get("integration_types_config") or {"1": {}}):
        found.append(
            note(
                "application",
                "people cannot add it to their own account, to read rules and figures anywhere",
                "Turn on User Install on the page Installation, and start the bot again.",
                f"{portal}/installation",
            )
        )
    flags = int(application.get("flags") or 0)
    if any(flags & mask for mask in PRIVILEGED):
        found.append(
            note("intents", "privileged ones are on, which the bot does not need", "Turn them off.", f"{portal}/bot")
        )
    else:
        found.append(good("intents", "none that is privileged is on, and none is needed"))
    if not application.get("bot_public", True):
        found.append(
            note(
                "application",
                "only its owner can add the bot to servers",
                "If others are to add it, turn on Public Bot.",
                f"{portal}/bot",
            )
        )
    return found


async def _logins(account: Account) -> Finding:
    try:
        limit = (await account.get("/gateway/bot"))["session_start_limit"]
        left, says = int(limit["remaining"]), f"{limit['remaining']} of {limit['total']} logins are left today"
    except (Unreachable, DiscordRefused, *_OTHER_SHAPES) as fault:
        return bad("gateway", f"Discord names none ({_said(fault)})", "Wait a while; see discordstatus.com.")
    return (
        note("gateway", says, "See why the bot restarts so often.")
        if left < PLENTY_OF_LOGINS
        else good("gateway", says)
    )


async def _commands(account: Account, id_: int, wanted: Sequence[str]) -> Finding:
    try:
        known = {each["name"] for each in await account.get(f"/applications/{id_}/commands")}
    except (Unreachable, DiscordRefused, *_OTHER_SHAPES) as fault:
        return bad("commands", f"Discord does not list them ({_said(fault)})", "Try again.")
    missing = [name for name in wanted if name not in known]
    if missing:
        names = ", ".join(f"/{name}" for name in missing)
        return note("commands", f"Discord does not know {names} yet", "The bot registers them when it starts.")
    return good("commands", f"Discord knows all {len(wanted)}")


async def _emojis(account: Account, id_: int, wanted: Sequence[str]) -> Finding:
    """Check the bot's own emojis. Without them games work in words, so nothing here is bad."""
    if not wanted:
        return note("emojis", "EMOJIS=0 turns them off; messages have words alone", "Remove it, if you want them.")
    try:
        listed = (await account.get(f"/applications/{id_}/emojis"))["items"]
        known = {each["name"] for each in listed}
    except (Unreachable, DiscordRefused, *_OTHER_SHAPES) as fault:
        return note("emojis", f"Discord does not list them ({_said(fault)}); messages have words alone", "Try again.")
    missing = [name for name in wanted if name not in known]
    if not missing:
        return good("emojis", f"all {len(wanted)} are uploaded")
    says = (
        f"{len(wanted) - len(missing)} of {len(wanted)} are uploaded; a game has words alone until all of its own are"
    )
    page = f"{PORTAL}/{id_}/emojis"
    if len(listed) + len(missing) > MAX_EMOJIS:
        fix = f"Delete some others: the application has {len(listed)}, and Discord allows {MAX_EMOJIS}."
        return note("emojis", says, f"{fix} Then restart the bot.", page)
    fix = (
        "Let the bot run: it adds about one a second in the background."
        " If the number stays the same, its log says why; restart the bot to try again."
    )
    return note("emojis", says, fix, page)


async def _servers(account: Account, id_: int, most: int, progress: Progress) -> AsyncIterator[Finding]:
    try:
        guilds = await account.guilds()
    except (Unreachable, DiscordRefused, *_OTHER_SHAPES) as fault:
        yield bad("servers", f"Discord does not list them ({_said(fault)})", "Try again.")
        return
    if not guilds:
        yield note("servers", "the bot is in none", "Invite it.", invite_link(id_))
        return
    yield good("servers", f"the bot is in {len(guilds)}")
    for done, guild in enumerate(guilds[:most], 1):
        yield await _server(account, id_, guild)
        progress(done, min(most, len(guilds)))
    if len(guilds) > most:
        yield note("servers", f"only the first {most} were examined", f"For more: --servers {len(guilds)}")


async def _server(account: Account, id_: int, guild: Mapping[str, Any]) -> Finding:
    try:
        return await _examine_server(account, id_, guild)
    except (Unreachable, DiscordRefused, *_OTHER_SHAPES) as fault:
        return note(f"server {guild['name']}", f"it could not be examined ({_said(fault)})", "Try again.")


async def _examine_server(account: Account, id_: int, guild: Mapping[str, Any]) -> Finding:
    check, where = f"server {guild['name']}", f"/guilds/{guild['id']}"
    channels = await account.get(f"{where}/channels")
    roles = {role["id"]: int(role["permissions"]) for role in await account.get(f"{where}/roles")}
    member = await account.get(f"{where}/members/{id_}")
    held = [roles.get(role, 0) for role in (guild["id"], *member["roles"])]
    base = discord.Permissions(0)
    for value in held:
        base |= discord.Permissions(value)
    names = (guild["id"], tuple(member["roles"]), member["user"]["id"])
    rooms = [each for each in channels if each["type"] in TEXT_CHANNELS]
    given = [(f"#{each['name']}", permissions_in(base, each, *names)) for each in rooms]
    playable = [granted for _, granted in given if granted >= PLAYING]
    says = f"the bot can play in {len(playable)} of {len(rooms)} channels"
    link = invite_link(id_, int(guild["id"]))
    if lacking := _names(INVITE_PERMISSIONS & ~base) if not base.administrator else []:
        found = bad if rooms and not playable else note
        return found(check, f"{says}; its role lacks {', '.join(lacking)}", "Give it these permissions.", link)
    if rooms and not playable:
        fix = "Allow the bot's role there: the channel's settings, Permissions."
        return bad(check, f"{says}; the channels' own settings forbid it", fix, link)
    # Where it cannot even play, the rest does not matter: a channel may be shut to the bot on purpose.
    lacks = [(name, _names(INVITE_PERMISSIONS & ~granted)) for name, granted in given if granted >= PLAYING]
    incomplete = [f"{name} lacks {', '.join(missing)}" for name, missing in lacks if missing]
    shut = [name for name, granted in given if not granted >= PLAYING]
    says += f", but not in {', '.join(shut[:MOST_CHANNELS])}" if shut else ""
    says += f"; {'; '.join(incomplete[:MOST_CHANNELS])}" if incomplete else ""
    if not shut and not incomplete:
        return good(check, says)
    return note(check, says, "If it is to play there, allow its role there: the channel's settings, Permissions.")


def _said(fault: Exception) -> str:
    """Return what a fault says; a KeyError would say only what is missing."""
    return str(fault) if isinstance(fault, Unreachable | DiscordRefused) else str(Nonsense())


def permissions_in(
    base: discord.Permissions, channel: Mapping[str, Any], guild_id: str, roles: Sequence[str], user_id: str
) -> discord.Permissions:
    """Return the bot's permissions in a channel: its roles', then the channel's own rules in Discord's order."""
    if base.administrator:
        return discord.Permissions.all()
    own = {each["id"]: each for each in channel.get("permission_overwrites", ())}
    value = base.value
    for group in ([guild_id], roles, [user_id]):
        rules = [own[id_] for id_ in group if id_ in own]
        for rule in rules:
            value &= ~int(rule["deny"])
        for rule in rules:
            value |= int(rule["allow"])
    return discord.Permissions(value)


def _names(permissions: discord.Permissions) -> list[str]:
    return [permission_name(catalogue(), flag) for flag, given in permissions if given]

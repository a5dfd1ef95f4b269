"""Wraps one Discord interaction: who asks, where, in which language, and how they are answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord import InteractionType

from bot.discord_ui.drawing import draw_look
from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.gateway.permissions import spoken_permission
from bot.discord_ui.wire.error_codes import FILTERED
from bot.engine.core import Rejected
from bot.host.commands import Command, HostReason
from bot.host.model import Table, TableId, UserId
from bot.host.ports import Clock
from bot.host.questions import open_prompt
from bot.host.tables import Tables
from bot.screens.answers import permission_text
from bot.screens.layout import Form, PrivateScreen, PublicScreen, text
from bot.screens.presses import Move
from bot.screens.refusals import refusal_screen, refusal_text
from bot.text.catalogue import Catalogue, catalogue

log = logging.getLogger(__name__)

ALREADY_ANSWERED: Final = 40060
"""Discord's error code for a second answer to an interaction."""
UNKNOWN_INTERACTION: Final = 10062
"""Discord's error code for an answer that came too late."""
EXPIRED: Final = (10003, 10015, 50027)
"""Discord's error codes after which no answer is possible: unknown channel, unknown token, expired token."""


class TablePublisher(Protocol):
    """What an interaction needs from the publisher."""

    def somebody_waits(self) -> AbstractContextManager[None]:
        """Count one more person who waits for an answer, as long as the context lasts."""

    async def message_of(self, table: TableId) -> int | None:
        """Return the message that shows a table now."""

    def wake(self, table: TableId) -> None:
        """Look at a table's outbox soon."""

    def lend(self, table: TableId, press: discord.Interaction) -> None:
        """Lend the publisher an answered press, whose token can edit the message it was on."""


class UndeliveredDms(Protocol):
    """What an interaction needs to know about DMs."""

    def take_unreached(self, user: UserId) -> bool:
        """Return whether a user has yet to be told that no DM reaches them; from now on they count as told."""


@dataclass(frozen=True, slots=True)
class ContextServices:
    """What every interaction needs in order to be answered."""

    tables: Tables
    publisher: TablePublisher
    dms: UndeliveredDms
    clock: Clock
    is_closed: Callable[[], bool]
    """Tells whether the bot has closed its connections."""


def custom_ids_on(message: discord.Message) -> set[str]:
    """Return the custom_ids of everything that can be pressed on a message."""
    found: set[str] = set()
    waiting: list[Any] = list(message.components)
    while waiting:
        part = waiting.pop()
        waiting += getattr(part, "children", ())
        found.add(getattr(part, "custom_id", None) or "")
    return found


class Context:
    """One interaction: who asks, what about, and how they are answered."""

    __slots__ = (
        *("_lock", "_services", "_tasks", "_texts", "attempt", "game", "id", "interaction"),
        *("prompt", "saved", "table_id", "user"),
    )

    def __init__(self, interaction: discord.Interaction[Any], services: ContextServices) -> None:
        self.interaction = interaction
        self._services = services
        self.id = interaction.id
        self.user = UserId(interaction.user.id)
        self._texts = catalogue(interaction.locale.value)
        self.table_id: TableId | None = None
        self.game: str | None = None
        """The game in question, whose own words `say` uses; None if it is unknown, or if no one game is meant."""
        self.prompt: int | None = None
        """The prompt that the press answers; None means the one that is open."""
        self.attempt: Move | None = None
        """The move that was tried, so that a refusal can name its number and offer its form again."""
        self.saved: bool | None = None
        """Whether what the user asked for at the table is stored; None if they asked for nothing there."""
        self._lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def say(self) -> Catalogue:
        """The texts for this user, in their language and in the words of the game in question."""
        return self._texts if self.game is None else self._texts.for_game(self.game)

    @property
    def is_command(self) -> bool:
        """Whether this is a slash command, as opposed to a press."""
        return self.interaction.type is InteractionType.application_command

    @property
    def is_private(self) -> bool:
        """Whether the press was on a message that only this user sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def is_theirs(self) -> bool:
        """Whether the press was on the answer to this user's own command, and the answer really has this custom_id."""
        message = self.interaction.message
        data: Any = self.interaction.data or {}
        if message is None or message.interaction_metadata is None:
            return False
        return message.interaction_metadata.user.id == self.user and data.get("custom_id") in custom_ids_on(message)

    @property
    def guild(self) -> int:
        """The guild in which the user asks; raises Rejected in a DM."""
        if self.interaction.guild_id is None:
            raise Rejected(HostReason.NO_TABLE)
        return self.interaction.guild_id

    @property
    def may_manage(self) -> bool:
        """Whether the user may manage this channel."""
        return self.interaction.permissions.manage_channels

    async def find_table(self) -> Table | None:
        """Return the channel's table, if any, and make it the one that the interaction is about."""
        found = await self._services.tables.at(self.interaction.channel_id or 0)
        self.table_id, self.game = (None, None) if found is None else (found.id, found.game)
        return found

    async def table(self) -> Table:
        """Return the table that the interaction is about; raise Rejected if there is none here for this user."""
        if self.table_id is None:
            raise Rejected(HostReason.NO_TABLE)
        table = await self._services.tables.get(self.table_id)
        guild = self.interaction.guild_id
        # A press in a DM has no guild. Anywhere else, a custom_id with another guild's table must be forged.
        if table.guild != guild and not (guild is None and any(each.user == self.user for each in table.players)):
            raise Rejected(HostReason.NO_TABLE)
        self.game = table.game
        return table

    async def submit(self, command: Command) -> Table:
        """Carry out a command at the interaction's table, only once even if Discord delivers it several times."""
        self.saved = False
        table = await self.table()
        after = await self._services.tables.submit(table.id, command, interaction_id=self.id)
        self.saved = True
        return after

    async def look(self, table: Table) -> PrivateScreen:
        """Draw what the user may see of a table."""
        message = await self._services.publisher.message_of(table.id)
        return self._draw_look(table, message)

    def _draw_look(self, table: Table, message: int | None) -> PrivateScreen:
        return draw_look(self.say, table, self.user, self._services.clock, message=message, moves=True)

    def waiting(self) -> AbstractContextManager[None]:
        """Let the publisher know that somebody is waiting for an answer."""
        return self._services.publisher.somebody_waits()

    # -- answers

    async def acknowledge(self) -> None:
        """Accept a press whose effect the table shows, and let the publisher edit the table with the press's token."""
        response = self.interaction.response
        async with self._lock:
            if not response.is_done():
                await self._answered(response.defer())
        if self.table_id is not None and not self.is_private:
            self._services.publisher.lend(self.table_id, self.interaction)

    async def confirm(self, screen: PrivateScreen) -> None:
        """Accept a press whose effect the table shows; answer a command with `screen`."""
        if self.is_command:
            await self.tell(screen)
        else:
            await self.acknowledge()

    async def dismiss(self) -> None:
        """Delete the private message whose button was pressed; the table shows the effect."""
        await self.acknowledge()
        if self.is_private:
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                await self.interaction.delete_original_response()

    async def tell(self, screen: PrivateScreen | str, *files: discord.File) -> bool:
        """Answer privately; return True if this is the first answer, False if it is a follow-up."""
        shown = self._with_note(PrivateScreen(text(screen)) if isinstance(screen, str) else screen)
        interaction = self.interaction
        async with self._lock:
            if interaction.response.is_done():
                await self._answered(interaction.followup.send(view=shown, ephemeral=True, files=files))
                return False
            await self._answered(interaction.response.send_message(view=shown, ephemeral=True, files=files))
            return True

    async def change(self, screen: PrivateScreen) -> None:
        """Answer by changing the private message whose button was pressed, or else in a new private message."""
        if not self.is_private:
            await self.tell(screen)
            return
        shown = self._with_note(screen)
        async with self._lock:
            if self.interaction.response.is_done():
                await self._answered(self.interaction.edit_original_response(view=shown, attachments=[]))
            else:
                await self._answered(self.interaction.response.edit_message(view=shown, attachments=[]))

    def _with_note(self, screen: PrivateScreen) -> PrivateScreen:
        """Add a note, only once, that no DM can be sent to this user."""
        if not self._services.dms.take_unreached(self.user):
            return screen
        return PrivateScreen(text(self.say("lobby.done.no_dm")), *screen.children)

    async def show(self, screen: PublicScreen) -> int | None:
        """Answer for everybody; return the message's id, or None if that was not possible."""
        async with self._lock:
            if self.interaction.response.is_done():
                return None
            answer = await self._answered(self.interaction.response.send_message(view=screen))
        message: int | None = None if answer is None else answer.message_id
        return message

    async def post(self, screen: PublicScreen) -> None:
        """Show everybody something in addition to the answer."""
        async with self._lock:
            if self.interaction.response.is_done():
                await self._answered(self.interaction.followup.send(view=screen))
            else:
                await self._answered(self.interaction.response.send_message(view=screen))

    async def redraw(self, screen: PrivateScreen | PublicScreen) -> None:
        """Change the answer; if there is none yet, answer by changing the message whose button was pressed."""
        async with self._lock:
            if self.interaction.response.is_done():
                await self._answered(self.interaction.edit_original_response(view=screen))
            else:
                await self._answered(self.interaction.response.edit_message(view=screen))

    async def ask(self, form: Form) -> None:
        """Open a form."""
        async with self._lock:
            if not self.interaction.response.is_done():
                await self._answered(self.interaction.response.send_modal(form))

    async def _answered(self, sending: Any) -> Any:
        """Send an answer; return None if it came too late, or twice, or was lost; none of these is an error."""
        try:
            return await sending
        except discord.HTTPException as fault:
            if fault.code == ALREADY_ANSWERED:
                return None  # sent twice because Discord's reply to the first was lost; the user has seen it
            if fault.code == UNKNOWN_INTERACTION or fault.code in (*EXPIRED, *FILTERED) or fault.status >= 500:
                log.info("interaction %s: the answer did not arrive (%s)", self.id, fault.code or fault.status)
                return None
            raise
        except (aiohttp.ClientError, OSError) as fault:
            log.info("interaction %s: the answer did not arrive (%s)", self.id, type(fault).__name__)
            return None
        except RuntimeError:
            if not self._services.is_closed():
                raise
            return None  # aiohttp raises this once the bot has closed; the outbox tells the rest after the next start

    def defer_soon(self) -> None:
        """Tell Discord that the answer takes a while, without waiting for its reply."""
        self._tasks.append(asyncio.create_task(self._defer()))

    async def _defer(self) -> None:
        response = self.interaction.response
        async with self._lock:
            if not response.is_done():
                await self._answered(response.defer(ephemeral=self.is_command, thinking=self.is_command))

    # -- refusals

    async def refuse(self, refused: Rejected) -> None:
        """Tell the user privately why they were refused, and what they can do now."""
        table = None
        message = None
        if self.table_id is not None and refused.reason is not HostReason.NO_TABLE:
            try:
                table = await self.table()
            except Rejected as none_here:  # forged, or long gone: reveal nothing about it
                refused = none_here
            else:
                message = await self._services.publisher.message_of(table.id)
        why = refused.details.get("why") if refused.reason is HostReason.PAUSED else None
        if table is not None and why and why != OUTAGE:
            await self._refuse_suspended(table, str(why))
            return
        slots = {} if self.attempt is None else dict(self.attempt.slots)
        if table is not None and refused.reason is HostReason.STALE:
            sentence = refusal_text(self.say, refused, table, user=self.user, **slots)
            await self.change(PrivateScreen(text(sentence), *self._draw_look(table, message).children))
            return
        prompt = self.prompt
        if table is not None and prompt is None:
            asked = open_prompt(table, self.user)
            prompt = None if asked is None else asked.id
        if self.interaction.message is not None and self.interaction.message.id == message:
            message = None  # the answer appears below the table message, so it needs no link to it
        screen = refusal_screen(
            self.say,
            refused,
            table,
            prompt=prompt,
            message=message,
            announced=None if self.attempt is None else self.attempt.announced,
            user=self.user,
            **slots,
        )
        await self.tell(screen)

    async def _refuse_suspended(self, table: Table, permission: str) -> None:
        self._services.publisher.wake(table.id)  # perhaps the permission is back
        await self.tell(permission_text(self.say, table.channel, spoken_permission(permission)))

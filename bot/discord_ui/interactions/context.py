"""One interaction: who asks, where, in which language, and how they are answered."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

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
from bot.screens.answers import permission_text
from bot.screens.layout import Form, PrivateScreen, PublicScreen, text
from bot.screens.refusals import refusal_screen, refusal_text
from bot.text.catalogue import Catalogue, catalogue

if TYPE_CHECKING:
    from bot.discord_ui.client import CoyoteBot

log = logging.getLogger(__name__)

ALREADY_ANSWERED: Final = 40060
UNKNOWN_INTERACTION: Final = 10062
EXPIRED: Final = (10003, 10015, 50027)
"""The channel is gone, the token is unknown, the token is too old: nobody can be answered there any more."""


def carried(message: discord.Message) -> set[str]:
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
        *("_lock", "_tasks", "announced", "bot", "id", "interaction"),
        *("more", "prompt", "saved", "say", "table_id", "user"),
    )

    def __init__(self, interaction: discord.Interaction[CoyoteBot]) -> None:
        self.interaction = interaction
        self.bot: CoyoteBot = interaction.client
        self.id = interaction.id
        self.user = UserId(interaction.user.id)
        self.say: Catalogue = catalogue(interaction.locale.value)
        self.table_id: TableId | None = None
        self.prompt: int | None = None
        self.more: dict[str, object] = {}
        """What a refusal does not know by itself, such as the number that was bid."""
        self.announced: str | None = None
        """What the bid that was tried came with; should the form come again, so does that."""
        self.saved: bool | None = None
        """Whether what was asked for at the table is on the disk; None: nothing was asked for there."""
        self._lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_private(self) -> bool:
        """Whether what was pressed stands on a message that only this person sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def is_theirs(self) -> bool:
        """Whether what was pressed really stands on the answer to a command that this very person typed."""
        message = self.interaction.message
        data: Any = self.interaction.data or {}
        if message is None or message.interaction_metadata is None:
            return False
        return message.interaction_metadata.user.id == self.user and data.get("custom_id") in carried(message)

    @property
    def guild(self) -> int:
        """The server that is asked about; Rejected in a DM, where there is none."""
        if self.interaction.guild_id is None:
            raise Rejected(HostReason.NO_TABLE)
        return self.interaction.guild_id

    async def table(self) -> Table:
        """Return the table that is asked about; Rejected if there is none here for this person."""
        if self.table_id is None:
            raise Rejected(HostReason.NO_TABLE)
        table = await self.bot.tables.get(self.table_id)
        guild = self.interaction.guild_id
        # A press in a DM has no server. Elsewhere a custom_id of another server's table can only be forged.
        if table.guild != guild and not (guild is None and any(each.user == self.user for each in table.players)):
            raise Rejected(HostReason.NO_TABLE)
        return table

    async def submit(self, command: Command) -> Table:
        """Carry out a command at the table that is asked about, once, however often it is delivered."""
        self.saved = False
        table = await self.table()
        after = await self.bot.tables.submit(table.id, command, interaction_id=self.id)
        self.saved = True
        return after

    # -- answers

    async def acknowledge(self) -> None:
        """Say that it was heard: what was pressed stays as it is."""
        response = self.interaction.response
        async with self._lock:
            if not response.is_done():
                await self._answered(response.defer())

    async def tell(self, screen: PrivateScreen | str, *files: discord.File) -> bool:
        """Answer privately; return whether this is the answer itself, and not a message after it."""
        shown = self._noted(PrivateScreen(text(screen)) if isinstance(screen, str) else screen)
        interaction = self.interaction
        async with self._lock:
            if interaction.response.is_done():
                await self._answered(interaction.followup.send(view=shown, ephemeral=True, files=files))
                return False
            await self._answered(interaction.response.send_message(view=shown, ephemeral=True, files=files))
            return True

    async def change(self, screen: PrivateScreen) -> None:
        """Answer in the private message whose button was pressed; where there is none, in a new one."""
        if not self.is_private:
            await self.tell(screen)
            return
        shown = self._noted(screen)
        async with self._lock:
            if self.interaction.response.is_done():
                await self._answered(self.interaction.edit_original_response(view=shown, attachments=[]))
            else:
                await self._answered(self.interaction.response.edit_message(view=shown, attachments=[]))

    def _noted(self, screen: PrivateScreen) -> PrivateScreen:
        """Add, once, what this person should know by the way: that no DM reaches them."""
        unreached = self.bot.postman.unreached
        if self.user not in unreached:
            return screen
        unreached.discard(self.user)
        return PrivateScreen(text(self.say("lobby.done.no_dm")), *screen.children)

    async def show(self, screen: PublicScreen) -> int | None:
        """Answer for everybody; return the message's id, None if that was not possible."""
        async with self._lock:
            if self.interaction.response.is_done():
                return None
            answer = await self._answered(self.interaction.response.send_message(view=screen))
        message: int | None = None if answer is None else answer.message_id
        return message

    async def post(self, screen: PublicScreen) -> None:
        """Show everybody something besides the answer."""
        async with self._lock:
            if self.interaction.response.is_done():
                await self._answered(self.interaction.followup.send(view=screen))
            else:
                await self._answered(self.interaction.response.send_message(view=screen))

    async def redraw(self, screen: PrivateScreen | PublicScreen) -> None:
        """Change the answer, or the message whose button was pressed if that is the answer."""
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
        """Send an answer; that it came too late, or twice, is nobody's concern any more."""
        try:
            return await sending
        except discord.HTTPException as fault:
            if fault.code == ALREADY_ANSWERED:
                return None  # sent twice because the first answer's own answer was lost: the person saw it
            if fault.code == UNKNOWN_INTERACTION or fault.code in (*EXPIRED, *FILTERED) or fault.status >= 500:
                log.info("interaction %s: the answer did not arrive (%s)", self.id, fault.code or fault.status)
                return None
            raise
        except (aiohttp.ClientError, OSError) as fault:
            log.info("interaction %s: the answer did not arrive (%s)", self.id, type(fault).__name__)
            return None
        except RuntimeError:
            if not self.bot.is_closed():
                raise
            return None  # aiohttp says so once the bot has hung up; what was committed is told after the next start

    def defer_soon(self) -> None:
        """Answer "one moment" now, because the real answer takes too long."""
        self._tasks.append(asyncio.create_task(self._defer()))

    async def _defer(self) -> None:
        response = self.interaction.response
        async with self._lock:
            if not response.is_done():
                command = self.interaction.type is InteractionType.application_command
                await self._answered(response.defer(ephemeral=command, thinking=command))

    # -- refusals

    async def refuse(self, refused: Rejected) -> None:
        """Say privately what is the matter and what to do now."""
        table = None
        message = None
        if self.table_id is not None and refused.reason is not HostReason.NO_TABLE:
            try:
                table = await self.table()
            except Rejected as none_here:  # forged, or long gone: nothing is said of it
                refused = none_here
            else:
                message = await self.bot.publisher.message_of(table.id)
        why = refused.details.get("why") if refused.reason is HostReason.PAUSED else None
        if table is not None and why and why != OUTAGE:
            await self._suspended(table, str(why))
            return
        if table is not None and refused.reason is HostReason.STALE:
            await self.change(self._fresh(refused, table, message))
            return
        prompt = self.prompt
        if table is not None and prompt is None:
            prompt = self.bot.question_of(table, self.user)
        if self.interaction.message is not None and self.interaction.message.id == message:
            message = None  # the answer stands below the table: no way need lead there
        screen = refusal_screen(
            self.say,
            refused,
            table,
            prompt=prompt,
            message=message,
            announced=self.announced,
            user=self.user,
            **self.more,
        )
        await self.tell(screen)

    def _fresh(self, refused: Rejected, table: Table, message: int | None) -> PrivateScreen:
        look = draw_look(self.say, table, self.user, self.bot.clock, message=message, moves=True)
        why = refusal_text(self.say, refused, table, user=self.user, **self.more)
        return PrivateScreen(text(why), *look.children)

    async def _suspended(self, table: Table, why: str) -> None:
        self.bot.publisher.wake(table.id)  # perhaps it works again
        await self.tell(permission_text(self.say, table.channel, spoken_permission(why)))

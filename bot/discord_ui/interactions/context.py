"""Wraps one Discord interaction: who asks, where, in which language, and how they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord import InteractionResponseType, InteractionType

from bot.discord_ui.commands.places import is_installed
from bot.discord_ui.drawing import draw_dated_look
from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.illustrator import Illustrator, LookPictures, Wanted
from bot.discord_ui.interactions.sending import AnswerSender
from bot.discord_ui.languages import Languages
from bot.discord_ui.outbox.private_messages import ShownLook, ShownPicture
from bot.discord_ui.wire.error_codes import UNKNOWN_MESSAGE
from bot.discord_ui.wire.press_requests import LentPress, lent
from bot.discord_ui.wire.rest import PrivateAnswer, as_file
from bot.engine.core import Rejected
from bot.host.commands import Command, HostReason, SetLanguage
from bot.host.model import House, Table, TableId, UserId
from bot.host.ports import Clock, StoreFault
from bot.host.questions import asked_users, open_prompt
from bot.host.tables import Tables
from bot.pictures.picture import Picture
from bot.screens.answers import files_text, permission_text
from bot.screens.custom_ids import NO_TABLE, parse
from bot.screens.layout import Form, PrivateScreen, PublicScreen, illustrated, text
from bot.screens.look import with_lines_above
from bot.screens.presses import Move
from bot.screens.refusals import refusal_screen, refusal_text
from bot.text.catalogue import Catalogue, catalogue, code_of

_ANSWERS_BY_CHANGING: Final = (InteractionResponseType.deferred_message_update, InteractionResponseType.message_update)
"""The answers after which "@original" is the message whose button was pressed."""


class TablePublisher(Protocol):
    """What an interaction needs from the publisher."""

    def somebody_waits(self) -> AbstractContextManager[None]:
        """Count one more person as waiting for an answer while the `with` block runs."""

    async def message_of(self, table: TableId) -> int | None:
        """Return the message that shows a table now."""

    def wake(self, table: TableId) -> None:
        """Look at a table's outbox soon."""

    def lend(self, table: TableId, press: LentPress) -> None:
        """Lend the publisher a press that was answered, to show everybody what has happened at the table."""


class UndeliveredDms(Protocol):
    """What an interaction needs to know about DMs."""

    def take_dm_warning(self, user: UserId) -> bool:
        """Return whether to tell a user that DMs do not reach them; True only once for each failure."""


class PrivateMessageKeeper(Protocol):
    """What an interaction needs to know about private messages: each person has one at a table."""

    def is_looking(self, table: TableId, user: UserId) -> bool:
        """Return whether a person's private message at a table is a look that follows it."""

    def picture_on(self, key: tuple[TableId, UserId], message: int) -> ShownPicture | None:
        """Return the picture that a private message has."""

    def note_shown(
        self, key: tuple[TableId, UserId], answer: PrivateAnswer, language: str, look: ShownLook | None
    ) -> None:
        """Record a person's private message at a table, and delete the one they had; a look gets its picture soon."""

    def note_deleted(self, key: tuple[TableId, UserId], message: int) -> None:
        """Record that a private message was deleted."""

    def note_press(self, table: TableId, user: UserId) -> None:
        """Record that a person has pressed something at a table."""


class Refusals(Protocol):
    """Where an interaction is noted that was refused."""

    def refused(self, interaction: int) -> None:
        """Record that an interaction was refused, so that its next delivery changes nothing."""


@dataclass(frozen=True, slots=True)
class ContextServices:
    """What every interaction needs in order to be answered."""

    tables: Tables
    publisher: TablePublisher
    dms: UndeliveredDms
    private: PrivateMessageKeeper
    clock: Clock
    deliveries: Refusals
    is_closed: Callable[[], bool]
    """Returns whether the bot has closed its connections."""
    languages: Languages
    illustrator: Illustrator
    emoji_refused: Callable[[], None] = lambda: None
    """Is called when an answer was refused because of the bot's own emojis."""


def custom_ids_on(message: discord.Message) -> set[str]:
    """Return the custom_ids of everything that can be pressed on a message."""
    found: set[str] = set()
    waiting: list[Any] = list(message.components)
    while waiting:
        part = waiting.pop()
        waiting += getattr(part, "children", ())
        found.add(getattr(part, "custom_id", None) or "")
    return found


def _without_picture(look: ShownLook, above: str | None) -> ShownLook:
    """Return a look as it is shown in a new message, which has no picture yet."""
    wants_picture = look.wants_picture or look.picture is not None
    return look._replace(above=above, picture=None, wants_picture=wants_picture)


class Context:
    """One interaction: who asks, what about, and how they are answered."""

    __slots__ = (
        *("_house", "_known_table", "_lock", "_sender", "_services", "_tasks", "_texts"),
        *("attempt", "game", "id", "interaction"),
        *("prompt", "saved", "table_id", "user"),
    )

    def __init__(self, interaction: discord.Interaction[Any], services: ContextServices) -> None:
        self.interaction = interaction
        self._services = services
        self.id = interaction.id
        self.user = UserId(interaction.user.id)
        self._texts = catalogue(services.languages.of(self.user, interaction.locale.value))
        self._house: House | None = None
        self._known_table: TableId | None = None
        """The table that was found to be one for this user."""
        self.table_id: TableId | None = None
        self.game: str | None = None
        """The game in question, whose own words `say` uses; None if it is unknown or no particular game is meant."""
        self.prompt: int | None = None
        """The prompt that the press answers; None means the one that is open."""
        self.attempt: Move | None = None
        """The move that was tried, so that a refusal can name its number and offer its form again."""
        self.saved: bool | None = None
        """Whether the command for the table was stored; None if there was no such command."""
        self._sender = AnswerSender(interaction, services.is_closed, services.emoji_refused)
        self._lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def say(self) -> Catalogue:
        """The texts for this user, in their language and in the words of the game in question."""
        if self.game is None:
            return self._texts
        language = self.language if self._house is None else self._house.language
        say = self._texts.for_table(self.game, language)
        return self._services.illustrator.words(say, self._house, self.user)

    @property
    def language(self) -> str:
        """The code of the language in which this user is answered."""
        return self._texts.language

    @property
    def guild_language(self) -> str:
        """The code of the language to which the guild is set in Discord."""
        locale = self.interaction.guild_locale
        return code_of("" if locale is None else locale.value)

    def change_language(self, locale: str | None) -> None:
        """Answer this user in another language from now on; None: in that of their Discord."""
        self._services.languages.choose(self.user, locale)
        self._texts = catalogue(self._services.languages.of(self.user, self.interaction.locale.value))

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
    def answered(self) -> int:
        """The interaction that the pressed message answers; this one, if that is unknown."""
        message = self.interaction.message
        return self.id if message is None or message.interaction_metadata is None else message.interaction_metadata.id

    @property
    def is_on_own_answer(self) -> bool:
        """Whether the press was on the answer to this user's own command, and the answer really has this custom_id.

        A message with buttons of a table belongs to the table, even if it was posted through this user's press.
        """
        message = self.interaction.message
        data: Any = self.interaction.data or {}
        if message is None or message.interaction_metadata is None:
            return False
        there = custom_ids_on(message)
        is_tables = any(found is not None and found.table != NO_TABLE for found in map(parse, there))
        is_theirs = message.interaction_metadata.user.id == self.user
        return is_theirs and not is_tables and data.get("custom_id") in there

    @property
    def webhook(self) -> str:
        """The webhook of this interaction: for a quarter of an hour, its answers can be found and changed there."""
        return f"{self.interaction.application_id}/{self.interaction.token}"

    @property
    def guild(self) -> int:
        """The guild in which the user asks; raises Rejected in a DM."""
        if self.interaction.guild_id is None:
            raise Rejected(HostReason.IN_A_DM)
        return self.interaction.guild_id

    @property
    def is_installed_here(self) -> bool:
        """Whether the bot was added to this guild; False in a DM, and where the user has it in their own account."""
        return is_installed(self.interaction)

    @property
    def may_manage(self) -> bool:
        """Whether the user may manage this channel."""
        return self.interaction.permissions.manage_channels

    async def find_table(self) -> Table | None:
        """Return the channel's table, if any, and make it the one that the interaction is about."""
        found = await self._services.tables.at(self.interaction.channel_id or 0)
        if found is None:
            self.table_id = self.game = None
        else:
            self.table_id = found.id
            self._use_words_of(found)
        return found

    def _use_words_of(self, table: Table) -> None:
        """Use the words of a table's game, and name buttons as they are labelled at that table."""
        self.game, self._house, self._known_table = table.game, table.house, table.id

    async def table(self) -> Table:
        """Return the table that the interaction is about; raise Rejected if there is none here for this user."""
        if self.table_id is None:
            raise Rejected(HostReason.NO_TABLE)
        table = await self._services.tables.get(self.table_id)
        guild = self.interaction.guild_id
        # A press in a DM has no guild. Anywhere else, a custom_id with another guild's table must be forged.
        if table.guild != guild and not (guild is None and any(each.user == self.user for each in table.players)):
            raise Rejected(HostReason.NO_TABLE)
        self._use_words_of(table)
        return table

    async def note_language(self) -> None:
        """Remember at the table which language this user reads, if that has changed, for their DMs."""
        if self.table_id is None:
            return
        with suppress(Rejected, StoreFault):  # the table is gone, or the next press does it
            table = await self._services.tables.get(self.table_id)
            seat = table.seat_of(self.user)
            if seat is not None and table.is_open and table.players[seat].language != self.language:
                await self._services.tables.submit(table.id, SetLanguage(self.user, self.language))

    async def submit(self, command: Command) -> Table:
        """Carry out a command at the interaction's table, only once even if Discord delivers it several times."""
        self.saved = False
        known = self._known_table
        if known is None or known != self.table_id:
            known = (await self.table()).id
        after = await self._services.tables.submit(known, command, interaction_id=self.id)
        self.saved = True
        return after

    def waiting(self) -> AbstractContextManager[None]:
        """Let the publisher know that somebody is waiting for an answer."""
        return self._services.publisher.somebody_waits()

    # -- answers

    async def acknowledge(self) -> None:
        """Accept a press whose effect the table shows, and let the publisher edit the table with the press's token."""
        async with self._lock:
            if not self._sender.is_answered:
                await self._sender.send_first(self.interaction.response.defer)
        if self.table_id is not None and not self.is_private:
            message = self.interaction.message
            if message is not None and self.is_public_here and self.interaction.response.type in _ANSWERS_BY_CHANGING:
                self._services.publisher.lend(self.table_id, lent(self.interaction, message.id))
            self._services.private.note_press(self.table_id, self.user)

    @property
    def is_public_here(self) -> bool:
        """Whether what is posted with this interaction's token is seen by everybody in its channel.

        It is not if the bot was added to the user's account alone, and the first post after a deferred answer takes
        that answer's place, which may be private.
        """
        is_deferred = self.interaction.response.type is InteractionResponseType.deferred_channel_message
        return self.interaction.response.is_done() and not is_deferred and is_installed(self.interaction)

    def lend_move(self, before: Table, after: Table) -> None:
        """Let the publisher post with this interaction's token, if everybody sees that this user has moved.

        Otherwise a message would tell, by whose token posted it, who did something in secret.
        """
        asked = asked_users(before).get(self.user)
        if asked is not None and asked_users(after).get(self.user) != asked and self.is_public_here:
            self._services.publisher.lend(after.id, lent(self.interaction, None))

    def lend_opening(self, opened: Table) -> None:
        """Let the publisher post a new table with this press's token: everybody sees there who has opened it."""
        is_shown = self.interaction.response.type in _ANSWERS_BY_CHANGING and not self.is_private
        if is_shown and self.is_public_here:
            self._services.publisher.lend(opened.id, lent(self.interaction, None))

    def lent_answer(self, message: int) -> LentPress | None:
        """Return this interaction as a press to lend, with its answer to everybody."""
        return lent(self.interaction, message) if self.is_public_here else None

    async def confirm(self, screen: PrivateScreen) -> None:
        """Accept a press whose effect the table shows; answer a command with `screen`."""
        if self.is_command:
            await self.tell(screen)
        else:
            await self.acknowledge()

    async def dismiss(self) -> None:
        """Delete the private message whose button was pressed; the table shows the effect."""
        await self.acknowledge()
        message = self.interaction.message
        if message is None or not self.is_private:
            return
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
            await self.interaction.delete_original_response()
        if self.table_id is not None:
            self._services.private.note_deleted((self.table_id, self.user), message.id)

    async def tell(
        self, screen: PrivateScreen | str, *files: discord.File, look: ShownLook | None = None, beside: bool = False
    ) -> bool:
        """Answer privately; return True if this is the first answer, False if it is a follow-up.

        It takes the place of the user's other private message at this table, unless it is to stand `beside` that. If it
        is a look, `look` says what it shows.
        """
        lines = await self._lines_above(look)
        shown = with_lines_above(PrivateScreen(text(screen)) if isinstance(screen, str) else screen, lines)
        interaction = self.interaction
        async with self._lock:
            is_first = not self._sender.is_answered
            if is_first:
                sent = await self._sender.send_first(
                    interaction.response.send_message, view=shown, ephemeral=True, files=files
                )
                message = sent.message_id if sent is not None and sent.is_ephemeral() else None
            else:
                sent = await self._sender.send(interaction.followup.send(view=shown, ephemeral=True, files=files))
                message = sent.id if sent is not None and sent.flags.ephemeral else None
        if not beside:
            self._note_private(message, None if look is None else _without_picture(look, lines))
        return is_first

    async def change(self, screen: PrivateScreen, *, look: ShownLook | None = None) -> None:
        """Answer by changing the private message whose button was pressed, or else in a new private message.

        If it is a look, `look` says what it shows. A picture that the message has stays if the look has it, too.
        """
        if not self.is_private or self.interaction.message is None:
            await self.tell(screen, look=look)
            return
        lines, kept = await self._lines_above(look), None if look is None else look.picture
        shown = screen if kept is None else illustrated(screen, kept.name, kept.description)
        shown = with_lines_above(shown, lines)
        files: dict[str, Any] = {"attachments": []} if kept is None else {}
        try:
            async with self._lock:
                if self._sender.is_answered:
                    await self._sender.send(self.interaction.edit_original_response(view=shown, **files))
                else:
                    await self._sender.send_first(self.interaction.response.edit_message, view=shown, **files)
        except discord.NotFound as gone:
            if gone.code != UNKNOWN_MESSAGE:
                raise
            # A newer private message has just taken its place.
            if look is None:
                await self.tell(with_lines_above(screen, lines))
            else:
                await self.tell(screen, look=_without_picture(look, lines))
            return
        if self._sender.is_answered:
            self._note_private(self.interaction.message.id, None if look is None else look._replace(above=lines))

    async def show_look(self, table: Table, above: str | None = None) -> None:
        """Show the user privately what they may see of a table, below a line; from now on it follows the table."""
        message = await self._services.publisher.message_of(table.id)
        screen = draw_dated_look(self.say, table, self.user, self._services.clock, message=message)
        if table.is_open:
            pictures = self._services.illustrator.look(self.say, table, self.user)
            kept = None if pictures is None else self._picture_to_keep(table, pictures)
            wants_picture = pictures is not None and kept is None
            await self.change(screen, look=ShownLook(table.seq, above, kept, wants_picture))
        else:
            await self.change(with_lines_above(screen, above))

    def _picture_to_keep(self, table: Table, pictures: LookPictures) -> ShownPicture | None:
        """Return the picture on the private message that was pressed, if a look at the table still has it."""
        message = self.interaction.message
        if message is None or not self.is_private:
            return None
        shown = self._services.private.picture_on((table.id, self.user), message.id)
        return shown if shown is not None and pictures.has_key(shown.key) else None

    def _note_private(self, message: int | None, look: ShownLook | None) -> None:
        """Record the user's private message at the table; `look` says what a look shows."""
        if self.table_id is None or message is None:
            return
        interaction = self.interaction
        answer = PrivateAnswer(interaction.application_id, interaction.token, interaction._session, message)
        self._services.private.note_shown((self.table_id, self.user), answer, self.language, look)

    async def _lines_above(self, look: ShownLook | None) -> str | None:
        """Return what stands above a private answer: notes that are told once, then the lines above a look."""
        notes = [] if look is None or look.above is None else [look.above]
        if self._may_let_attach:
            channel = await self._services.illustrator.take_channel_to_tell(self.interaction.guild_id or 0)
            if channel is not None:
                notes.insert(0, files_text(self.say, channel))
        if self._services.dms.take_dm_warning(self.user):
            notes.insert(0, self.say("lobby.done.no_dm", look=self.say.button("table.button.look")))
        return "\n".join(notes) or None

    @property
    def _may_let_attach(self) -> bool:
        """Whether the user can give the bot the permission to attach files."""
        if self.interaction.guild_id is None:
            return False
        granted = self.interaction.permissions
        return granted.manage_channels or granted.manage_roles

    async def show(self, screen: PublicScreen) -> int | None:
        """Answer for everybody; return the message's id, or None if that was not possible."""
        async with self._lock:
            if self._sender.is_answered:
                return None
            answer = await self._sender.send_first(self.interaction.response.send_message, view=screen)
            message: int | None = None if answer is None else answer.message_id
            if answer is None and self._sender.is_answered:  # it arrived, but Discord's reply was lost
                found = await self._sender.send(self.interaction.original_response())
                message = None if found is None or found.flags.ephemeral else found.id
        return message

    async def post(self, screen: PublicScreen, wanted: Wanted | None = None) -> None:
        """Show everybody something in addition to the answer; its picture follows when it is drawn."""
        async with self._lock:
            is_first = not self._sender.is_answered
            if is_first:
                await self._sender.send_first(self.interaction.response.send_message, view=screen)
            else:
                sent = await self._sender.send(self.interaction.followup.send(view=screen, wait=True))
        picture = await self._services.illustrator.drawn(wanted)
        if picture is None:
            return
        shown = illustrated(screen, picture.name, picture.description)
        if is_first:
            await self.redraw(shown, picture)
        elif sent is not None:
            await self._sender.send(sent.edit(view=shown, attachments=[as_file(picture)]))

    async def redraw(self, screen: PrivateScreen | PublicScreen, picture: Picture | None = None) -> None:
        """Change the answer; if there is none yet, answer by changing the message whose button was pressed.

        `picture` is the one that the screen shows; any other is removed.
        """
        files = [] if picture is None else [as_file(picture)]
        async with self._lock:
            if self._sender.is_answered:
                await self._sender.send(self.interaction.edit_original_response(view=screen, attachments=files))
            else:
                await self._sender.send_first(self.interaction.response.edit_message, view=screen, attachments=files)

    async def ask(self, form: Form) -> None:
        """Open a form."""
        async with self._lock:
            if not self._sender.is_answered:
                await self._sender.send_first(self.interaction.response.send_modal, form)

    def defer_soon(self) -> None:
        """Tell Discord that the answer takes a while, without waiting for its reply."""
        self._tasks.append(asyncio.create_task(self._defer()))

    async def _defer(self) -> None:
        thinking = self.is_command
        async with self._lock:
            if not self._sender.is_answered:
                await self._sender.send_first(self.interaction.response.defer, ephemeral=thinking, thinking=thinking)

    # -- refusals

    async def refuse(self, refused: Rejected) -> None:
        """Tell the user privately why they were refused, and what they can do now."""
        self._services.deliveries.refused(self.id)
        if self.table_id is None and refused.reason is HostReason.CHANNEL_TAKEN:
            await self.tell(await self._taken_screen(refused))
            return
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
        if table is not None and self._keeps_look(table, refused):
            await self.show_look(table, refusal_text(self.say, refused, table, user=self.user, **slots))
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
        await (self.tell(screen) if table is None else self.change(screen))

    async def _taken_screen(self, refused: Rejected) -> PrivateScreen:
        """Lead somebody who wanted to open a table to the one that has the channel."""
        try:
            table = await self._services.tables.get(TableId(str(refused.details.get("table"))))
        except Rejected:  # it is gone by now
            return refusal_screen(self.say, refused)
        if table.guild != self.interaction.guild_id:
            return refusal_screen(self.say, refused)
        message = await self._services.publisher.message_of(table.id)
        return refusal_screen(self.say, refused, table, message=message, user=self.user)

    def _keeps_look(self, table: Table, refused: Rejected) -> bool:
        """Return whether the reason goes above a look: a user who has one open keeps it."""
        return refused.reason is HostReason.STALE or self._services.private.is_looking(table.id, self.user)

    async def _refuse_suspended(self, table: Table, permission: str) -> None:
        self._services.publisher.wake(table.id)  # perhaps the permission is back
        await self.tell(permission_text(self.say, table.channel, permission))

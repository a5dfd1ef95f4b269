"""Writes one table's messages in its channel: through the newest press if there is one, or with the bot's token.

Requests through a press do not count towards the bot's rate limit, but they have no nonce. So a post carries a mark,
and where something may have been posted without being noted, the channel is searched for our marks before anything is
posted, and everything is posted with the bot's token and a nonce until it is certain again
(docs/adr/0026-lent-presses.md).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.outbox.posts import Posts
from bot.discord_ui.outbox.table_messages import TableMessages
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import HandedOver, RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Urgency
from bot.discord_ui.wire.rest import Outgoing, Rest, mark_of
from bot.host.model import Table, TableId
from bot.host.ports import Message, OutboxRow
from bot.store.ports import MessageStore

log = logging.getLogger(__name__)


class ChannelWriter:
    """Posts, edits and deletes messages in a table's channel, and notes what there is.

    Everything raises HandedOver if another process looks after the table by now (`holds`): one that was paused for
    some seconds must not write over what its successor has sent meanwhile.
    """

    def __init__(
        self,
        table: Table,
        messages: TableMessages,
        posts: Posts,
        *,
        store: MessageStore,
        rest: Rest,
        illustrator: Illustrator,
        reads_history: bool,
        urgency: Urgency,
        holds: Callable[[TableId], bool],
    ) -> None:
        self._table = table
        self._messages = messages
        self._posts = posts
        self._store = store
        self._rest = rest
        self._illustrator = illustrator
        self._reads_history = reads_history
        self._urgency = urgency
        self._holds = holds

    def _check_duty(self) -> None:
        if not self._holds(self._table.id):
            raise HandedOver

    async def post(self, out: Outgoing, nonce: str, within: float | None = None) -> int:
        """Post a message and return its id; if it was posted before but could not be noted, only return its id.

        Raise LeftOut if it would have to wait for longer than `within` seconds.
        """
        known = await self.find(nonce)
        if known is not None:
            self._posts.posted(nonce, known)
            return known
        try:
            posted = await self._post(out, nonce, within)
        except TemporaryFailure:
            self._posts.post_lost(nonce, out)
            raise
        except RequestRefused:
            self._posts.lost_post_settled(nonce)
            raise
        self._posts.posted(nonce, posted)
        if out.picture_was_refused:
            self._illustrator.refused(self._table.guild, self._table.channel)
        return posted

    async def find(self, nonce: str) -> int | None:
        """Return the message that was posted with a nonce but could not be noted; None if there seems to be none."""
        posts, messages = self._posts, self._messages
        known = posts.posted_with(nonce)
        if known is not None or not posts.is_uncertain or not self._reads_history:
            return known
        if not messages.was_recalled_since(posts.uncertain_since):
            messages.recalled(await self._rest.own_posts(self._table.channel, self._urgency))
        return messages.recalled_with(mark_of(nonce))

    async def _post(self, out: Outgoing, nonce: str, within: float | None) -> int:
        channel, presses = self._table.channel, self._messages.presses
        may_lend = self._reads_history and not self._posts.is_uncertain
        press = presses.for_posts(channel) if may_lend else None
        self._check_duty()
        if press is not None:
            try:
                posted = await self._rest.post_through(press, out, nonce)
            except RequestRefused:
                presses.returned(press)  # the bot's own token is used instead
                self._check_duty()
            else:
                presses.posted(posted, press)
                return posted
        return await self._rest.post(channel, out, nonce, self._urgency, within)

    async def edit(self, message: Message, out: Outgoing) -> bool:
        """Edit a message; return False if it can no longer be edited."""
        messages = self._messages
        messages.prepare_edit(message.message, out)
        self._check_duty()
        press = messages.presses.for_message(message.message)
        if press is not None:
            try:
                await self._rest.edit_through(press, message.message, out)
                messages.drawn(message.message, out)
                return True
            except (RequestRefused, TemporaryFailure):
                messages.presses.lost(message.message)  # the bot's own token is used instead
                self._check_duty()
        try:
            await self._rest.edit(message.channel, message.message, out, self._urgency)
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MESSAGE, error_codes.TOO_MANY_EDITS):
                raise
            if refused.code == error_codes.UNKNOWN_MESSAGE:
                messages.deleted(message)
                await self._store.forget(message)
            return False
        messages.drawn(message.message, out)
        if out.picture_was_refused:
            self._illustrator.refused(self._table.guild, self._table.channel)
        return True

    async def delete(self, message: Message) -> None:
        """Delete a message and forget it; one that Discord does not let us delete stays."""
        async with self.giving_up():
            await self.take_away(message.channel, message.message)
        self._messages.deleted(message)
        await self._store.forget(message)

    async def take_away(self, channel: int, message: int) -> None:
        """Delete a message that may not be noted."""
        self._check_duty()
        press = self._messages.presses.for_message(message)
        if press is not None:
            try:
                await self._rest.delete_through(press, message)
                return
            except RequestRefused as refused:
                self._messages.presses.lost(message)
                if refused.code == error_codes.UNKNOWN_MESSAGE:
                    return  # it is gone already
            except TemporaryFailure:
                self._messages.presses.lost(message)
        await self._rest.delete(channel, message, max(self._urgency, Urgency.USUAL))

    @asynccontextmanager
    async def giving_up(self, row: OutboxRow | None = None) -> AsyncIterator[None]:
        """Give up a message, and the row that asks for it, if Discord refuses this message alone."""
        try:
            yield
        except RequestRefused as refused:
            await self.give_up(refused, row)

    async def give_up(self, refused: RequestRefused, row: OutboxRow | None) -> None:
        """Give up a message, and the row that asks for it; raise again if Discord refuses the whole channel."""
        if refused.code in error_codes.CHANNEL_CLOSED:
            raise refused
        log.warning("table %s: a message was given up, %s", self._table.id, refused)
        if row is not None:
            await self._store.mark_done([row])

"""Handles what people do at a table besides playing: looks, menus, their own settings, pauses, votes, the rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from discord import Interaction

from bot.discord_ui.drawing import draw_more, draw_this_table
from bot.discord_ui.handlers.lobby import picked_user
from bot.discord_ui.handlers.ports import TableMover
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.text_only import TextOnly
from bot.engine.core import Rejected, Seat
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.host.ports import StoreFault
from bot.host.seating import may_stop
from bot.host.tables import Tables
from bot.screens.answers import Done, done_screen, language_screen, time_screen
from bot.screens.confirm import kept_screen
from bot.screens.custom_ids import NO_TABLE
from bot.screens.help import help_screen
from bot.screens.menus import AUTO_LANGUAGE, TIME_FACTORS, settings_screen
from bot.screens.presses import Press
from bot.screens.reasons import has_reasons, reasons_screen
from bot.screens.rules_pages import rules_screen
from bot.store.ports import PreferenceStore
from bot.text.catalogue import languages

log = logging.getLogger(__name__)

MAX_SEAT_DIGITS: Final = 2
"""How many digits a seat on a button may have."""
PREFERENCE_LOCKS: Final = 64
"""The number of locks that all users share; changing a user's settings takes one of them."""


class TableHandlers:
    """Handles what people do at a table besides playing."""

    def __init__(
        self,
        store: PreferenceStore,
        tables: Tables,
        publisher: TableMover,
        text_only: TextOnly,
        command_names: Callable[[Interaction[Any]], Sequence[str]],
    ) -> None:
        self._store = store
        self._tables = tables
        self._publisher = publisher
        self._text_only = text_only
        self._command_names = command_names
        self._preference_locks = [asyncio.Lock() for _ in range(PREFERENCE_LOCKS)]
        """Held while a user's settings are read and written."""

    async def look(self, context: Context, press: Press) -> None:
        """Show the user their look; a private message whose button was pressed is replaced."""
        table = await context.table()
        _check_reachable(table)
        await context.show_look(table)

    async def more(self, context: Context, press: Press) -> None:
        """Show the menu of further actions; in the lobby, the user's own settings."""
        table = await context.table()
        _check_open(table)
        if table.stage is Stage.LOBBY:
            await self.show_settings(context, again=_may_post(context, table))
            return
        stops = may_stop(table, context.user, manager=context.may_manage)
        text_only = context.user in self._text_only
        await context.change(draw_more(context.say, table, context.user, may_stop=stops, text_only=text_only))

    async def deal(self, context: Context, press: Press) -> None:
        """Deal now; a player who typed the command is shown their look.

        A button that was pressed a moment too late has nothing to answer: the cards are on the table, as was asked for.
        """
        try:
            table = await context.submit(commands.DealNow(context.user))
        except Rejected as refused:
            if context.is_command or refused.reason is not HostReason.NOT_BETWEEN_ROUNDS:
                raise
            await context.acknowledge()
            return
        if context.is_command:
            await context.show_look(table)
        else:
            await context.acknowledge()

    async def guess(self, context: Context, press: Press) -> None:
        """Take a bystander's secret guess, or note that they guess along; their look shows it and follows the table."""
        on = press.id.argument
        command: commands.Command = commands.GuessAlong(context.user)
        if on is not None:
            if not (on.isascii() and on.isdigit() and len(on) <= MAX_SEAT_DIGITS):
                raise Rejected(HostReason.NO_SUCH_ACTION)
            command = commands.Guess(context.user, Seat(int(on)), press.prompt)
        await context.show_look(await context.submit(command))

    async def pause(self, context: Context, press: Press) -> None:
        """Vote for a pause, or for its end."""
        was_paused = (await context.table()).pause is not None
        after = await context.submit(commands.AskPause(context.user))
        if was_paused:
            done = Done.GO_ON_ASKED if after.pause else Done.GOES_ON
        else:
            done = Done.PAUSED if after.pause else Done.PAUSE_ASKED
        if context.is_private:
            await context.change(done_screen(context.say, done))
        else:
            await context.confirm(done_screen(context.say, done))

    async def back(self, context: Context, press: Press) -> None:
        """Mark the user as present again."""
        await context.submit(commands.Back(context.user))
        await context.confirm(done_screen(context.say, Done.BACK))

    async def vote(self, context: Context, press: Press) -> None:
        """Vote an away player out."""
        await context.submit(commands.VoteOut(context.user, picked_user(press)))
        await context.confirm(done_screen(context.say, Done.VOTED))

    async def post_again(self, context: Context, press: Press) -> None:
        """Post the table again, below the newest messages."""
        table = await context.table()
        if not _may_post(context, table):
            raise Rejected(HostReason.NOT_SEATED)
        _check_open(table)
        _check_reachable(table)
        self._publisher.move(table.id)
        await context.change(done_screen(context.say, Done.POSTED))

    async def reasons(self, context: Context, press: Press) -> None:
        """Show why the AIs made their most important moves; nothing is told before the match is over."""
        table = await context.table()
        if not has_reasons(table):
            raise Rejected(HostReason.NO_SUCH_ACTION)
        await context.tell(reasons_screen(context.say, table))

    # -- the user's own settings

    async def time(self, context: Context, press: Press) -> None:
        """Set how much more time the user gets, at every table."""
        slow = next((times for times in TIME_FACTORS if str(times) == press.picked), None)
        if slow is None:
            raise Rejected(HostReason.NO_SUCH_ACTION)
        kept = await self.save_preferences(context, slow=slow)
        await context.change(time_screen(context.say, slow) if kept else done_screen(context.say, Done.HALF_KEPT))

    async def pings(self, context: Context, press: Press) -> None:
        """Switch pings on or off, at every table."""
        pinged = press.id.argument != "off"
        kept = await self.save_preferences(context, pinged=pinged)
        done = Done.PINGS_ON if pinged else Done.PINGS_OFF
        await context.change(done_screen(context.say, done if kept else Done.HALF_KEPT))

    async def pictures(self, context: Context, press: Press) -> None:
        """Switch pictures on or off in what is shown to the user alone."""
        text_only = press.id.argument == "off"
        kept = await self.save_preferences(context, text_only=text_only)
        done = Done.PICTURES_OFF if text_only else Done.PICTURES_ON
        await context.change(done_screen(context.say, done if kept else Done.HALF_KEPT))

    async def language(self, context: Context, press: Press) -> None:
        """Set the language in which the user is spoken to, everywhere."""
        if press.picked not in (AUTO_LANGUAGE, *languages()):
            raise Rejected(HostReason.NO_SUCH_ACTION)
        kept = await self.save_preferences(context, language=press.picked)
        done = language_screen(context.say, None if press.picked == AUTO_LANGUAGE else press.picked)
        await context.change(done if kept else done_screen(context.say, Done.HALF_KEPT))

    async def settings(
        self,
        context: Context,
        slow: int | None,
        pinged: bool | None,
        language: str | None = None,
        text_only: bool | None = None,
    ) -> None:
        """Store the user's own settings, and show them."""
        if any(each is not None for each in (slow, pinged, language, text_only)):
            kept = await self.save_preferences(
                context, slow=slow, pinged=pinged, language=language, text_only=text_only
            )
            if not kept:
                await context.tell(done_screen(context.say, Done.HALF_KEPT))
                return
        await self.show_settings(context)

    async def show_settings(self, context: Context, *, again: bool = False) -> None:
        """Show the user their own settings; `again` adds the button that posts the table again."""
        now = await self._store.preferences(context.user)
        table = context.table_id or NO_TABLE
        await context.change(settings_screen(context.say, now, table=table, again=again))

    async def save_preferences(
        self,
        context: Context,
        *,
        slow: int | None = None,
        pinged: bool | None = None,
        language: str | None = None,
        text_only: bool | None = None,
    ) -> bool:
        """Store the user's settings and apply them at their tables; return False if only part of it succeeded."""
        async with self._preference_locks[context.user % PREFERENCE_LOCKS]:  # or a change could be lost
            settings = await self._store.preferences(context.user)
            settings = settings._replace(
                slow=settings.slow if slow is None else slow, pinged=settings.pinged if pinged is None else pinged
            )
            if language is not None:
                settings = settings._replace(language=None if language == AUTO_LANGUAGE else language)
            if text_only is not None:
                settings = settings._replace(text_only=text_only)
            is_applied_somewhere = False
            try:
                # Tables first: if one fails, the settings show the old value, and the new one can be chosen again.
                for table in await self._tables.open_of(context.user):
                    await self._tables.submit(
                        table, commands.SetPreferences(context.user, settings.slow, settings.pinged)
                    )
                    is_applied_somewhere = True
                await self._store.save_preferences(context.user, settings)
                self._text_only.choose(context.user, settings.text_only)
                if language is not None:
                    context.change_language(settings.language)
                    for table in await self._tables.open_of(context.user):
                        await self._tables.submit(table, commands.SetLanguage(context.user, context.language))
            except StoreFault as fault:
                if not is_applied_somewhere:
                    raise
                log.log(fault.level, "interaction %s: a setting was changed at some tables only, %s", context.id, fault)
                return False
        return True

    # -- reading

    async def help(self, context: Context, press: Press) -> None:
        """Show the commands that this person can type."""
        names = self._command_names(context.interaction)
        await context.change(help_screen(context.say, names, press.picked, is_installed=context.is_installed_here))

    async def rules(self, context: Context, press: Press) -> None:
        """Show a page of the rules; it replaces the page whose button was pressed, if any."""
        table: Table | None = None
        with suppress(Rejected):  # a table of long ago: its rules pages can still be read
            table = await context.table()
        await context.change(rules_screen(context.say, press.picked, table))

    async def terms(self, context: Context, press: Press) -> None:
        """Show the rules and the deck of the table."""
        table = await context.table()  # first: it decides whose words `say` uses
        await context.change(draw_this_table(context.say, table))

    async def keep(self, context: Context, press: Press) -> None:
        """Close a confirmation that the user declined."""
        await context.change(kept_screen(context.say))


def _check_open(table: Table) -> None:
    if not table.is_open:
        raise Rejected(HostReason.TABLE_OVER if table.stage is Stage.OVER else HostReason.TABLE_CLOSED)


def _check_reachable(table: Table) -> None:
    """Raise Rejected while the table is suspended, because nobody would see the result; the refusal says why."""
    if table.pause is not None and table.pause.why is not None:
        raise Rejected(HostReason.PAUSED, why=table.pause.why)


def _may_post(context: Context, table: Table) -> bool:
    return table.seat_of(context.user) is not None or context.user == table.host or context.may_manage

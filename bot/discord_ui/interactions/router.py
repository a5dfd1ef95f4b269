"""Finds the handler for each press by its verb. The custom_id holds all it needs, so old buttons survive a restart.

Presses come through `on_interaction`, not as discord.py's dynamic items. Those cannot be forms, rebuild the whole
message for each press, and ignore a custom_id that is not on the message (docs/adr/0009-presses.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.discord_ui.handlers.assembly import Handlers
from bot.discord_ui.handlers.play import is_game_verb
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context, ContextServices
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.host.model import Table, TableId, UserId
from bot.screens.custom_ids import NO_TABLE, Verb, parse
from bot.screens.lessons import read_place
from bot.screens.presses import Press

BUTTON: Final = 2
"""Discord's component type for a button."""
MAX_VALUE_LENGTH: Final = 100
"""Discord's limit for the value of an option; a longer one is forged, and its number may be too long to read."""
Handler = Callable[[Context, Press], Awaitable[None]]


class Router:
    """Passes every press, and every slash command that does the same, to its handler."""

    def __init__(
        self,
        services: ContextServices,
        handlers: Handlers,
        check_member: Callable[[Table, UserId], Awaitable[None]],
    ) -> None:
        self._services = services
        self._play = handlers.play
        self._lessons = handlers.lessons
        self._check_member = check_member
        self._handlers = _by_verb(handlers)

    async def pressed(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out what a button, select or form asks for."""
        context = Context(interaction, self._services)
        async with answered(context):
            data: Any = interaction.data or {}
            found = parse(str(data.get("custom_id", "")))
            if found is None or (found.verb not in self._handlers and not is_game_verb(found.verb)):
                raise Rejected(HostReason.STALE)
            place = read_place(found.table)
            if found.table != NO_TABLE and place is None:
                context.table_id = TableId(found.table)
                if interaction.guild_id is None:
                    await self._check_member(await context.table(), context.user)
            picked = data.get("values") or ()
            if any(len(str(value)) > MAX_VALUE_LENGTH for value in picked):
                raise Rejected(HostReason.STALE)
            values = None if data.get("component_type") == BUTTON else tuple(map(str, picked))
            first = str(picked[0]) if picked else found.argument
            press = Press(found, first, _fields(data.get("components") or ()), values)
            if place is None:
                await self.handle(context, press)
            else:
                await self._lessons.press(context, place, press)

    async def handle(self, context: Context, press: Press) -> None:
        """Call the shared handler of the press's verb, or else leave it to the table's game."""
        handler = self._handlers.get(press.id.verb, self._play.press)
        await handler(context, press)


def _by_verb(handlers: Handlers) -> dict[str, Handler]:
    lobby, table, ai_seats, opening = handlers.lobby, handlers.table, handlers.ai_seats, handlers.opening
    house_rules, house_files = handlers.house_rules, handlers.house_files
    return {
        Verb.JOIN: lobby.join,
        Verb.LEAVE: lobby.leave,
        Verb.START: lobby.start,
        Verb.HOST: lobby.host_menu,
        Verb.KICK: lobby.kick,
        Verb.PASS_HOST: lobby.pass_host,
        Verb.STARTER: lobby.choose_starter,
        Verb.SEATS: lobby.arrange_seats,
        Verb.TABLE_RULES: handlers.table_rules.menu,
        Verb.TABLE_RULE_SET: handlers.table_rules.choose,
        Verb.TABLE_RULE_ASK: handlers.table_rules.ask,
        Verb.TABLE_RULE_FORM: handlers.table_rules.filled,
        Verb.AI: ai_seats.menu,
        Verb.ADD_AI: ai_seats.add,
        Verb.FILL: ai_seats.fill,
        Verb.REMOVE_AI: ai_seats.remove,
        Verb.WATCH: ai_seats.watch,
        Verb.STOP: lobby.stop,
        Verb.LOOK: table.look,
        Verb.MORE: table.more,
        Verb.TERMS: table.terms,
        Verb.DEAL: table.deal,
        Verb.ALONG: table.guess,
        Verb.PAUSE: table.pause,
        Verb.BACK: table.back,
        Verb.VOTE: table.vote,
        Verb.TABLE: table.post_again,
        Verb.TIME: table.time,
        Verb.PINGS: table.pings,
        Verb.PICTURES: table.pictures,
        Verb.LANGUAGE: table.language,
        Verb.REMATCH: opening.rematch,
        Verb.WHY: table.reasons,
        Verb.NEW: opening.new,
        Verb.CHOOSE: opening.choose,
        Verb.CHOSEN: opening.chosen,
        Verb.HELP: table.help,
        Verb.RULES: table.rules,
        Verb.LESSON: handlers.lessons.open,
        Verb.DOCTOR: handlers.doctor.examine,
        Verb.KEEP: table.keep,
        Verb.PRIVACY: handlers.privacy.press,
        Verb.STATS: handlers.statistics.turn_card,
        Verb.VERSUS: handlers.statistics.turn_versus,
        Verb.HISTORY: handlers.statistics.turn_history,
        Verb.BOARD: handlers.leaderboards.turn_page,
        Verb.REPLAY: handlers.replays.go_to,
        Verb.SHARE: handlers.sharing.share,
        Verb.SEASON: handlers.leaderboards.confirm_close,
        Verb.HOUSE_PAGE: house_rules.page,
        Verb.HOUSE_PICK: house_rules.pick,
        Verb.HOUSE_SET: house_rules.choose,
        Verb.HOUSE_ASK: house_rules.ask,
        Verb.HOUSE_FORM: house_rules.filled,
        Verb.HOUSE_DROP: house_rules.drop,
        Verb.HOUSE_RESET: house_rules.reset,
        Verb.HOUSE_PRESET: house_rules.preset,
        Verb.HOUSE_IMPORT: house_files.confirm_import,
        Verb.HOUSE_FILE: house_files.import_submitted,
        Verb.HOUSE_LOG: house_files.log,
    }


def _fields(rows: Any) -> dict[str, str]:
    """Return what was entered in a form, by the custom_ids of its fields."""
    found: dict[str, str] = {}
    for row in rows:
        parts = [row["component"]] if "component" in row else row.get("components", ())
        for part in parts:
            value = part["values"][0] if part.get("values") else part.get("value")
            if value is not None:
                found[part.get("custom_id", "")] = str(value)
    return found

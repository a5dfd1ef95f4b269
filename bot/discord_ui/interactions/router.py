"""Every press of ours, by its verb. What is pressed carries all that is needed, so it outlives restarts.

Presses come through `on_interaction` and not as dynamic items, because those cannot be forms, rebuild the whole message
for each press, and are silent about a custom_id that is not on the message (docs/adr/0009-presses.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import discord

from bot.discord_ui.handlers import (
    ai_seats as company,
)
from bot.discord_ui.handlers import (
    leaderboards as boards,
)
from bot.discord_ui.handlers import (
    lobby as lobbying,
)
from bot.discord_ui.handlers import (
    opening,
    privacy,
)
from bot.discord_ui.handlers import (
    play as playing,
)
from bot.discord_ui.handlers import (
    replays as replaying,
)
from bot.discord_ui.handlers import (
    statistics as figures,
)
from bot.discord_ui.handlers import (
    table as around,
)
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.host.model import TableId
from bot.screens.custom_ids import NO_TABLE, CustomId, Verb, parse


class Press(NamedTuple):
    """What was pressed, picked or filled in."""

    id: CustomId
    picked: str | None
    fields: dict[str, str]
    values: tuple[str, ...] | None = None
    """Everything that was picked in a select, perhaps nothing; None: it was no select."""


BUTTON: Final = 2
Handler = Callable[[Context, Any], Awaitable[None]]

HANDLERS: Final[dict[Verb, Handler]] = {
    Verb.JOIN: lobbying.join,
    Verb.RISE: lobbying.leave,
    Verb.START: lobbying.start,
    Verb.HOST: lobbying.host_menu,
    Verb.KICK: lobbying.kick,
    Verb.PASS: lobbying.pass_host,
    Verb.STARTER: lobbying.choose_starter,
    Verb.AI: company.menu,
    Verb.ASK: company.ask,
    Verb.FILL: company.fill,
    Verb.SEND: company.send,
    Verb.WATCH: company.watch,
    Verb.STOP: lobbying.stop,
    Verb.REMATCH: opening.rematch,
    Verb.BID: playing.bid,
    Verb.SURE: playing.sure,
    Verb.FORM: playing.form,
    Verb.CALL: playing.call,
    Verb.ACT: playing.act,
    Verb.BET: playing.bet,
    Verb.NUMBER: playing.number,
    Verb.GUESS: playing.guess,
    Verb.LOOK: around.look,
    Verb.MORE: around.more,
    Verb.DEAL: around.deal,
    Verb.PAUSE: around.pause,
    Verb.BACK: around.back,
    Verb.VOTE: around.vote,
    Verb.TABLE: around.post_again,
    Verb.TIME: around.time,
    Verb.PINGS: around.pings,
    Verb.NEW: opening.new,
    Verb.CHOOSE: opening.choose,
    Verb.CHOSEN: opening.chosen,
    Verb.HELP: around.help_,
    Verb.RULES: around.rules,
    Verb.KEEP: around.keep,
    Verb.PRIVACY: privacy.pressed,
    Verb.STATS: figures.turn_card,
    Verb.VERSUS: figures.turn_versus,
    Verb.HISTORY: figures.turn_history,
    Verb.BOARD: boards.turn,
    Verb.REPLAY: replaying.turn,
    Verb.SEASON: boards.close_surely,
    Verb.HPAGE: lambda context, press: context.bot.handlers.house_rules.page(context, press),
    Verb.HPICK: lambda context, press: context.bot.handlers.house_rules.pick(context, press),
    Verb.HSET: lambda context, press: context.bot.handlers.house_rules.choose(context, press),
    Verb.HASK: lambda context, press: context.bot.handlers.house_rules.ask(context, press),
    Verb.HFORM: lambda context, press: context.bot.handlers.house_rules.filled(context, press),
    Verb.HDROP: lambda context, press: context.bot.handlers.house_rules.drop(context, press),
    Verb.HRESET: lambda context, press: context.bot.handlers.house_rules.reset(context, press),
    Verb.HPRESET: lambda context, press: context.bot.handlers.house_rules.preset(context, press),
    Verb.HIMPORT: lambda context, press: context.bot.handlers.house_files.confirm_import(context, press),
    Verb.HLOG: lambda context, press: context.bot.handlers.house_files.log(context, press),
}


async def pressed(interaction: discord.Interaction[Any]) -> None:
    """Carry out what a button, select or form asks for."""
    data: Any = interaction.data or {}
    found = parse(str(data.get("custom_id", "")))
    context = Context(interaction)
    async with answered(context):
        if found is None:
            raise Rejected(HostReason.STALE)
        if found.table != NO_TABLE:
            context.table_id = TableId(found.table)
            if interaction.guild_id is None:
                await context.bot.places.check_member(await context.table(), context.user)
        picked = data.get("values") or ()
        values = None if data.get("component_type") == BUTTON else tuple(map(str, picked))
        first = str(picked[0]) if picked else found.argument
        press = Press(found, first, _fields(data.get("components") or ()), values)
        await HANDLERS[found.verb](context, press)


def _fields(rows: Any) -> dict[str, str]:
    """Return what was filled into a form, by the custom_ids of its fields."""
    found: dict[str, str] = {}
    for row in rows:
        parts = [row["component"]] if "component" in row else row.get("components", ())
        for part in parts:
            value = part["values"][0] if part.get("values") else part.get("value")
            if value is not None:
                found[part.get("custom_id", "")] = str(value)
    return found

"""What is typed instead of pressed: the table of the channel is meant, and the answer is private."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import discord
from discord.app_commands import Choice

from bot.discord_ui.handlers import ai_seats as company
from bot.discord_ui.handlers import lobby as lobbying
from bot.discord_ui.handlers import opening
from bot.discord_ui.handlers import play as playing
from bot.discord_ui.handlers import table as around
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected, Seat
from bot.games.coyote.rules.actions import Reason
from bot.games.coyote.rules.editions import ANNOUNCEMENTS, COINS
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui import forms
from bot.games.coyote.ui.refusals import ABOUT_NUMBERS
from bot.host import commands, views
from bot.host.commands import HostReason
from bot.host.decide import decide
from bot.host.model import Table, UserId
from bot.screens.answers import Done, done_screen
from bot.screens.custom_ids import Act, Play, parse_act
from bot.screens.names import mention
from bot.screens.words import called, named, number

if TYPE_CHECKING:
    from bot.discord_ui.client import CoyoteBot

MOST_CHOICES = 25


@asynccontextmanager
async def here(interaction: discord.Interaction[CoyoteBot]) -> AsyncIterator[Context]:
    """Ask about the table of the channel in which a command was typed."""
    context = Context(interaction)
    async with answered(context):
        # Where there is none, whoever asks for the table is refused: a context manager has to come to its `yield`.
        found = await context.bot.tables.at(interaction.channel_id or 0)
        context.table_id = None if found is None else found.id
        yield context


async def join(context: Context) -> None:
    """Take a seat, and say how the feathers will be seen."""
    table = await lobbying.submit(context, await lobbying.joining(context))
    await context.tell(lobbying.welcome(context, table))


async def start(context: Context) -> None:
    """Begin, and show whoever began what they see."""
    table = await lobbying.submit(context, commands.Start(context.user))
    await context.tell(await context.bot.look(context, table))


async def kick(context: Context, whom: int) -> None:
    """Send somebody away."""
    await lobbying.submit(context, commands.Kick(context.user, UserId(whom)))
    await context.tell(done_screen(context.say, Done.KICKED, mention=mention(whom)))


async def pass_host(context: Context, to: int) -> None:
    """Hand the role of host on."""
    await lobbying.submit(context, commands.PassHost(context.user, UserId(to)))
    await context.tell(done_screen(context.say, Done.PASSED, mention=mention(to)))


async def begins(context: Context, who: int | None, ai: str | None) -> None:
    """Say who begins, a person or an AI, whom no user option can name; nobody lets chance decide."""
    if who is None and ai is not None:
        who = company.find(await context.table(), ai)
    table = await lobbying.submit(context, commands.ChooseStarter(context.user, None if who is None else UserId(who)))
    done = Done.CHANCE if who is None else Done.STARTER
    await context.tell(done_screen(context.say, done, mention="" if who is None else named(table, who)))


async def deal(context: Context) -> None:
    """Deal now, and show whoever did what they see."""
    table = await lobbying.submit(context, commands.DealNow(context.user))
    await context.tell(await context.bot.look(context, table))


async def pause(context: Context) -> None:
    """Want a pause, or its end."""
    await context.tell(done_screen(context.say, await around.ask_pause(context)))


async def back(context: Context) -> None:
    """Be there again."""
    await lobbying.submit(context, commands.Back(context.user))
    await context.tell(done_screen(context.say, Done.BACK))


async def vote(context: Context, whom: int) -> None:
    """Want an away player to be out."""
    await lobbying.submit(context, commands.VoteOut(context.user, UserId(whom)))
    await context.tell(done_screen(context.say, Done.VOTED))


async def rematch(context: Context) -> None:
    """Open a new lobby for the same people."""
    await opening.open_again(context)
    await context.tell(done_screen(context.say, Done.REMATCH))


async def settings(context: Context, slow: int | None, pinged: bool | None) -> None:
    """Keep somebody's own settings, and show them."""
    if slow is not None or pinged is not None:
        kept = await around.prefer(context, slow=slow, pinged=pinged)
        if not kept:
            await context.tell(done_screen(context.say, Done.HALF_KEPT))
            return
    await around.show_settings(context)


async def play(context: Context, action: Play, *, sure: bool = False) -> None:
    """Answer the open question, whichever that is."""
    await playing.play(context, action, None, sure=sure)


async def act(context: Context, action: str, target: int | None, value: str | None) -> None:
    """Use a special action, with whom and what it needs."""
    if action.strip().casefold() in ("bet", "bet_caller", "bet_bidder"):
        await _bet(context, action.strip().casefold(), target)
        return
    chosen = parse_act(action)
    if chosen is None or action in COINS:  # "reverse" is an action of its own in one edition, a coin in another
        chosen = await _named(context, action)
    table = await context.table()
    if target is not None:
        seat = table.seat_of(UserId(target))
        if seat is None:
            await playing.needs_question(context, None)  # who may do nothing now needs nobody else to pick
            raise Rejected(HostReason.NOT_AT_TABLE, whom=target)
        chosen = chosen._replace(target=seat) if chosen.do == "bid" else chosen
    if chosen.needs_guess:
        face = None if value is None else forms.read_face(value)
        if face is None:
            await playing.needs_open(context, None, chosen)
            await context.tell(forms.unread_face(context.say, value or ""))
            return
        await play(context, chosen.play(guess=face))
        return
    bid = None
    if chosen.needs_number:
        bid = None if value is None else forms.read_number(value)
        if bid is None:
            table, question = await playing.needs_question(context, None)
            _check_possible(context, table, chosen.play(number=acts.lowest(question) or 1))
            await context.tell(forms.unread_number(context.say, table, question, value or "", chosen))
            return
    await play(context, chosen.play(number=bid))


async def _named(context: Context, typed: str) -> Act:
    """Return the action that somebody means who typed its name, and did not pick it from the list."""
    table, question = await playing.needs_question(context, None)
    wanted = typed.strip().casefold()
    for option in _options(context, table, question):
        found = parse_act(option.value)
        if found is not None and wanted in (option.value, option.label.casefold()):
            return found
        if found is not None and wanted == found.kind:
            return found._replace(target=None)
    meant = _by_name(views.view(table, None).rules.edition, wanted)
    if meant is None:
        raise Rejected(HostReason.NO_SUCH_ACTION, do=typed)
    return meant  # which is not open now, and the game says why


def _by_name(edition: str, name: str) -> Act | None:
    """Return what an edition calls so: a coin, something that comes with a bid, or an action of its own."""
    if edition == "feathers" and name in COINS:
        return Act("coin", name)
    alone = parse_act(name.replace(" ", "_"))
    turns_and_bids = edition == "scout" and name == "reverse"
    if edition in ("scout", "tomahawk") and name in ANNOUNCEMENTS and (alone is None or turns_and_bids):
        return Act("bid", name)
    return alone


def _check_possible(context: Context, table: Table, action: Play) -> None:
    """Refuse what cannot be done now, whatever number is named with it."""
    try:
        trial = commands.Play(context.user, action.do, action.fields)
        decide(table, trial, context.bot.clock.now(), context.bot.rng)
    except Rejected as refused:
        if refused.reason not in ABOUT_NUMBERS:
            raise


async def _bet(context: Context, action: str, target: int | None) -> None:
    table = await context.table()
    view: Any = views.view(table, None)
    if target is not None:
        on = table.seat_of(UserId(target))
    else:
        on = None if view is None else view.bidder if action == "bet_bidder" else view.caller
    placed = Play("bet", {"on": -1 if on is None else int(on)})
    if action == "bet" and target is None:
        _check_possible(context, table, placed)
        raise Rejected(Reason.NEEDS_TARGET)
    await play(context, placed)


async def offered(interaction: discord.Interaction[CoyoteBot], typed: str) -> list[Choice[str]]:
    """Return the special actions that are open to whoever types, at most as many as Discord shows."""
    context = Context(interaction)
    table = await context.bot.tables.at(interaction.channel_id or 0)
    question = None if table is None else playing.question_to(table, context)
    if table is None or question is None:
        return []
    found = [(option.label, option.value) for option in _options(context, table, question)]
    wanted = typed.casefold()
    return [Choice(name=name, value=value) for name, value in found if wanted in name.casefold()][:MOST_CHOICES]


def _options(context: Context, table: Table, question: Any) -> list[discord.SelectOption]:
    view = views.view(table, context.user)
    options = acts.all_options(
        context.say, table, view, question
    )  # a target may be an AI, whom no user option can name
    if view.caller is None or view.bidder is None or view.own_bet is not None:
        return options
    bets = (("bet_caller", view.caller), ("bet_bidder", view.bidder))
    return [
        *options,
        *(discord.SelectOption(label=_bet_label(context, table, view, *bet), value=bet[0]) for bet in bets),
    ]


def _bet_label(context: Context, table: Table, view: Any, key: str, seat: Seat) -> str:
    return context.say(f"table.button.{key}", name=called(table, seat), bid=number(view.bid))

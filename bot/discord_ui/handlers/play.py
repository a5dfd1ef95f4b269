"""Answers to the game's questions: bids, calls, special actions, bets, and the forms that ask for a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.discord_ui.handlers.lobby import acknowledge
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Prompt, Rejected
from bot.engine.registry import RULES
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui import forms
from bot.games.coyote.ui.confirm import out_of_reach, reach_screen
from bot.host import commands, views
from bot.host.commands import HostReason
from bot.host.decide import decide
from bot.host.model import Stage, Table
from bot.screens.custom_ids import Act, Play, parse_act, parse_announcement, parse_bid

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press


SHOWN: Final = ("peek", "coyote_card", "bet")
"""What only the player gets to see, at once and privately, wherever it was pressed."""


async def play(context: Context, action: Play, prompt: int | None, *, sure: bool = False) -> None:
    """Submit an action and acknowledge it once it is on the disk; a bid out of reach is asked about first."""
    context.saved = False  # also if it does not come to that
    table = await context.table()
    context.prompt = prompt
    bid = action.fields.get("number")
    if action.do == "bid" and isinstance(bid, int):
        act = Act("bid", action.fields.get("plus"), action.fields.get("target"))
        context.more["number"], context.announced = bid, act.announced
        if not sure and await _asks_really(context, table, action, bid, prompt):
            return
    command = commands.Play(context.user, action.do, action.fields, prompt)
    after = await context.submit(command)
    if context.interaction.message is not None and not context.is_private and action.do not in SHOWN:
        await acknowledge(context)
    else:
        await context.change(await context.bot.look(context, after))


async def _asks_really(context: Context, table: Table, action: Play, bid: int, prompt: int | None) -> bool:
    if table.stage is not Stage.PLAYING or (bid < context.bot.surely_reachable and "deck" not in table.options):
        return False
    question = question_to(table, context)
    if question is None or (prompt is not None and prompt != question.id):
        return False
    view = views.view(table, None)
    if not out_of_reach(view, bid):
        return False
    act = Act("bid", action.fields.get("plus"), action.fields.get("target"))
    command = commands.Play(context.user, action.do, action.fields, prompt)
    decide(table, command, context.bot.clock.now(), context.bot.rng)  # what may not be bid at all is refused first
    screen = reach_screen(context.say, table, view, bid, prompt=question.id, act=act if act.kind else None)
    await context.change(screen)
    return True


def question_to(table: Table, context: Context) -> Prompt | None:
    """Return the open question to whoever asks."""
    seat = table.seat_of(context.user)
    if seat is None or table.stage is not Stage.PLAYING or table.next_deal is not None or table.pause is not None:
        return None  # a table that was stopped still has its match, and that its questions
    return next((prompt for prompt in RULES[table.game].prompts(table.match) if prompt.seat == seat), None)


async def needs_question(context: Context, prompt: int | None) -> tuple[Table, Prompt]:
    """Return the open question to whoever asks; refuse, as the host would, who has none."""
    table = await context.table()
    context.prompt = prompt
    question = question_to(table, context)
    if question is None or (prompt is not None and question.id != prompt):
        # Any action is refused now, and the host knows best why.
        trial = commands.Play(context.user, "bid", {"number": 1, "plus": None, "target": None}, prompt)
        decide(table, trial, context.bot.clock.now(), context.bot.rng)
        raise Rejected(HostReason.STALE)
    return table, question


async def bid(context: Context, press: Press) -> None:
    """A quick raise."""
    await play(context, _known(parse_bid(press.id.argument)), press.id.prompt)


async def sure(context: Context, press: Press) -> None:
    """The bid that nothing can reach is meant."""
    await play(context, _known(parse_bid(press.id.argument)), press.id.prompt, sure=True)


async def call(context: Context, press: Press) -> None:
    """Coyote!"""
    await play(context, Play("call", {}), press.id.prompt)


async def bet(context: Context, press: Press) -> None:
    """A secret bet."""
    on = press.id.argument
    if on is None or not on.isdigit():
        raise Rejected(HostReason.NO_SUCH_ACTION)
    await play(context, Play("bet", {"on": int(on)}), press.id.prompt)


async def form(context: Context, press: Press) -> None:
    """Open the form for a bid."""
    act = parse_announcement(press.id.argument)
    if act is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    await _ask(context, press.id.prompt, act)


async def needs_open(context: Context, prompt: int | None, act: Act) -> tuple[Table, Prompt]:
    """Return the open question to whoever asks; refuse, as the host would, who has none and what is not open now."""
    table, question = await needs_question(context, prompt)
    if not acts.is_open(question, act):
        trial = act.play(number=acts.lowest(question) or 1, guess=0)
        command = commands.Play(context.user, trial.do, trial.fields, prompt)
        decide(table, command, context.bot.clock.now(), context.bot.rng)
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return table, question


async def _ask(context: Context, prompt: int | None, act: Act) -> None:
    """Open the form for what must be named with an action."""
    table, question = await needs_open(context, prompt, act)
    if act.needs_guess:
        await context.ask(forms.guess_form(context.say, table, question))
    else:
        await context.ask(forms.bid_form(context.say, table, views.view(table, context.user), question, act))


async def act(context: Context, press: Press) -> None:
    """A special action; one that needs a number or a guess opens a form."""
    chosen = parse_act(press.picked or "")
    if chosen is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    if not chosen.needs_number and not chosen.needs_guess:
        await play(context, chosen.play(), press.id.prompt)
        return
    await _ask(context, press.id.prompt, chosen)


async def number(context: Context, press: Press) -> None:
    """The form for a bid came back."""
    typed = press.fields.get(forms.NUMBER, "")
    act = parse_announcement(press.id.argument)
    if act is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    read = forms.read_number(typed)
    if read is None:
        table, question = await needs_question(context, press.id.prompt)
        await context.tell(forms.unread_number(context.say, table, question, typed, act))
        return
    target = press.fields.get(forms.TARGET, "")
    if target.isascii() and target.isdigit() and len(target) < 20 and act.target is None:
        act = act._replace(target=int(target))
    await play(context, act.play(number=read), press.id.prompt)


async def guess(context: Context, press: Press) -> None:
    """The form for a guess came back."""
    typed = press.fields.get(forms.FACE, "")
    face = forms.read_face(typed)
    if face is None:
        await context.tell(forms.unread_face(context.say, typed))
        return
    await play(context, Act("coin", "guess").play(guess=face), press.id.prompt)


def _known(action: Play | None) -> Play:
    if action is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return action

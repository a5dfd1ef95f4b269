"""Turns Coyote's buttons, selects, forms and typed actions into moves, forms and private screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from discord import SelectOption

from bot.engine.core import Prompt, Rejected, Seat
from bot.games.coyote.rules.actions import Reason
from bot.games.coyote.rules.editions import COINS, Rules
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui import choices, forms
from bot.games.coyote.ui.acts import Act, bet, call, parse_act, parse_announcement, parse_bid
from bot.games.coyote.ui.confirm import out_of_reach, reach_screen
from bot.games.coyote.ui.refusals import ABOUT_NUMBERS
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host.commands import HostReason
from bot.host.model import Stage, UserId
from bot.screens.layout import Form, PrivateScreen
from bot.screens.presses import Answer, BystanderGuess, GamePresses, Move, Situation
from bot.screens.words import number, seat_label

ACTION: Final = "action"
"""What was typed as the special action of a slash command."""
TARGET: Final = "target"
"""The user id of the player whom a typed action names."""
VALUE: Final = "value"
"""The number or feather that was typed with an action."""
ALWAYS_REACHABLE_BELOW: Final = 20
"""Bids below this are within reach of every published deck, so they need no check."""

CoyoteSituation = Situation[CoyoteView]


# -- buttons, selects and forms


def _bid(asked: CoyoteSituation) -> Move:
    return _or_reject(parse_bid(asked.press.id.argument))


def _bid_anyway(asked: CoyoteSituation) -> Move:
    return _or_reject(parse_bid(asked.press.id.argument, confirmed=True))


def _call(asked: CoyoteSituation) -> Move:
    return call()


def _bet(asked: CoyoteSituation) -> Move | BystanderGuess:
    on = asked.press.id.argument
    if on is None or not on.isdigit():
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return _bet_or_guess(asked, int(on))


def _bet_or_guess(asked: CoyoteSituation, on: int) -> Move | BystanderGuess:
    """Return a player's bet; from somebody who watches, the same is a guess."""
    return BystanderGuess(on) if asked.guesses_along else bet(on)


def _form(asked: CoyoteSituation) -> Form:
    act = parse_announcement(asked.press.id.argument)
    if act is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return _form_for(asked, act)


def _act(asked: CoyoteSituation) -> Answer:
    """Use a special action; one that needs a number or a guess opens a form."""
    if asked.press.typed:
        return _typed_act(asked)
    chosen = parse_act(asked.press.picked or "")
    if chosen is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    if chosen.needs_number or chosen.needs_guess:
        return _form_for(asked, chosen)
    return chosen.move()


def _number(asked: CoyoteSituation) -> Move | PrivateScreen:
    """Read a submitted form for a bid."""
    fields = asked.press.fields
    act = parse_announcement(asked.press.id.argument)
    if act is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    typed = fields.get(forms.NUMBER, "")
    bid = forms.read_number(typed)
    if bid is None:
        return forms.unread_number(asked.say, asked.table, asked.needs_prompt(), typed, act, taught=_taught(asked, act))
    target = fields.get(forms.TARGET, "")
    if target.isascii() and target.isdigit() and len(target) < 20 and act.target is None:
        act = act._replace(target=int(target))
    return act.move(number=bid)


def _taught(asked: CoyoteSituation, act: Act) -> Callable[[int], bool] | None:
    """Return a check whether a number is what a lesson asks for; None at a table."""
    teaches = asked.teaches
    return None if teaches is None else lambda number: teaches(act.move(number=number))


def _guess(asked: CoyoteSituation) -> Move | PrivateScreen:
    """Read a submitted form for a guess."""
    typed = asked.press.fields.get(forms.FACE, "")
    face = forms.read_face(typed)
    return forms.unread_face(asked.say, typed) if face is None else Act("coin", "guess").move(guess=face)


def _or_reject(move: Move | None) -> Move:
    if move is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return move


def _form_for(asked: CoyoteSituation, act: Act) -> Form:
    """Return the form for what must be named with an action."""
    prompt = _needs_open(asked, act)
    if act.needs_guess:
        return forms.guess_form(asked.say, asked.table, asked.view, prompt)
    return forms.bid_form(asked.say, asked.table, asked.view, prompt, act)


def _needs_open(asked: CoyoteSituation, act: Act) -> Prompt:
    """Return the open prompt; raise Rejected, as the host would, if there is none or the action is not allowed."""
    prompt = asked.needs_prompt()
    if not choices.is_open(prompt, act):
        raise _why_not(asked, act) or Rejected(HostReason.NO_SUCH_ACTION)
    return prompt


# -- bids that no deal can reach


def _confirm(asked: CoyoteSituation, move: Move) -> PrivateScreen | None:
    """Ask whether the player means a bid that no deal can reach; a bid that is not allowed is refused first."""
    table, bid = asked.table, move.fields.get("number")
    if move.do != "bid" or not isinstance(bid, int) or table.stage is not Stage.PLAYING:
        return None
    if bid < ALWAYS_REACHABLE_BELOW and "deck" not in table.options:
        return None
    prompt = asked.open_prompt
    if prompt is None or asked.press.prompt not in (None, prompt.id) or not out_of_reach(asked.view, bid):
        return None
    act = Act("bid", move.fields.get("plus"), move.fields.get("target"))
    if not choices.allows_bid(prompt, bid, act):
        return None  # the host refuses it
    return reach_screen(asked.say, table, asked.view, bid, prompt=prompt.id, act=act if act.kind else None)


# -- typed actions


def _typed_act(asked: CoyoteSituation) -> Move | BystanderGuess | PrivateScreen:
    """Use a special action that was typed, with the player and the value that it needs."""
    fields = asked.press.fields
    action, value = fields.get(ACTION, ""), fields.get(VALUE)
    if action.strip().casefold() in ("bet", "bet_caller", "bet_bidder"):
        return _typed_bet(asked, action.strip().casefold())
    act = parse_act(action)
    if act is None or action in COINS:  # "reverse" is an action of its own in one edition, a coin in another
        act = _named(asked, action)
    target = _typed_target(asked)
    if target is not None:
        seat = asked.table.seat_of(target)
        if seat is None:
            asked.needs_prompt()  # a user who cannot act at all now is told so first
            raise Rejected(HostReason.NOT_AT_TABLE, whom=target)
        act = act._replace(target=seat) if act.do in ("bid", "announce") else act
    if act.needs_guess:
        face = None if value is None else forms.read_face(value)
        if face is None:
            _needs_open(asked, act)
            return forms.unread_face(asked.say, value or "")
        return act.move(guess=face)
    if not act.needs_number:
        return act.move()
    bid = None if value is None else forms.read_number(value)
    if bid is None:
        prompt = asked.needs_prompt()
        refused = _why_not(asked, act)
        if refused is not None and refused.reason not in ABOUT_NUMBERS:
            raise refused
        return forms.unread_number(asked.say, asked.table, prompt, value or "", act)
    return act.move(number=bid)


def _typed_target(asked: CoyoteSituation) -> UserId | None:
    written = asked.press.fields.get(TARGET)
    return None if written is None else UserId(int(written))


def _typed_bet(asked: CoyoteSituation, action: str) -> Move | BystanderGuess:
    target, view = _typed_target(asked), asked.view
    on: Seat | None
    if target is not None:
        on = asked.table.seat_of(target)
    elif asked.table.match is None:
        on = None
    else:
        on = view.bidder if action == "bet_bidder" else view.caller
    if action == "bet" and target is None:
        raise asked.why_not_verb("bet") or Rejected(Reason.NEEDS_TARGET)
    return _bet_or_guess(asked, -1 if on is None else int(on))


def _named(asked: CoyoteSituation, typed: str) -> Act:
    """Return the action whose name was typed instead of picked from the list."""
    prompt = asked.needs_prompt()
    wanted = typed.strip().casefold()
    for option in _options(asked, prompt):
        found = parse_act(option.value)
        if found is not None and wanted in (option.value, option.label.casefold()):
            return found
        if found is not None and wanted == found.kind:
            return found._replace(target=None)
    meant = _by_name(asked.view.rules, wanted)
    if meant is None:
        raise Rejected(HostReason.NO_SUCH_ACTION, do=typed)
    return meant  # it is not allowed now; the game will say why


def _by_name(rules: Rules, name: str) -> Act | None:
    """Return the action that an edition calls by this name: a coin, an announcement with a bid, or another action."""
    if rules.traits.kind == "coin" and name in COINS:
        return Act("coin", name)
    plus = "announce" if rules.announces_first else "bid"
    return Act(plus, name) if name in rules.traits.pluses else parse_act(name.replace(" ", "_"))


def _why_not(asked: CoyoteSituation, act: Act) -> Rejected | None:
    """Return why an action cannot be used now, whatever number or feather is named with it."""
    if act.do == "coin":
        return asked.why_not_verb("coin", coin=act.kind)
    return asked.why_not_verb("bid", plus=act.kind, target=act.target)


def offered_actions(asked: CoyoteSituation, typed: str) -> list[tuple[str, str]]:
    """Return the special actions that are open to the user who types, as names and values."""
    prompt = asked.open_prompt
    found = [] if prompt is None else _options(asked, prompt)
    if prompt is None and asked.guesses_along:
        found = _bet_options(asked)
    wanted = typed.casefold()
    return [(option.label, option.value) for option in found if wanted in option.label.casefold()]


def _options(asked: CoyoteSituation, prompt: Prompt) -> list[SelectOption]:
    """List all allowed actions with all targets: a target may be an AI player, whom no user option can name."""
    options = choices.all_options(asked.say, asked.table, asked.view, prompt)
    return options if asked.view.own_bet is not None else [*options, *_bet_options(asked)]


def _bet_options(asked: CoyoteSituation) -> list[SelectOption]:
    """List the two bets while a call waits for its reveal; people who watch can guess with them."""
    view = asked.view
    if view.caller is None or view.bidder is None:
        return []
    bets = (("bet_caller", view.caller), ("bet_bidder", view.bidder))
    return [SelectOption(label=_bet_label(asked, key, seat), value=key) for key, seat in bets]


def _bet_label(asked: CoyoteSituation, key: str, seat: Seat) -> str:
    return asked.say(
        f"table.button.{key}", name=seat_label(asked.say, asked.table, seat), bid=number(asked.view.bid or 0)
    )


PRESSES: Final = GamePresses[CoyoteView](
    verbs={
        CoyoteVerb.BID: _bid,
        CoyoteVerb.BID_ANYWAY: _bid_anyway,
        CoyoteVerb.FORM: _form,
        CoyoteVerb.CALL: _call,
        CoyoteVerb.ACT: _act,
        CoyoteVerb.BET: _bet,
        CoyoteVerb.NUMBER: _number,
        CoyoteVerb.GUESS: _guess,
    },
    confirm=_confirm,
    naming=(CoyoteVerb.BET, CoyoteVerb.ACT),
)

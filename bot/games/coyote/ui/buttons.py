"""The buttons and selects of a round: raises, "Coyote!", special actions, secret bets."""

from __future__ import annotations

from typing import Any, Final

from discord import ButtonStyle, ui

from bot.games.coyote.emoji_names import COIN_TAKEN, COYOTE_CARD, EYE_OPEN
from bot.games.coyote.rules.actions import Call, Peek, UseCoyote, Withdraw
from bot.games.coyote.rules.view import CoyoteView, Duty
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.games.coyote.ui.views import Question
from bot.host.model import Table
from bot.screens.custom_ids import CustomId
from bot.screens.layout import Item, pick, press, row
from bot.screens.words import number, seat_label
from bot.text.catalogue import Catalogue

PEEKS: Final = ((Peek, "peek", EYE_OPEN), (UseCoyote, "coyote_card", COYOTE_CARD), (Withdraw, "withdraw", None))
"""The actions that are buttons: their name in the codec, and their emoji."""


def play_rows(
    say: Catalogue, table: Table, view: CoyoteView, question: Question, *after: ui.Button[Any]
) -> list[Item | None]:
    """Make the rows of components that play a turn; the buttons `after` go beside "Coyote!"."""

    def id_for(verb: CoyoteVerb, argument: str | None = None) -> CustomId:
        return CustomId(verb, table.id, question.id, argument)

    raises = [
        press(number(bid), id_for(CoyoteVerb.BID, str(bid)), ButtonStyle.primary)
        for bid in acts.quick_bids(view, question)
    ]
    more = press(say("table.button.bid"), id_for(CoyoteVerb.FORM)) if acts.bids(question) else None
    call = None
    if acts.may(question, Call):
        call = press(
            say("table.button.call"), id_for(CoyoteVerb.CALL), ButtonStyle.danger, say.emoji(COIN_TAKEN) or "🐺"
        )
    peeks = [
        press(say(f"table.button.{act}"), id_for(CoyoteVerb.ACT, act), emoji=say.emoji(emoji))
        for verb, act, emoji in PEEKS
        if acts.may(question, verb)
    ]
    has_buttons = view.rules.has_centre or view.duty is Duty.CHOOSE
    options = [] if has_buttons else acts.special_options(say, table, view, question)
    special = pick(say("table.button.acts"), id_for(CoyoteVerb.ACT), options) if options else None
    if table.players[question.seat].ai is not None:  # disabled, not removed, so that no button jumps
        for item in (*raises, call, more, *peeks, special):
            if item is not None:
                item.disabled = True
    return [row(*raises), row(call, more, *after), row(*peeks), row(special)]


def bet_row(say: Catalogue, table: Table, view: CoyoteView, prompt: int) -> ui.ActionRow[Any] | None:
    """Make the two buttons for secret bets."""
    if view.caller is None or view.bidder is None:
        return None
    bid = number(view.bid or 0)
    sides = (("table.button.bet_caller", view.caller), ("table.button.bet_bidder", view.bidder))
    return row(
        *[
            press(
                say(key, name=seat_label(say, table, seat), bid=bid),
                CustomId(CoyoteVerb.BET, table.id, prompt, str(seat)),
            )
            for key, seat in sides
        ]
    )

"""Questions before something that cannot be undone: a private "really?" with a button for each answer."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.games.coyote.rules.highest import highest_total
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui.acts import Act, bid_argument
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host.model import Stage, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import PrivateScreen, press, row, text
from bot.screens.views import living
from bot.screens.words import number
from bot.text.catalogue import Catalogue

CANCEL: Final = "cancel"
"""Yes to the end of a lobby, which is no yes to the end of the game that has begun since."""


def out_of_reach(view: CoyoteView, bid: int) -> bool:
    """Tell whether no deal for this table could make so much: from the deck and its size, never from cards in play."""
    return bid > highest_total(view.rules, len(living(view)))


def reach_screen(
    say: Catalogue, table: Table, view: CoyoteView, bid: int, *, prompt: int, act: Act | None = None
) -> PrivateScreen:
    """Ask once whether a bid that nothing can reach is meant."""
    players = len(living(view))
    highest = number(highest_total(view.rules, players))
    question = say("confirm.reach", number=number(bid), players=players, highest=highest)
    sure = CustomId(CoyoteVerb.BID_ANYWAY, table.id, prompt, bid_argument(bid, act))
    return _ask(say, table, question, say("confirm.reach_yes", number=number(bid)), sure)


def leave_screen(say: Catalogue, table: Table, user: UserId, *, living: bool, dealt: bool = True) -> PrivateScreen:
    """Ask whether leaving for good is meant, and say what becomes of the game.

    `living`: they still play; `dealt`: there is a round that would be void.
    """
    if [person.user for person in table.people] == [user] and table.host == user:
        question = say("confirm.leave_last")
    elif not living:
        question = say("confirm.leave_out")
    elif table.house.ai_for_left:
        question = say("confirm.leave_to_ai")
    else:
        question = say("confirm.leave") if dealt else say("confirm.leave_between")
    return _ask(say, table, question, say("confirm.leave_yes"), CustomId(Verb.LEAVE, table.id, argument="yes"))


def stop_screen(say: Catalogue, table: Table) -> PrivateScreen:
    """Ask whether the lobby is to be cancelled, or the game stopped for everyone."""
    if table.stage is Stage.LOBBY:
        cancel = CustomId(Verb.STOP, table.id, argument=CANCEL)
        return _ask(say, table, say("confirm.cancel"), say("confirm.cancel_yes"), cancel)
    stop = CustomId(Verb.STOP, table.id, argument="yes")
    return _ask(say, table, say("confirm.stop"), say("confirm.stop_yes"), stop)


def kept_screen(say: Catalogue) -> PrivateScreen:
    """Say that nothing has happened, after "never mind"."""
    return PrivateScreen(text(say("confirm.kept")))


def _ask(say: Catalogue, table: Table, question: str, yes: str, doing: CustomId) -> PrivateScreen:
    return PrivateScreen(
        text(question),
        row(press(yes, doing, ButtonStyle.danger), press(say("confirm.no"), CustomId(Verb.KEEP, table.id))),
    )

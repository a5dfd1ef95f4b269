"""Asks a player to confirm a bid that no deal can reach."""

from __future__ import annotations

from bot.games.coyote.rules.highest import highest_total
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui.acts import Act, bid_argument
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.games.coyote.ui.views import living
from bot.host.model import Table
from bot.screens.confirm import confirm_screen
from bot.screens.custom_ids import CustomId
from bot.screens.layout import PrivateScreen
from bot.screens.words import number
from bot.text.catalogue import Catalogue


def out_of_reach(view: CoyoteView, bid: int) -> bool:
    """Return whether no deal can reach a bid, judging by the deck and the number of players, never by cards in play."""
    return bid > highest_total(view.rules, len(living(view)))


def reach_screen(
    say: Catalogue, table: Table, view: CoyoteView, bid: int, *, prompt: int, act: Act | None = None
) -> PrivateScreen:
    """Ask whether the player really means a bid that no deal can reach."""
    players = len(living(view))
    highest = number(highest_total(view.rules, players))
    question = say("confirm.reach", number=number(bid), players=players, highest=highest)
    sure = CustomId(CoyoteVerb.BID_ANYWAY, table.id, prompt, bid_argument(bid, act))
    return confirm_screen(say, table, question, say("confirm.reach_yes", number=number(bid)), sure)

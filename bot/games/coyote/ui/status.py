"""Lines for the table that say how a round stands: its heading, the next deal, and what applies besides the bid."""

from __future__ import annotations

from typing import Final

from bot.games.coyote.emoji_names import COIN_USED, coin_emoji
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.views import PrivateView, PublicView, living, living_seats
from bot.games.coyote.ui.words import edition, with_signs
from bot.host.model import Table
from bot.screens.table import first_game_lines, note_lines
from bot.screens.words import DOT, countdown, mover, who
from bot.text.catalogue import Catalogue

_DEALT: Final = (Phase.BIDDING, Phase.BETS, Phase.CALLED)


def heading(say: Catalogue, view: PublicView) -> str:
    """Return the small line on top."""
    return say("table.over", edition=edition(say, view.rules), number=view.number)


def next_round_line(say: Catalogue, table: Table, view: PublicView) -> str:
    """Say who opens the next round, and when it is dealt."""
    slots = {"number": view.number + 1}
    if view.starter is None:
        line = say("table.between.chance", **slots)
    else:
        line = say("table.between.starts", mention=who(say, table, view.starter), **slots)
    if table.next_deal is None:
        return line
    return f"{line} {say('table.between.deal', time=countdown(table.next_deal))}"


def force_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Say what applies in this round besides the bid, and what is worth knowing at any table."""
    lines = []
    if view.phase in _DEALT:
        if any(view.rules.supply):
            lines.append(_coins_line(say, view))
        lines += round_lines(say, table, view)
    if view.number == 1 and view.phase is Phase.BIDDING:
        lines += first_game_lines(say, table, living_seats(view)) or [say("table.force.look")]
    if view.rules.has_centre:
        lines.extend(_centre_lines(say, table, view))
    return [*lines, *note_lines(say, table, living_seats(view))]


def round_lines(say: Catalogue, table: Table, view: PublicView | PrivateView) -> list[str]:
    """Say what has been changed in this round by actions, and who used them."""
    lines = []
    if view.direction < 0:
        lines.append(say("table.force.backwards"))
    if view.doubled and view.turn is not None and view.turn != view.viewer:  # their own look says it in bold
        lines.append(say("table.force.doubled", mention=who(say, table, view.turn)))
    return [*lines, used_line(say, table, view)] if view.used else lines


def used_line(say: Catalogue, table: Table, view: PublicView | PrivateView) -> str:
    """Say who has used which action or picture coin in this round."""
    used = [_did(say, view, action, mover(say, table, seat)) for seat, action in view.used]
    return say("table.force.used", actions=DOT.join(used))


def _did(say: Catalogue, view: PublicView | PrivateView, action: str, name: str) -> str:
    """Say who used an action; a picture coin has its emoji before that."""
    if view.rules.traits.kind == "coin":
        return _with_emoji(say, coin_emoji(action), say(f"table.did.coin_{action}", mention=name))
    return say(f"table.did.{action}", mention=name)


def _with_emoji(say: Catalogue, emoji: str, words: str) -> str:
    return f"{say.emoji(emoji)}\u00a0{words}" if say.emoji(emoji) else words


def _coins_line(say: Catalogue, view: PublicView) -> str:
    if len(living(view)) == 2:
        return say("table.force.no_coins")
    supply = dict(zip((coin for coin, _ in view.coins), view.rules.supply, strict=True))
    coins = [
        _with_emoji(say, coin_emoji(coin), say("table.force.coin", coin=say(f"coin.{coin}"), count=left))
        if left
        else _with_emoji(say, COIN_USED, say("table.force.coin_gone", coin=say(f"coin.{coin}")))
        for coin, left in view.coins
        if supply[coin]
    ]
    return say("table.force.coins", coins=DOT.join(coins))


def _centre_lines(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    lines = []
    if view.peeked:
        lines.append(say("table.force.peeked", mentions=say.listing([who(say, table, seat) for seat in view.peeked])))
    elif view.phase in _DEALT:
        lines.append(say("table.force.centre"))
    if view.coyote_holder is not None:
        key = "table.force.holder_used" if view.coyote_used else "table.force.holder"
        lines.append(say(key, mention=who(say, table, view.coyote_holder)))
    lines.append(with_signs(say, say("table.force.eyes_legend")))
    return lines

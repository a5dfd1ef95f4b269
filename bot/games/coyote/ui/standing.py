"""How a round stands, in lines: the ladder of bids, who opens next, and what besides the bid is in force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.coyote.rules.actions import Announced
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.seats import pause_vote
from bot.host.model import Dm, Table
from bot.screens.names import mention
from bot.screens.views import PublicView, living
from bot.screens.words import ARROW, DOT, action_name, countdown, edition, number, who
from bot.text.catalogue import Catalogue

_RUNGS: Final = 8
"""How many bids the ladder shows; the older ones are history."""


def over_line(say: Catalogue, view: PublicView) -> str:
    """Return the small line on top."""
    return say("table.over", edition=edition(say, view.rules), number=view.number)


def ladder(say: Catalogue, table: Table, rungs: Sequence[Announced]) -> str:
    """Tell the bids, oldest first; nothing if there is but one, which stands above."""
    if len(rungs) < 2 and all(rung.how is None and not rung.refused for rung in rungs):
        return ""
    return whole_ladder(say, table, rungs)


def whole_ladder(say: Catalogue, table: Table, rungs: Sequence[Announced]) -> str:
    """Tell the bids, oldest first, even if there is but one."""
    shown = rungs[-_RUNGS:]
    standing = max((place for place, rung in enumerate(shown) if not rung.refused), default=None)
    told = [_rung(say, table, rung, last=place == standing) for place, rung in enumerate(shown)]
    return ARROW.join(["…", *told] if len(rungs) > len(shown) else told)


def _rung(say: Catalogue, table: Table, rung: Announced, *, last: bool) -> str:
    # An AI's name has spaces, at which a bid must not fall apart; a mention has none.
    slots = {"number": number(rung.number), "mention": who(table, rung.seat).replace(" ", "\u00a0")}
    if rung.how == "approve":
        return say("table.rung_approve_refused" if rung.refused else "table.rung_approve", **slots)
    told = say("table.rung_refused" if rung.refused else "table.rung_last" if last else "table.rung", **slots)
    if rung.how is None or (rung.refused and rung.how == "double"):
        return told  # a double goes with its number; a feather stays drawn, whoever was named stays named (R31)
    target = "" if rung.target is None else who(table, rung.target)
    if rung.refused:
        return say(f"table.rung_{rung.how}_refused", target=target, **slots)
    return say(f"table.rung_{rung.how}", rung=told, target=target)


def between(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Say who opens the next round, and when it is dealt."""
    slots = {"number": view.number + 1}
    if view.starter is None:
        lines = [say("table.between.chance", **slots)]
    else:
        lines = [say("table.between.starts", mention=who(table, view.starter), **slots)]
    if table.next_deal is not None:
        lines.append(say("table.between.deal", time=countdown(table.next_deal)))
    return [" ".join(lines)]


def in_force(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    """Tell what besides the bid holds in this round."""
    lines = []
    if view.phase in (Phase.BIDDING, Phase.BETS):
        if view.direction < 0:
            lines.append(say("table.force.backwards"))
        if view.doubled and view.turn is not None:
            lines.append(say("table.force.doubled", mention=who(table, view.turn)))
        if any(view.rules.supply):
            lines.append(_coins(say, view))
        if view.used:
            used = [
                say("table.force.used_by", action=action_name(say, act, view.rules.edition), mention=who(table, seat))
                for seat, act in view.used
            ]
            lines.append(say("table.force.used", actions=DOT.join(used)))
    if view.number == 1 and view.phase is Phase.BIDDING:
        lines.append(say("table.force.look"))
    if view.rules.has_centre:
        lines.extend(_centre(say, table, view))
    if any(table.players[seat.seat].dm is Dm.SHUT for seat in living(view)):
        lines.append(say("table.force.look_legend"))
    # Where AIs have seats, the lobby has said so before anybody could mind.
    seated = any(player.ai is not None for player in table.players)
    if table.ai_played and not seated and not table.is_rated and table.house.counts:
        lines.append(say("company.table.unrated"))
    vote = pause_vote(table, view)
    if table.pause is None and vote.votes:
        asking = say.listing([mention(user) for user in vote.votes])
        lines.append(say("table.votes.pause", mentions=asking, count=len(vote.votes), needed=vote.needed))
    return lines


def _coins(say: Catalogue, view: PublicView) -> str:
    if len(living(view)) == 2:
        return say("table.force.no_coins")
    supply = dict(zip((coin for coin, _ in view.coins), view.rules.supply, strict=True))
    told = [
        say("table.force.coin", coin=say(f"coin.{coin}"), count=left)
        if left
        else say("table.force.coin_gone", coin=say(f"coin.{coin}"))
        for coin, left in view.coins
        if supply[coin]
    ]
    return say("table.force.coins", coins=DOT.join(told))


def _centre(say: Catalogue, table: Table, view: PublicView) -> list[str]:
    lines = []
    if view.peeked:
        lines.append(say("table.force.peeked", mentions=say.listing([who(table, seat) for seat in view.peeked])))
    elif view.phase in (Phase.BIDDING, Phase.BETS):
        lines.append(say("table.force.centre"))
    if view.coyote_holder is not None:
        key = "table.force.holder_used" if view.coyote_used else "table.force.holder"
        lines.append(say(key, mention=who(table, view.coyote_holder)))
    lines.append(say("table.force.eyes_legend"))
    return lines

"""Narrates the public events of one step of a match, in a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.games.coyote.rules.actions import (
    Announced,
    AnnouncementAdded,
    BetPlaced,
    Called,
    CoinFlipped,
    CoyoteUsed,
    Dealt,
    DirectionChanged,
    Guessed,
    MatchWon,
    Peeked,
    PileRenewed,
    RedoDemanded,
    SeatLeft,
    Withdrew,
)
from bot.games.coyote.ui.words import feather
from bot.host.model import Table
from bot.screens.words import number, who
from bot.text.catalogue import Catalogue


def narrate(say: Catalogue, table: Table, events: Sequence[Any]) -> list[str]:
    """Tell what happened in a step; the end of a round is told by its reveal."""
    return list(_sentences(say, table, events)) if events else [say("replay.waits")]


def _sentences(say: Catalogue, table: Table, events: Sequence[Any]) -> Iterator[str]:
    for event in events:
        match event:
            case Dealt(round_, starter, shuffled):
                key = "replay.dealt_shuffled" if shuffled else "replay.dealt"
                yield say(key, number=round_, mention=who(say, table, starter))
            case Announced():
                yield _announced(say, table, event)
            case DirectionChanged(seat, bidder):
                yield say("replay.turned", mention=who(say, table, seat), bidder=who(say, table, bidder))
            case RedoDemanded(seat, bidder):
                yield say("replay.redo", mention=who(say, table, seat), bidder=who(say, table, bidder))
            case CoinFlipped(seat, coin, shown):
                card = "" if shown is None else feather(say, shown)
                yield say(f"replay.coin_{coin}", mention=who(say, table, seat), card=card)
            case AnnouncementAdded(seat, plus, target):
                named = "" if target is None else who(say, table, target)
                yield say(f"replay.announce_{plus}", mention=who(say, table, seat), target=named)
            case Withdrew(seat):
                yield say("replay.withdrew", mention=who(say, table, seat))
            case Guessed(seat, value, card, right, may_stay):
                key = "replay.guessed_right" if right else "replay.guessed_wrong"
                key = "replay.guessed_right_choose" if may_stay else key
                yield say(key, mention=who(say, table, seat), value=feather(say, value), card=feather(say, card))
            case Peeked(seat):
                yield say("replay.peeked", mention=who(say, table, seat))
            case CoyoteUsed(seat):
                yield say("replay.coyote_used", mention=who(say, table, seat))
            case Called(seat, bidder, bid):
                yield say(
                    "replay.called", mention=who(say, table, seat), bidder=who(say, table, bidder), number=number(bid)
                )
            case BetPlaced(seat):
                yield say("replay.bet", mention=who(say, table, seat))
            case PileRenewed(cards):
                yield say("replay.shuffled", count=cards)
            case SeatLeft(seat):
                yield say("replay.left", mention=who(say, table, seat))
            case MatchWon(seat):
                yield say("replay.won", mention=who(say, table, seat))
            case _:
                pass


def _announced(say: Catalogue, table: Table, event: Announced) -> str:
    target = "" if event.target is None else who(say, table, event.target)
    key = "replay.bid" if event.how is None else f"replay.bid_{event.how}"
    return say(key, mention=who(say, table, event.seat), number=number(event.number), target=target)

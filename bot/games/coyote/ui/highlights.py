"""The most memorable moments of a match in words, for the final screen and the replay."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.coyote.highlights import Bluff, Close, Comeback, Exact, LastCall, Memorable
from bot.host.model import Table
from bot.screens.replay_frames import HighlightWords
from bot.screens.words import number, who
from bot.stats.moments import Highlight
from bot.text.catalogue import Catalogue


def highlight_lines(say: Catalogue, table: Table, found: Sequence[Highlight]) -> list[str]:
    """Describe the best moments for the final screen; how the match ended is told there anyway."""
    return [highlight_words(say, table, each.what).sentence for each in found if not isinstance(each.what, LastCall)]


def highlight_words(say: Catalogue, table: Table, what: Memorable) -> HighlightWords:
    """Name a moment, and describe it in a sentence."""
    match what:
        case Exact(seat, bid, played):
            sentence = say("final.exact", mention=who(say, table, seat), number=number(bid), round=number(played))
            return HighlightWords(say("replay.highlight.exact"), sentence)
        case Close():
            return HighlightWords(say("replay.highlight.close"), _close(say, table, what))
        case Bluff():
            return HighlightWords(say("replay.highlight.bluff"), _bluff(say, table, what))
        case Comeback(seat, other, last_chance):
            key = "final.comeback_last_chance" if last_chance else "final.comeback"
            sentence = say(key, mention=who(say, table, seat), other=who(say, table, other))
            return HighlightWords(say("replay.highlight.comeback"), sentence)
        case LastCall(caller, bidder, bid):
            slots = {"mention": who(say, table, caller), "bidder": who(say, table, bidder), "number": number(bid)}
            return HighlightWords(say("replay.highlight.last_call"), say("final.last_call", **slots))


def _close(say: Catalogue, table: Table, close: Close) -> str:
    return say(
        "final.close",
        mention=who(say, table, close.caller),
        bidder=who(say, table, close.bidder),
        number=number(close.bid),
        total=number(close.total),
        round=number(close.round),
    )


def _bluff(say: Catalogue, table: Table, bluff: Bluff) -> str:
    slots = {"mention": who(say, table, bluff.seat), "number": number(bluff.bid), "round": number(bluff.round)}
    if not bluff.chance:
        return say("final.bluff_impossible", **slots)
    percent = max(1, round(bluff.chance * 100))
    return say("final.bluff", chance=say.percent(percent * 10), **slots)

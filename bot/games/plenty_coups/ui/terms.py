"""Sums up the rules of a Plenty Coups table in one line."""

from __future__ import annotations

from bot.games.plenty_coups.rules.options import options_from
from bot.host.model import Table
from bot.screens.words import DOT, duration
from bot.text.catalogue import Catalogue


def terms(say: Catalogue, table: Table) -> str:
    """List the number of rounds, the house rules that differ from the defaults, and the turn time."""
    options, clock = options_from(table.options), table.house.turn_seconds
    parts = [
        say("plenty.terms.rounds", count=options.rounds),
        *([] if options.winter_hunting else [say("plenty.terms.no_winter_hunting")]),
        *([] if options.decline_when_able else [say("plenty.terms.must_prove")]),
        *([say("plenty.terms.accepter_gains")] if options.accepter_gains else []),
        say("terms.no_clock") if clock is None else say("terms.clock", time=duration(say, clock)),
    ]
    return DOT.join(parts)

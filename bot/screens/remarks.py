"""What an AI says about its moves once a round is over."""

from __future__ import annotations

from bot.host.model import BY, Remark, Table
from bot.screens.words import ai_name, who
from bot.text.catalogue import Catalogue


def remark_line(say: Catalogue, table: Table, remark: Remark, round_number: int) -> str:
    """Let an AI speak under its own name, even if the person it played for is back by now.

    In every other round it uses other words for the same, where the catalogue has some, to sound less like a machine.
    """
    slots = dict(remark.slots)
    by = slots.pop(BY, None)
    name = who(table, remark.seat) if by is None else ai_name(table, by)
    reworded = f"{remark.key}_too"
    key = reworded if round_number % 2 == 0 and reworded in say else remark.key
    return say("ai_players.reveal.remark", name=name, words=say(key, **slots))

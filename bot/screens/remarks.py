"""What an AI says about its moves once a round is over."""

from __future__ import annotations

from itertools import count, takewhile

from bot.host.model import BY, Remark, Table
from bot.screens.words import ai_name, who
from bot.text.catalogue import Catalogue


def remark_line(say: Catalogue, table: Table, remark: Remark) -> str | None:
    """Let an AI speak under its own name, even if the person it played for is back by now.

    Each time it uses other words. None once all of them were used in this match: no line is told twice.
    """
    keys = wordings(say, remark.key)
    if remark.said_before >= len(keys):
        return None
    name, slots = speaker(say, table, remark)
    return say("ai_players.reveal.remark", name=name, words=say(keys[remark.said_before], **slots))


def wordings(say: Catalogue, key: str) -> list[str]:
    """Return the keys of all texts that say the same: the key itself, `…_2`, `…_3` and so on."""
    more = takewhile(lambda each: each in say, (f"{key}_{number}" for number in count(2)))
    return [key, *more]


def speaker(say: Catalogue, table: Table, remark: Remark) -> tuple[str, dict[str, str]]:
    """Return the name of the AI that made a remark, and the remark's own slots."""
    slots = dict(remark.slots)
    by = slots.pop(BY, None)
    return (who(say, table, remark.seat) if by is None else ai_name(say, by)), slots

"""Why the AIs made their moves, for those who ask: after a match, or after each round if the game tells so early."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.host.ai_seats import tells_at_the_end
from bot.host.model import Remark, Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game import SCREENS
from bot.screens.layout import ASH, PrivateScreen, box, press, text
from bot.screens.remarks import speaker, wordings
from bot.text.catalogue import Catalogue


def has_reasons(table: Table) -> bool:
    """Return whether the AIs have something to explain by now."""
    is_time = table.stage is Stage.OVER or not tells_at_the_end(table.game)
    return is_time and bool(table.explained)


def reasons_button(say: Catalogue, table: Table) -> ui.Button[Any] | None:
    """Make the button that shows the reasons, privately; None if there are none."""
    if not has_reasons(table):
        return None
    return press(say("ai_players.reasons.button"), CustomId(Verb.WHY, table.id), emoji="🤖")


def reasons_screen(say: Catalogue, table: Table) -> PrivateScreen:
    """List what each AI says about its moves, in the order of the seats, and no line twice."""
    spoken: dict[str, list[str]] = {}
    told: set[str] = set()
    for remark in sorted(table.explained, key=lambda remark: remark.seat):
        name, words = _said(say, table, remark)
        if words is not None and words not in told:
            told.add(words)
            spoken.setdefault(name, []).append(say("ai_players.reasons.line", words=words))
    if not spoken:
        return PrivateScreen(box(ASH, text(say("ai_players.reasons.nothing_new"))))
    blocks = [text(say("ai_players.reasons.name", name=name), *lines) for name, lines in spoken.items()]
    title = "ai_players.reasons.title" if tells_at_the_end(table.game) else "ai_players.reasons.title_round"
    return PrivateScreen(box(ASH, text(say(title)), *blocks))


def _said(say: Catalogue, table: Table, remark: Remark) -> tuple[str, str | None]:
    """Return who speaks, under the AI's own name if it stood in for a person, and what it says.

    None once all words for it were used in this match.
    """
    name, slots = speaker(say, table, remark)
    keys = wordings(say, remark.key)
    if remark.said_before >= len(keys):
        return name, None
    return name, say(keys[remark.said_before], **SCREENS[table.game].remark_slots(say, table, slots))

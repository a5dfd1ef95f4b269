"""`/rules`: the game, a page at a time."""

from __future__ import annotations

from typing import Final

from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, PrivateScreen, box, option, pick, row, text
from bot.text.catalogue import Catalogue

TOPICS: Final = ("basics", "specials", "feathers", "scout", "tomahawk", "peek", "actions", "online")
FIRST: Final = TOPICS[0]


def rules_screen(say: Catalogue, topic: str = FIRST, table: str = NO_TABLE) -> PrivateScreen:
    """Show one page, and a list of the others; an unknown topic shows the first."""
    shown = topic if topic in TOPICS else FIRST
    pages = [
        option(say(f"rules.topic.{page}.title"), page, say(f"rules.topic.{page}.about"), chosen=page == shown)
        for page in TOPICS
    ]
    return PrivateScreen(
        box(
            SAGE,
            text(f"## {say(f'rules.topic.{shown}.title')}", say(f"rules.topic.{shown}.body").strip()),
            row(pick(say("rules.pick"), CustomId(Verb.RULES, table), pages)),
        )
    )

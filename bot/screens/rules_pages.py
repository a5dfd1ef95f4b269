"""`/rules`: how a game is played, a page at a time."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.host.model import Table
from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.game import SCREENS, RulesPages
from bot.screens.layout import SAGE, PrivateScreen, box, option, pick, row, rules_button, text
from bot.text.catalogue import Catalogue


def all_pages() -> tuple[RulesPages, ...]:
    """Return the rules of every game that has pages."""
    return tuple(screens.rules for screens in SCREENS.values() if screens.rules is not None)


def first_topic() -> str | None:
    """Return the page that is shown to somebody who asks for none; None if no game has pages."""
    return next((topic for pages in all_pages() for topic in pages.topics), None)


def rules_screen(say: Catalogue, topic: str | None = None, table: str = NO_TABLE) -> PrivateScreen:
    """Show one page, and a list of that game's other pages; an unknown topic shows the first page of all."""
    known = topic if any(topic in pages.topics for pages in all_pages()) else first_topic()
    if known is None:
        return PrivateScreen(text(say("rules.none")))
    topics = next(pages.topics for pages in all_pages() if known in pages.topics)
    options = [
        option(say(f"rules.topic.{each}.title"), each, say(f"rules.topic.{each}.about"), chosen=each == known)
        for each in topics
    ]
    return PrivateScreen(
        box(
            SAGE,
            text(f"## {say(f'rules.topic.{known}.title')}", say(f"rules.topic.{known}.body").strip()),
            row(pick(say("rules.pick"), CustomId(Verb.RULES, table), options)),
        )
    )


def table_rules_button(say: Catalogue, table: Table) -> ui.Button[Any] | None:
    """Make the button that opens the rules that a table plays by; None if the game has no pages."""
    pages = SCREENS[table.game].rules
    return None if pages is None else rules_button(say("lobby.button.rules"), pages.topic_for(table.options), table.id)

"""`/rules`: how a game is played, a page at a time."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.host.model import Table
from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.game import SCREENS, RulesPages
from bot.screens.layout import SAGE, PrivateScreen, box, option, pick, row, rule, rules_button, text
from bot.screens.lessons import lesson_button
from bot.screens.this_table import differing_lines, rule_lines, this_table_button
from bot.text.catalogue import Catalogue


def all_pages() -> tuple[RulesPages, ...]:
    """Return the rules of every game that has pages."""
    return tuple(screens.rules for screens in SCREENS.values() if screens.rules is not None)


def first_topic(game: str | None = None) -> str | None:
    """Return the page that is shown to somebody who asks for none: the game's first, else the first of all.

    None if no game has pages.
    """
    own = SCREENS[game].rules if game in SCREENS else None
    return next((topic for pages in (own, *all_pages()) if pages is not None for topic in pages.topics), None)


def rules_screen(say: Catalogue, topic: str | None = None, table: Table | None = None) -> PrivateScreen:
    """Show one page, and a list of that game's other pages and of the first page of every other game.

    An unknown topic shows the first page of all. At a table that plays the game, the first page is followed by the
    rules in force, any other page by what differs from the book.
    """
    known = topic if any(topic in pages.topics for pages in all_pages()) else first_topic()
    if known is None:
        return PrivateScreen(text(say("rules.none")))
    own = next(pages for pages in all_pages() if known in pages.topics)
    others = [pages.topics[0] for pages in all_pages() if pages is not own]
    options = [
        option(say(f"rules.topic.{each}.title"), each, say(f"rules.topic.{each}.about"), chosen=each == known)
        for each in (*own.topics, *others)
    ]
    where = NO_TABLE if table is None else table.id
    played = table if table is not None and SCREENS[table.game].rules is own else None
    options_there = {} if played is None else played.options
    return PrivateScreen(
        box(
            SAGE,
            text(f"## {say(f'rules.topic.{known}.title')}", say(own.body_for(known, options_there)).strip()),
            *([] if played is None else [rule(), text(*_at_the_table(say, played, is_first=known == own.topics[0]))]),
            row(_lesson(say, own)) if known == own.topics[0] else None,
            row(pick(say("rules.pick"), CustomId(Verb.RULES, where), options)),
            None if played is None else _table_row(say, played, own, known),
        )
    )


def _lesson(say: Catalogue, pages: RulesPages) -> ui.Button[Any] | None:
    """Make the button that opens the lesson of the game that these pages are about; None if it has none."""
    game = next(game for game, screens in SCREENS.items() if screens.rules is pages)
    return lesson_button(say, game)


def _at_the_table(say: Catalogue, table: Table, *, is_first: bool) -> list[str]:
    if not is_first:
        return differing_lines(say, table)
    name = SCREENS[table.game].name(say, table.options)
    return [say("this_table.below", name=name), *rule_lines(say, table)]


def _table_row(say: Catalogue, table: Table, pages: RulesPages, shown: str) -> ui.ActionRow[Any] | None:
    """Make the buttons for the page about the table's game, and for the table's own rules."""
    topic = pages.topic_for(table.options)
    page = None if topic == shown else rules_button(say(f"rules.topic.{topic}.title"), topic, table.id)
    return row(page, this_table_button(say, table.id))


def table_rules_button(say: Catalogue, table: Table) -> ui.Button[Any] | None:
    """Make the button that opens the rules of a table's game at their first page; None if the game has no pages."""
    pages = SCREENS[table.game].rules
    return None if pages is None else rules_button(say("lobby.button.rules"), pages.topics[0], table.id)

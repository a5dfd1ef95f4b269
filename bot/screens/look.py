"""The parts of private looks that all games share: the frame, the way back, and looks while nothing is dealt."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.engine.core import Outcome
from bot.host.model import Millis, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, Item, PrivateScreen, box, link, press, row, text
from bot.screens.replay import replay_button, share_button
from bot.screens.this_table import this_table_button
from bot.screens.words import ago, link_to, look_emoji, who
from bot.text.catalogue import Catalogue


def lobby_look(
    say: Catalogue, table: Table, message: int | None = None, *, seated: bool = True, welcome: bool = True
) -> PrivateScreen:
    """Say that nothing is dealt yet; to somebody without a seat, that nothing will be shown.

    `welcome`: they may still take a seat, because nobody has kicked them.
    """
    if not seated:
        why = say("look.no_seat_why") if welcome else say("look.removed_why")
        return quiet_look(say, table, say("look.nothing_dealt"), why, message, again=False)
    return quiet_look(say, table, say("look.nothing_dealt"), say("look.nothing_dealt_why"), message)


def closed_look(say: Catalogue, table: Table, message: int | None = None) -> PrivateScreen:
    """Say that the table ended without a winner. If nobody ended it, its channel is gone, and no link leads there."""
    if table.match is not None and table.ended_by is None:
        return PrivateScreen(box(ASH, text(say("look.over"), say("look.gone_why"))))
    why = say("look.over_why") if table.match is not None else say("look.never_begun_why")
    return quiet_look(say, table, say("look.over"), why, message, again=False)


def final_look(
    say: Catalogue, table: Table, outcome: Outcome, message: int | None = None, *, in_channel: bool = False
) -> PrivateScreen:
    """Say that the match is over, and who won; in the table's channel, it can be watched again and shared."""
    winners = say.listing([who(say, table, seat) for seat in outcome.winners])
    buttons = (replay_button(say, table), share_button(say, table)) if in_channel else ()
    why = say("look.won_why" if len(outcome.winners) == 1 else "look.won_together_why", mention=winners)
    return quiet_look(say, table, say("look.won"), why, message, *buttons, again=False)


def quiet_look(
    say: Catalogue, table: Table, title: str, why: str, message: int | None, *before: Item, again: bool = True
) -> PrivateScreen:
    """Show that there is nothing to see, and why; `before` are buttons before the way back."""
    return PrivateScreen(
        box(ASH, text(title, why), text(where_line(say, table)), back_row(say, table, message, *before, again=again))
    )


def where_line(say: Catalogue, table: Table) -> str:
    """Name the table's channel: somebody may play at several tables."""
    return say("look.where", where=f"<#{table.channel}>")


def back_row(
    say: Catalogue, table: Table, message: int | None, *before: Item | None, again: bool
) -> ui.ActionRow[Any] | None:
    """Make the link back to the table message and, with `again`, the buttons to look again and to see the rules.

    A game's own buttons may stand before them, two at most.
    """
    look = _again_button(say, table) if again else None
    rules = this_table_button(say, table.id) if again else None
    return row(*before, look, rules, link(say("table.button.open"), link_to(table, message)))


def _again_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    return press(say("look.button.again"), CustomId(Verb.LOOK, table.id, argument="again"), emoji=look_emoji(say))


def with_lines_above(look: PrivateScreen, lines: str | None) -> PrivateScreen:
    """Put lines above a look, such as the reason why a move was refused."""
    return look if not lines else PrivateScreen(text(lines), *look.children)


def with_date(say: Catalogue, look: PrivateScreen, now: Millis) -> PrivateScreen:
    """Add to a look the time it was drawn; Discord counts the minutes since then."""
    return PrivateScreen(*look.children, text(say("look.as_of", time=ago(now))))


def with_last_date(say: Catalogue, table: Table, look: PrivateScreen, now: Millis) -> PrivateScreen:
    """Say below a look that it no longer follows the table, and add the button to look again if it is missing."""
    again = _again_button(say, table)
    is_there = any(getattr(each, "custom_id", None) == again.custom_id for each in look.walk_children())
    return PrivateScreen(*look.children, text(say("look.stopped", time=ago(now))), None if is_there else row(again))

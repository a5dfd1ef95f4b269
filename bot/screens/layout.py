"""What every screen is made of.

discord.py keeps a view that was sent in its store and listens for its items, unless the view is finished. Ours must
not be kept: each button is found again by its custom_id, whether this process made it or one before it. A view that is
kept would answer a press a second time (with an empty callback, "This interaction failed"), would cost memory for every
edit of every table, and, if it mixed in a `DynamicItem`, would unregister that class for the whole process when it is
replaced. Calling `stop()` is not enough: a view that was made outside a running loop has no future to finish, and says
that it is not finished. So a screen simply says that it is; every place of discord.py 2.7.1 that stores a view asks
that first (`abc.py`, `channel.py`, `message.py`, `interactions.py`, `webhook/async_.py`). The same holds for forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import discord
from discord import ButtonStyle, SelectOption, ui

from bot.screens.custom_ids import CustomId, Verb

MOST_OPTIONS: Final = 25
MOST_IN_ROW: Final = 5
_LABEL: Final = 80
_OPTION: Final = 100

EMBER: Final = discord.Colour(0xC9653B)
"""A game that runs."""
SAGE: Final = discord.Colour(0x7C9A6D)
"""A lobby that waits, a page to read."""
GOLD: Final = discord.Colour(0xD9A441)
"""A winner."""
ASH: Final = discord.Colour(0x8A8177)
"""What is over or stands still."""

Item: TypeAlias = ui.Item[Any]


class Screen(ui.LayoutView):
    """A message that discord.py sends but does not listen to."""

    def __init__(self, *items: Item | None) -> None:
        super().__init__(timeout=None)
        for item in items:
            if item is not None:
                self.add_item(item)

    def is_finished(self) -> bool:
        """Say so from the beginning: its buttons are found by their custom_ids, not through this object."""
        return True

    def to_components(self) -> list[dict[str, Any]]:
        """Return what is sent."""
        components: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]
        return components


class PublicScreen(Screen):
    """What anybody in the channel may read."""


class PrivateScreen(Screen):
    """What one person may read. It never goes where others could see it."""


class Form(ui.Modal):
    """A window with fields. Like a screen, it is found again by its custom_id."""

    def __init__(self, title: str, custom_id: CustomId, *items: Item) -> None:
        super().__init__(title=cut(title, 45), custom_id=str(custom_id))
        for item in items:
            self.add_item(item)

    def is_finished(self) -> bool:
        """Say so from the beginning."""
        return True


def cut(text: str, most: int) -> str:
    """Keep a label within its limit."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def press(
    label: str, custom_id: CustomId, style: ButtonStyle = ButtonStyle.secondary, emoji: str | None = None
) -> ui.Button[Any]:
    """Make a button."""
    return ui.Button(label=cut(label, _LABEL), custom_id=str(custom_id), style=style, emoji=emoji)


def link(label: str, url: str) -> ui.Button[Any]:
    """Make a button that leads somewhere."""
    return ui.Button(label=cut(label, _LABEL), url=url)


def pick(placeholder: str, custom_id: CustomId, options: Sequence[SelectOption]) -> ui.Select[Any]:
    """Make a select of one."""
    return ui.Select(placeholder=cut(placeholder, 150), custom_id=str(custom_id), options=list(options[:MOST_OPTIONS]))


def option(label: str, value: str, about: str | None = None, *, chosen: bool = False) -> SelectOption:
    """Make one option of a select."""
    about = None if about is None else cut(about, _OPTION)
    return SelectOption(label=cut(label, _OPTION), value=value, description=about, default=chosen)


def row(*items: Item | None) -> ui.ActionRow[Any] | None:
    """Put buttons or one select in a row; no row if there are none."""
    present = [item for item in items if item is not None]
    return ui.ActionRow(*present) if present else None


def text(*lines: str | None) -> ui.TextDisplay[Any] | None:
    """Put lines under each other; None and empty ones are left out."""
    present = [line for line in lines if line]
    return ui.TextDisplay("\n".join(present)) if present else None


def box(colour: discord.Colour, *items: Item | None) -> ui.Container[Any]:
    """Frame what belongs together."""
    return ui.Container(*_tidy(items), accent_colour=colour)


def rule() -> ui.Separator[Any]:
    """Draw a line between two thoughts."""
    return ui.Separator()


def _tidy(items: Iterable[Item | None]) -> list[Item]:
    """Leave out what is missing, and lines that would separate nothing."""
    kept: list[Item] = []
    for item in items:
        if item is None or (isinstance(item, ui.Separator) and (not kept or isinstance(kept[-1], ui.Separator))):
            continue
        kept.append(item)
    while kept and isinstance(kept[-1], ui.Separator):
        kept.pop()
    return kept


def rules_button(label: str, topic: str, table: str) -> ui.Button[Any]:
    """Make the button that opens a page of the rules."""
    return press(label, CustomId(Verb.RULES, table, argument=topic))

"""The parts that every screen is made of.

discord.py stores a view that was sent and listens for its items, unless the view is finished. Ours must not be stored:
each button is found again by its custom_id, whether this process made it or an earlier one. A stored view would answer
a press a second time (with an empty callback, "This interaction failed"), would cost memory for every edit of every
table, and, if it had a `DynamicItem`, would unregister that class for the whole process when it is replaced. Calling
`stop()` is not enough: a view that was made outside a running loop has no future to finish, and says that it is not
finished. So a screen always says that it is; discord.py 2.7.1 asks that first wherever it stores a view (`abc.py`,
`channel.py`, `message.py`, `interactions.py`, `webhook/async_.py`). The same applies to forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import discord
from discord import ButtonStyle, SelectOption, ui

from bot.screens.custom_ids import CustomId, Verb

MOST_OPTIONS: Final = 25
"""How many options a select can have."""
MOST_IN_ROW: Final = 5
"""How many buttons a row can have."""
_MAX_SCREEN_LENGTH: Final = 3600
"""How long the texts of a screen may be. Discord allows 4,000; the rest is for lines above and below a look."""
_MAX_LABEL_LENGTH: Final = 80
"""Cap on the characters of a button's label."""
_MAX_OPTION_LENGTH: Final = 100
"""Cap on the characters of an option's label and description."""
_MAX_PLACEHOLDER_LENGTH: Final = 150
"""Cap on the characters of a select's placeholder."""
_MAX_TITLE_LENGTH: Final = 45
"""Cap on the characters of a form's title."""

EMBER: Final = discord.Colour(0xC9653B)
"""A running match."""
SAGE: Final = discord.Colour(0x7C9A6D)
"""A lobby that waits, a page to read."""
GOLD: Final = discord.Colour(0xD9A441)
"""A winner."""
ASH: Final = discord.Colour(0x8A8177)
"""Something that is over or paused."""

Item: TypeAlias = ui.Item[Any]


S = TypeVar("S", bound="Screen")


class Screen(ui.LayoutView):
    """A message that discord.py sends but does not listen to."""

    def __init__(self, *items: Item | None) -> None:
        super().__init__(timeout=None)
        for item in items:
            if item is not None:
                self.add_item(item)

    def is_finished(self) -> bool:
        """Always return True: the buttons are found by their custom_ids, not through this object."""
        return True

    def to_components(self) -> list[dict[str, Any]]:
        """Return what is sent to Discord."""
        components: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]
        return components


class PublicScreen(Screen):
    """A message that anybody in the channel may read."""


class PrivateScreen(Screen):
    """A message for one user. It never goes where others could see it."""


class Form(ui.Modal):
    """A window with fields. As with a screen, discord.py does not listen to it."""

    def __init__(self, title: str, custom_id: CustomId, *items: Item) -> None:
        super().__init__(title=cut(title, _MAX_TITLE_LENGTH), custom_id=str(custom_id))
        for item in items:
            self.add_item(item)

    def is_finished(self) -> bool:
        """Always return True."""
        return True


def cut(text: str, most: int) -> str:
    """Shorten a text to at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def press(
    label: str, custom_id: CustomId, style: ButtonStyle = ButtonStyle.secondary, emoji: str | None = None
) -> ui.Button[Any]:
    """Make a button; an empty `emoji` means no emoji."""
    return ui.Button(label=cut(label, _MAX_LABEL_LENGTH), custom_id=str(custom_id), style=style, emoji=emoji or None)


def link(label: str, url: str) -> ui.Button[Any]:
    """Make a button that opens an address."""
    return ui.Button(label=cut(label, _MAX_LABEL_LENGTH), url=url)


def pick(placeholder: str, custom_id: CustomId, options: Sequence[SelectOption]) -> ui.Select[Any]:
    """Make a select from which one option is picked."""
    return ui.Select(
        placeholder=cut(placeholder, _MAX_PLACEHOLDER_LENGTH),
        custom_id=str(custom_id),
        options=list(options[:MOST_OPTIONS]),
    )


def option(label: str, value: str, about: str | None = None, *, chosen: bool = False, emoji: str = "") -> SelectOption:
    """Make one option of a select; an empty `emoji` means no emoji."""
    about = None if about is None else cut(about, _MAX_OPTION_LENGTH)
    label = cut(label, _MAX_OPTION_LENGTH)
    return SelectOption(label=label, value=value, description=about, default=chosen, emoji=emoji or None)


def row(*items: Item | None) -> ui.ActionRow[Any] | None:
    """Put buttons or one select in a row; no row if there are none."""
    present = [item for item in items if item is not None]
    return ui.ActionRow(*present) if present else None


def text(*lines: str | None) -> ui.TextDisplay[Any] | None:
    """Put lines under each other; None and empty ones are left out."""
    present = [line for line in lines if line]
    return ui.TextDisplay("\n".join(present)) if present else None


def box(colour: discord.Colour, *items: Item | None) -> ui.Container[Any]:
    """Put a coloured frame around items; missing ones are left out."""
    return ui.Container(*_tidy(items), accent_colour=colour)


def gallery(name: str, description: str) -> ui.MediaGallery[Any]:
    """Show a file that is sent with the message, or that the message already has; `description` says what is in it."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=description))


def illustrated(screen: S, name: str, description: str) -> S:
    """Return a screen with a picture below the first lines of its frame; without a frame, below its first lines."""
    items = list(screen.children)
    place = next((place for place, item in enumerate(items) if isinstance(item, ui.Container)), None)
    picture = gallery(name, description)
    if place is None:
        return type(screen)(*items[:1], picture, *items[1:])
    frame: Any = items[place]
    first, *others = frame.children
    items[place] = ui.Container(first, picture, *others, accent_colour=frame.accent_colour)
    return type(screen)(*items)


def rule() -> ui.Separator[Any]:
    """Make a line between two parts of a frame."""
    return ui.Separator()


def _tidy(items: Iterable[Item | None]) -> list[Item]:
    """Leave out missing items, and lines with nothing to separate."""
    kept: list[Item] = []
    for item in items:
        if item is None or (isinstance(item, ui.Separator) and (not kept or isinstance(kept[-1], ui.Separator))):
            continue
        kept.append(item)
    while kept and isinstance(kept[-1], ui.Separator):
        kept.pop()
    return kept


def fits_message(screen: Screen) -> bool:
    """Return whether the texts of a screen fit into one message; each of the bot's emojis takes about 30 characters."""
    texts = [item.content for item in screen.walk_children() if isinstance(item, ui.TextDisplay)]
    return sum(map(len, texts)) <= _MAX_SCREEN_LENGTH


def remove_own_emojis(shown: Screen | Form) -> bool:
    """Remove the bot's own emojis from buttons and options; return whether there were any."""
    holders: list[ui.Button[Any] | SelectOption] = []
    for item in shown.walk_children():
        if isinstance(item, ui.Button):
            holders.append(item)
        elif isinstance(item, ui.Select):
            holders += item.options
    own = [holder for holder in holders if isinstance(holder.emoji, discord.PartialEmoji) and holder.emoji.id]
    for holder in own:
        holder.emoji = None
    return bool(own)


def rules_button(label: str, topic: str, table: str) -> ui.Button[Any]:
    """Make the button that opens a page of the rules."""
    return press(label, CustomId(Verb.RULES, table, argument=topic))

"""Sends answers with pages: the asker turns those of a public one, and everybody else gets a private copy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from bot.discord_ui.interactions.context import Context
from bot.house_rules.repository import Houses
from bot.screens.layout import PrivateScreen, PublicScreen, Screen
from bot.text.catalogue import Catalogue, catalogue

S = TypeVar("S", bound=Screen)


class Drawing(Protocol):
    """Draws the same content as a public or a private screen."""

    def __call__(self, kind: type[S], say: Catalogue) -> S:
        """Return the screen."""


class Redraw(Protocol):
    """Draws an answer again after it was sent."""

    def __call__(self, draw: Drawing) -> Awaitable[None]:
        """Replace the answer with the new drawing."""


Way = Callable[[Context, Drawing], Awaitable[Redraw]]
"""How an answer reaches people: `privately`, `Pages.publicly` or `Pages.in_place`."""


class Pages:
    """Sends public answers in the guild's language."""

    def __init__(self, houses: Houses) -> None:
        self._houses = houses

    async def language(self, context: Context) -> Catalogue:
        """Return the texts in the language that the guild uses in public."""
        return catalogue((await self._houses.rules_for(context.guild)).house.language)

    def way(self, *, private: bool) -> Way:
        """Return how to answer a command: for everybody, unless the asker wants it privately."""
        return privately if private else self.publicly

    async def publicly(self, context: Context, draw: Drawing) -> Redraw:
        """Answer for everybody, or privately if it is too late for a public answer."""
        say = await self.language(context)
        if await context.show(draw(PublicScreen, say)) is None:
            return await privately(context, draw)
        return _redraw_public(context, say)

    async def in_place(self, context: Context, draw: Drawing) -> Redraw:
        """Turn the page if the answer is the asker's own; otherwise open a private copy."""
        if context.is_private:
            await context.change(draw(PrivateScreen, context.say))
            return _redraw_private(context)
        if not context.is_theirs:
            return await privately(context, draw)
        say = await self.language(context)
        await context.redraw(draw(PublicScreen, say))
        return _redraw_public(context, say)


async def privately(context: Context, draw: Drawing) -> Redraw:
    """Answer the asker alone, in a message of its own."""
    # A late answer is a follow-up. A redraw would change the message that was pressed instead, so there is none.
    return _redraw_private(context) if await context.tell(draw(PrivateScreen, context.say)) else _redraw_nothing


async def _redraw_nothing(draw: Drawing) -> None:
    """Leave the answer as it is."""


def _redraw_private(context: Context) -> Redraw:
    return lambda draw: context.redraw(draw(PrivateScreen, context.say))


def _redraw_public(context: Context, say: Catalogue) -> Redraw:
    return lambda draw: context.redraw(draw(PublicScreen, say))

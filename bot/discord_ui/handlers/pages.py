"""Answers worth posting: public ones whose buttons turn pages for the asker, and private copies for everybody else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from bot.discord_ui.interactions.context import Context
from bot.house_rules.repository import Houses
from bot.screens.layout import PrivateScreen, PublicScreen, Screen
from bot.text.catalogue import Catalogue, catalogue

S = TypeVar("S", bound=Screen)


class Drawing(Protocol):
    """Draws the same thing for everybody or for one person."""

    def __call__(self, kind: type[S], say: Catalogue) -> S:
        """Return the screen."""


class Redraw(Protocol):
    """Draws an answer that was sent once more."""

    def __call__(self, draw: Drawing) -> Awaitable[None]:
        """Send the new drawing."""


Way = Callable[[Context, Drawing], Awaitable[Redraw]]
"""How an answer reaches people: `privately`, `Pages.publicly` or `Pages.in_place`."""


class Pages:
    """Public answers, in the language of the guild."""

    def __init__(self, houses: Houses) -> None:
        self._houses = houses

    async def language(self, context: Context) -> Catalogue:
        """Return the language of everything public in the guild."""
        return catalogue((await self._houses.rules_for(context.guild)).house.language)

    def way(self, *, private: bool) -> Way:
        """Return how to answer a command: for everybody, unless the asker wants it privately."""
        return privately if private else self.publicly

    async def publicly(self, context: Context, draw: Drawing) -> Redraw:
        """Answer for everybody; privately if it is too late for that."""
        say = await self.language(context)
        if await context.show(draw(PublicScreen, say)) is None:
            return await privately(context, draw)
        return _redraw_public(context, say)

    async def in_place(self, context: Context, draw: Drawing) -> Redraw:
        """Turn the page of the asker's own answer; of another person's answer, open a private copy."""
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
    # A late answer is a message after the one that was pressed, which must not be changed.
    return _redraw_private(context) if await context.tell(draw(PrivateScreen, context.say)) else _leave_as_it_is


async def _leave_as_it_is(draw: Drawing) -> None:
    """Redraw nothing."""


def _redraw_private(context: Context) -> Redraw:
    return lambda draw: context.redraw(draw(PrivateScreen, context.say))


def _redraw_public(context: Context, say: Catalogue) -> Redraw:
    return lambda draw: context.redraw(draw(PublicScreen, say))

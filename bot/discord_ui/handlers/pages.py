"""Things worth posting: public answers, whose buttons turn pages for whoever asked, and open copies for others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from bot.discord_ui.interactions.context import Context
from bot.screens.layout import PrivateScreen, PublicScreen, Screen
from bot.text.catalogue import Catalogue, catalogue

S = TypeVar("S", bound=Screen)


class Drawing(Protocol):
    """Draws the same thing for everybody or for one person."""

    def __call__(self, kind: type[S], say: Catalogue) -> S:
        """Return the screen."""


class Sent(Protocol):
    """How an answer that was sent can be drawn again."""

    def __call__(self, draw: Drawing) -> Awaitable[None]:
        """Draw it."""


Way = Callable[[Context, Drawing], Awaitable[Sent]]
"""One of the three below: how an answer reaches people, and how it is changed afterwards."""


async def spoken_here(context: Context) -> Catalogue:
    """Return the language in which everything public is said in a server."""
    return catalogue((await context.bot.house.rules_for(context.guild)).house.language)


async def privately(context: Context, draw: Drawing) -> Sent:
    """Answer whoever asks, and nobody else, in a message of its own."""
    # What a late answer follows is the message that was pressed: that one is not ours to change.
    return _private(context) if await context.tell(draw(PrivateScreen, context.say)) else _done


async def publicly(context: Context, draw: Drawing) -> Sent:
    """Answer for everybody; if that took too long already, privately."""
    say = await spoken_here(context)
    if await context.show(draw(PublicScreen, say)) is None:
        return await privately(context, draw)
    return _public(context, say)


async def in_place(context: Context, draw: Drawing) -> Sent:
    """Turn the page of one's own answer, private or public; of somebody else's, open a private copy."""
    if context.is_private:
        await context.change(draw(PrivateScreen, context.say))
        return _private(context)
    if not context.is_theirs:
        return await privately(context, draw)
    say = await spoken_here(context)
    await context.redraw(draw(PublicScreen, say))
    return _public(context, say)


async def _done(draw: Drawing) -> None:
    """Leave it as it is."""


def _private(context: Context) -> Sent:
    return lambda draw: context.redraw(draw(PrivateScreen, context.say))


def _public(context: Context, say: Catalogue) -> Sent:
    return lambda draw: context.redraw(draw(PublicScreen, say))

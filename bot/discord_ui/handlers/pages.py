"""Sends paged answers. Only the asker turns a public answer's pages; anybody else gets a private copy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.text_only import TextOnly
from bot.host.model import UserId
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.server_rules import with_table_language
from bot.pictures.picture import Picture
from bot.screens.layout import PrivateScreen, PublicScreen, Screen
from bot.text.catalogue import Catalogue, catalogue

S = TypeVar("S", bound=Screen)
Make = Callable[[], Picture]


MAX_STATISTICS_PICTURE_WAIT_SECONDS: Final = 5.0
"""How long a picture of statistics may take: the answer has been sent, and nothing waits for the picture."""


class Drawing(Protocol):
    """Draws the same content as a public or a private screen."""

    def __call__(self, kind: type[S], say: Catalogue, picture: Picture | None = None) -> S:
        """Return the screen; `picture` is sent with it."""


class Changes:
    """The changes of one message, one at a time: a picture that is late must not bring back the page before."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.newest = 0
        """The interaction that chose the page which the message shows."""


class Answer(NamedTuple):
    """An answer that was sent, and how it is drawn again."""

    context: Context
    say: Catalogue
    kind: type[PrivateScreen | PublicScreen] | None
    """The kind of screen that it is; None if it can no longer be changed."""
    changes: Changes

    async def redraw(self, draw: Drawing, picture: Picture | None = None) -> None:
        """Replace the answer with a new drawing, unless another page was chosen meanwhile."""
        async with self.changes.lock:
            if self.kind is not None and self.changes.newest == self.context.id:
                await self.context.redraw(draw(self.kind, self.say, picture), picture)


SendAnswer = Callable[[Context, Drawing], Awaitable[Answer]]
"""Sends an answer: `Pages.privately`, `Pages.publicly` or `Pages.in_place`."""


class Pages:
    """Sends public answers in the guild's language, and adds pictures to answers."""

    def __init__(self, repository: HouseRulesRepository, illustrator: Illustrator, text_only: TextOnly) -> None:
        self._repository = repository
        self._illustrator = illustrator
        self._text_only = text_only
        self._changes: WeakValueDictionary[int, Changes] = WeakValueDictionary()
        """By the interaction that a message answers, as long as somebody works on that message."""

    async def language(self, context: Context) -> Catalogue:
        """Return the texts in the language that the guild uses in public."""
        rules = await self._repository.rules_for(context.guild)
        return catalogue(with_table_language(rules.house, context.guild_language).language)

    def sender(self, *, private: bool) -> SendAnswer:
        """Return what answers a command: publicly, unless the asker wants it private."""
        return self.privately if private else self.publicly

    async def privately(self, context: Context, draw: Drawing) -> Answer:
        """Answer the asker alone, in a message of its own."""
        changes = self._changes_of(context.id, context)
        # A late answer is a follow-up. A redraw would change the message that was pressed instead, so there is none.
        is_first = await context.tell(draw(PrivateScreen, context.say))
        return Answer(context, context.say, PrivateScreen if is_first else None, changes)

    async def publicly(self, context: Context, draw: Drawing) -> Answer:
        """Answer for everybody, or privately if it is too late for a public answer."""
        say = await self.language(context)
        changes = self._changes_of(context.id, context)
        if await context.show(draw(PublicScreen, say)) is None:
            return await self.privately(context, draw)
        return Answer(context, say, PublicScreen, changes)

    async def in_place(self, context: Context, draw: Drawing) -> Answer:
        """Turn the page if the answer is the asker's own; otherwise open a private copy."""
        if not context.is_private and not context.is_on_own_answer:
            return await self.privately(context, draw)
        say = context.say if context.is_private else await self.language(context)
        changes = self._changes_of(context.answered, context)
        async with changes.lock:
            if context.is_private:
                await context.change(draw(PrivateScreen, say))
                return Answer(context, say, PrivateScreen, changes)
            await context.redraw(draw(PublicScreen, say))
        return Answer(context, say, PublicScreen, changes)

    async def illustrate(self, answer: Answer, draw: Drawing, sketch: Callable[[Catalogue], Make | None]) -> None:
        """Add a picture to an answer, if its readers want one; `sketch` returns a function that draws it for them."""
        if answer.kind is None:
            return
        reader = answer.context.user if answer.kind is PrivateScreen else None
        wanted = await self.wanted(answer.context, answer.say, sketch, reader)
        picture = await self._illustrator.drawn(wanted, MAX_STATISTICS_PICTURE_WAIT_SECONDS)
        if picture is not None:
            await answer.redraw(draw, picture)

    async def wanted(
        self, context: Context, say: Catalogue, sketch: Callable[[Catalogue], Make | None], reader: UserId | None = None
    ) -> Wanted | None:
        """Return the picture of an answer, unless its only `reader` or the house wants words alone."""
        house = (await self._repository.rules_for(context.guild)).house
        make = sketch(say) if self._text_only.allows_pictures(house, reader) else None
        return None if make is None else Wanted(context.id, make)

    def _changes_of(self, answered: int, context: Context) -> Changes:
        """Return the changes of the message that answers an interaction; this one now chooses what it shows."""
        changes = self._changes.setdefault(answered, Changes())
        changes.newest = context.id
        return changes

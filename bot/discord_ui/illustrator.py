"""Decides which picture a message should have, and has it drawn off the event loop.

A message never waits long for its picture: one that is late comes with the next edit. Finished pictures are cached by
what they show, so that the same picture is not drawn again for another message or an edit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, NamedTuple

from bot.discord_ui.emojis import UPLOADED
from bot.discord_ui.text_only import TextOnly
from bot.engine.registry import RULES
from bot.engine.views import Open, Private, Public
from bot.host import views
from bot.host.model import House, Stage, Table, UserId
from bot.host.ports import StoreFault
from bot.pictures.cache import PieceCache
from bot.pictures.game import DRAWINGS
from bot.pictures.picture import Picture
from bot.pictures.studio import Studio, StudioBusy
from bot.screens.words import label_of
from bot.store.keys import FILES
from bot.store.ports import MetaStore
from bot.text.catalogue import Catalogue

log = logging.getLogger(__name__)

MAX_PICTURE_WAIT_SECONDS: Final = 0.4
"""How long a message waits for its picture before it is sent without one."""
NOTE_SECONDS: Final = 0.5
"""How long an answer waits until it is recorded that it tells an admin about a missing permission."""
REFUSED_SECONDS: Final = 600.0
"""How long no pictures are sent to a channel in which Discord has refused one."""
MOST_KEPT_BYTES: Final = 8 << 20
"""Cap on the size of all cached pictures; the least recently used are dropped first."""


class Wanted(NamedTuple):
    """A picture that a message should have."""

    key: Hashable
    """Pictures with the same key are the same."""
    make: Callable[[], Picture]


class LookPictures(NamedTuple):
    """The pictures that a look may have at the moment."""

    for_answer: Wanted
    """The one for the answer to a press: it shows the present bid."""
    lasting: Wanted
    """The one that stays true until the next deal, for DMs and for looks that follow their table."""

    def has_key(self, key: Hashable) -> bool:
        """Return whether a picture with this key is one of these, and so still true."""
        return key in (self.for_answer.key, self.lasting.key)


class Illustrator:
    """Knows which messages get pictures, and has them drawn."""

    def __init__(
        self,
        studio: Studio,
        text_only: TextOnly,
        may_attach: Callable[[Table], bool],
        store: MetaStore,
    ) -> None:
        self._studio = studio
        self._text_only = text_only
        self._may_attach = may_attach
        self._store = store
        self._kept = PieceCache[Picture]("finished pictures", MOST_KEPT_BYTES, lambda picture: len(picture.data))
        self._under_way: dict[Hashable, asyncio.Task[Picture | None]] = {}
        self._refused_until: dict[int, float] = {}
        self._channel_to_tell: dict[int, int] = {}
        """By guild, a channel in which the bot may not attach files, and about which no admin has been told yet."""
        self._admin_was_told: set[int] = set()

    # -- which picture

    def words(self, say: Catalogue, house: House | None, reader: UserId) -> Catalogue:
        """Return a reader's texts with the bot's own emojis, unless they or the house rules want words alone."""
        wanted = reader not in self._text_only and (house is None or house.pictures)
        return say.with_emojis(UPLOADED) if wanted else say

    def look(self, say: Catalogue, table: Table, user: UserId) -> LookPictures | None:
        """Return the pictures of a user's look, in their language; None if they get none.

        Only players of the running match get them, and people who may see everything.
        """
        drawings = DRAWINGS.get(table.game)
        if drawings is None or drawings.look is None or not self._text_only.allows_pictures(table.house, user):
            return None
        seen = _seen_by(table, user)
        if seen is None:
            return None
        asked, lasting = (drawings.look(seen, lasting=each) for each in (False, True))
        if asked is None or lasting is None:
            return None
        return LookPictures(
            *[_wanted(say, table, ("look", each.shows), each.draw) for each in (asked, lasting)],
        )

    def reveal(self, say: Catalogue, table: Table, seen: Public[Any], beat: int | None = None) -> Wanted | None:
        """Return the picture of a round's end, up to a beat; by default, the last one."""
        drawings = DRAWINGS.get(table.game)
        if drawings is None or drawings.reveal is None or not self._gets_pictures(table):
            return None
        sketch = drawings.reveal(seen, beat=beat or drawings.beats)
        return _wanted(say, table, ("reveal", sketch.shows), sketch.draw)

    def final(self, say: Catalogue, table: Table, events: Sequence[object], *, shared: bool = False) -> Wanted | None:
        """Return the picture of a match's end. If `shared`, it is sent as an answer, which needs no permission."""
        drawings = DRAWINGS.get(table.game)
        outcome = None if table.match is None else RULES[table.game].outcome(table.match)
        if drawings is None or drawings.final is None or outcome is None:
            return None
        if not (self._text_only.allows_pictures(table.house) if shared else self._gets_pictures(table)):
            return None
        draw, seen = drawings.final, views.public_view(table)
        return _wanted(
            say,
            table,
            ("final", table.id, seen.view),
            lambda say, names: draw(say, names, seen, outcome, events),
        )

    def _gets_pictures(self, table: Table) -> bool:
        """Return whether a table's channel gets pictures; if only a permission is missing, have an admin told."""
        if not self._text_only.allows_pictures(table.house):
            return False
        if self._refused_until.get(table.channel, 0.0) <= time.monotonic() and self._may_attach(table):
            return True
        if table.guild not in self._admin_was_told:
            self._channel_to_tell.setdefault(table.guild, table.channel)
        return False

    # -- missing permissions

    def refused(self, guild: int, channel: int) -> None:
        """Record that Discord refused a picture in a channel."""
        now = time.monotonic()
        self._refused_until = {each: until for each, until in self._refused_until.items() if until > now}
        self._refused_until[channel] = now + REFUSED_SECONDS
        if guild not in self._admin_was_told:
            self._channel_to_tell.setdefault(guild, channel)

    async def take_channel_to_tell(self, guild: int) -> int | None:
        """Return the channel in which an admin should let the bot attach files, but only once for each guild."""
        channel = self._channel_to_tell.pop(guild, None)
        if channel is None:
            return None
        self._admin_was_told.add(guild)
        try:
            async with asyncio.timeout(NOTE_SECONDS):
                if await self._store.meta(f"{FILES}{guild}") is not None:
                    return None
                await self._store.set_meta(f"{FILES}{guild}", "1")
        except (StoreFault, TimeoutError):
            log.info("it was not recorded that an admin was told about files: they will be told again")
        return channel

    # -- drawing

    async def drawn(
        self, wanted: Wanted | None, within: float | None = None, *, late: Callable[[], None] | None = None
    ) -> Picture | None:
        """Return the picture; None if none is wanted, it is not ready in time, too many wait, or drawing fails.

        A late picture is still finished and cached, so that the next call has it at once. `late` is called when it is:
        for a message that may not be edited again for any other reason.
        """
        if wanted is None:
            return None
        found = self._kept.find(wanted.key)
        if found is not None:
            return found
        task = self._under_way.get(wanted.key)
        if task is None:
            task = self._under_way[wanted.key] = asyncio.create_task(self._draw(wanted), name="picture")
            task.add_done_callback(lambda _: self._under_way.pop(wanted.key, None))
        await asyncio.wait((task,), timeout=MAX_PICTURE_WAIT_SECONDS if within is None else within)
        if not task.done():
            if late is not None:
                task.add_done_callback(lambda done: late() if not done.cancelled() and done.result() else None)
            return None
        return None if task.cancelled() else task.result()

    def stop(self) -> list[asyncio.Task[Any]]:
        """Draw no more; return the tasks under way."""
        self._studio.close()
        return list(self._under_way.values())

    async def _draw(self, wanted: Wanted) -> Picture | None:
        try:
            return await self._studio.draw(lambda: self._kept.get(wanted.key, wanted.make))
        except StudioBusy:
            log.info("too many pictures wait: one message goes without")
        except Exception as fault:  # its text is not logged: it may quote a hidden card
            log.error("a picture could not be drawn (%s)", type(fault).__name__)
        return None


def _seen_by(table: Table, user: UserId) -> Private[Any] | Open[Any] | None:
    """Return the view that a user's look is drawn from; None for bystanders, who see no live card."""
    if table.stage is not Stage.PLAYING:
        return None
    if views.may_see_all(table, user):
        return views.open_view(table, user)
    if table.seat_of(user) in views.living_seats(table):
        return views.private_view(table, user)
    return None


def _wanted(
    say: Catalogue, table: Table, shows: Hashable, draw: Callable[[Catalogue, Sequence[str]], Picture]
) -> Wanted:
    names = tuple(label_of(say, table, player) for player in table.players)
    return Wanted((table.game, say.language, names, shows), lambda: draw(say, names))

"""Uploads the games' emojis to Discord: adds those that are missing or have changed, deletes those no longer used.

It works slowly in the background, and after any failure it starts again from Discord's own list. A game's emojis are
used once all of them have been uploaded. Until then, and where that is not possible, messages have words alone.

The store remembers which version of a drawing each name stands for. That is written after everything outdated has been
deleted and before anything is uploaded, so from then on an emoji with such a name shows the new drawing, even if the
bot is killed or an answer is lost. An emoji that somebody else added to the application is never deleted; if it has one
of our names, it is used.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import ApplicationEmoji
from bot.host.ports import Fault, StoreFault
from bot.pictures.emojis import Emoji, EmojiSheet
from bot.pictures.game import DRAWINGS
from bot.pictures.studio import StudioBusy
from bot.store.ports import MetaStore

T = TypeVar("T")

log = logging.getLogger(__name__)

EMOJIS_KEY: Final = "emojis"
"""The key under which the store keeps the version of each drawing, and the ids."""
WRITES_PER_SECOND: Final = 0.9
"""How many emojis are uploaded or deleted per second. Discord does not say how many it allows."""
FIRST_RETRY_SECONDS: Final = 5.0
"""How long to wait after the first failure; the wait doubles with each further one."""
ELECTION_SECONDS: Final = 60.0
"""How soon another process asks whether it is to upload from now on."""
LONGEST_RETRY_SECONDS: Final = 3600.0
"""The longest wait after a failure."""

UPLOADED: Final[dict[str, str]] = {}
"""The markup of the emojis that can be used now, by name. Either all emojis of a game are here, or none."""


class EmojiRest(Protocol):
    """Requests about the application's emojis."""

    async def emojis(self, application: int) -> list[ApplicationEmoji]:
        """Return an application's emojis."""

    async def add_emoji(self, application: int, name: str, data: bytes) -> int:
        """Upload an emoji, a PNG file, and return its id."""

    async def delete_emoji(self, application: int, emoji: int) -> None:
        """Delete an emoji; one that is gone already counts as deleted."""


class Drawer(Protocol):
    """Draws off the event loop."""

    async def draw(self, make: Callable[[], Emoji]) -> Emoji:
        """Return what `make` draws; raise StudioBusy if too many drawings are waiting."""


class _Memory(NamedTuple):
    """What the store remembers about the uploads of one application."""

    application: int
    versions: Mapping[str, str] = {}
    """The version of the drawing under each name (`EmojiSheet.version_of`)."""
    ids: Mapping[str, int] = {}

    @classmethod
    def read(cls, written: str | None, application: int) -> _Memory:
        """Read what the store has; empty if that is unreadable or about another application."""
        try:
            found: Any = json.loads(written or "{}")
            if found["application"] == application:
                ids = {str(name): int(emoji) for name, emoji in found["ids"].items()}
                return cls(application, dict(found["versions"]), ids)
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        return cls(application)

    def write(self) -> str:
        """Return this as text for the store."""
        return json.dumps(self._asdict())


class EmojiProgress(NamedTuple):
    """How many of the bot's own emojis can be used."""

    uploaded: int
    of: int
    is_idle: bool
    """Whether the bot uploads no more: it is done, or Discord has refused some."""


class EmojiUploader:
    """Keeps the application's emojis in step with the drawings. `bot_user` is the id of the user who uploads them."""

    def __init__(
        self,
        rest: EmojiRest,
        store: MetaStore,
        studio: Drawer,
        *,
        application: int,
        bot_user: int,
        scale: float = 1.0,
        elected: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """With `elected`, only the process uploads that is told so; the others use what it has uploaded."""
        self._elected = elected
        self._rest = rest
        self._store = store
        self._studio = studio
        self._application = application
        self._bot_user = bot_user
        self._scale = scale
        self._pace = Pace(WRITES_PER_SECOND * scale)
        self._ids: dict[str, int] = {}
        """The ids of the emojis that Discord has."""
        self._check_wanted = asyncio.Event()
        self.is_idle = False
        """Whether there is nothing left to do: everything is uploaded, or was given up."""
        self._task: asyncio.Task[None] | None = None

    @property
    def progress(self) -> EmojiProgress:
        """How far the uploads have come."""
        versions = _versions()
        return EmojiProgress(sum(name in self._ids for name in versions), len(versions), self.is_idle)

    async def recall(self) -> None:
        """Use the emojis that were complete when the bot last ran; whether they still exist is checked later."""
        memory = await self._recalled()
        versions = _versions()
        self._ids = {
            name: emoji for name, emoji in memory.ids.items() if memory.versions.get(name) == versions.get(name)
        }
        self._publish()

    def start(self) -> None:
        """Start uploading in the background."""
        self._task = asyncio.create_task(self._run(), name="emojis")

    async def stop(self) -> None:
        """Stop at once; the next start continues."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._ids.clear()
        self._publish()

    def check_again(self) -> None:
        """Use no emojis until Discord's list has been read again: it has just refused one of them."""
        self._ids.clear()
        self._publish()
        self._check_wanted.set()

    async def _run(self) -> None:
        while True:
            self._check_wanted.clear()
            self.is_idle = False
            if self._elected is None or await self._is_elected():
                await self._try_to_synchronise()
                self.is_idle = True
                await self._check_wanted.wait()
                continue
            self.is_idle = True
            with suppress(TimeoutError):
                async with asyncio.timeout(ELECTION_SECONDS):
                    await self._check_wanted.wait()
            with suppress(StoreFault):
                await self.recall()

    async def _is_elected(self) -> bool:
        try:
            return self._elected is not None and await self._elected()
        except StoreFault:
            return False

    def stored_elsewhere(self) -> None:
        """Read again what another process has uploaded."""
        self._check_wanted.set()

    async def _try_to_synchronise(self) -> None:
        """Try until everything is uploaded, or until trying again would not help."""
        wait = FIRST_RETRY_SECONDS
        while True:
            try:
                await self._synchronise()
                return
            except (TemporaryFailure, StudioBusy) as fault:
                log.info("emojis: some are still missing, %s", fault or "the studio is busy")
            except StoreFault as fault:
                if fault.fault is Fault.CLOSED:
                    return
                log.warning("emojis: some are still missing, %s", fault)
            except RequestRefused as refused:
                log.warning("emojis: Discord takes no more (%s), so texts are used instead", refused)
                return
            except Exception:
                log.exception("emojis: some could not be uploaded, so texts are used instead")
                return
            await asyncio.sleep(wait / self._scale)
            wait = min(2 * wait, LONGEST_RETRY_SECONDS)

    async def _synchronise(self) -> None:
        """Compare Discord's list with the drawings, and make them agree."""
        listed = {emoji.name: emoji for emoji in await self._rest.emojis(self._application)}
        memory, versions = await self._recalled(), _versions()
        for emoji in [each for each in listed.values() if self._is_outdated(each, memory, versions)]:
            self._ids.pop(emoji.name, None)
            self._publish()
            await self._pace.take()
            await self._rest.delete_emoji(self._application, emoji.id)
            del listed[emoji.name]
        self._ids = {name: emoji.id for name, emoji in listed.items() if name in versions}
        await self._remember(versions)
        self._publish()
        given_up = [name for name in versions if name not in self._ids and not await self._upload(name)]
        await self._remember(versions)
        if given_up:
            log.warning("emojis: Discord refused %s, so texts are used instead", ", ".join(given_up))
        else:
            log.info("emojis: all %d are uploaded", len(versions))

    def _is_outdated(self, emoji: ApplicationEmoji, memory: _Memory, versions: Mapping[str, str]) -> bool:
        """Return whether we uploaded this emoji, and it shows an old drawing or is no longer used."""
        if emoji.uploaded_by != self._bot_user:
            return False
        if emoji.name in versions:
            return memory.versions.get(emoji.name) != versions[emoji.name]
        return emoji.name in memory.versions

    async def _upload(self, name: str) -> bool:
        """Upload one emoji; return False if Discord refuses it for good."""
        drawn = await self._studio.draw(lambda: _sheet_of(name).draw(name))
        await self._pace.take()
        try:
            self._ids[name] = await self._rest.add_emoji(self._application, name, drawn.data)
        except RequestRefused as refused:
            if refused.code != error_codes.INVALID_FORM:
                raise
            # The name may be taken by an earlier upload of ours whose answer was lost.
            found = next((emoji.id for emoji in await self._rest.emojis(self._application) if emoji.name == name), None)
            if found is None:
                return False
            self._ids[name] = found
        self._publish()
        return True

    async def _recalled(self) -> _Memory:
        return _Memory.read(await self._store.meta(EMOJIS_KEY), self._application)

    async def _remember(self, versions: Mapping[str, str]) -> None:
        await self._store.set_meta(EMOJIS_KEY, _Memory(self._application, versions, self._ids).write())

    def _publish(self) -> None:
        """Let screens use the emojis of every game whose emojis are complete."""
        usable = {
            name: f"<:{sheet.spoken_name(name)}:{self._ids[name]}>"
            for sheet in _sheets()
            if all(name in self._ids for name in sheet.names)
            for name in sheet.names
        }
        if usable != UPLOADED:
            UPLOADED.clear()
            UPLOADED.update(usable)


def _sheets() -> Iterator[EmojiSheet]:
    return (drawings.emojis for drawings in DRAWINGS.values())


def _versions() -> dict[str, str]:
    """Return the version of the drawing under each name."""
    return {name: sheet.version_of(name) for sheet in _sheets() for name in sheet.names}


def _sheet_of(name: str) -> EmojiSheet:
    return next(sheet for sheet in _sheets() if name in sheet)

"""If the database fails halfway, the answer says so, and trying again finishes the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.handlers.privacy import PrivacyHandlers
from bot.discord_ui.handlers.table import TableHandlers
from bot.discord_ui.text_only import TextOnly
from bot.host.commands import Join
from bot.host.ports import Fault, Preferences, StoreFault
from bot.text.catalogue import catalogue
from tests.discord_ui.fake_rest import CHANNEL, Evening, lobby
from tests.host.world import GUEST, HOST


class FakeContext:
    """A fake context that records what the user reads."""

    def __init__(self) -> None:
        self.id, self.user, self.say, self.table_id = 77, HOST, catalogue("en"), None
        self.read: list[str] = []

    async def change(self, screen: Any) -> None:
        self.read.append(str(screen.to_components()))

    tell = change


def privacy(here: Evening) -> PrivacyHandlers:
    return PrivacyHandlers(here.store, here.tables, forget_user=(), forget_replays=lambda: None, retention_days=30)


def table(here: Evening) -> TableHandlers:
    return TableHandlers(here.store, here.tables, here.publisher, TextOnly(), lambda _: [])


def fails_after(here: Evening, patch: pytest.MonkeyPatch, name: str, times: int) -> None:
    """Make a method of the store fail after it has worked `times` times."""
    works, left = getattr(here.store, name), iter(range(times))

    def full(*args: Any) -> Any:
        if next(left, None) is None:
            raise StoreFault(Fault.FULL, "no room")
        return works(*args)

    patch.setattr(here.store, name, full)


async def seated_twice(here: Evening) -> None:
    await here.tables.submit(here.id, Join(GUEST, "Ben"))
    other = await here.tables.open(1, CHANNEL + 1, Join(GUEST, "Ben"), game="coyote")
    await here.tables.submit(other.id, Join(HOST, "Ana"))
    await here.wait_delivered()


@pytest.mark.parametrize(("what", "times"), [("commit", 0), ("commit", 1), ("erase", 0)])
async def test_an_unfinished_deletion_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    async with lobby(tmp_path) as here:
        await seated_twice(here)
        context: Any = FakeContext()
        with monkeypatch.context() as patched:
            fails_after(here, patched, what, times)
            await privacy(here).delete(context)
        assert "Not done yet" in context.read[-1]
        assert "privacy:delete" in context.read[-1]
        assert await here.store.privacy.knows(HOST)
        await privacy(here).delete(context)
        assert "Everything about you is deleted" in context.read[-1]
        assert not await here.store.privacy.knows(HOST)
        assert await here.tables.open_of(HOST) == ()


@pytest.mark.parametrize(("what", "times"), [("commit", 1), ("save_preferences", 0)])
async def test_a_setting_stored_at_only_some_tables_can_be_chosen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    async with lobby(tmp_path) as here:
        await seated_twice(here)
        context: Any = FakeContext()
        with monkeypatch.context() as patched:
            fails_after(here, patched, what, times)
            await table(here).settings(context, 2, None)
        assert "everywhere" in context.read[-1]
        assert await here.store.preferences(HOST) == Preferences(), (
            "the menu still shows the old value, so it can be chosen again"
        )
        assert await table(here).save_preferences(context, slow=2)
        assert (await here.store.preferences(HOST)).slow == 2
        tables = [await here.tables.get(each) for each in await here.tables.open_of(HOST)]
        assert [player.slow for each in tables for player in each.players if player.user == HOST] == [2, 2]


async def test_if_nothing_was_stored_the_answer_says_only_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as here:
        await seated_twice(here)
        context: Any = FakeContext()
        fails_after(here, monkeypatch, "commit", 0)
        with pytest.raises(StoreFault):
            await table(here).save_preferences(context, slow=2)
        assert await here.store.preferences(HOST) == Preferences()
        assert (await here.tables.get(here.id)).players[0].slow == 1

"""If the database fails halfway, the answer says so, and trying again finishes the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.handlers.privacy import PrivacyHandlers
from bot.discord_ui.handlers.table import TableHandlers
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


def privacy(held: Evening) -> PrivacyHandlers:
    return PrivacyHandlers(held.store, held.tables, held.dms, lambda: None, retention_days=30)


def table(held: Evening) -> TableHandlers:
    return TableHandlers(held.store, held.tables, held.publisher, list)


def fails_after(held: Evening, patch: pytest.MonkeyPatch, name: str, times: int) -> None:
    """Make a method of the store fail after it has worked `times` times."""
    works, left = getattr(held.store, name), iter(range(times))

    def full(*args: Any) -> Any:
        if next(left, None) is None:
            raise StoreFault(Fault.FULL, "no room")
        return works(*args)

    patch.setattr(held.store, name, full)


async def seated_twice(held: Evening) -> None:
    await held.tables.submit(held.id, Join(GUEST, "Ben"))
    other = await held.tables.open(1, CHANNEL + 1, Join(GUEST, "Ben"), game="coyote")
    await held.tables.submit(other.id, Join(HOST, "Ana"))
    await held.wait_delivered()


@pytest.mark.parametrize(("what", "times"), [("commit", 0), ("commit", 1), ("erase", 0)])
async def test_a_deletion_that_was_not_finished_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    async with lobby(tmp_path) as held:
        await seated_twice(held)
        context: Any = FakeContext()
        with monkeypatch.context() as patched:
            fails_after(held, patched, what, times)
            await privacy(held).delete(context)
        assert "Not done yet" in context.read[-1]
        assert "privacy:delete" in context.read[-1]
        assert await held.store.privacy.knows(HOST)
        await privacy(held).delete(context)
        assert "Everything about you is deleted" in context.read[-1]
        assert not await held.store.privacy.knows(HOST)
        assert await held.tables.open_of(HOST) == ()


@pytest.mark.parametrize(("what", "times"), [("commit", 1), ("prefer", 0)])
async def test_a_setting_that_was_stored_at_some_tables_can_be_chosen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    async with lobby(tmp_path) as held:
        await seated_twice(held)
        context: Any = FakeContext()
        with monkeypatch.context() as patched:
            fails_after(held, patched, what, times)
            await table(held).settings(context, 2, None)
        assert "everywhere" in context.read[-1]
        assert await held.store.preferences(HOST) == Preferences(), "what is shown can be changed"
        assert await table(held).prefer(context, slow=2)
        assert (await held.store.preferences(HOST)).slow == 2
        tables = [await held.tables.get(each) for each in await held.tables.open_of(HOST)]
        assert [player.slow for each in tables for player in each.players if player.user == HOST] == [2, 2]


async def test_if_nothing_was_stored_the_answer_says_only_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as held:
        await seated_twice(held)
        context: Any = FakeContext()
        fails_after(held, monkeypatch, "commit", 0)
        with pytest.raises(StoreFault):
            await table(held).prefer(context, slow=2)
        assert await held.store.preferences(HOST) == Preferences()
        assert (await held.tables.get(held.id)).players[0].slow == 1

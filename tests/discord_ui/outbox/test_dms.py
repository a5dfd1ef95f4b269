"""Each player has one DM per table, even if a post could not be noted or DMs are closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord_ui.outbox.dms import CLOSED_SECONDS
from bot.discord_ui.outbox.table_messages import TableMessages
from bot.discord_ui.wire.rest import Outgoing, RequestRefused
from bot.host.commands import Join, OutboxKind, Start
from bot.host.model import Dm
from bot.host.ports import OutboxRow
from tests.discord_ui.fake_rest import CHANNEL, DMS, Evening, fails_once, lobby
from tests.host.world import GUEST, HOST, THIRD

FEATHERS = "Round 1"


async def posted_but_not_noted(held: Evening, patch: pytest.MonkeyPatch) -> None:
    """Post Ben's first DM; the store fails to note it, and the game starts."""
    await held.tables.submit(held.id, Join(THIRD, "Cem"))
    await held.wait_delivered()
    failed = fails_once(held, patch, lambda: held.tables.submit(held.id, Start(HOST)), OutboxKind.DM)
    await held.tables.submit(held.id, Join(GUEST, "Ben"))
    await asyncio.wait_for(failed.wait(), 20)


async def test_a_dm_that_could_not_be_noted_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        await posted_but_not_noted(held, monkeypatch)
        await held.wait_delivered()
        (dm,) = held.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_an_unnoted_dm_is_seen_once_even_if_discord_forgot_its_nonce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        await posted_but_not_noted(held, monkeypatch)
        held.rest._nonces.clear()
        await held.wait_delivered()
        (dm,) = held.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_a_dm_that_was_posted_just_before_a_kill_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        await posted_but_not_noted(held, monkeypatch)
        await held.kill()
        after = Evening(held.store, held.rest)
        await after.publisher.start()
        await after.wait_delivered()
        (dm,) = held.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm
        await after.kill()


async def test_everybody_has_a_dm_for_each_of_their_tables(tmp_path: Path) -> None:
    async with lobby(tmp_path, dms=True) as held:
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        other = await held.tables.open(1, CHANNEL + 1, Join(GUEST, "Ben"), game="coyote")
        await held.wait_delivered()
        assert len(held.rest.messages[DMS + HOST]) == 1
        one, two = held.rest.messages[DMS + GUEST].values()
        assert f"<#{CHANNEL}>" in one
        assert f"<#{other.channel}>" in two


async def test_a_late_dm_is_known_even_if_its_notes_were_dropped_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        await held.tables.submit(held.id, Join(THIRD, "Cem"))
        await held.wait_delivered()
        asked, opened, open_dm = asyncio.Event(), asyncio.Event(), held.rest.open_dm

        async def slowly(user: int) -> int:
            asked.set()
            await opened.wait()
            return await open_dm(user)

        monkeypatch.setattr(held.rest, "open_dm", slowly)
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await asyncio.wait_for(asked.wait(), 20)
        await held.wait_publisher_idle()
        held.publisher._drop_idle_notes()
        await held.publisher.message_of(held.id)  # loads the notes again
        opened.set()
        await held.wait_delivered()
        held.rest._nonces.clear()  # minutes pass
        await held.tables.submit(held.id, Start(HOST))
        await held.wait_delivered()
        (dm,) = held.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_closed_dms_are_forgotten_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, dms=True) as held:

        async def shut(user: int) -> int:
            raise RequestRefused(50007, 403)

        monkeypatch.setattr(held.rest, "open_dm", shut)
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        assert held.dms.state_of(GUEST) is Dm.SHUT
        held.dms._closed_until[GUEST] -= CLOSED_SECONDS
        assert held.dms.state_of(GUEST) is Dm.UNTRIED
        await held.tables.submit(held.id, Join(THIRD, "Cem"))
        await held.wait_delivered()
        assert set(held.dms._closed_until) == {THIRD}
        taken = [held.dms.take_unreached(user) for user in (GUEST, THIRD, THIRD)]
        assert taken == [False, True, False]


async def test_a_dm_read_from_the_outbox_just_before_it_was_noted_is_not_edited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        edits, edit, deliver, delivered = [], held.rest.edit, held.dms.deliver, []

        async def counted(channel: int, message: int, changed: Outgoing) -> None:
            edits.append(channel)
            await edit(channel, message, changed)

        def noted(row: OutboxRow, messages: TableMessages) -> None:
            delivered.append((row, messages))
            deliver(row, messages)

        monkeypatch.setattr(held.rest, "edit", counted)
        monkeypatch.setattr(held.dms, "deliver", noted)
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.wait_delivered()
        held.dms.deliver(*delivered[-1])
        await held.wait_delivered()
        assert DMS + GUEST not in edits

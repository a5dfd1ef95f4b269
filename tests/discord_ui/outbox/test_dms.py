"""Each player has one DM per table, even if a post could not be noted or DMs are closed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.outbox.dms import CLOSED_SECONDS
from bot.discord_ui.outbox.table_messages import TableMessages
from bot.discord_ui.wire.failures import RequestRefused
from bot.discord_ui.wire.rest import Outgoing
from bot.host.commands import Join, OutboxKind, Start, Stop
from bot.host.model import Dm, House
from bot.host.ports import OutboxRow
from tests.discord_ui.fake_rest import CHANNEL, DMS, Evening, fails_once, lobby
from tests.host.world import GUEST, HOST, THIRD

FEATHERS = "Round 1"


async def posted_but_not_noted(here: Evening, patch: pytest.MonkeyPatch) -> None:
    """Post Ben's first DM; the store fails to note it, and the game starts."""
    await here.tables.submit(here.id, Join(THIRD, "Cem"))
    await here.wait_delivered()
    failed = fails_once(here, patch, lambda: here.tables.submit(here.id, Start(HOST)), OutboxKind.DM)
    await here.tables.submit(here.id, Join(GUEST, "Ben"))
    await asyncio.wait_for(failed.wait(), 20)


async def test_a_dm_that_could_not_be_noted_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await posted_but_not_noted(here, monkeypatch)
        await here.wait_delivered()
        (dm,) = here.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_an_unnoted_dm_is_seen_once_even_if_discord_forgot_its_nonce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await posted_but_not_noted(here, monkeypatch)
        here.rest._nonces.clear()
        await here.wait_delivered()
        (dm,) = here.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_a_dm_that_was_posted_just_before_a_kill_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await posted_but_not_noted(here, monkeypatch)
        await here.kill()
        after = Evening(here.store, here.rest)
        await after.publisher.start()
        await after.wait_delivered()
        (dm,) = here.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm
        await after.kill()


@pytest.mark.parametrize("killed", [True, False])
async def test_a_dm_that_was_posted_while_its_table_ended_shows_no_feather(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await posted_but_not_noted(here, monkeypatch)
        stop = Stop(HOST, manager=True)
        if not killed:
            await here.tables.submit(here.id, stop)
            await here.wait_delivered()
        else:
            await here.kill()
            after = Evening(here.store, here.rest)
            await after.tables.submit(here.id, stop)
            await after.publisher.start()
            await after.wait_delivered()
            await after.kill()
        (dm,) = here.rest.messages[DMS + GUEST].values()
        assert "ended without a winner" in dm


async def test_every_player_has_one_dm_for_each_of_their_tables(tmp_path: Path) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        other = await here.tables.open(1, CHANNEL + 1, Join(GUEST, "Ben"), game="coyote")
        await here.wait_delivered()
        assert len(here.rest.messages[DMS + HOST]) == 1
        one, two = here.rest.messages[DMS + GUEST].values()
        assert f"<#{CHANNEL}>" in one
        assert f"<#{other.channel}>" in two


async def test_a_late_dm_is_recorded_even_if_the_notes_were_dropped_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await here.tables.submit(here.id, Join(THIRD, "Cem"))
        await here.wait_delivered()
        asked, opened, open_dm = asyncio.Event(), asyncio.Event(), here.rest.open_dm

        async def slowly(user: int) -> int:
            asked.set()
            await opened.wait()
            return await open_dm(user)

        monkeypatch.setattr(here.rest, "open_dm", slowly)
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await asyncio.wait_for(asked.wait(), 20)
        await here.wait_publisher_idle()
        here.publisher._drop_idle_notes()
        await here.publisher.message_of(here.id)  # loads the notes again
        opened.set()
        await here.wait_delivered()
        here.rest._nonces.clear()  # minutes pass
        await here.tables.submit(here.id, Start(HOST))
        await here.wait_delivered()
        (dm,) = here.rest.messages[DMS + GUEST].values()
        assert FEATHERS in dm


async def test_closed_dms_are_forgotten_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, dms=True) as here:

        async def shut(user: int) -> int:
            raise RequestRefused(50007, 403)

        monkeypatch.setattr(here.rest, "open_dm", shut)
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        assert here.dms.state_of(GUEST) is Dm.SHUT
        here.dms._closed_until[GUEST] -= CLOSED_SECONDS
        assert here.dms.state_of(GUEST) is Dm.UNTRIED
        await here.tables.submit(here.id, Join(THIRD, "Cem"))
        await here.wait_delivered()
        assert set(here.dms._closed_until) == {THIRD}
        taken = [here.dms.take_dm_warning(user) for user in (GUEST, THIRD, THIRD)]
        assert taken == [False, True, False]


async def test_a_dm_read_from_the_outbox_just_before_it_was_noted_is_not_edited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        edits, edit, deliver, delivered = [], here.rest.edit, here.dms.deliver, []

        async def counted(channel: int, message: int, changed: Outgoing, urgency: Any = None) -> None:
            edits.append(channel)
            await edit(channel, message, changed)

        def noted(row: OutboxRow, messages: TableMessages) -> None:
            delivered.append((row, messages))
            deliver(row, messages)

        monkeypatch.setattr(here.rest, "edit", counted)
        monkeypatch.setattr(here.dms, "deliver", noted)
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        here.dms.deliver(*delivered[-1])
        await here.wait_delivered()
        assert DMS + GUEST not in edits


async def test_a_rematch_opens_no_dm_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    async with lobby(tmp_path, dms=True) as here:
        open_dm = here.rest.open_dm

        async def counted(user: int) -> int:
            opened.append(user)
            return await open_dm(user)

        monkeypatch.setattr(here.rest, "open_dm", counted)
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        for forgotten in (False, True):
            await here.tables.submit(here.id, Stop(HOST, manager=True))
            await here.wait_delivered()
            if forgotten:
                here.dms.forget(GUEST)
            house = House(dms=True)
            here.id = (await here.tables.open(1, CHANNEL, Join(GUEST, "Ben"), game="coyote", house=house)).id
            await here.wait_delivered()
            assert opened == [GUEST] * (2 if forgotten else 1)
            assert len(here.rest.messages[DMS + GUEST]) == (3 if forgotten else 2)
            await here.tables.submit(here.id, Join(HOST, "Ana"))


async def test_a_known_dm_that_is_closed_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, dms=True) as here:
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await here.wait_delivered()
        assert GUEST in here.dms._channels
        monkeypatch.setattr(here.rest, "refusal_code", lambda _: 50007)
        await here.tables.submit(here.id, Stop(HOST, manager=True))
        await here.wait_delivered()
        assert GUEST not in here.dms._channels

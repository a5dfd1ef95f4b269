"""Pictures in messages: who gets which, how often they are sent, reveals in steps, and what happens without them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.outbox import table_notes
from bot.discord_ui.outbox.private_messages import ShownLook
from bot.discord_ui.wire.rest import PrivateAnswer
from bot.engine.registry import RULES
from bot.host.commands import DealNow, OutboxKind, Play
from bot.host.model import House, Stage, Table, UserId
from bot.pictures.studio import Studio, StudioBusy
from bot.text.catalogue import catalogue
from tests.discord_ui.fake_rest import CHANNEL, DMS, PRIVATE, Evening, lobby, press_on
from tests.host.world import GUEST, HOST, THIRD, bid

LOOK = "what you see"
REVEAL = "calls Coyote on"
VERDICT = "bid held"
BYSTANDER = UserId(90)


async def until(found: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def call(here: Evening, number: int = -900) -> Table:
    """Let the player in turn bid, and the next one call; the bid always holds."""
    table = await here.tables.get(here.id)
    with here.publisher.answering(here.id):
        table = await here.tables.submit(here.id, bid(table, number))
        prompt = RULES["coyote"].prompts(table.match)[0]
        return await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))


def reveals(here: Evening) -> list[tuple[int, str]]:
    """Return every version of every reveal, in order."""
    return [(message, text) for channel, message, text in here.rest.history if channel == CHANNEL and REVEAL in text]


def pictures(here: Evening, channel: int) -> list[str]:
    """Return the names of the pictures that were sent to a channel."""
    return [picture.name for where, _, picture in here.rest.uploads if where == channel]


async def started(here: Evening) -> Table:
    table = await here.start_game()
    await here.wait_delivered()
    return table


async def look(here: Evening, user: UserId, message: int, above: str | None = None) -> None:
    """Record that a person has opened their look."""
    table = await here.tables.get(here.id)
    session: Any = None
    answer = PrivateAnswer(1, "token", session, message)
    here.private.note_shown((here.id, user), answer, "en", ShownLook(table.seq, above, None, wants_picture=True))


def count_beats(patch: pytest.MonkeyPatch, last: int) -> None:
    """Let each sweep show the next beat of a reveal, up to the last, whatever the clock says."""
    beats = chain(range(1, last), repeat(last))
    patch.setattr(table_notes.StagedReveal, "now", lambda _reveal, _scale: (next(beats), 0.01))


# -- reveals in steps


async def test_a_reveal_comes_in_steps_and_tells_the_end_last(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await started(here)
        await call(here)
        await until(lambda: any(VERDICT in text for _, text in reveals(here)))
        await here.wait_delivered()
        shown = reveals(here)
        assert len({message for message, _ in shown}) == 1
        assert [VERDICT in text for _, text in shown] == [False] * (len(shown) - 1) + [True]
        assert [":deal" in text for _, text in shown] == [False] * (len(shown) - 1) + [True]
        assert len(shown) == 2, "without a press whose token edits the record for free, there is one step less"
        assert pictures(here, CHANNEL) == ["reveal.png"] * len(shown)
        assert all(VERDICT not in picture.description for _, _, picture in here.rest.uploads[:-1])


async def test_everything_is_stored_before_the_first_step_is_shown(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await started(here)
        after = await call(here)
        stored = await here.store.load(here.id)
        assert stored is not None
        assert stored.table.seq == after.seq
        assert stored.table.match == after.match


async def test_with_a_press_to_borrow_there_is_one_step_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count_beats(monkeypatch, 3)
    async with lobby(tmp_path) as here:
        await started(here)
        here.publisher.lend(here.id, press_on(await here.publisher.message_of(here.id)))
        await call(here)
        await until(lambda: any(VERDICT in text for _, text in reveals(here)))
        assert [VERDICT in text for _, text in reveals(here)] == [False, False, True]
        told = [picture.description for channel, _, picture in here.rest.uploads if channel == CHANNEL]
        assert ["The count:" in each for each in told] == [False, True, True]


@pytest.mark.parametrize("steps", [1, 2])
async def test_after_a_kill_in_the_middle_the_whole_reveal_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    count_beats(monkeypatch, steps)
    async with lobby(tmp_path) as here:
        await started(here)
        here.publisher.lend(here.id, press_on(await here.publisher.message_of(here.id)))
        await call(here)
        await until(lambda: len(reveals(here)) >= steps)
        await here.kill()
        assert not any(VERDICT in text for _, text in reveals(here))
        assert OutboxKind.TABLE in {row.kind for row in await here.store.outbox(here.id)}
        again = Evening(here.store, here.rest)
        again.id = here.id
        await again.publisher.start()
        await again.wait_delivered()
        assert len({message for message, _ in reveals(again)}) == 1, "it is edited, not posted again"
        assert VERDICT in reveals(again)[-1][1]
        assert ":deal" in reveals(again)[-1][1]
        await again.kill()


async def test_a_player_who_deals_does_not_wait_for_the_beats(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await started(here)
        await call(here)
        await until(lambda: reveals(here))
        await here.tables.submit(here.id, DealNow(HOST))
        await here.wait_delivered()
        await here.wait_publisher_idle()
        assert VERDICT in reveals(here)[-1][1]
        assert ":deal" not in reveals(here)[-1][1]
        assert "'s turn" in here.rest.newest(CHANNEL)


@pytest.mark.parametrize("house", [House(reveal="instantly"), House(pictures=False), House(pause_seconds=0)])
async def test_where_the_house_does_not_want_steps_everything_comes_at_once(tmp_path: Path, house: House) -> None:
    async with lobby(tmp_path, house=house) as here:
        await started(here)
        await call(here)
        await here.wait_delivered()
        assert all(VERDICT in text for _, text in reveals(here))
        assert pictures(here, CHANNEL) == (["reveal.png"] if house.pictures else [])


async def test_everything_comes_at_once_while_discord_is_slow(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await started(here)
        here.rest.is_slow = True
        await call(here)
        await here.wait_delivered()
        assert [VERDICT in text for _, text in reveals(here)] == [True]


async def test_the_end_of_a_match_is_revealed_before_the_winner_is_named(tmp_path: Path) -> None:
    async with lobby(tmp_path, dms=True) as here:
        table = await started(here)
        while table.stage is Stage.PLAYING:
            if table.next_deal is not None:
                table = await here.tables.submit(here.id, DealNow(table.host))
            table = await call(here)
        await here.wait_delivered()
        history = [(channel, text) for channel, _, text in here.rest.history]
        verdict = max(place for place, (_, text) in enumerate(history) if VERDICT in text)
        named = [place for place, (_, text) in enumerate(history) if "final.png" in text or "won" in text.lower()]
        assert named
        assert min(named) > verdict, "neither the channel nor a DM gives it away"


# -- looks and DMs


async def test_a_dm_has_one_picture_for_each_deal(tmp_path: Path) -> None:
    async with lobby(tmp_path, dms=True, house=House(reveal="instantly")) as here:
        table = await started(here)
        for number in (1, 2, 3):
            table = await here.tables.submit(here.id, bid(table, number))
        await here.wait_delivered()
        for user in (HOST, GUEST, THIRD):
            assert pictures(here, DMS + user) == ["look.png"]
        prompt = RULES["coyote"].prompts(table.match)[0]
        await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
        await here.tables.submit(here.id, DealNow(HOST))
        await here.wait_delivered()
        assert pictures(here, DMS + HOST) == ["look.png"] * 2


async def test_people_who_want_words_alone_get_no_picture_in_private(tmp_path: Path) -> None:
    async with lobby(tmp_path, dms=True, house=House(reveal="instantly")) as here:
        here.text_only.choose(HOST, text_only=True)
        await started(here)
        await look(here, HOST, 7)
        await look(here, GUEST, 8)
        await until(lambda: pictures(here, PRIVATE))
        await until(lambda: not here.private._tasks)
        await call(here)
        await here.wait_delivered()
        assert pictures(here, DMS + HOST) == []
        assert [message for channel, message, _ in here.rest.uploads if channel == PRIVATE] == [8]
        assert pictures(here, CHANNEL) == ["reveal.png"], "the channel is for everybody"


async def test_a_look_gets_its_picture_after_the_words_and_keeps_it_while_people_bid(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        table = await started(here)
        await look(here, HOST, 7)
        await until(lambda: pictures(here, PRIVATE))
        for number in (901, 902):  # no feather has such a number
            table = await here.tables.submit(here.id, bid(table, number))
            await until(lambda number=number: f"**{number}**" in here.rest.messages[PRIVATE][7])  # type: ignore[misc]
        assert pictures(here, PRIVATE) == ["look.png"]
        assert here.rest.files[7] == "look.png"


async def test_the_answer_to_a_press_shows_the_bid_until_the_next_one(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        table = await started(here)
        table = await here.tables.submit(here.id, bid(table, 901))
        await here.wait_delivered()
        await look(here, HOST, 7)
        await until(lambda: pictures(here, PRIVATE))
        for number in (902, 903):
            table = await here.tables.submit(here.id, bid(table, number))
            await until(lambda number=number: f"**{number}**" in here.rest.messages[PRIVATE][7])  # type: ignore[misc]
        await until(lambda: not here.private._tasks)
        asked, lasting = (picture for channel, _, picture in here.rest.uploads if channel == PRIVATE)
        assert "The bid to beat is 901" in asked.description
        assert "bid" not in lasting.description


async def test_a_refusal_stays_above_the_look_when_its_picture_comes(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await started(here)
        await look(here, HOST, 7, above="Not your turn.")
        await until(lambda: pictures(here, PRIVATE))
        assert "Not your turn." in here.rest.messages[PRIVATE][7]


async def test_bystanders_get_no_picture(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        table = await started(here)
        await look(here, BYSTANDER, 7)
        await here.tables.submit(here.id, bid(table, 901))
        await until(lambda: "**901**" in here.rest.messages.get(PRIVATE, {}).get(7, ""))
        await until(lambda: not here.private._tasks)
        assert pictures(here, PRIVATE) == []
        assert here.illustrator.look(catalogue("en"), await here.tables.get(here.id), BYSTANDER) is None


# -- without pictures


async def _fails(_make: object) -> object:
    raise ValueError("the feather 20 cannot be drawn")


async def _is_busy(_make: object) -> object:
    raise StudioBusy


@pytest.mark.parametrize("draw", [_fails, _is_busy])
async def test_words_are_sent_if_nothing_can_be_drawn(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    draw: Callable[[object], Awaitable[object]],
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        monkeypatch.setattr(here.illustrator, "_studio", type("Broken", (), {"draw": staticmethod(draw)})())
        await started(here)
        await look(here, HOST, 7)
        await call(here)
        await here.wait_delivered()
        await until(lambda: not here.private._tasks)
        assert [VERDICT in text for _, text in reveals(here)] == [True]
        assert LOOK in next(iter(here.rest.messages[DMS + HOST].values()))
        assert not here.rest.uploads
    assert ("could not be drawn" in caplog.text) == (draw is _fails)
    assert "feather 20" not in caplog.text


async def test_a_late_picture_comes_with_the_next_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, house=House(reveal="instantly")) as here:
        await started(here)
        real, may_draw = here.illustrator._studio.draw, asyncio.Event()

        async def slow(make: Callable[[], Any]) -> Any:
            await may_draw.wait()
            return await real(make)

        monkeypatch.setattr("bot.discord_ui.illustrator.MAX_PICTURE_WAIT_SECONDS", 0.01)
        monkeypatch.setattr(here.illustrator._studio, "draw", slow)
        await call(here)
        await here.wait_delivered()
        assert VERDICT in reveals(here)[-1][1]
        assert not here.rest.uploads, "the words did not wait"
        may_draw.set()
        await until(lambda: not here.illustrator._under_way)
        await here.tables.submit(here.id, DealNow(HOST))
        await here.wait_delivered()
        await here.wait_publisher_idle()
        assert pictures(here, CHANNEL) == ["reveal.png"]


def draws_late(here: Evening, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let no picture be ready in time, and none at all before the event."""
    real, may_draw = here.illustrator._studio.draw, asyncio.Event()

    async def slow(make: Callable[[], Any]) -> Any:
        await may_draw.wait()
        return await real(make)

    monkeypatch.setattr("bot.discord_ui.illustrator.MAX_PICTURE_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(here.illustrator._studio, "draw", slow)
    return may_draw


async def test_a_late_final_picture_comes_although_no_move_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, house=House(reveal="instantly")) as here:
        table = await started(here)
        may_draw = draws_late(here, monkeypatch)
        while table.stage is Stage.PLAYING:
            if table.next_deal is not None:
                table = await here.tables.submit(here.id, DealNow(table.host))
            table = await call(here)
        await here.wait_delivered()
        assert "final.png" not in pictures(here, CHANNEL), "the words did not wait"
        posted = len(here.rest.messages[CHANNEL])
        may_draw.set()
        await until(lambda: "final.png" in pictures(here, CHANNEL))
        await here.wait_publisher_idle()
        assert pictures(here, CHANNEL).count("final.png") == 1
        assert len(here.rest.messages[CHANNEL]) == posted, "it is an edit"


async def test_a_late_picture_of_a_dm_comes_although_no_deal_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True, house=House(reveal="instantly")) as here:
        may_draw = draws_late(here, monkeypatch)
        await here.start_game()
        await here.wait_delivered()
        for user in (HOST, GUEST, THIRD):
            assert LOOK in next(iter(here.rest.messages[DMS + user].values())), "the words did not wait"
        assert not here.rest.uploads
        may_draw.set()
        for user in (HOST, GUEST, THIRD):
            await until(lambda user=user: pictures(here, DMS + user) == ["look.png"])  # type: ignore[misc]
        await until(lambda: not here.dms._tasks)
        assert not here.dms._sent_again
        assert all(len(here.rest.messages[DMS + user]) == 1 for user in (HOST, GUEST, THIRD)), "it is an edit"


async def test_a_late_picture_is_not_waited_for_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the finished picture has been dropped meanwhile, a DM is sent again only once."""
    async with lobby(tmp_path, dms=True, house=House(reveal="instantly")) as here:
        may_draw = draws_late(here, monkeypatch)
        monkeypatch.setattr(here.illustrator._kept, "find", lambda _key: None)
        may_draw.set()
        await here.start_game()
        await here.wait_delivered()
        await until(lambda: not here.dms._tasks and not here.illustrator._under_way)
        sent = [text for channel, _, text in here.rest.history if channel == DMS + HOST and LOOK in text]
        assert len(sent) <= 2


async def test_refusals_of_files_are_forgotten_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as here:
        for channel in range(5):
            here.illustrator.refused(1, channel)
        assert len(here.illustrator._refused_until) == 5
        monkeypatch.setattr("bot.discord_ui.illustrator.REFUSED_SECONDS", -1.0)
        here.illustrator.refused(1, 5)
        monkeypatch.setattr("bot.discord_ui.illustrator.REFUSED_SECONDS", 600.0)
        here.illustrator.refused(1, 6)
        assert 5 not in here.illustrator._refused_until


async def test_where_files_are_not_allowed_words_are_sent_and_an_admin_is_told_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        here.may_attach = False
        table = await started(here)
        await call(here)
        await here.wait_delivered()
        assert [VERDICT in text for _, text in reveals(here)] == [True]
        assert not here.rest.uploads
        assert await here.illustrator.take_channel_to_tell(table.guild + 1) is None
        assert await here.illustrator.take_channel_to_tell(table.guild) == CHANNEL
        later = Illustrator(Studio(), here.text_only, lambda _: False, here.store)
        later.refused(table.guild, CHANNEL)
        assert await later.take_channel_to_tell(table.guild) is None, "nor after a restart"
        later.stop()
        await here.tables.submit(here.id, DealNow(HOST))
        await call(here)
        await here.wait_delivered()
        assert await here.illustrator.take_channel_to_tell(table.guild) is None
        await look(here, HOST, 7)
        await here.tables.submit(here.id, DealNow(HOST))
        await until(lambda: pictures(here, PRIVATE))

"""Emojis with the real bot process: words until they are uploaded, then emojis; kills, restarts, deleted emojis."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.pictures.game import emoji_names
from sandbox import emojis as sandbox_emojis
from sandbox.faults import Slow
from tests.e2e.common import make, started
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, newest, quiet
from tests.games.drivers import COYOTE, PLENTY_COUPS
from tests.screens.emojis import OWN

ADD = "POST /applications/{application_id}/emojis"


def names(held: Evening) -> set[str]:
    """Return the names of the application's emojis."""
    return {each["name"] for each in held.sandbox.world.uploads.emojis.values()}


async def polled(ready: Callable[[], object]) -> None:
    """Wait for something that no client sees."""
    async with asyncio.timeout(120):
        while not ready():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def all_uploaded(held: Evening) -> None:
    """Wait until the bot has uploaded everything, and knows it."""
    await polled(lambda: "emojis: all" in held.bot.log_text)
    assert names(held) >= set(emoji_names())


def _has(held: Evening, emojis: float) -> bool:
    return len(names(held)) >= emojis


async def test_a_table_shows_words_first_and_emojis_once_they_are_there(tmp_path: Path) -> None:
    async with evening(tmp_path, start=False, EMOJIS="1") as held:
        slow = held.sandbox.faults.on(ADD, Slow(60.0))
        await held.bot.start()
        await polled(lambda: slow.struck == 1)
        message = await started(held, actions=True)
        assert "○○○" in message.text
        assert OWN.search(message.text) is None
        assert slow.struck == 1, "the game has begun while the first upload waits"
        held.sandbox.faults.clear()
        await held.bot.restart()
        await all_uploaded(held)
        await make(held, held.move(message))
        assert re.search(r"(<:no_coin:\d+>){3} <@\d+>", message.text), message.text
        look = await held.look(held.people[0], message)
        assert re.search(r"<@\d+> \*\*<:feather:\d+>\u00a0", look.text), look.text
        assert re.search(r"You \*\*<:hidden_feather:\d+>\*\*", look.text)
        menu = next(each for each in message.components if each["type"] == 3)
        known = held.sandbox.world.uploads.emojis
        assert all(option["emoji"]["id"] in known for option in menu["options"])
        requests = len([each for each in held.sandbox.requests if each.route == ADD])
        await held.bot.restart()
        await make(held, held.move(message))
        assert re.search(r"(<:no_coin:\d+>){3} <@\d+>", message.text), "they are there right after a restart"
        assert len([each for each in held.sandbox.requests if each.route == ADD]) == requests


async def test_killed_while_it_uploads_the_bot_goes_on(tmp_path: Path) -> None:
    async with evening(tmp_path, EMOJIS="1") as held:
        for share in (0.1, 0.4, 0.8):
            wanted = share * len(emoji_names())
            await polled(partial(_has, held, wanted))
            await held.bot.kill()
            await held.bot.start()
        await all_uploaded(held)
        assert names(held) == set(emoji_names())
        sent = Counter(each.body["name"] for each in held.sandbox.requests if each.route == ADD)
        assert sent.keys() == names(held)
        assert sum(sent.values()) <= len(sent) + 3, "at most the one under way at each kill is sent again"


async def test_a_table_goes_on_if_somebody_deletes_its_emojis(tmp_path: Path) -> None:
    async with evening(tmp_path, EMOJIS="1") as held:
        await all_uploaded(held)
        message = await started(held, actions=True)
        world = held.sandbox.world
        with held.sandbox.expecting_violations() as refused:
            for emoji in list(world.uploads.emojis.values()):
                sandbox_emojis.remove(world, emoji)
            await make(held, held.move(message))
            shown = await held.look(held.in_turn(message), message)
            assert held.is_look(shown), shown.text
            assert "went wrong" not in shown.text
            await polled(lambda: names(held) == set(emoji_names()))
        assert refused
        await make(held, held.move(newest(held.people[0])))
        await quiet()
        assert "emoji" in str(message.components)


async def test_a_look_goes_without_an_emoji_that_was_deleted(tmp_path: Path) -> None:
    async with evening(tmp_path, driver=PLENTY_COUPS, EMOJIS="1") as held:
        await all_uploaded(held)
        message = await started(held)
        await make(held, held.move(message))
        world = held.sandbox.world
        with held.sandbox.expecting_violations() as refused:
            for emoji in list(world.uploads.emojis.values()):
                sandbox_emojis.remove(world, emoji)
            shown = await held.look(held.in_turn(message), message)
        assert refused
        assert held.is_look(shown), shown.text
        await polled(lambda: names(held) == set(emoji_names()))


async def test_a_whole_game_with_emojis_keeps_its_secrets(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver, scale=100.0, EMOJIS="1") as held:
        await all_uploaded(held)
        *players, bystander = held.people
        game = Game(held, players, seed=5, onlookers=[bystander])
        final = await game.play(**driver.replayed)
        assert game.compared > 0
        assert OWN.search(final.text)
        assert any(OWN.search(str(change.data)) for change in held.leaks[held.games.id].seen[players[0].id])


async def test_people_who_want_words_alone_get_no_emojis(tmp_path: Path) -> None:
    async with evening(tmp_path, EMOJIS="1") as held:
        await all_uploaded(held)
        ana, ben, _ = held.people
        assert not (await held.slash(ana, "settings", text_only=True)).failed
        message = await started(held)
        await polled(lambda: all(any("what you see" in each.text for each in one.dms()) for one in (ana, ben)))
        for person, wanted in ((ana, False), (ben, True)):
            seen = [(await held.look(person, message)).text, person.dms()[-1].text]
            assert [OWN.search(each) is not None for each in seen] == [wanted, wanted], seen
        assert OWN.search(message.text), "the table is for everybody"


async def test_a_table_without_pictures_has_no_emojis(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver, EMOJIS="1") as held:
        await all_uploaded(held)
        message = await started(held, rules="pictures=off")
        await make(held, held.move(message))
        look = await held.look(held.people[0], message)
        assert OWN.search(message.text + look.text) is None
        assert "'emoji': {'id'" not in str([*message.components, *(look.message or message).components])


async def test_without_emojis_nothing_is_uploaded(tmp_path: Path) -> None:
    async with evening(tmp_path, driver=COYOTE, EMOJIS="0") as held:
        await make(held, held.move(await started(held)))
        assert not names(held)
        assert not [each for each in held.sandbox.requests if "/emojis" in each.path]

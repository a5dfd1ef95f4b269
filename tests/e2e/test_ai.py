"""One person and five AIs: whole games of every kind, and kills while an AI is thinking."""

import asyncio
import json
import re
import signal
import sqlite3
from collections import Counter, deque
from os import kill
from pathlib import Path
from typing import Any

import pytest

from bot.ai_players.brains import REASON_TIMINGS, ReasonTiming
from bot.engine.registry import RULES
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import said_in, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, is_won, newest, quiet

SCALE = 60.0
WITH_TOKEN = ("/api/v10/interactions/", "/api/v10/webhooks/")
THINKING = "thinking…"
MOST_CALLS = 3


async def _fill(game: Game, message: Any) -> None:
    (you,) = game.players
    shown = await (you.click(message, "Fill the table") if game.way == "buttons" else game.type(you, "ai fill"))
    assert not shown.failed
    await you.wait_for(lambda: message.text.count("🤖 AI") == 5)


async def _play(held: Evening, number: int, kind: str) -> None:
    (you,) = held.room(f"room-{number}", 1)
    game = Game(held, [you], "buttons" if number % 2 else "commands", seed=number)

    async def hook(now: str) -> None:
        if now == "lobby":
            await _fill(game, newest(you))

    options = {**held.driver.short, **held.driver.kinds[kind]}
    final = await game.play(hook, clock="2h", **options)
    assert is_won(final)
    assert "unrated" in final.text
    assert game.compared > 0
    pings = [each.text for each in you.read() if "it's your turn" in each.text]
    assert pings == [], "pings are deleted after use, and an AI is never pinged"
    assert final.component("What the AIs thought") is not None
    if REASON_TIMINGS[held.driver.name] is ReasonTiming.AT_THE_END:
        told = await you.click(final, "What the AIs thought")
        assert told.text.count("**🤖 AI") == 5
        assert 5 <= told.text.count("- Round ") <= 15
        assert (await held.slash(you, "why", you.where)).text == told.text


@pytest.mark.parametrize("half", [0, 1])
async def test_one_person_and_five_ais_in_every_kind_of_game(tmp_path: Path, driver: Driver, half: int) -> None:
    kinds = list(driver.kinds)[half::2]
    if not kinds:
        return
    async with evening(tmp_path, 1, driver=driver, scale=SCALE) as held:
        held.sandbox.api.requests = deque()
        async with asyncio.TaskGroup() as games:
            for number, kind in enumerate(kinds):
                games.create_task(_play(held, number, kind))
        acts = _moves_by_actor(held.bot.database)
        assert acts["ai"] > 0
        calls = sum(not each.path.startswith(WITH_TOKEN) for each in held.sandbox.api.requests)
        assert calls <= MOST_CALLS * (acts["ai"] + acts["user"]), "a flood of messages"


def _log(database: Path) -> list[dict[str, Any]]:
    """Return the stored log of the only table."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as file:
        file.row_factory = sqlite3.Row
        return [dict(row) for row in file.execute("SELECT * FROM actions ORDER BY table_id, seq, part")]


def _seats_of_people(database: Path) -> set[int]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as file:
        return {seat for (seat,) in file.execute("SELECT seat FROM seats WHERE user > 0")}


def _moves_by_actor(database: Path) -> Counter[str]:
    return Counter(row["actor"] for row in _log(database))


def _check_every_turn_was_played_once(held: Evening) -> int:
    """Replay the log and check that each action answers an open prompt; return the number of AI actions."""
    game, state, by_ai = RULES[held.driver.name], None, 0
    database = held.bot.database
    people = _seats_of_people(database)
    assert people
    for row in _log(database):
        action = json.loads(row["action"])
        if action.get("host") == "start":
            state = game.setup(action["options"], action["players"], action["starter"])
        if "do" not in action:
            continue
        assert state is not None
        if row["actor"] in ("ai", "clock"):
            assert row["actor"] == "ai", "the clock never answered for an AI"
            asked = {prompt.seat for prompt in game.prompts(state)}
            assert action["seat"] in asked, "a seat answered without a prompt"
            assert action["seat"] not in people, "an AI answered for a person"
            by_ai += 1
        state = game.apply(state, game.load_action(action)).state
    assert state is not None
    assert game.outcome(state) is not None, "the match was played to its end"
    return by_ai


async def test_no_ai_turn_is_lost_or_played_twice(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=20.0) as held:
        (you,) = held.people
        game = Game(held, [you], seed=4)
        message = await held.open_table(you, clock="2h", **driver.short)
        await _fill(game, message)
        assert not (await you.click(message, "Start")).failed
        playing = asyncio.create_task(game.go_on())
        for pause in (0.0, 0.1, 0.15, 0.05):
            await you.wait_for(lambda: playing.done() or _is_thinking(held, you))
            await asyncio.sleep(pause)
            if not playing.done():
                await held.bot.restart()
                await asyncio.sleep(0.5)
        final = await playing
        assert is_won(final)
        await quiet()
        assert _check_every_turn_was_played_once(held) > 5


def _is_thinking(held: Evening, reader: Person) -> bool:
    message = newest(reader)
    return message is not None and held.phase(reader) == "still" and THINKING in message.text


async def test_a_killed_ai_process_is_replaced(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=20.0) as held:
        (you,) = held.people
        game = Game(held, [you], seed=2)
        message = await held.open_table(you, clock="2h", **driver.short)
        await _fill(game, message)
        assert not (await you.click(message, "Start")).failed
        playing = asyncio.create_task(game.go_on())
        killed = 0
        while not playing.done() and killed < 5:
            for child in _children(held):
                kill(child, signal.SIGKILL)
                killed += 1
            await asyncio.sleep(0.3)
        assert is_won(await playing)
        assert killed == 5
        assert _check_every_turn_was_played_once(held) > 5


def _children(held: Evening) -> list[int]:
    assert held.bot.process is not None
    pid = held.bot.process.pid
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return found


async def test_an_ai_plays_for_an_away_player_and_gives_the_seat_back(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver, scale=20.0) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, clock="20s", **driver.long)
        for person in (ben, chloe):
            assert not (await person.click(message, "Join")).failed
        assert not (await ana.click(message, "Start")).failed
        await ana.wait_for(lambda: any("away now: 🤖 AI" in each.text for each in ana.read()))
        await ana.wait_for(lambda: any("I'm back" in str(each.buttons) for each in ana.read()))
        table = next(each for each in reversed(ana.read()) if "I'm back" in str(each.buttons))
        away = next(person for person in held.people if re.search(rf"{person.mention}.*\u00a0· away", table.text))
        assert not (await away.click(table, "I'm back")).failed
        await ana.wait_for(lambda: any("is back and takes over from" in each.text for each in ana.read()))


async def test_a_person_can_watch_a_game_of_ais_alone(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=SCALE) as held:
        (you,) = held.people
        message = await held.open_table(you, **driver.quickest)
        for _ in range(3):
            assert not (await held.slash(you, "ai add", strength=3)).failed
        assert "still the host" in (await held.slash(you, "ai watch")).text
        await you.wait_for(lambda: "watches" in message.text)
        assert not (await you.click(message, "Start")).failed
        await you.wait_for(lambda: held.phase(you) == "over", 60)
        over = newest(you)
        assert over is not None
        won = re.search(r"🏆 (🤖 AI \w+)", over.text)
        assert won is not None
        assert f"🏆 {won[1]}" in (await you.slash("history")).text, "the history names AI winners too"
        assert not (await you.click(over, "Rematch")).failed
        await you.wait_for(lambda: held.phase(you) == "lobby")


async def test_everything_about_ais_can_be_pressed_and_typed(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 2, driver=driver) as held:
        ana, ben = held.people
        message = await held.open_table(ana)
        assert "Only the host can do that" in (await ben.click(message, "Add AI…")).text
        menu = await ana.click(message, "Add AI…")
        (shown,) = menu.appeared
        assert not (await ana.click(shown, "expert")).failed
        picker = next(each for each in shown.components if ":addai:3" in each.get("custom_id", ""))
        assert not (await ana.select(shown, picker["custom_id"], "Magpie")).failed
        await ana.wait_for(lambda: "🤖 AI Magpie (expert, likes to bluff)" in message.text)
        leaving = next(each for each in shown.components if ":removeai" in each.get("custom_id", ""))
        assert not (await ana.select(shown, leaving["custom_id"], leaving["options"][0]["value"])).failed
        await ana.wait_for(lambda: "Magpie" not in message.text)
        assert "has a seat" in (await held.slash(ana, "ai add", who="Hazel", temperament="counter", strength=1)).text
        await ana.wait_for(lambda: "🤖 AI Hazel (beginner, counts cards)" in message.text)
        assert [each["value"] for each in await ana.autocomplete(f"{driver.group} ai remove", "who", "haz")] == [
            "Hazel"
        ]
        assert "has been removed" in (await held.slash(ana, "ai remove", who="Hazel")).text
        assert "no such AI" in (await held.slash(ana, "ai remove", who="Hazel")).text
        assert "AIs have sat down" in (await held.slash(ana, "ai fill", strength=2)).text


async def test_when_the_last_person_leaves_the_game_stops_and_the_dm_says_so(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver, scale=20.0) as held:
        (you,) = held.people
        message = await held.open_table(you, clock="2h")
        assert "AI" in (await you.click(message, "Start")).text, "an offer of AI players"
        await _fill(Game(held, [you]), message)
        assert not (await you.click(message, "Start")).failed
        await you.wait_for(lambda: you.dms() and driver.look in you.dms()[0].text, 20)
        asked = await held.slash(you, "leave")
        assert "the game stops" in asked.text
        assert asked.message is not None
        await you.click(asked.message, "Leave")
        await you.wait_for(lambda: "without a winner" in you.dms()[0].text, 20)


async def test_a_match_stays_rated_when_an_ai_finishes_it_for_somebody_who_went(
    tmp_path: Path, driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(tmp_path, 3, driver=driver, scale=SCALE) as held:
        message = await started(held, **{**driver.short, "clock": "60s"})
        gone = held.in_turn(message)
        game = Game(held, [person for person in held.people if person is not gone], seed=3)
        act = driver.act

        async def act_without(game: Game, message: Message) -> None:
            """Never answer for the person who has gone."""
            waits = not set(driver.asked(message)) <= game.by_id.keys()
            await (game.changed(message, message.version) if waits else act(game, message))

        monkeypatch.setattr(driver, "act", act_without)
        playing = asyncio.create_task(game.go_on())
        await until(held, lambda: said_in(held, "If they stay away, they're ranked"), 120)
        assert gone.mention in said_in(held, "If they stay away, they're ranked")[0].text
        final = await asyncio.wait_for(playing, 300)
        assert is_won(final)
        await until(held, lambda: "Game #1" in final.text)
        assert "unrated" not in final.text
        assert final.text.count(" → **") == 3, "everybody's rating has changed"

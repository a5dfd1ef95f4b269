"""Replays of finished games, from each seat and with all feathers; running games have none."""

import re
from pathlib import Path
from typing import Any

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening, evening
from tests.e2e.leak_check import LOOK, WEARS, LeakCheck
from tests.e2e.players import Game, newest, quiet

SEAT = re.compile(r"^[●○◉◌]+ (<@\d+>)(?: \*\*([^*]+)\*\*)?", re.M)
WHERE = re.compile(r"Game #(\d+) · .* · round (\d+) of (\d+)\u00a0· step (\d+) of (\d+)")
NO_COINS: dict[str, Any] = {"clock": "2h", "coins": 2, "actions": False}


def place(message: Message) -> tuple[int, int, int]:
    """Return the round, the step and the number of steps that a replay shows."""
    found = WHERE.search(message.text)
    assert found is not None, message.text
    return int(found[2]), int(found[4]), int(found[5])


def looked(leaks: LeakCheck, person: Person) -> dict[int, dict[str, str]]:
    """Return the feathers that a person saw at their first look, per round."""
    found: dict[int, dict[str, str]] = {}
    for _, said in leaks._messages(person.id):
        look = LOOK.search(said)
        if look is not None:
            found.setdefault(int(look[1]), {user: faces for user, faces, _ in WEARS.findall(said)})
    return found


async def opened(person: Person, final: Message) -> Message:
    shown = await person.click(final, "Replay")
    assert shown.message is not None, shown.text
    assert shown.message.only == person.id
    return shown.message


async def test_a_game_ends_with_ratings_and_can_be_watched_again(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        ana, ben, chloe, dmitri = held.people
        leaks = LeakCheck(held.sandbox, held.people, held.games)
        final = await Game(held, [ana, ben, chloe], seed=4).play(**NO_COINS)
        for person in (ana, ben, chloe):
            assert re.search(rf"\*\*\d\*\* {person.mention} [+−±]\d+ → \*\*\d+\*\*", final.text), final.text
        await _stepping(dmitri, final)
        await _all_feathers(held, leaks, dmitri, final)
        for seat, person in enumerate((ana, ben, chloe)):
            await _as_they_saw_it(leaks, dmitri, await opened(dmitri, final), seat, person)
        board = await ben.click(final, "Leaderboard")
        assert board.message is not None
        assert board.message.only == ben.id
        assert "Nobody is ranked here yet. It takes 5" in board.text
        assert "4 more games" in board.text
        assert "Rematch" in [each.get("label") for each in final.buttons]
        await _after_a_restart(held, dmitri, final)


async def _stepping(person: Person, final: Message) -> None:
    message = await opened(person, final)
    assert place(message)[:2] == (1, 1)
    steps = place(message)[2]
    rounds = [1]
    for step in range(2, steps + 1):
        assert (await person.click(message, "Next")).changed == [message]
        assert place(message)[1] == step
        rounds.append(place(message)[0])
    assert rounds == sorted(rounds)
    assert "wins." in message.text
    assert all(each.get("disabled") for each in message.buttons if each.get("label") in ("Next", "Last"))
    await person.click(message, "Back")
    assert place(message)[1] == steps - 1
    await person.click(message, "First")
    assert place(message)[1] == 1
    await person.click(message, "Last")
    assert place(message)[1] == steps
    await person.select(message, "Jump to a round", "Round 2")
    assert place(message)[0] == 2
    assert "round 2 is dealt" in message.text.casefold()


async def _all_feathers(held: Evening, leaks: LeakCheck, person: Person, final: Message) -> None:
    truth, *_ = leaks._truth()
    message = await opened(person, final)
    for number in range(1, place_of_last(message) + 1):
        await person.select(message, "Jump to a round", f"Round {number}")
        assert dict(SEAT.findall(message.text)) == truth[number]


def place_of_last(message: Message) -> int:
    found = WHERE.search(message.text)
    assert found is not None
    return int(found[3])


async def _as_they_saw_it(leaks: LeakCheck, person: Person, message: Message, seat: int, player: Person) -> None:
    """Watch every round from a player's seat, and compare it with what that player saw in the game."""
    saw = looked(leaks, player)
    assert saw
    chosen = await person.select(message, "Through whose eyes?", f"As {player.user.display_name} saw it")
    assert chosen.changed == [message]
    for number in range(1, place_of_last(message) + 1):
        await person.select(message, "Jump to a round", f"Round {number}")
        shown = dict(SEAT.findall(message.text))
        if player.mention in shown:
            assert shown.pop(player.mention) == "🪶"
            assert number not in saw or shown == saw[number]  # a short round may end before its DM is sent
        else:
            assert number not in saw
            assert set(shown.values()) == {"🪶"}
            assert "saw no feather any more" in message.text


async def _after_a_restart(held: Evening, person: Person, final: Message) -> None:
    message = await opened(person, final)
    await held.bot.restart()
    assert (await person.click(message, "Next")).changed == [message]
    assert place(message)[1] == 2
    by_number = await person.slash("replay", game=1)
    assert by_number.message is not None
    assert by_number.message.only == person.id
    assert "Game #1" in by_number.text
    unknown = await person.slash("replay", game=2)
    assert "no finished game #2 here; the newest is #1" in unknown.text
    elsewhere = held.sandbox.world.add_guild("Elsewhere")
    channel = held.sandbox.world.add_channel(elsewhere, "games")
    person.join(elsewhere)
    other = await person.slash("replay", channel, game=1)
    assert "No game has been finished here yet" in other.text
    table = next(each["custom_id"] for each in final.buttons if ":replay" in each.get("custom_id", ""))
    lobby = await person.slash("coyote new", channel)
    assert lobby.message is not None
    forged = await person.forge(lobby.message, table)
    assert "Game #" not in forged.text


async def test_a_running_game_tells_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path, 3) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, **NO_COINS)
        for person in (ben, chloe):
            await person.click(message, "Join")
        await ana.click(message, "Start")
        await quiet()
        table = next(each["custom_id"].split(":")[1] for each in message.buttons)
        running = newest(ana)
        assert running is not None
        for question in (
            ben.slash("replay", game=1),
            ben.slash("history"),
            ben.slash("stats"),
            ben.slash("stats", player=ana),
            ben.slash("versus", a=ana),
            ben.forge(running, f"c1:{table}:0:replay"),
            ben.forge(running, "c1:0:0:replay:1"),
            ben.forge(running, "c1:0:1:replay:1.0.all"),
        ):
            answer = await question
            assert answer.message is not None
            assert answer.message.only == ben.id
            assert WHERE.search(answer.text) is None
            assert not SEAT.search(answer.text)
            assert "yet" in answer.text or "together" in answer.text, answer.text
        board = await ben.slash("leaderboard")
        assert "Nobody is ranked here yet" in board.text
        assert f"{ben.mention} has no game here yet" in board.text


async def test_a_stopped_game_is_not_counted_and_cannot_be_watched(tmp_path: Path) -> None:
    async with evening(tmp_path, 3) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, **NO_COINS)
        for person in (ben, chloe):
            await person.click(message, "Join")
        await ana.click(message, "Start")
        await quiet()
        table = next(each["custom_id"].split(":")[1] for each in message.buttons)
        asked = await ana.slash("coyote stop")
        assert asked.message is not None
        await ana.click(asked.message, "Stop it")
        answer = await ben.forge(message, f"c1:{table}:0:replay")
        assert "isn't over" in answer.text
        assert "No game has been finished" in (await ben.slash("history")).text

"""Replays of finished games, from each seat and with all cards; running games have none."""

import re
from pathlib import Path

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.leak_check import LeakCheck
from tests.e2e.players import Game, newest, quiet

WHERE = re.compile(r"Game #(\d+) · .* · round (\d+) of (\d+)\u00a0· step (\d+) of (\d+)")


def place(message: Message) -> tuple[int, int, int]:
    """Return the round, the step and the number of steps that a replay shows."""
    found = WHERE.search(message.text)
    assert found is not None, message.text
    return int(found[2]), int(found[4]), int(found[5])


async def opened(person: Person, final: Message) -> Message:
    shown = await person.click(final, "Replay")
    assert shown.message is not None, shown.text
    assert shown.message.only == person.id
    return shown.message


async def test_a_game_ends_with_ratings_and_can_be_watched_again(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, chloe, dmitri = held.people
        leaks = held.leaks[held.games.id]
        final = await Game(held, [ana, ben, chloe], seed=4).play(clock="2h", **driver.replayed)
        for person in (ana, ben, chloe):
            assert re.search(rf"\*\*\d\*\* {person.mention} [+−±]\d+ → \*\*\d+\*\*", final.text), final.text
        await _stepping(dmitri, final)
        for viewer in (None, ana, ben, chloe):
            await _through(leaks, dmitri, await opened(dmitri, final), viewer)
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
    assert re.search(r" (?:wins|win together)\b", message.text), message.text
    assert all(each.get("disabled") for each in message.buttons if each.get("label") in ("Next", "Last"))
    await person.click(message, "Back")
    assert place(message)[1] == steps - 1
    await person.click(message, "First")
    assert place(message)[1] == 1
    await person.click(message, "Last")
    assert place(message)[1] == steps
    await person.select(message, "Jump to a round", "Round 2")
    assert place(message)[0] == 2


async def _through(leaks: LeakCheck, person: Person, message: Message, eyes: Person | None) -> None:
    """Watch the first step of every round, through a player's eyes or with everything open."""
    if eyes is not None:
        chosen = await person.select(message, "Through whose eyes?", f"As {eyes.user.display_name} saw it")
        assert chosen.changed == [message]
    for number in range(1, last_round(message) + 1):
        await person.select(message, "Jump to a round", f"Round {number}")
        assert place(message)[0] == number
        leaks.check_replay(message, number, eyes)


def last_round(message: Message) -> int:
    found = WHERE.search(message.text)
    assert found is not None
    return int(found[3])


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
    lobby = await held.slash(person, "new", channel)
    assert lobby.message is not None
    forged = await person.forge(lobby.message, table)
    assert "Game #" not in forged.text


async def test_the_best_moments_come_first_and_the_end_can_be_shared(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, chloe, dmitri = held.people
        for seed in range(4, 8):  # a short game may have no moment that is worth remembering
            final = await Game(held, [ana, ben, chloe], seed=seed).play(clock="2h", **driver.replayed)
            message = await opened(dmitri, final)
            jumps = [str(each["label"]) for each in message.buttons if each.get("emoji", {}).get("name") == "✨"]
            if jumps:
                break
        assert 1 <= len(jumps) <= 3, message.text
        assert message.text.count("✨") >= len(jumps)
        for label in jumps:
            assert (await dmitri.click(message, label)).changed == [message]
            assert "✨" in message.text
            assert "best moments" not in message.text
        shared = await dmitri.click(message, "Share")
        card = shared.message
        assert card is not None
        assert card.only is None, "everybody sees it"
        assert f"Shared by {dmitri.mention}" in card.text
        assert all(person.mention in card.text for person in (ana, ben, chloe))
        assert not card.pinged
        assert "Rematch" not in [each.get("label") for each in card.buttons]
        again = await dmitri.click(message, "Share")
        assert "less than a minute ago" in again.text
        assert again.message is not None
        assert again.message.only == dmitri.id
        forged = await ben.forge(final, "c1:0:0:share:99")
        assert "no finished game #99" in forged.text
        assert "no finished game #99" in (await ben.slash("share", game=99)).text
        elsewhere = held.sandbox.world.add_channel(held.guild, "elsewhere")
        typed = (await ben.slash("share", elsewhere, game=1)).message
        assert typed is not None
        assert typed.only is None
        assert f"Shared by {ben.mention}" in typed.text


async def test_a_running_game_cannot_be_shared(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, clock="2h", **driver.replayed)
        for person in (ben, chloe):
            await person.click(message, "Join")
        await ana.click(message, "Start")
        await quiet()
        table = next(each["custom_id"].split(":")[1] for each in message.buttons)
        running = newest(ana)
        assert running is not None
        for custom_id in (f"c1:{table}:0:share", "c1:0:0:share:1", "c1:0:0:share"):
            answer = await ben.forge(running, custom_id)
            assert answer.message is not None
            assert answer.message.only == ben.id
            assert driver.look not in answer.text


async def test_a_running_game_cannot_be_replayed(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, clock="2h", **driver.replayed)
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
            assert driver.look not in answer.text
            assert "yet" in answer.text or "together" in answer.text, answer.text
        board = await ben.slash("leaderboard")
        assert "Nobody is ranked here yet" in board.text
        assert f"{ben.mention} has no game here yet" in board.text


async def test_a_stopped_game_is_not_counted_and_cannot_be_watched(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, chloe = held.people
        message = await held.open_table(ana, clock="2h", **driver.replayed)
        for person in (ben, chloe):
            await person.click(message, "Join")
        await ana.click(message, "Start")
        await quiet()
        table = next(each["custom_id"].split(":")[1] for each in message.buttons)
        asked = await held.slash(ana, "stop")
        assert asked.message is not None
        await ana.click(asked.message, "Stop it")
        answer = await ben.forge(message, f"c1:{table}:0:replay")
        assert "isn't over" in answer.text
        assert "No game has been finished" in (await ben.slash("history")).text

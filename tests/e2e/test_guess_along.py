"""Guessing along: people who do not play guess between a call and its reveal, and nobody sees it before."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import database, recorded, until
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, newest

SCALE = 3.0
"""With it, the longest wait of a reveal is five seconds."""
LONG = "guess_along=15"
WAITING = "All feathers are shown"
GUESSED = re.compile(r"(?:(\d+) of )?(\d+|One) (?:guessed right|guess(?:es)?, )")


async def seated(held: Evening, players: int, **options: object) -> list[Person]:
    """Start a game with the first people in the channel; the others watch. Return those who play."""
    host, *others = held.people[:players]
    message = await held.open_table(host, clock="2h", **options)
    for person in others:
        assert not (await person.click(message, "Join")).failed
    assert not (await host.click(message, "Start")).failed
    await host.wait_for(lambda: held.driver.asked(message))
    return [host, *others]


def table_of(held: Evening) -> Message:
    message = newest(held.people[0])
    assert message is not None
    return message


async def joins(held: Evening, person: Person) -> None:
    """Say that one guesses along, from the private look."""
    shown = await held.look(person, table_of(held))
    (look,) = shown.appeared
    assert "Guess along" in look.text
    assert not (await person.click(look, "Guess along")).failed
    await person.wait_for(lambda: "You're guessing along" in "".join(each.text for each in person.private()))


async def call(held: Evening) -> tuple[Person, Person]:
    """Bid and call; return the bidder and the caller."""
    message = table_of(held)
    bidder = held.in_turn(message)
    last = await held.driver.last_move(held.people, message)
    assert (await last.press()).failed is None
    return bidder, last.by


def guesses(message: Message) -> list[str]:
    """Return the custom_ids of the buttons with which bystanders guess."""
    return [each["custom_id"] for each in message.buttons if ":along:" in each.get("custom_id", "")]


def on(held: Evening, message: Message, side: Person) -> str:
    """Return the button that says that a player is right; people sit in the order in which they are listed."""
    (found,) = [each for each in guesses(message) if each.endswith(f":{held.people.index(side)}")]
    return found


async def waits(held: Evening) -> Message:
    """Wait until the table message says that the reveal waits; return it."""
    await until(held, lambda: WAITING in table_of(held).text)
    return table_of(held)


def result(held: Evening) -> tuple[int, int] | None:
    """Return how many guesses were right, and how many there were, as a reveal tells it."""
    found = next((found for each in held.people[0].read() if (found := GUESSED.search(each.text))), None)
    return None if found is None else (int(found[1] or 0), 1 if found[2] == "One" else int(found[2]))


async def test_a_spectator_guesses_and_the_reveal_tells(tmp_path: Path) -> None:
    async with evening(tmp_path, 5, scale=SCALE) as held:
        await seated(held, 3, rules=LONG)
        *_, dmitri, emi = held.people
        await joins(held, dmitri)
        await joins(held, emi)
        bidder, caller = await call(held)
        table = await waits(held)
        assert len(guesses(table)) == 2
        shown = await dmitri.click(table, on(held, table, bidder))
        assert f"You say that {bidder.mention} is right" in shown.text
        shown = await emi.click(table, on(held, table, caller))
        assert "Between rounds" in shown.text, "everybody who was waited for has guessed"
        await until(held, lambda: result(held))
        assert result(held) == (1, 2), "one said that the bidder is right, the other said the caller"
        assert WAITING not in table_of(held).text


async def test_no_player_learns_of_a_guess_before_the_reveal(tmp_path: Path) -> None:
    async with evening(tmp_path, 5, scale=1.0) as held:
        players = await seated(held, 3, rules=LONG)
        *_, dmitri, emi = held.people
        await joins(held, dmitri)
        await joins(held, emi)
        for person in players:
            await held.look(person, table_of(held))
        bidder, caller = await call(held)
        table = await waits(held)

        def seen() -> object:
            return [[(each.id, each.version) for each in (*person.read(), *person.private())] for person in players]

        before: object = None  # what is seen once everything that the call changes has arrived
        while before != (before := seen()):  # noqa: ASYNC110
            await asyncio.sleep(1.5)
        assert not (await dmitri.click(table, on(held, table, bidder))).failed
        assert not (await dmitri.click(table, on(held, table, caller))).failed
        await asyncio.sleep(1)
        assert seen() == before
        assert not (await emi.click(table, on(held, table, caller))).failed
        await until(held, lambda: result(held))
        assert result(held) in ((0, 2), (2, 2))


async def test_players_cannot_guess(tmp_path: Path) -> None:
    async with evening(tmp_path, 4, scale=SCALE) as held:
        players = await seated(held, 3, rules=LONG)
        await joins(held, held.people[3])
        bidder, _ = await call(held)
        table = await waits(held)
        for person in players:
            shown = await person.click(table, on(held, table, bidder))
            assert "for people who aren't playing" in shown.text


@pytest.mark.parametrize("kill", ["before", "after"])
async def test_a_guess_survives_a_kill_and_counts_once(tmp_path: Path, kill: str) -> None:
    async with evening(tmp_path, 5, scale=SCALE) as held:
        await seated(held, 3, rules=LONG)
        *_, dmitri, emi = held.people
        await joins(held, dmitri)
        await joins(held, emi)
        bidder, _ = await call(held)
        table = await waits(held)
        if kill == "before":
            await held.bot.restart()
        with recorded(held) as sent:
            assert not (await dmitri.click(table, on(held, table, bidder))).failed
        if kill == "after":
            await held.bot.restart()
        for event in sent:  # Discord may deliver an interaction again
            held.sandbox.gateway.send("INTERACTION_CREATE", event)
        await until(held, lambda: result(held))
        assert (result(held) or (0, 0))[1] == 1
        with database(held) as rows:
            (document,) = rows.execute("SELECT document FROM tables").fetchone()
        kept = {each["user"]: each for each in json.loads(document)["guessers"]}
        assert kept[int(dmitri.id)]["made"] == 1
        assert kept[int(emi.id)].get("made", 0) == 0
        assert kept[int(emi.id)]["missed"] == 1, "the reveal waited for nothing"


async def test_in_peek_a_bystander_guesses_with_the_buttons_for_bets(tmp_path: Path) -> None:
    async with evening(tmp_path, 5, scale=SCALE) as held:
        await seated(held, 4, edition="peek", actions=True, rules=LONG)
        emi = held.people[4]
        await joins(held, emi)
        bidder, _ = await call(held)
        await until(held, lambda: "Still to bet" in table_of(held).text)
        table = table_of(held)
        bets = [each for each in table.buttons if ":bet:" in each.get("custom_id", "")]
        shown = await emi.click(table, bets[1]["custom_id"])
        assert f"You say that {bidder.mention} is right" in shown.text
        for user in held.driver.asked(table):
            person = next(each for each in held.people if each.id == user)
            await person.click(table, bets[0]["custom_id"])
        await until(held, lambda: result(held))
        assert (result(held) or (0, 0))[1] == 1


async def test_a_match_ends_with_a_tally_and_a_board_of_its_own(tmp_path: Path) -> None:
    async with evening(tmp_path, 5) as held:
        _, ben, chloe, dmitri, emi = held.people
        boss = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        boss.where = held.games
        assert "is now" in (await boss.slash("houserules set", key="ranked_after", value="1")).text
        await emi.slash("privacy statistics", counted="off")
        players = await seated(held, 3, coins=2, rules=LONG)
        await joins(held, dmitri)
        await joins(held, emi)
        game = Game(held, players)
        made = 0

        async def guess() -> None:
            nonlocal made
            while True:
                table = newest(dmitri)
                if table is not None and guesses(table):
                    for person in (dmitri, emi):
                        shown = await person.forge(table, guesses(table)[0])
                        made += person is dmitri and "You say that" in shown.text
                await asyncio.sleep(0.01)

        guessing = asyncio.create_task(guess())
        try:
            final = await game.go_on()
        finally:
            guessing.cancel()
        assert made, "nobody ever guessed"
        await until(held, lambda: "Guessed along:" in final.text)
        assert dmitri.mention in final.text
        with database(held) as rows:
            counted = rows.execute("SELECT user, made FROM guesses").fetchall()
        assert [user for user, _ in counted] == [int(dmitri.id)], "who opted out is not counted"
        shown = await ben.slash("leaderboard", by="guessed_right")
        assert shown.message is not None
        assert dmitri.mention in shown.message.text
        assert emi.mention not in shown.message.text
        assert chloe.mention not in shown.message.text
        assert "Guess along" in shown.message.text


async def test_a_guess_can_be_typed(tmp_path: Path) -> None:
    async with evening(tmp_path, 4, scale=SCALE) as held:
        await seated(held, 3, rules=LONG)
        dmitri = held.people[3]
        assert "You're guessing along" in (await held.slash(dmitri, "guess")).text
        await call(held)
        await waits(held)
        assert "Between rounds" in (await held.slash(dmitri, "guess", right="bet_caller")).text
        await until(held, lambda: result(held))


async def test_the_house_can_do_without_it(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        await seated(held, 3, rules="guess_along=0")
        shown = await held.look(held.people[3], table_of(held))
        assert "Guess along" not in shown.text
        await call(held)
        await until(held, lambda: any(held.driver.reveal in each.text for each in held.people[0].read()))
        assert not any(WAITING in each.text for each in held.people[0].read())

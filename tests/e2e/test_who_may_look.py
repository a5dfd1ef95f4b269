"""Nobody but a living player of the running match is shown hidden cards, whichever way they try, restarts included."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.events import Change
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.leak_check import texts
from tests.e2e.players import Game, can_look, newest, quiet

pytestmark = pytest.mark.parametrize("restarted", [False, True], ids=["", "restarted"])


def look_ids(person: Person) -> list[tuple[Message, str]]:
    """Return every button that opens a look, on all messages that a person has, with its message."""
    kept = [*person.read(), *person.private(), *person.dms()]
    found = [(message, str(each.get("custom_id"))) for message in kept for each in message.buttons]
    return [(message, custom_id) for message, custom_id in found if ":look" in custom_id]


@contextmanager
def shown_to(held: Evening, person: Person) -> Iterator[list[str]]:
    """Collect the text of every message that a person is shown meanwhile, edits included."""
    told: list[str] = []

    def listen(change: Change) -> None:
        if change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and held.sandbox.world.may_see(change, person.id):
            told.append("\n".join(texts(change.data)))

    unsubscribe = held.sandbox.world.subscribe(listen)
    try:
        yield told
    finally:
        unsubscribe()


def to_look_at(person: Person) -> Message | None:
    """Return the table message, if it has a button that opens a look."""
    message = newest(person)
    return message if message is not None and can_look(message) else None


async def try_everything(held: Evening, person: Person, old: list[tuple[Message, str]], *, restarted: bool) -> None:
    """Let somebody who must not see hidden cards try every way to a look; fail if one of them shows any."""
    if restarted:
        await held.bot.restart()
    running = await person.wait_for(lambda: to_look_at(person))
    table = next(str(each["custom_id"]).split(":")[1] for each in running.buttons)
    with shown_to(held, person) as told:
        assert (await held.look(person, running)).text
        assert (await held.slash(person, "look")).text
        for message, custom_id in [*old, *look_ids(person)]:
            assert (await person.forge(message, custom_id)).failed is None
        for custom_id in (f"c1:{table}:0:look", f"c1:{table}:0:look:again"):
            assert (await person.forge(running, custom_id)).failed is None
    assert told
    assert not [text for text in told if held.driver.look in text]
    for message in (*person.private(), *person.dms()):

        def is_tidy(message: Message = message) -> bool:
            return held.driver.look not in message.text

        await person.wait_for(is_tidy)


async def try_as_a_player(held: Evening, person: Person, old: list[tuple[Message, str]]) -> None:
    """Let a player for whom an AI plays try every way to a look; they may see what a player sees, and nothing more."""
    running = await person.wait_for(lambda: to_look_at(person))
    with shown_to(held, person) as told:
        for message, custom_id in [*old, *look_ids(person)]:
            assert (await person.forge(message, custom_id)).failed is None
        assert (await held.look(person, running)).text
    assert [text for text in told if held.driver.look in text]
    assert not [text for text in told if "nothing hidden" in text]
    assert held.driver.name != "coyote" or not [
        text for text in told if f"{person.mention} **" in text.partition("###")[2]
    ]


async def others_still_look(held: Evening, *people: Person) -> None:
    """Check that the test can fail: people who play are shown their look, at the latest after the next deal."""
    for person in people:

        def running(person: Person = person) -> Message | None:
            message = newest(person)
            return message if message is not None and held.driver.asked(message) else None

        async with asyncio.timeout(60):
            while held.driver.look not in (await held.look(person, await person.wait_for(running))).text:
                await quiet(0.2)


async def test_somebody_who_joins_in_the_last_moment(tmp_path: Path, driver: Driver, restarted: bool) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, *others, late = held.people
        message = await held.open_table(ana, clock="2h", **driver.long)
        for person in others:
            await person.click(message, "Join")
        old = look_ids(late)
        _, joined = await asyncio.gather(ana.click(message, "Start"), late.click(message, "Join"))
        await until(held, lambda: driver.asked(message))
        if late.mention in message.text:  # the press came first
            await others_still_look(held, late)
        else:
            assert driver.look not in joined.text
            await try_everything(held, late, old, restarted=restarted)
        await others_still_look(held, ana)


async def test_somebody_who_was_removed_from_the_lobby(tmp_path: Path, driver: Driver, restarted: bool) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, chloe, removed = held.people
        message = await held.open_table(ana, clock="2h", **driver.long)
        for person in (ben, chloe, removed):
            await person.click(message, "Join")
        await held.slash(removed, "look")
        old = look_ids(removed)
        await held.slash(ana, "kick", player=removed, sure=True)
        await ana.click(message, "Start")
        await until(held, lambda: driver.asked(message))
        await try_everything(held, removed, old, restarted=restarted)
        await others_still_look(held, ana, ben)


@pytest.mark.parametrize("plays_on", ["on", "off"])
async def test_somebody_who_has_left(tmp_path: Path, driver: Driver, plays_on: str, restarted: bool) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        await owner.slash("houserules set", held.games, key="ai_for_left", value=plays_on)
        message = await started(held, **driver.long)
        turn = held.in_turn(message)
        leaver = next(person for person in held.people[1:] if person is not turn)
        assert driver.look in (await held.look(leaver, message)).text
        # The message of the deal must have come: one that is on its way may still arrive after they have left.
        await leaver.wait_for(lambda: any(driver.look in each.text for each in leaver.dms()))
        old = look_ids(leaver)
        assert "left the game" in (await held.slash(leaver, "leave", sure=True)).text
        await try_everything(held, leaver, old, restarted=restarted)
        await others_still_look(held, held.people[0])


async def test_somebody_who_was_voted_out(tmp_path: Path, driver: Driver, restarted: bool) -> None:
    async with evening(tmp_path, 4, driver=driver, scale=60.0) as held:
        message = await started(held, clock="60s", **{**driver.long, "rules": "away_after=1, ai_seats=off"})
        away = held.in_turn(message)
        assert driver.look in (await held.look(away, message)).text
        old = look_ids(away)
        voters = [person for person in held.people if person is not away]
        await until(held, lambda: "away" in (newest(voters[0]) or message).text, 60)
        for person in voters:
            await held.slash(person, "vote", player=away)
            if "voted to go on without them" in "".join(each.text for each in person.read()):
                break
        await until(held, lambda: any("voted to go on without" in each.text for each in voters[0].read()))
        await try_everything(held, away, old, restarted=restarted)


async def test_somebody_for_whom_an_ai_stands_in_and_a_bystander(
    tmp_path: Path, driver: Driver, restarted: bool
) -> None:
    async with evening(tmp_path, 4, driver=driver, scale=60.0) as held:
        *players, bystander = held.people
        message = await held.open_table(players[0], clock="60s", **{**driver.long, "rules": "away_after=1"})
        for person in players[1:]:
            await person.click(message, "Join")
        await players[0].click(message, "Start")
        await until(held, lambda: driver.asked(message))
        away = held.in_turn(message)
        old = look_ids(away)
        await until(held, lambda: any("plays for them" in each.text for each in players[0].read()), 60)
        await try_everything(held, bystander, [], restarted=restarted)
        await try_as_a_player(held, away, old)


async def test_somebody_who_is_out(tmp_path: Path, restarted: bool) -> None:
    async with evening(tmp_path, 3) as held:
        message = await started(held, edition="scout", coins=2)
        out = held.in_turn(message)
        others = [person for person in held.people if person is not out]
        assert held.driver.look in (await held.look(out, message)).text
        await out.wait_for(out.dms)
        old = look_ids(out)
        for _ in range(2):
            await until(held, lambda: held.phase(out) == "bidding" and held.in_turn(newest(out)) is out)
            assert not (await held.slash(out, "bid", number=500, sure=True)).failed
            await until(held, lambda: held.in_turn(newest(out)) is not out)
            old += look_ids(out)
            assert not (await held.slash(held.in_turn(newest(out)), "call")).failed
            await until(held, lambda: held.phase(out) != "bidding")
        await until(held, lambda: held.phase(others[0]) == "bidding")
        await try_everything(held, out, old, restarted=restarted)
        await others_still_look(held, *others)


async def test_somebody_with_the_buttons_of_the_table_before_a_rematch(
    tmp_path: Path, driver: Driver, restarted: bool
) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, chloe = held.people
        old: list[tuple[Message, str]] = []

        async def hook(_: str) -> None:
            if not old:
                old.extend(look_ids(ben))

        final = await Game(held, [ana, ben]).play(hook, clock="2h", **driver.quickest)
        assert old
        await ana.click(final, "Rematch")
        lobby = await until_lobby(held, final)
        assert not (await ben.click(lobby, "Leave")).failed
        assert not (await chloe.click(lobby, "Join")).failed
        assert not (await ana.click(lobby, "Start")).failed
        await until(held, lambda: driver.asked(newest(ana) or lobby))
        await try_everything(held, ben, old, restarted=restarted)
        await others_still_look(held, ana, chloe)


async def until_lobby(held: Evening, final: Message) -> Message:
    """Wait for the lobby of a rematch."""

    def found() -> Message | None:
        message = newest(held.people[0])
        return message if message is not None and message is not final and message.component("Join") else None

    return await held.people[0].wait_for(found)

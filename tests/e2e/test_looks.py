"""Private messages: a look follows its table, and everybody has one private message at a table."""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import make, started
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, prompt_of


async def only(person: Person) -> Message:
    """Return the one private message that a person has, once the one before is deleted."""
    return await person.wait_for(lambda: person.private()[0] if len(person.private()) == 1 else None)


async def all_look(held: Evening, message: Message) -> None:
    """Let everybody open their look."""
    for person in held.people:
        assert held.is_look(await held.look(person, message))
        await only(person)


async def all_show(people: Iterable[Person], shows: Callable[[Person, Message], bool]) -> None:
    """Wait until everybody's only private message shows something; each client sees its own alone."""
    for person in people:

        def look(person: Person = person) -> bool:
            return len(person.private()) == 1 and shows(person, person.private()[0])

        await person.wait_for(look)


def prompts_on(message: Message) -> set[int]:
    """Return the prompts that something on a message answers."""
    return {prompt_of(part) for part in message.components} - {0}


async def test_a_look_follows_the_table(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, **driver.long)
        await all_look(held, message)
        table = f"/api/v10/channels/{held.games.id}/"
        old: set[int] = set()

        def is_up_to_date(person: Person, look: Message) -> bool:
            offered = prompts_on(look)
            return bool(offered) == (person.id in driver.asked(message)) and not offered & old

        for _ in range(3):
            await all_show(held.people, is_up_to_date)
            old |= {prompt for person in held.people for prompt in prompts_on(await only(person))}
            held.sandbox.api.requests = deque()
            await make(held, held.move(message))
            await all_show(held.people, is_up_to_date)
            spent = [each.path for each in held.sandbox.api.requests if each.path.startswith(table)]
            assert len(spent) <= 3, spent
        await all_show(held.people, lambda _, look: driver.look in look.text and "As of <t:" in look.text)


async def test_a_look_follows_the_table_into_the_break_between_rounds(tmp_path: Path) -> None:
    async with evening(tmp_path, scale=3.0) as held:  # so that the break lasts some seconds
        message = await started(held)
        await all_look(held, message)
        await (await held.driver.last_move(held.people, message)).press()
        between = held.driver.look_between
        assert between is not None
        await all_show(held.people, lambda _, look: between in look.text and not prompts_on(look))


async def test_a_look_follows_the_table_to_its_end(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        await all_look(held, await started(held))
        host, *others = held.people
        assert "it was you" in (await held.slash(host, "stop", sure=True)).text
        await all_show(others, lambda _, look: "This table is done" in look.text and "As of" not in look.text)


async def test_everybody_has_one_private_message_at_a_table(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        turn = held.in_turn(message)
        other = next(person for person in held.people if person is not turn)
        for _ in range(2):
            look = (await held.look(other, message)).message
            assert await only(other) is look
        refused = await driver.move(other, message).press()
        assert [await only(other)] == refused.appeared
        assert driver.look in refused.text  # the reason stands above the look, which was not lost
        more = await other.click(message, driver.say("table.button.more"))
        assert [await only(other)] == more.appeared
        refused = await driver.move(other, message).press()
        assert [await only(other)] == refused.appeared
        assert driver.look not in refused.text


async def test_somebody_who_dismissed_their_look_gets_another(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        ana = next(person for person in held.people if person is not held.in_turn(message))
        await held.look(ana, message)
        ana.dismiss(await only(ana))
        await make(held, held.move(message))
        assert ana.private() == []
        shown = await held.look(ana, message)
        assert held.is_look(shown)
        assert ana.private() == shown.appeared


async def test_a_whole_game_leaves_one_private_message_each(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 2, driver=driver) as held:
        await Game(held, held.people, seed=3).play(**driver.quickest)
        for person in held.people:
            await person.wait_for(lambda person=person: len(person.private()) <= 1)  # type: ignore[misc]


async def test_a_look_from_before_a_restart_follows_again_after_a_press(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        await all_look(held, message)
        await held.bot.restart()
        for person in held.people:
            look = await only(person)
            await person.click(look, driver.say("look.button.again"))
            assert await only(person) is look
        old = prompts_on(message)
        await make(held, held.move(message))
        await all_show(held.people, lambda _, look: not prompts_on(look) & old)

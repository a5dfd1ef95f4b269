"""Pictures in a game with the real bot: who sees which, what they say, and what people get instead of them."""

import asyncio
from collections import deque
from pathlib import Path

from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.permissions import Permission
from tests.e2e.common import database, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, is_won, newest, quiet
from tests.games.drivers import PLENTY_COUPS

WITHOUT_TOKEN = ("/api/v10/interactions/", "/api/v10/webhooks/")
MOST_CALLS = 3
"""How many requests with the bot's token an action may cost, on average over a whole game."""
REVEAL = "calls Coyote on"
VERDICT = ("bid held", "too high", "Exactly")


def pictures(messages: list[Message]) -> list[str]:
    """Return the names of the pictures that messages show."""
    return [file["filename"] for message in messages for file in message.files]


def dms(person: Person) -> list[Message]:
    """Return the bot's DMs to a person."""
    return person.read(person.world.dm_of[person.id])


def forbid_files(held: Evening) -> None:
    """Take the permission to attach files from everybody, the bot included."""
    for role in held.guild.roles.values():
        allowed = role.permissions & ~int(Permission.ATTACH_FILES)
        held.sandbox.world.set_role_permissions(held.guild, role, allowed)


async def test_a_whole_game_has_pictures_and_costs_no_more_requests(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        for person in held.people:
            person.dms_open = False  # a DM is an edit for each player and deal, with or without a picture
        held.sandbox.api.requests = deque()
        game = Game(held, held.people, "buttons", seed=1)
        final = await game.play(None, clock="2h", **driver.short)
        assert is_won(final)
        await quiet()
        ana = held.people[0]
        assert pictures([final]) == ["scoring.png" if driver is PLENTY_COUPS else "final.png"]
        shown = [message for message in ana.read(limit=100) if message.files]
        assert {"camps.png" if driver is PLENTY_COUPS else "reveal.png"} < set(pictures(shown))
        for message in shown:
            assert len(message.files) == 1
            assert all(len(text) > 20 for text in message.descriptions)
        with database(held) as found:
            (acts,) = found.execute("SELECT count(*) FROM actions WHERE actor = 'user'").fetchone()
        spent = sum(not each.path.startswith(WITHOUT_TOKEN) for each in held.sandbox.api.requests)
        assert spent <= MOST_CALLS * acts, (spent, acts)


async def test_only_players_see_the_others_drawn(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        *players, bystander = held.people
        held.people = players
        message = await started(held)
        for person in players:
            look = (await held.look(person, message)).message
            assert look is not None
            await until(held, lambda look=look: look.files)  # type: ignore[misc]
            (text,) = look.descriptions
            assert text.startswith("Round 1, as you see it.")
            assert "You wear a feather that is hidden from you" in text
            assert all(f"{other.user.global_name} wears" in text for other in players if other is not person)
            await until(held, lambda person=person: pictures(dms(person)) == ["look.png"])  # type: ignore[misc]
            assert dms(person)[0].descriptions == [text]
        seen = (await held.look(bystander, message)).message
        assert seen is not None
        await quiet()
        assert pictures([seen]) == []
        assert pictures(bystander.read()) == []


async def test_a_reveal_in_steps_survives_a_kill(tmp_path: Path) -> None:
    async with evening(tmp_path, scale=2.0) as held:
        message = await started(held)
        await (await held.driver.last_move(held.people, message)).press()
        ana = held.people[0]

        def reveal() -> Message | None:
            return next((each for each in ana.read() if REVEAL in each.text and each.files), None)

        await until(held, reveal)
        first = reveal()
        assert first is not None
        assert not any(words in first.text for words in VERDICT), "the verdict comes last"
        await held.bot.restart()
        await until(held, lambda: any(words in first.text for words in VERDICT))
        assert [each.id for each in ana.read() if REVEAL in each.text and each.buttons] == [first.id]
        assert len(first.files) == 1
        assert any(words in first.descriptions[0] for words in VERDICT)


async def test_without_attach_files_the_game_goes_on_and_a_manager_is_told_once(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        owner.where = held.games
        forbid_files(held)
        message = await started(held)
        await (await held.driver.last_move(held.people, message)).press()
        ana = held.people[0]
        await until(held, lambda: any(words in each.text for each in ana.read() for words in VERDICT))
        assert pictures([each for each in ana.read() if not each.ephemeral]) == []
        asked = "I may not attach files"
        for person in held.people:
            assert asked not in (await held.slash(person, "settings")).text, "they could not change it"
        told = (await held.slash(owner, "settings")).text
        assert asked in told
        assert "**Attach Files**" in told
        assert asked not in (await held.slash(owner, "settings")).text
        assert "For pictures I lack **Attach Files** here" in (await owner.slash("doctor")).text


async def test_people_who_want_words_alone_get_just_those(tmp_path: Path) -> None:
    async with evening(tmp_path, 3) as held:
        ana, ben, _ = held.people
        message = await started(held)
        menu = (await ana.click(message, "More…")).message
        assert menu is not None
        assert "words alone" in (await ana.click(menu, "No pictures for me")).text
        for person in (ana, ben):
            look = (await held.look(person, message)).message
            assert look is not None
            if person is ben:
                await until(held, lambda look=look: look.files)  # type: ignore[misc]
            else:
                await asyncio.sleep(0.3)
                assert look.files == []
        shown = await held.slash(ana, "settings", text_only=False)
        assert shown.message is not None
        look = (await held.look(ana, newest(ana) or message)).message
        assert look is not None
        await until(held, lambda: look.files)


async def test_a_house_without_pictures_has_none(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        message = await started(held, rules="pictures=off")
        await held.look(held.people[0], message)
        await (await held.driver.last_move(held.people, message)).press()
        await until(held, lambda: any(words in each.text for each in held.people[0].read() for words in VERDICT))
        await quiet()
        for person in held.people:
            assert pictures([*person.read(), *dms(person)]) == []

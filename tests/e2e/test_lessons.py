"""The lessons with the real bot: to the end, left and taken up again, in a DM, killed in between, delivered twice."""

import asyncio
import re
import sqlite3
from pathlib import Path

import pytest

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import recorded
from tests.e2e.harness import Evening, evening

COYOTE_MOVES = {
    1: ("10", "Coyote!"),
    2: ("18",),
    3: ("15",),
    4: ("10",),
    5: ("Coyote!",),
    6: ("-4", "Coyote!"),
    7: ("15",),
    8: ("13",),
    9: ("skip",),
}
"""What a learner presses in each step of Coyote's lesson."""


TAKE, ACT, DISCARD = "Take 2 cards from the offer…", "What will you do?", "Which cards do you discard?"
PLENTY_COUPS_PICKS = (
    ((TAKE, "take.weapon3+horse"), (ACT, "breed"), (ACT, "raid.yellow.black3")),
    ((ACT, "coup"), (ACT, "hunt.blue1"), (DISCARD, "hunt_discard.green3+weapon2")),
    ((ACT, "defend.weapon4"), (ACT, "coup")),
    (("Which card do you give?", "give.black2"), ("How do you answer?", "prove.stick")),
)
"""What a learner picks in each step of the lesson in Plenty Coups."""


async def open_lesson(person: Person, at: object = None, **options: object) -> Message:
    """Open the lesson and return its private message."""
    shown = await person.slash("tutorial", at, **options)  # type: ignore[arg-type]
    assert shown.message is not None, shown.text
    assert shown.message.ephemeral
    return shown.message


async def make_move(person: Person, page: Message, move: str) -> None:
    """Make a move, which must be accepted, on the same message."""
    if move.startswith("-"):
        opened = await person.click(page, "Bid…")
        assert opened.modal is not None
        shown = await person.submit(opened.modal, number=move)
    elif move == "skip":
        shown = await person.select(page, "Special action…", "Skip")
    else:
        shown = await person.click(page, move)
    assert shown.failed is None
    assert "Not this time" not in page.text, page.text


async def take_steps(person: Person, page: Message, steps: range) -> None:
    """Take some steps of Coyote's lesson, each up to the next."""
    for step in steps:
        assert f"{step} of 9" in page.text, page.text
        for move in COYOTE_MOVES[step]:
            await make_move(person, page, move)
        assert "Next" in labels(page), page.text
        await person.click(page, "Next")


def labels(message: Message) -> list[str]:
    return [str(each.get("label")) for each in message.buttons]


def rows(held: Evening) -> list[tuple[str, str, str]]:
    with sqlite3.connect(f"file:{held.bot.database}?mode=ro", uri=True) as connection:
        return connection.execute("SELECT game, step, moves FROM lessons").fetchall()


async def test_the_whole_lesson_is_one_private_message_and_ends_with_a_table(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        page = await open_lesson(ana)
        await take_steps(ana, page, range(1, 10))
        assert "You've learned Coyote" in page.text
        assert [each for each in ana.read() if each.author_id == ana.world.bot.id] == [page]
        assert ben.read() == []
        opened = await ana.click(page, "Open a table")
        assert opened.failed is None
        lobby = await ben.wait_for(lambda: next((each for each in ben.read() if "Start" in labels(each)), None))
        assert ana.mention in lobby.text
        again = await open_lesson(ana)
        assert "You've learned Coyote" in again.text
        await ana.click(again, "Start over")
        assert "1 of 9" in again.text


async def test_a_learner_whose_lobby_waits_is_led_to_it_and_not_told_of_another_table(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        await held.open_table(ana)
        page = await open_lesson(ana)
        await take_steps(ana, page, range(1, 10))
        waiting = (await ana.click(page, "Open a table")).message
        assert waiting is not None
        assert "Your table is waiting in this channel already" in waiting.text
        assert "Open the table" in labels(waiting)
        page = await open_lesson(ben)
        await take_steps(ben, page, range(1, 10))
        assert "There's a table in this channel already" in (await ben.click(page, "Open a table")).text


async def test_a_wrong_move_is_answered_kindly_and_can_be_tried_again(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        page = await open_lesson(ana)
        await ana.click(page, "1")
        assert "Not this time" in page.text
        assert "5 to 15" in page.text
        opened = await ana.click(page, "Bid…")
        assert opened.modal is not None
        await ana.submit(opened.modal, number="lots")
        assert "isn't a whole number. Try something like 5." in page.text, "1 would be answered with: 5 to 15"
        assert rows(held) == []
        await make_move(ana, page, "10")
        opened = await ana.click(page, "Bid…")
        assert opened.modal is not None
        await ana.submit(opened.modal, number="3")
        assert "3 doesn't beat 19" in page.text
        await ana.click(page, "20")
        assert "Let Magpie answer for it" in page.text
        await make_move(ana, page, "Coyote!")
        assert "takes a coin" in page.text


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_a_lesson_is_taken_up_where_it_was_left_even_after_a_kill(tmp_path: Path, end: str) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        page = await open_lesson(ana)
        await take_steps(ana, page, range(1, 3))
        await make_move(ana, page, "15")
        await (held.bot.kill() if end == "kill" else held.bot.stop())
        await held.bot.start()
        back = await open_lesson(ana)
        assert "3 of 9" in back.text
        assert "Juniper believed you" in back.text
        await ana.click(page, "Next")  # the old message goes on as well
        assert "4 of 9" in page.text
        await ana.click(back, "Next")  # and this press is late: it shows where Ana stands
        assert "4 of 9" in back.text
        await take_steps(ana, back, range(4, 10))
        assert "You've learned Coyote" in back.text


@pytest.mark.parametrize("killed", [False, True], ids=["same process", "after a kill"])
async def test_a_press_that_is_delivered_twice_counts_once(tmp_path: Path, killed: bool) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        page = await open_lesson(ana)
        with recorded(held) as sent:
            await make_move(ana, page, "10")
            await make_move(ana, page, "Coyote!")
            await ana.click(page, "Next")
        before = rows(held)
        if killed:
            await held.bot.kill()
            await held.bot.start()
        for event in sent:
            held.sandbox.gateway.send("INTERACTION_CREATE", event)
        await asyncio.sleep(1.0)
        assert rows(held) == before
        assert "2 of 9" in page.text


async def test_the_lesson_works_in_a_dm_and_says_where_tables_are(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        home = ana.open_dm()
        page = await open_lesson(ana, home)
        await take_steps(ana, page, range(1, 10))
        assert "/coyote new" in page.text
        assert "Open a table" not in labels(page)


async def test_the_lobby_its_rules_and_help_offer_the_lesson(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        table = await held.open_table(ana)
        shown = await ben.click(table, "Five-minute lesson")
        assert shown.message is not None
        assert shown.message.ephemeral
        assert "1 of 9" in shown.text
        rules = await ben.click(table, "Rules")
        assert rules.message is not None
        lesson = await ben.click(rules.message, "Five-minute lesson")
        assert lesson.message is not None
        assert lesson.message is not rules.message
        assert re.search("1 of 9", lesson.text)
        explained = (await ben.slash("help")).message
        assert explained is not None
        assert "1 of 9" in (await ben.click(explained, "Five-minute lesson")).text


async def test_the_lesson_in_plenty_coups_can_be_opened_from_the_first_page_and_taken_to_its_end(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        page = await open_lesson(ana)
        await ana.click(page, "Learn Plenty Coups")
        assert "Plenty Coups · a lesson for you alone · 1 of 4" in page.text
        for step, moves in enumerate(PLENTY_COUPS_PICKS, 1):
            assert f"{step} of 4" in page.text
            for menu, move in moves:
                await ana.select(page, menu, move)
                assert "Not this time" not in page.text, page.text
            await ana.click(page, "Next")
        assert "You've learned Plenty Coups" in page.text
        assert "Open a table" in labels(page)
        assert "1 of 9" in (await open_lesson(ana)).text, "each game has a lesson of its own"
        assert "You've learned Plenty Coups" in (await open_lesson(ana, game="plenty-coups")).text


async def test_deleting_ones_data_ends_the_lesson(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        page = await open_lesson(ana)
        await make_move(ana, page, "10")
        assert "lesson" in (await ana.slash("privacy show")).text
        asked = await ana.slash("privacy delete")
        assert asked.message is not None
        await ana.click(asked.message, "Delete everything about me")
        assert rows(held) == []
        assert "1 of 9" in (await open_lesson(ana)).text

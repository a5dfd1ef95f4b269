"""How far people have come in lessons: once for each interaction, and only from where they stand."""

from bot.host.lessons import Progress
from bot.host.model import UserId
from bot.store.ports import Store
from tests.store.databases import Database

ANA, BEN = UserId(11), UserId(12)
FIRST, MOVED, SECOND = Progress("first"), Progress("first", ({"do": "bid", "number": 9},)), Progress("second")


async def test_progress_is_kept_for_each_person_and_game(store: Store, database: Database) -> None:
    assert await store.lesson(ANA, "coyote") is None
    await store.keep_lesson(ANA, "coyote", None, MOVED, 1)
    await store.keep_lesson(BEN, "coyote", None, SECOND, 2)
    await store.keep_lesson(ANA, "chess", None, FIRST, 3)
    await store.close()
    again = await database.open()
    assert await again.lesson(ANA, "coyote") == MOVED
    assert await again.lesson(BEN, "coyote") == SECOND
    assert await again.lesson(ANA, "chess") == FIRST
    await again.close()


async def test_a_press_counts_once_and_not_from_an_earlier_place(store: Store) -> None:
    await store.keep_lesson(ANA, "coyote", None, MOVED, 1)
    await store.keep_lesson(ANA, "coyote", None, SECOND, 2)  # two presses on the first page
    assert await store.lesson(ANA, "coyote") == MOVED
    await store.keep_lesson(ANA, "coyote", MOVED, SECOND, 1)  # the first press again
    assert await store.lesson(ANA, "coyote") == MOVED
    await store.keep_lesson(ANA, "coyote", MOVED, SECOND, 3)
    assert await store.lesson(ANA, "coyote") == SECOND

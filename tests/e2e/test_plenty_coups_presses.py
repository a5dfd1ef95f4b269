"""Plenty Coups' own buttons, selects, forms and commands, right and wrong, with the real bot."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import moves, said_in, started, until
from tests.e2e.harness import Evening, evening
from tests.e2e.players import newest
from tests.games.drivers import PLENTY_COUPS
from tests.games.plenty_coups.driver import asked_for, select_in
from tests.games.plenty_coups.leaks import hands_in
from tests.games.plenty_coups.typed_play import offered, play_until

UNDO = "Take it back"


@pytest_asyncio.fixture
async def held(tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who play."""
    async with evening(tmp_path, 3, driver=PLENTY_COUPS) as found:
        yield found


async def taken(held: Evening, message: Message) -> tuple[Person, str]:
    """Let the player in turn take cards; return them, and the table as it was before, without its clock."""
    before = without_clock(message)
    move = held.move(message)
    assert not (await move.press()).failed
    await until(held, lambda: move.is_shown(message))
    return move.by, before


def without_clock(message: Message) -> str:
    """Return the text of a table message without the countdown and the news."""
    return "\n".join(line for line in message.text.splitlines() if "<t:" not in line and not line.startswith("-# "))


@pytest.mark.parametrize("how", ["table", "hand", "command"])
async def test_an_action_can_be_taken_back(held: Evening, how: str) -> None:
    message = await started(held)
    turn, before = await taken(held, message)
    if how == "table":
        await turn.click(message, UNDO)
    elif how == "hand":
        hand = (await held.look(turn, message)).message
        assert hand is not None
        assert "Offer:" in (await turn.click(hand, UNDO)).text, "the hand now offers what can be taken"
    else:
        assert "Offer:" in (await turn.slash("plenty play", move="undo")).text
    await until(held, lambda: without_clock(message) == before)
    assert held.in_turn(message) is turn
    assert [each["do"] for each in moves(held)] == ["take", "undo"]
    await taken(held, message)


async def test_only_the_player_in_turn_takes_back_and_each_press_counts_once(held: Evening) -> None:
    message = await started(held)
    turn, _ = await taken(held, message)
    undo = next(each["custom_id"] for each in message.buttons if each.get("label") == UNDO)
    other = next(person for person in held.people if person is not turn)
    assert turn.mention in (await other.click(message, UNDO)).text
    assert len(moves(held)) == 1
    await turn.click(message, UNDO)
    await until(held, lambda: select_in(message))
    assert "moved on" in (await turn.forge(message, undo)).text
    assert len(moves(held)) == 2


async def test_a_hunt_cannot_be_taken_back_because_cards_were_drawn(held: Evening) -> None:
    message = await started(held)
    turn, _ = await taken(held, message)
    hunt = held.move(message)
    await hunt.press()
    await until(held, lambda: asked_for(message) == "hunt")
    assert UNDO not in [each.get("label") for each in message.buttons]
    assert (await turn.slash("plenty play", move="undo")).failed is None
    assert [each["do"] for each in moves(held)] == ["take", "hunt"]


async def test_a_disdain_may_carry_a_line_and_pings_with_the_buttons_to_answer(held: Evening) -> None:
    await started(held)
    table, turn, _ = await play_until(
        held.people, "disdain", stop=lambda message, found: any(each.startswith("disdain") for each in found)
    )
    hand = (await held.look(turn, table)).message
    assert hand is not None
    select = select_in(hand)
    assert select is not None
    form = await turn.select(hand, select["custom_id"], "form.disdain")
    assert form.modal is not None
    whom = next(each for each in form.modal.fields if each["custom_id"] == "whom")["options"][0]
    await turn.submit(form, whom=whom["value"], words="@everyone runs away")
    await until(held, lambda: asked_for(newest(turn) or table) == "disdain")
    (user,) = PLENTY_COUPS.asked(newest(turn) or table)
    target = next(person for person in held.people if person.id == user)
    assert target.user.display_name in whom["label"]
    (said,) = said_in(held, "runs away")
    assert said.pinged == [], "a line pings nobody"
    ping = await target.wait_for(lambda: next((each for each in target.pings() if each.buttons), None))
    assert "you are disdained" in ping.text
    assert turn.mention not in ping.text
    assert not (await turn.click(ping, "Prove it…")).failed, "nobody else can answer"
    answer = (await target.click(ping, "Prove it…")).message
    assert answer is not None
    assert answer.only == target.id
    decline = next(each["custom_id"] for each in ping.buttons if each["custom_id"].endswith(":decline"))
    assert not (await target.click(ping, decline)).failed
    await until(held, lambda: asked_for(newest(turn) or table) != "disdain")
    await until(held, lambda: ping.deleted)


async def test_a_move_can_be_typed_in_words(held: Evening) -> None:
    message = await started(held)
    turn = held.in_turn(message)
    _, found = await offered(held.people, message)
    assert all(each.startswith("take.") for each in found)
    label = (await turn.autocomplete("plenty take", "cards", ""))[0]["name"]
    words = label.split(" · ")[0]
    nonsense = await turn.slash("plenty take", cards="seven elephants")
    assert "I can't find “seven elephants”" in nonsense.text
    assert nonsense.message is not None
    assert nonsense.message.only == turn.id
    assert (
        "Nobody has asked you anything. Take from the offer"
        in (await turn.slash("plenty answer", answer="decline")).text
    )
    assert moves(held) == []
    assert PLENTY_COUPS.look in (await turn.slash("plenty take", cards=words)).text
    await until(held, lambda: asked_for(message) == "act")
    assert [each["do"] for each in moves(held)] == ["take"]


async def test_cards_that_somebody_does_not_hold_cannot_be_played(held: Evening) -> None:
    message = await started(held)
    turn, _ = await taken(held, message)
    hand = (await held.look(turn, message)).message
    assert hand is not None
    select = select_in(hand)
    assert select is not None
    own = {option["value"].split(".")[-1] for option in select["options"]}
    cards = [f"{colour}{value}" for colour in ("black", "yellow", "green", "red", "blue", "white") for value in "1234"]
    foreign = next(card for card in cards if card not in own)
    shown = message.text
    for token in (
        f"hunt.{foreign}",
        f"raid.green.{foreign}",
        f"raid.black.{foreign}",
        "raid.purple.black1",
        "",
        "x.y.z",
    ):
        refused = await turn.forge(hand, select["custom_id"], kind=3, values=[token])
        assert refused.failed is None, token
        assert refused.text, token
        assert "went wrong" not in refused.text, token
    for name, fields in (
        ("gift", {"whom": "purple", "what": "x"}),
        ("gift", {"whom": "green", "what": f"{foreign}.{foreign}"}),
        ("raid.green", {"what": f"raid.green.{foreign}"}),
        ("nonsense", {}),
    ):
        parts = [
            {"type": 18, "component": {"type": 3, "custom_id": key, "values": [each]}} for key, each in fields.items()
        ]
        custom_id = select["custom_id"].replace(":move", f":filled:{name}")
        data = {"custom_id": custom_id, "components": parts}
        refused = await turn._interact(5, held.games, data, message)
        assert refused.failed is None, name
        assert refused.text, name
        assert "went wrong" not in refused.text, name
    assert message.text == shown
    assert len(moves(held)) == 1


async def test_of_two_players_only_the_one_who_decides_sees_the_third_tribe(tmp_path: Path) -> None:
    async with evening(tmp_path, 2, driver=PLENTY_COUPS) as held:
        await started(held)
        for number in (1, 2):
            table, _, _ = await play_until(
                held.people,
                stop=lambda shown, _, at=number: PLENTY_COUPS.round_of(shown) == at,  # type: ignore[misc]
            )
            line = next(each for each in table.text.splitlines() if each.startswith("🌲 **Green**"))
            deciding = next(person for person in held.people if f"{person.mention} decides this round" in line)
            for person in held.people:
                seen = hands_in((await held.look(person, table)).text)
                assert len(seen) == (2 if person is deciding else 1), (number, seen)
                assert ("Green" in seen) is (person is deciding)

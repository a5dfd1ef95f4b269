"""Wrong presses change nothing and get a private, friendly answer that says what to do instead."""

import json
from functools import partial
from typing import Any

from bot.screens.custom_ids import Verb
from sandbox.messagelog import Message
from tests.e2e.common import altered, moves
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening
from tests.e2e.players import newest
from tests.e2e.wrong_presses import WAY, held, labels, started

__all__ = ["held"]


def table_id(message: Message) -> str:
    return str(message.buttons[0]["custom_id"].split(":")[1])


def presses(message: Message) -> list[tuple[str, int, list[str] | None]]:
    """Return every button and the first option of every select, as they can be forged."""
    parts = [each for each in message.components if "custom_id" in each]
    options = [[each["options"][0]["value"]] if each["type"] == 3 else None for each in parts]
    return [(each["custom_id"], each["type"], values) for each, values in zip(parts, options, strict=True)]


async def test_refusals_in_the_lobby(held: Evening, driver: Driver) -> None:
    ana, ben, chloe, dmitri = held.people
    message = await held.open_table(ana)
    assert "needed before you can start" in (await ana.click(message, "Start")).text
    assert "already have a seat" in (await ana.click(message, "Join")).text
    assert "aren't at this table" in (await ben.click(message, "Start")).text
    await ben.click(message, "Join")
    assert f"{ana.mention} is the host" in (await ben.click(message, "Start")).text
    assert "Only the host" in (await ben.click(message, "Host…")).text
    assert "There's a table in this channel already" in (await held.slash(chloe, "new")).text
    menu = (await ana.click(message, "Host…")).message
    assert menu is not None
    await ana.select(menu, "Remove …", ben.id)
    assert "has been removed" in (await ana.click(menu, "Remove")).text
    assert "has removed you" in (await ben.click(message, "Join")).text
    assert "left the table" in (await held.slash(ana, "leave")).text
    await ana.wait_for(lambda: "closed" in message.text)
    assert "closed" in (await held.slash(dmitri, "join")).text


async def test_refusals_in_a_game(held: Evening, driver: Driver) -> None:
    message, turn, other = await started(held)
    dmitri = held.people[3]
    refused = await driver.move(other, message).press()
    assert driver.whose_turn(turn) in refused.text
    assert refused.message is not None
    assert refused.message.only == other.id
    assert WAY not in labels(refused.message)  # the table message is right above
    look = (await held.look(other, message)).message
    assert look is not None
    elsewhere = await driver.move(other, message, on=look).press()
    assert driver.whose_turn(turn) in elsewhere.text
    assert elsewhere.message is not None
    assert WAY in labels(elsewhere.message)
    assert "aren't at this table" in (await driver.move(dmitri, message).press()).text
    assert driver.side in (await held.look(dmitri, message)).text
    move = held.move(message)
    again = driver.move(turn, message, on=message)
    assert not (await move.press()).failed
    await turn.wait_for(lambda: move.is_shown(message))
    shown = message.text
    stale = await again.press()
    assert "has moved on" in stale.text
    assert driver.look in stale.text
    assert message.text == shown


async def test_forged_presses_are_refused(held: Evening, driver: Driver) -> None:
    message, turn, _ = await started(held)
    table = table_id(message)
    forged = [
        *(each.replace(table, "nosuchtbl") for each in driver.forged(table)),
        *driver.forged(table),
        f"c1:{table}:1:kick:1",
        f"c1:{table}:1:time:9",
        f"c1:{table}:1:vote:abc",
        f"c1:{table}:1:steal",
        "c2:whatever",
        "x" * 100,
    ]
    before = message.text
    for custom_id in forged:
        shown = await turn.forge(message, custom_id)
        assert shown.failed is None, custom_id
        assert shown.text, custom_id
        assert "went wrong" not in shown.text, custom_id
    assert message.text == before
    assert moves(held) == []


async def test_a_table_of_another_server_cannot_be_pressed(held: Evening, driver: Driver) -> None:
    message, _, _ = await started(held)
    table = table_id(message)
    elsewhere = held.sandbox.world.add_guild("Elsewhere")
    stranger = held.sandbox.people.add("Zoe", elsewhere)
    stranger.where = held.sandbox.world.add_channel(elsewhere, "games")
    own = (await held.slash(stranger, "new")).message
    assert own is not None
    for press in (f"c1:{table}:1:look", f"c1:{table}:1:vote:abc", *driver.forged(table)):
        shown = await stranger.forge(own, press)
        assert shown.message is not None
        assert message.channel_id not in json.dumps(shown.message.json), press


async def test_leaving_and_stopping_ask_first_and_the_table_names_the_person(held: Evening, driver: Driver) -> None:
    message, _, _ = await started(held)
    own = [each for each in presses(message) if each[0].split(":")[3] not in set(Verb)]
    assert own
    ana, ben, *_ = held.people
    asked = await held.slash(ben, "leave")
    assert "Leave for good?" in asked.text
    assert asked.message is not None
    await ben.click(asked.message, "Leave")
    assert "host, or somebody who manages" in (await held.slash(held.people[2], "stop")).text
    asked = await held.slash(ana, "stop")
    assert "for everyone?" in asked.text
    assert asked.message is not None
    await ana.click(asked.message, "Stop it")
    await ana.wait_for(lambda: any("has stopped the game" in each.text for each in ana.read()))
    for person in held.people[::2]:
        for late, kind, values in own:
            assert "closed" in (await person.forge(message, late, kind=kind, values=values)).text, late


async def test_confirming_to_cancel_the_lobby_does_not_stop_the_game(held: Evening, driver: Driver) -> None:
    ana, ben, chloe, _ = held.people
    message = await held.open_table(ana, clock="2h")
    for person in (ben, chloe):
        await person.click(message, "Join")
    shown = await ana.click(message, "Cancel")
    asked = await ana.wait_for(lambda: shown.message)
    await ana.click(message, "Start")
    await ana.wait_for(lambda: driver.asked(message))
    assert "Stop the game for everyone?" in (await ana.click(asked, "Cancel it")).text
    assert driver.asked(message)
    await ana.click(asked, "Stop it")
    await ana.wait_for(lambda: "has stopped the game" in message.text)


async def test_a_player_who_left_is_not_told_to_leave(held: Evening, driver: Driver) -> None:
    await started(held)
    chloe = held.people[2]
    await held.slash(chloe, "leave", sure=True)
    assert "wait for the next one" in (await held.slash(chloe, "join")).text
    assert "**Leave**" not in (await held.slash(chloe, "stop")).text


async def test_back_is_refused_to_a_player_who_is_not_away(held: Evening, driver: Driver) -> None:
    _, turn, other = await started(held)
    assert "You aren't away" in (await held.slash(turn, "back")).text
    assert f"{other.mention} isn't away" in (await held.slash(turn, "vote", player=other)).text


async def test_a_rematch_is_not_offered_to_users_who_may_not_open_it(held: Evening, driver: Driver) -> None:
    ana, ben, _, dmitri = held.people
    message = await held.open_table(ana, clock="2h", **driver.quickest)
    assert "hasn't begun" in (await held.slash(ana, "rematch")).text
    await ben.click(message, "Join")
    await ana.click(message, "Start")
    await held.slash(ana, "leave", sure=True)
    for person in (ana, dmitri):
        assert "Press **Rematch**" not in (await held.slash(person, "join")).text
    assert "Press **Rematch**" in (await held.slash(ben, "join")).text


async def test_private_settings(held: Evening, driver: Driver) -> None:
    message, turn, _ = await started(held)
    menu = (await turn.click(message, "More…")).message
    assert menu is not None
    assert "twice the time" in (await turn.select(menu, "How much time do you need?", "2")).text
    menu = (await turn.click(message, "More…")).message
    assert menu is not None
    assert "No more pings" in (await turn.click(menu, "Don't ping me")).text
    assert "down here again" in (await held.slash(turn, "table")).text
    await turn.wait_for(lambda: message.deleted)
    fresh = newest(turn)
    assert fresh is not None
    assert driver.asked(fresh)


async def test_a_buried_table_moves_down(held: Evening, driver: Driver) -> None:
    message, turn, other = await started(held)
    for number in range(9):
        await other.say(f"chatter {number}")
    move = held.move(message)
    await move.press()
    await turn.wait_for(lambda: message.deleted)
    await turn.wait_for(lambda: move.is_shown(newest(turn)))


async def test_a_table_can_be_opened_in_a_thread(held: Evening, driver: Driver) -> None:
    ana = held.people[0]
    shown = await held.slash(ana, "new", thread=True)
    assert "has opened a table" in shown.text
    threads = [each for each in held.sandbox.world.channels.values() if each.is_thread]
    assert len(threads) == 1
    await ana.wait_for(lambda: any("host" in each.text for each in ana.read(threads[0])))


async def test_a_table_in_a_thread_is_announced_in_the_channel_and_joined_there(held: Evening, driver: Driver) -> None:
    ana, ben, chloe, *_ = held.people
    await held.slash(ana, "new", thread=True)
    (thread,) = [each for each in held.sandbox.world.channels.values() if each.is_thread]
    (lobby,) = await ana.wait_for(lambda: [each for each in ana.read(thread) if each.component("Start")])
    (announced,) = [each for each in ben.read() if f"<#{thread.id}>" in each.text]
    assert ana.mention in announced.text
    text = announced.text
    joined = await ben.click(announced, "Join")
    await ben.wait_for(lambda: f"The table is in <#{thread.id}>" in joined.text)
    await ana.wait_for(lambda: ben.mention in lobby.text)
    assert announced.text == text, "the table is drawn in its thread only"
    await chloe.click(announced, "Join")
    await ana.wait_for(lambda: chloe.mention in lobby.text)
    assert not (await ana.click(lobby, "Start")).failed
    await ana.wait_for(lambda: not lobby.component("Start"))
    late = await ben.click(announced, "Join")
    assert late.text
    assert not late.failed


async def test_values_longer_than_any_that_can_be_picked(held: Evening) -> None:
    ana, ben, *_ = held.people
    message = await held.open_table(ana)
    await ben.click(message, "Join")
    for verb in ("kick", "pass", "starter", "removeai", "vote", "time", "addai"):
        for value in ("9" * 5000, "-" + "9" * 5000):
            shown = await ana.forge(message, f"c1:{table_id(message)}:0:{verb}", kind=3, values=[value])
            assert shown.failed is None
            assert shown.text, verb
            assert "went wrong" not in shown.text, verb


async def test_an_edition_that_nobody_offered(held: Evening) -> None:
    ana = held.people[0]

    def forged(event: dict[str, Any]) -> dict[str, Any]:
        event["data"]["options"][0]["value"] = "**everybody** look here"
        return event

    for command in ("leaderboard", "stats"):
        shown = await (await altered(held, partial(ana.slash, command, edition="scout"), forged))
        assert "Nobody plays that edition here" in shown.text
        assert shown.message is not None
        assert shown.message.only == ana.id

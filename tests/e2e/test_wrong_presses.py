"""Wrong presses change nothing and get a private, friendly answer that says what to do instead."""

import json
from pathlib import Path

import pytest_asyncio

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening, evening
from tests.e2e.players import TURN, newest, phase

WAY = "Open the table"


def labels(message: Message) -> list[str | None]:
    return [button.get("label") for button in message.buttons]


@pytest_asyncio.fixture
async def held(tmp_path: Path):  # type: ignore[no-untyped-def]
    async with evening(tmp_path, 4) as found:
        yield found


async def started(held: Evening, **options: object) -> tuple[Message, Person, Person]:
    """Start a game of three; return the table message, the player in turn, and another player."""
    ana, ben, chloe, _ = held.people
    message = await held.open_table(ana, clock="2h", **options)
    for person in (ben, chloe):
        assert not (await person.click(message, "Join")).failed
    await ana.click(message, "Start")
    await ana.wait_for(lambda: TURN.search(message.text))
    found = TURN.search(message.text)
    assert found is not None
    turn = next(person for person in held.people if person.id == found[1])
    return message, turn, next(person for person in (ana, ben, chloe) if person is not turn)


async def test_refusals_in_the_lobby(held: Evening) -> None:
    ana, ben, chloe, dmitri = held.people
    message = await held.open_table(ana)
    assert "needed before you can start" in (await ana.click(message, "Start")).text
    assert "already have a seat" in (await ana.click(message, "Join")).text
    assert "aren't at this table" in (await ben.click(message, "Start")).text
    await ben.click(message, "Join")
    assert f"{ana.mention} is the host" in (await ben.click(message, "Start")).text
    assert "Only the host" in (await ben.click(message, "Host…")).text
    assert "There's a table in this channel already" in (await chloe.slash("coyote new")).text
    menu = (await ana.click(message, "Host…")).message
    assert menu is not None
    shown = await ana.select(menu, "Send away …", ben.id)
    assert "sent away" in shown.text
    assert "sent you away" in (await ben.click(message, "Join")).text
    assert "no harm" in (await ana.slash("coyote leave")).text
    await ana.wait_for(lambda: "closed" in message.text)
    assert "closed" in (await dmitri.slash("coyote join")).text


async def test_refusals_in_a_game(held: Evening) -> None:
    message, turn, other = await started(held)
    dmitri = held.people[3]
    refused = await other.click(message, "5")
    assert f"It's {turn.mention}'s turn" in refused.text
    assert refused.message is not None
    assert refused.message.only == other.id
    assert WAY not in labels(refused.message)  # the table message is right above
    bid = next(each["custom_id"] for each in message.buttons if each.get("label") == "5")
    look = (await other.click(message, "Look")).message
    assert look is not None
    elsewhere = await other.forge(look, bid)
    assert f"It's {turn.mention}'s turn" in elsewhere.text
    assert elsewhere.message is not None
    assert WAY in labels(elsewhere.message)
    assert "aren't at this table" in (await dmitri.click(message, "5")).text
    assert "from the side" in (await dmitri.click(message, "Look")).text
    assert not (await turn.click(message, "10")).text
    await turn.wait_for(lambda: "Bid to beat: **10**" in message.text)
    stale = await turn.forge(message, bid)
    assert "has moved on" in stale.text
    assert "what you see" in stale.text
    found = TURN.search(message.text)
    assert found is not None
    now = next(person for person in held.people if person.id == found[1])
    form = await now.click(message, "Bid…")
    low = await now.submit(form, number="7")
    assert "7 doesn't beat 10. Try 11 or more, or call." in low.text
    assert low.message is not None
    assert WAY not in labels(low.message)  # the form was opened on the table message
    again = await now.click(low.message, "Bid…")
    assert "isn't a whole number" in (await now.submit(again, number="a lot")).text
    again = await now.click(message, "Bid…")
    really = await now.submit(again, number="900")
    assert "Really 900?" in really.text
    assert really.message is not None
    assert "Nothing has changed" in (await now.click(really.message, "Never mind")).text
    assert "Bid to beat: **10**" in message.text


async def test_a_refused_form_keeps_its_announcement(held: Evening) -> None:
    message, turn, _ = await started(held, edition="tomahawk", actions=True)
    await turn.click(message, "5")
    await turn.wait_for(lambda: "Bid to beat: **5**" in message.text)
    found = TURN.search(message.text)
    now = next(person for person in held.people if found is not None and person.id == found[1])
    form = await now.select(message, "Special action…", "bid.double")
    for number, why in (("3", "doesn't beat 5"), ("few", "isn't a whole number")):
        refused = await now.submit(form, number=number)
        assert why in refused.text
        assert refused.message is not None
        form = await now.click(refused.message, "Bid…")
        assert form.modal is not None
        assert form.modal.json["title"] == "Bid and double"
    await now.submit(form, number="6")
    await now.wait_for(lambda: "Doubled: if" in message.text)


async def test_forged_presses_are_refused(held: Evening) -> None:
    message, turn, _ = await started(held)
    table = message.buttons[0]["custom_id"].split(":")[1]
    forged = [
        "c1:nosuchtbl:1:bid:5",
        "c1:nosuchtbl:1:bid:x",
        f"c1:{table}:1:bid:99999",
        f"c1:{table}:1:bid:x",
        f"c1:{table}:1:bet:1",
        f"c1:{table}:999:call",
        f"c1:{table}:1:act:deal",
        f"c1:{table}:1:act:leave",
        f"c1:{table}:1:kick:1",
        f"c1:{table}:1:time:9",
        f"c1:{table}:1:vote:abc",
        f"c1:{table}:1:form:yes",
        f"c1:{table}:1:form:next",
        f"c1:{table}:1:form:<@1>",
        f"c1:{table}:1:act:bid.extra",
        f"c1:{table}:1:act:coin.guess",
        f"c1:{table}:1:steal",
        "c1:0:0:bid:5",
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


async def test_a_table_of_another_server_is_no_table(held: Evening) -> None:
    message, _, _ = await started(held)
    table = message.buttons[0]["custom_id"].split(":")[1]
    elsewhere = held.sandbox.world.add_guild("Elsewhere")
    stranger = held.sandbox.people.add("Zoe", elsewhere)
    stranger.where = held.sandbox.world.add_channel(elsewhere, "games")
    own = (await stranger.slash("coyote new")).message
    assert own is not None
    for press in ("look", "bid:x", "vote:abc", "bet:x"):
        shown = await stranger.forge(own, f"c1:{table}:1:{press}")
        assert shown.message is not None
        assert message.channel_id not in json.dumps(shown.message.json), press


async def test_leaving_and_stopping_ask_first_and_the_table_says_who(held: Evening) -> None:
    message, _, _ = await started(held)
    bid = next(each["custom_id"] for each in message.buttons if each.get("label") == "5")
    ana, ben, *_ = held.people
    asked = await ben.slash("coyote leave")
    assert "Leave for good?" in asked.text
    assert asked.message is not None
    await ben.click(asked.message, "Leave")
    assert "host, or somebody who manages" in (await held.people[2].slash("coyote stop")).text
    asked = await ana.slash("coyote stop")
    assert "for everyone?" in asked.text
    assert asked.message is not None
    await ana.click(asked.message, "Stop it")
    await ana.wait_for(lambda: any("has stopped the game" in each.text for each in ana.read()))
    table = bid.split(":")[1]
    for person in held.people[::2]:
        for late in (bid, f"c1:{table}:1:form", f"c1:{table}:1:call", f"c1:{table}:1:act:coin.guess"):
            refused = await person.forge(message, late)
            assert "closed" in refused.text, late


async def test_confirming_to_cancel_the_lobby_does_not_stop_the_game(held: Evening) -> None:
    ana, ben, chloe, _ = held.people
    message = await held.open_table(ana, clock="2h")
    for person in (ben, chloe):
        await person.click(message, "Join")
    asked = (await ana.click(message, "Cancel")).message
    assert asked is not None
    await ana.click(message, "Start")
    await ana.wait_for(lambda: TURN.search(message.text))
    assert "Stop the game for everyone?" in (await ana.click(asked, "Cancel it")).text
    assert TURN.search(message.text)
    await ana.click(asked, "Stop it")
    await ana.wait_for(lambda: "has stopped the game" in message.text)


async def test_a_player_who_left_is_not_told_to_leave(held: Evening) -> None:
    await started(held)
    chloe = held.people[2]
    await chloe.slash("coyote leave", sure=True)
    assert "wait for the next one" in (await chloe.slash("coyote join")).text
    assert "**Leave**" not in (await chloe.slash("coyote stop")).text


async def test_back_is_refused_to_a_player_who_is_not_away(held: Evening) -> None:
    _, turn, other = await started(held)
    assert "You aren't away" in (await turn.slash("coyote back")).text
    assert f"{other.mention} isn't away" in (await turn.slash("coyote vote", player=other)).text


async def test_a_rematch_is_not_offered_to_users_who_may_not_open_it(held: Evening) -> None:
    ana, ben, _, dmitri = held.people
    message = await held.open_table(ana, edition="scout", clock="2h")
    assert "hasn't begun" in (await ana.slash("coyote rematch")).text
    await ben.click(message, "Join")
    await ana.click(message, "Start")
    await ana.slash("coyote leave", sure=True)
    for person in (ana, dmitri):
        assert "Press **Rematch**" not in (await person.slash("coyote join")).text
    assert "Press **Rematch**" in (await ben.slash("coyote join")).text


async def test_the_more_menu_offers_only_what_is_allowed(held: Evening) -> None:
    ana, ben, chloe, dmitri = held.people
    message = await held.open_table(ana, edition="scout", coins=2, clock="2h")
    again = "Post the table here"
    for person, offered in ((ana, True), (dmitri, False)):
        menu = (await person.click(message, "More…")).message
        assert menu is not None
        assert (again in labels(menu)) is offered
    assert "down here again" in (await ana.click(ana.private()[-1], again)).text
    await ana.wait_for(lambda: message.deleted)
    message = newest(ana) or message
    for person in (ben, chloe):
        await person.click(message, "Join")
    await ana.slash("coyote begins", player=ana)
    await ana.click(message, "Start")
    await ana.wait_for(lambda: TURN.search(message.text))
    menu = (await dmitri.click(message, "More…")).message
    assert menu is not None
    assert again not in labels(menu)
    for _ in range(2):
        await ana.slash("coyote bid", number=900, sure=True)
        await ben.slash("coyote call")
        await ben.slash("coyote deal")
    await ana.wait_for(lambda: f"Out: {ana.mention}" in (newest(ana) or message).text)
    menu = (await ana.click(newest(ana) or message, "More…")).message
    assert menu is not None
    assert {again, "Leave for good"} <= set(labels(menu))


async def test_between_rounds_there_is_more_to_press_too(held: Evening) -> None:
    message, turn, _ = await started(held, rules="pause_seconds=1h")
    await turn.click(message, "5")
    await turn.wait_for(lambda: "Bid to beat: **5**" in message.text)
    found = TURN.search(message.text)
    now = next(person for person in held.people if found is not None and person.id == found[1])
    await now.click(message, "Coyote!")
    await turn.wait_for(lambda: phase(newest(turn)) == "between")
    menu = (await turn.click(newest(turn) or message, "More…")).message
    assert menu is not None
    assert "Leave for good" in labels(menu)


async def test_actions_that_are_typed_and_not_picked(held: Evening) -> None:
    _, turn, other = await started(held, actions=True)
    dmitri = held.people[3]
    for typed in ("nonsense", "coin.guess", "bet"):
        assert f"It's {turn.mention}'s turn" in (await other.slash("coyote act", action=typed)).text, typed
        assert "aren't at this table" in (await dmitri.slash("coyote act", action=typed)).text, typed
    assert "don't know that action" in (await turn.slash("coyote act", action="nonsense")).text
    assert "which feather" in (await turn.slash("coyote act", action="Guess")).text
    assert "nothing to bet on" in (await turn.slash("coyote act", action="bet")).text
    assert "must bid: name a number" in (await turn.slash("coyote act", action="reverse")).text
    assert "flipped a coin" in (await turn.slash("coyote act", action="Skip")).text
    await turn.slash("coyote bid", number=5)
    (turn,) = [person for person in held.people if await person.autocomplete("coyote act", "action", "")]
    assert "has been flipped already" in (await turn.slash("coyote act", action="reverse")).text
    assert "what you see" in (await turn.slash("coyote act", action="skip")).text
    assert f"It's {turn.mention}'s turn" not in (await turn.slash("coyote look")).text


async def test_an_action_that_is_not_open_is_still_known_by_its_name(held: Evening) -> None:
    message, turn, _ = await started(held, edition="tomahawk", actions=True)
    assert "what you see" in (await turn.slash("coyote act", action="double", value="5")).text
    await turn.wait_for(lambda: "Bid to beat: **5**" in message.text)
    found = TURN.search(message.text)
    now = next(person for person in held.people if found is not None and person.id == found[1])
    assert "has been used this round" in (await now.slash("coyote act", action="double")).text
    assert "has been used this round" in (await now.slash("coyote act", action="Double", value="6")).text
    assert "plays without that" in (await now.slash("coyote act", action="Coyote card")).text
    assert "don't know that action" in (await now.slash("coyote act", action="skip")).text


async def test_a_bet_that_is_not_allowed_is_refused_before_its_target_is_checked(held: Evening) -> None:
    message, turn, _ = await started(held, edition="peek", actions=True)
    await turn.slash("coyote bid", number=5)
    await turn.wait_for(lambda: "Bid to beat: **5**" in message.text)
    found = TURN.search(message.text)
    caller = next(person for person in held.people if found is not None and person.id == found[1])
    await caller.slash("coyote call")
    await turn.wait_for(lambda: "Still to bet" in message.text)
    bettor = next(person for person in held.people[:3] if person not in (turn, caller))
    assert "aren't at this table" in (await held.people[3].slash("coyote act", action="bet")).text
    assert "one of the two it's about" in (await caller.slash("coyote act", action="bet")).text
    assert "Say whom you mean" in (await bettor.slash("coyote act", action="Bet")).text
    await held.people[0].slash("coyote stop", sure=True)
    assert "has been closed" in (await bettor.slash("coyote act", action="bet")).text


async def test_private_settings(held: Evening) -> None:
    message, turn, _ = await started(held)
    menu = (await turn.click(message, "More…")).message
    assert menu is not None
    assert "twice the time" in (await turn.select(menu, "How much time do you need?", "2")).text
    menu = (await turn.click(message, "More…")).message
    assert menu is not None
    assert "No more pings" in (await turn.click(menu, "Don't ping me")).text
    assert "down here again" in (await turn.slash("coyote table")).text
    await turn.wait_for(lambda: message.deleted)
    fresh = newest(turn)
    assert fresh is not None
    assert TURN.search(fresh.text)


async def test_a_buried_table_moves_down(held: Evening) -> None:
    message, turn, other = await started(held)
    for number in range(9):
        await other.say(f"chatter {number}")
    await turn.click(message, "5")
    await turn.wait_for(lambda: message.deleted)
    await turn.wait_for(lambda: "Bid to beat: **5**" in (newest(turn) or message).text)


async def test_a_rematch_and_a_thread(held: Evening) -> None:
    ana = held.people[0]
    shown = await ana.slash("coyote new", thread=True)
    assert "Your table is in" in shown.text
    threads = [each for each in held.sandbox.world.channels.values() if each.is_thread]
    assert len(threads) == 1
    await ana.wait_for(lambda: any("host" in each.text for each in ana.read(threads[0])))


async def test_a_forged_form_is_refused(held: Evening) -> None:
    message, turn, _ = await started(held, edition="scout")
    asked = next(each["custom_id"] for each in message.buttons if ":bid:" in each.get("custom_id", ""))
    table, prompt = asked.split(":")[1:3]
    before = message.text
    for target in ("²", "9" * 5000, "-1", "x", ""):
        fields = [
            {"type": 18, "component": {"type": 4, "custom_id": "number", "value": "5"}},
            {"type": 18, "component": {"type": 3, "custom_id": "target", "values": [target]}},
        ]
        data = {"custom_id": f"c1:{table}:{prompt}:number:next", "components": fields}
        shown = await turn._interact(5, held.games, data, message)
        assert shown.failed is None
        assert shown.text
        assert "went wrong" not in shown.text, target[:9]
    assert message.text == before

"""Coyote's own buttons, forms and commands, right and wrong, with the real bot."""

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.harness import Evening
from tests.e2e.players import newest
from tests.e2e.wrong_presses import WAY, held, labels, started
from tests.games.coyote.driver import TURN

__all__ = ["held"]


async def test_a_round_that_is_typed(held: Evening) -> None:
    _, first, _ = await started(held)
    ana, ben, chloe, _ = held.people
    order = [ana, ben, chloe, ana, ben]
    second = order[order.index(first) + 1]
    assert "Really 900?" in (await first.slash("coyote bid", number=900)).text
    assert "what you see" in (await first.slash("coyote bid", number=900, sure=True)).text
    assert "Between rounds" in (await second.slash("coyote call")).text
    assert "round" not in (await ana.slash("coyote leave")).text
    assert "what you see" in (await ana.slash("coyote deal")).text
    assert "the round won't count" in (await ana.slash("coyote leave")).text


async def test_help_opens_a_table(held: Evening) -> None:
    ana = held.people[0]
    opened = await ana.slash("help")
    assert opened.message is not None
    await ana.click(opened.message, "New table: Coyote")
    await ana.wait_for(lambda: held.phase(ana) == "lobby")


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
    assert "you're watching" in (await dmitri.click(message, "Look")).text
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
    # The form was opened on the table message; but a look that is already open is changed, and has its link back.
    assert (WAY in labels(low.message)) is (now is other)
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


async def test_the_more_menu_is_offered_between_rounds_too(held: Evening) -> None:
    message, turn, _ = await started(held, rules="pause_seconds=1h")
    await turn.click(message, "5")
    await turn.wait_for(lambda: "Bid to beat: **5**" in message.text)
    found = TURN.search(message.text)
    now = next(person for person in held.people if found is not None and person.id == found[1])
    await now.click(message, "Coyote!")
    await turn.wait_for(lambda: held.phase(turn) == "between")
    menu = (await turn.click(newest(turn) or message, "More…")).message
    assert menu is not None
    assert "Leave for good" in labels(menu)


async def test_each_typed_action_that_is_refused_gets_a_fitting_reason(held: Evening) -> None:
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


async def test_a_used_action_is_refused_by_name_as_already_used(held: Evening) -> None:
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


async def test_a_table_with_other_rules_can_be_opened_with_buttons(held: Evening) -> None:
    ana, ben, *_ = held.people
    shown = (await ana.slash("help")).message
    assert shown is not None
    wrong = await ana.submit(await ana.click(shown, "Coyote, with other rules…"), clock="5 s", rules="coins=many")
    assert wrong.message is not None
    assert (wrong.message.only, newest(ana)) == (ana.id, None)
    form = await ana.click(wrong.message, "With other rules…")  # the refusal offers the form again
    opened = await ana.submit(form, edition="scout", actions="yes", clock=" off ", thread="no", rules="threshold=2")
    assert opened.message is not None
    assert opened.message.only is None
    assert "Coyote · Scouts" in opened.message.text
    assert "2 coins" in opened.message.text or "2nd coin" in opened.message.text
    again = (await ben.slash("help")).message
    assert again is not None
    taken = await ben.submit(await ben.click(again, "Coyote, with other rules…"), edition="peek")
    assert "There's a table in this channel already" in taken.text
    assert "With other rules…" not in taken.text  # other rules would not help here
    await ana.slash("coyote leave")
    plain = await ben.submit(
        await ben.click(again, "Coyote, with other rules…")
    )  # nothing chosen, so the house rules apply
    assert plain.message is not None
    assert "Coyote · Feathers" in plain.message.text


async def test_a_refusal_comes_before_a_missing_option(held: Evening) -> None:
    message, first, _ = await started(held, edition="tomahawk", actions=True)
    await first.slash("coyote bid", number=5)
    second = await _next(held, message, first)
    choices = [each["value"] for each in await second.autocomplete("coyote act", "action", "")]
    assert "redo" in choices, choices
    await second.slash("coyote act", action="redo")
    await first.wait_for(lambda: held.in_turn(message) is first)
    assert "start again" in (await first.slash("coyote act", action="bid.double")).text


async def _next(held: Evening, message: Message, before: Person) -> Person:
    await before.wait_for(lambda: held.in_turn(message) is not before)
    return held.in_turn(message)


async def test_every_press_at_a_stopped_table_says_that_it_is_closed(held: Evening) -> None:
    message, turn, _ = await started(held)
    table = message.buttons[0]["custom_id"].split(":")[1]
    await held.people[0].slash("coyote stop", sure=True)
    for late in ("bid:5", "form", "call", "act:coin.guess"):
        assert "closed" in (await turn.forge(message, f"c1:{table}:1:{late}")).text, late

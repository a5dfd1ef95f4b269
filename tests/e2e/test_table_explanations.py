"""What a table explains: whose coins were flipped, which bluff was boldest, which rules are in force."""

import asyncio
from pathlib import Path

from sandbox.messagelog import Message
from tests.e2e.common import said_in, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, newest


def the_table(held: Evening) -> Message:
    """Return the newest table message."""
    found = newest(held.people[0])
    assert found is not None
    return found


async def bid(held: Evening, number: int) -> str:
    """Let the player in turn bid; return their mention."""
    person = held.in_turn(the_table(held))
    await person.slash("coyote bid", number=number, sure=True)
    await until(held, lambda: f"Bid to beat: **{number}**" in the_table(held).text)
    return person.mention


async def call(held: Evening) -> None:
    """Let the player in turn call, and wait until the next round is dealt or the game is over."""
    table = the_table(held)
    await held.in_turn(table).slash("coyote call")

    def has_moved_on() -> bool:
        found = newest(held.people[0])
        return found not in (None, table) and held.phase(held.people[0]) in ("between", "over", "bidding")

    await until(held, has_moved_on)
    if held.phase(held.people[0]) == "between":
        await held.people[0].slash("coyote deal")
        await until(held, lambda: held.phase(held.people[0]) == "bidding")


async def test_who_asks_for_a_deal_a_moment_too_late_is_not_refused(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        await started(held, edition="scout", rules="pause_seconds=300")
        await bid(held, 30)
        await held.in_turn(the_table(held)).slash("coyote call")
        await until(held, lambda: held.phase(held.people[0]) == "between")
        reveal = the_table(held)
        both = await asyncio.gather(*[person.click(reveal, "Deal now") for person in held.people])
        assert [(shown.failed, shown.text) for shown in both] == [(None, "")] * 2
        assert "nothing to deal" in (await held.people[0].slash("coyote deal")).text


async def test_the_boldest_bluff_was_believed_and_unlikely(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        await started(held, edition="scout", coins=2)
        bluffer = await bid(held, 39)
        await bid(held, 200)  # the larger overbid, but nobody believes it
        await call(held)
        while held.phase(held.people[0]) != "over":
            await bid(held, 1)
            await call(held)
        (final,) = said_in(held, "Boldest bluff")
        assert f"Boldest bluff: {bluffer}'s 39 in round 1." in final.text


async def test_the_table_tells_who_flipped_a_picture_coin(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        table = await started(held, edition="feathers", actions=True)
        first = held.in_turn(table)
        assert not (await first.select(table, "Special action…", "coin.skip")).failed
        await until(held, lambda: f"Used this round: {first.mention} skipped" in the_table(held).text)
        await bid(held, 200)
        await call(held)
        record = next(each for each in said_in(held, "200") if "→ 🐺" in each.text)
        assert f"Used this round: {first.mention} skipped" in record.text


async def test_rules_in_the_lobby_say_how_to_play_and_what_is_in_force(tmp_path: Path, driver: Driver) -> None:
    title = {"coyote": "Coyote in a minute", "plenty-coups": "Plenty Coups in a minute"}[driver.name]
    changed: dict[str, tuple[dict[str, object], str]] = {
        "coyote": ({"edition": "scout", "coins": 2}, "✎ **Out at:** the 2nd coin (the book: the 3rd coin)"),
        "plenty-coups": ({"rules": "rounds=5"}, "✎ **Rounds before winter:** 5 (the book: 9)"),
    }
    options, line = changed[driver.name]
    async with evening(tmp_path, 2, driver=driver) as held:
        ana, ben = held.people
        table = await held.open_table(ana, **options)
        shown = (await ben.click(table, "Rules")).text
        assert title in shown
        assert line in shown
        assert "**Turn clock:** 90 seconds" in shown
        assert "**First player:** random" in shown
        typed = (await ben.slash("rules")).text
        assert title in typed
        assert line in typed, "/rules at a table says what differs from the book"


async def test_the_authors_are_named_where_the_games_are_explained(tmp_path: Path, driver: Driver) -> None:
    author = {"coyote": "Spartaco Albertarelli", "plenty-coups": "Emmanuel Fille"}[driver.name]
    async with evening(tmp_path, 1, driver=driver) as held:
        (ana,) = held.people
        assert author in (await ana.slash("help")).text
        await held.open_table(ana)
        assert author in (await ana.slash("rules")).text


async def test_the_first_page_of_the_rules_plays_a_round(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        shown = (await held.people[0].slash("rules")).text
        assert "Ana opens with 8, Ben says 13, Chloé 14, Dmitri 16." in shown


async def test_what_this_table_plays_by_can_be_seen_at_any_time(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana = held.people[0]
        table = await held.open_table(ana)
        lobby = (await held.slash(ana, "rules")).text
        assert "This table plays" in lobby
        assert "**The deck** has" in lobby
        for person in held.people[1:]:
            await person.click(table, "Join")
        await ana.click(table, "Start")
        await until(held, lambda: driver.asked(the_table(held)))
        for way in ("look", "more"):  # one after the other: a person has one private message at a table
            here = the_table(held)
            opened = await held.look(ana, here) if way == "look" else await ana.click(here, "More…")
            assert opened.message is not None
            shown = (await ana.click(opened.message, "This table")).message
            assert shown is not None
            assert "This table plays" in shown.text
            assert "**The deck** has" in shown.text
            assert held.is_look(await ana.click(shown, driver.say("table.button.look")))


async def test_the_used_feathers_of_a_custom_deck_are_told(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        await owner.slash("houserules set", held.games, key="deck", value="Ours: 1..4×3, ?")
        await started(held)
        await bid(held, 30)
        await call(held)
        shown = (await held.people[1].slash("coyote rules")).text
        assert "has 13 feathers: 1 to 4 (3 each) · ?" in shown.replace("\u00a0", " ")
        assert "**Used since the shuffle**" in shown


async def test_the_deal_prompts_people_to_look_in_their_first_game(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, _ = held.people
        await Game(held, [ana, ben]).play(clock="2h", **driver.quickest)
        table = await started(held)
        newcomer = held.people[2].mention
        assert f"{newcomer}, this is your first game. Press **👁 {driver.say('table.button.look')}**" in table.text


async def test_a_first_game_that_ended_elsewhere_is_known_at_the_start(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, newcomer = held.people
        waiting = held.sandbox.world.add_channel(held.guild, "waiting")
        table = (await held.slash(ana, "new", waiting, clock="2h")).message
        assert table is not None
        await ben.click(table, "Join")
        await newcomer.click(table, "Join")
        await Game(held, [ana, ben]).play(clock="2h", **driver.quickest)
        await ana.click(table, "Start")
        await until(held, lambda: driver.asked(table))
        hint = next(line for line in table.text.splitlines() if "this is your first game" in line)
        assert [person.mention in hint for person in held.people] == [False, False, True]


async def test_a_look_adds_up_what_is_in_sight_and_explains_special_feathers(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        await owner.slash("houserules set", held.games, key="deck", value="Ours: x2×12")
        table = await started(held)
        shown = (await held.look(held.people[0], table)).text
        assert "Sum of what you see: **0**" in shown
        assert "**×2** doubles the positive feathers" in shown
        assert "Still hidden (10, yours is one of them): ×2 (10)" in shown.replace("\u00a0", " ")


async def test_the_host_changes_rules_in_the_lobby_and_everybody_sees_it(tmp_path: Path, driver: Driver) -> None:
    if driver.name == "coyote":
        key, value, where, kept = "threshold", "2", "Out at the 2nd coin", "**Out at:** the 2nd coin"
        shown = "**Out at**: the 3rd coin → **the 2nd coin**"
    else:
        key, value, where, kept = "plenty-coups.rounds", "5", "5 rounds and winter", "**Rounds before winter:** 5"
        shown = "**Rounds before winter**: 9 → **5**"
    async with evening(tmp_path, 2, driver=driver) as held:
        ana, ben = held.people
        table = await held.open_table(ana)
        assert "Only the host" in (await held.slash(ben, "set")).text
        menu = (await ana.click(table, "Host…")).message
        assert menu is not None
        rules = (await ana.click(menu, "Change the rules…")).message
        assert rules is not None
        one = (await ana.select(rules, "Change a rule…", key)).message
        assert one is not None
        changed = await ana.select(one, "Choose…", value)
        assert f"Changed: {shown}" in changed.text
        await until(held, lambda: where in table.text)
        await until(held, lambda: said_in(held, f"{ana.mention} has changed the rules. {shown}"))
        typed = await held.slash(ana, "set", key="turn_seconds", value="2h")
        assert "**Turn clock**: 90 seconds → **2 hours**" in typed.text
        await until(held, lambda: "2 hours" in table.text)
        assert "That's how it is already." in (await held.slash(ana, "set", key="turn_seconds", value="2h")).text
        await held.bot.restart()
        await ben.click(table, "Join")
        assert kept in (await held.slash(ben, "rules")).text, "a changed table survives a restart"


async def test_the_book_advises_the_host_on_this_many_players(tmp_path: Path) -> None:
    async with evening(tmp_path, 3) as held:
        ana, *others = held.people
        table = await held.open_table(ana, edition="scout")
        assert "For 2 players the book says: out at the 3rd coin." in (await ana.slash("coyote set")).text
        for person in others:
            await person.click(table, "Join")
        advice = (await ana.slash("coyote set", key="threshold")).text
        assert "For 3 players the book says: out at the 3rd, 4th, or 5th coin." in advice


async def test_seats_are_shuffled_and_arranged_in_the_lobby(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 3, driver=driver) as held:
        ana, ben, chloe = held.people
        table = await held.open_table(ana)
        for person in (ben, chloe):
            await person.click(table, "Join")

        def order() -> list[str]:
            return [line.split(">")[0] + ">" for line in table.text.splitlines() if line.startswith("<@")]

        await until(held, lambda: order() == [ana.mention, ben.mention, chloe.mention])
        assert "has moved up" in (await held.slash(ana, "seats", player=chloe)).text
        await until(held, lambda: order() == [ana.mention, chloe.mention, ben.mention])
        menu = (await ana.click(table, "Host…")).message
        assert menu is not None
        await ana.select(menu, "Move somebody up one seat…", ben.id)
        await until(held, lambda: order() == [ana.mention, ben.mention, chloe.mention])
        menu = (await ana.click(table, "Host…")).message
        assert menu is not None
        assert not (await ana.click(menu, "Shuffle the seats")).failed
        assert "Only the host" in (await held.slash(ben, "seats")).text

"""Everything around a game: its end, rematches, restarts, closed DMs, settings, and playing by commands alone."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

import pytest

from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.screens.custom_ids import Verb
from sandbox.commands import CHAT_INPUT
from sandbox.people import Person
from tests.e2e.common import database, make, said_in, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game, is_won, newest, quiet

TYPED: dict[str, str] = {
    Verb.JOIN: "join",
    Verb.LEAVE: "leave",
    Verb.START: "start",
    Verb.KICK: "kick",
    Verb.PASS_HOST: "host",
    Verb.STARTER: "begins",
    Verb.STOP: "stop",
    Verb.SEATS: "seats",
    Verb.TABLE_RULE_SET: "set",
    Verb.TABLE_RULE_FORM: "set",
    CoyoteVerb.BID: "bid",
    CoyoteVerb.BID_ANYWAY: "bid",
    CoyoteVerb.NUMBER: "bid",
    CoyoteVerb.CALL: "call",
    CoyoteVerb.ACT: "act",
    CoyoteVerb.BET: "act",
    CoyoteVerb.GUESS: "act",
    Verb.LOOK: "look",
    Verb.ALONG: "guess",
    Verb.WHY: "why",
    Verb.TERMS: "rules",
    Verb.DEAL: "deal",
    Verb.PAUSE: "pause",
    Verb.BACK: "back",
    Verb.VOTE: "vote",
    Verb.TABLE: "table",
    Verb.TIME: "settings",
    Verb.PINGS: "settings",
    Verb.PICTURES: "settings",
    Verb.LANGUAGE: "settings",
    Verb.REMATCH: "rematch",
    Verb.NEW: "new",
    Verb.CHOSEN: "new",
    Verb.AI: "ai add",
    Verb.ADD_AI: "ai add",
    Verb.FILL: "ai fill",
    Verb.REMOVE_AI: "ai remove",
    Verb.WATCH: "ai watch",
}
ELSEWHERE = {
    Verb.RULES: "rules",
    Verb.HELP: "help",
    Verb.LESSON: "tutorial",
    Verb.PRIVACY: "privacy",
    Verb.DOCTOR: "doctor",
    Verb.STATS: "stats",
    Verb.VERSUS: "versus",
    Verb.HISTORY: "history",
    Verb.BOARD: "leaderboard",
    Verb.REPLAY: "replay",
    Verb.SHARE: "share",
    Verb.SEASON: "season",
}
"""Buttons whose command is not below `/coyote`."""
HOUSE = {verb for verb in Verb if verb.value.startswith("h") and verb not in (Verb.HOST, Verb.HELP)}
"""Buttons in the form of `/houserules`, which has its own commands."""
ONLY_THERE = {Verb.HOST, Verb.TABLE_RULES, Verb.TABLE_RULE_ASK, CoyoteVerb.FORM, Verb.MORE, Verb.KEEP, Verb.CHOOSE}
"""Buttons that only open or close a menu or form, and need no command."""


async def test_everything_can_be_typed_and_everything_can_be_pressed(tmp_path: Path) -> None:
    named = set(TYPED) | set(ELSEWHERE) | HOUSE | ONLY_THERE
    assert {*Verb, *CoyoteVerb} == named, "a new button: which command does the same?"
    async with evening(tmp_path) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        owner.where = held.games
        found = {each["name"]: each for each in owner.commands() if each["type"] == CHAT_INPUT}
        assert {each["name"] for each in owner.commands()} - found.keys() == {"Coyote stats", "Versus me"}
        groups = {"coyote", "plenty", "house", "houserules"}
        assert set(found) == groups | {*ELSEWHERE.values()}, "a new command: which button does the same?"
        typed = {line for command in found.values() for line in _lines(command)}
        at_the_table = {f"coyote {name}" for name in TYPED.values()}
        assert {line for line in typed if line.startswith("coyote ")} == at_the_table
        shared = {TYPED[verb] for verb in TYPED if isinstance(verb, Verb)} - {"look", "guess"}
        of_plenty = {f"plenty {name}" for name in (*shared, "hand", "take", "play", "answer")}
        assert {line for line in typed if line.startswith("plenty ")} == of_plenty
        # What needs no table can be read anywhere, also by people who have the bot in their own account.
        for name, command in found.items():
            anywhere = name in ("help", "privacy", "rules", "stats")
            assert sorted(command["integration_types"]) == ([0, 1] if anywhere else [0]), name
            places = [0, 1, 2] if anywhere else [0, 1] if name == "tutorial" else [0]
            assert sorted(command["contexts"]) == places, name
        assert _explained((await owner.slash("help")).text) == typed
        player = held.people[0]
        theirs = {line for command in player.commands() if command["name"] in found for line in _lines(command)}
        assert {line.split()[0] for line in typed - theirs} == {"doctor", "houserules", "season"}
        assert _explained((await player.slash("help")).text) == theirs, "/help names what Discord offers to the reader"


def _explained(text: str) -> set[str]:
    """Return the full names of the commands that `/help` lists."""
    offered = set(re.findall(r"^\*\*</([^*]+):\d+>\*\*", text, re.M))
    for group, others in re.findall(r"^-# \*\*/(\w+)\*\* … (.+)$", text, re.M):
        offered |= {f"{group} {other}" for other in re.split(r"\s*·\s*", others)}
    return offered


def _lines(command: dict[str, Any]) -> list[str]:
    """Return the full names of a command, or of all commands in its group."""
    below = [each for each in command.get("options", []) if each["type"] in (1, 2)]
    inner = [line for each in below for line in _lines(each)]
    return [f"{command['name']} {line}" for line in inner] or [command["name"]]


async def test_a_table_of_the_second_game_is_opened_by_buttons(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        shown = (await ana.slash("help")).message
        assert shown is not None
        wrong = await ana.submit(await ana.click(shown, "Plenty Coups, with other rules…"), seats="9")
        assert "**Most players** can be 2 to 6; you wrote 9." in wrong.text
        assert wrong.message is not None
        opened = await ana.submit(await ana.click(wrong.message, "With other rules…"), seats="4", rules="rounds=5")
        assert opened.message is not None
        assert "5 rounds and winter" in opened.message.text
        await ana.slash("plenty leave")
        again = (await ben.slash("help")).message
        assert again is not None
        await ben.click(again, "New table: Plenty Coups")
        await until(held, lambda: (table := newest(ben)) is not None and "9 rounds and winter" in table.text)


async def test_a_whole_game_can_be_played_by_commands(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, chloe, dmitri = held.people
        await held.slash(ana, "new")
        await until(held, lambda: held.phase(ana) == "lobby")
        for person in (ben, chloe, dmitri):
            assert "You're in" in (await held.slash(person, "join")).text
        assert "will begin" in (await held.slash(ana, "begins", player=ben)).text
        assert "will be random" in (await held.slash(ana, "begins")).text
        assert "will begin" in (await held.slash(ana, "begins", player=chloe)).text
        assert "has been removed" in (await held.slash(ana, "kick", player=dmitri, sure=True)).text
        assert "is the host now" in (await held.slash(ana, "host", player=ben)).text
        assert "Only the host" in (await held.slash(ana, "host", player=ben)).text
        assert driver.look in (await held.slash(ben, "start")).text
        message = newest(ana)
        assert message is not None
        await until(held, lambda: driver.asked(message))
        assert held.in_turn(message) is chloe
        for _ in range(2):
            await driver.type_move(held)
        assert "Leave for good?" in (await held.slash(ana, "leave")).text
        assert "Noted" in (await held.slash(ana, "pause")).text
        assert "Noted" in (await held.slash(ben, "pause")).text
        assert "is paused" in (await held.slash(chloe, "pause")).text
        await until(held, lambda: "paused" in (newest(ana) or message).text.lower())
        assert "most of those" in (await held.slash(ana, "pause")).text
        assert "On we go" in (await held.slash(ben, "pause")).text  # two of three are enough to resume
        assert "left the game for good" in (await held.slash(chloe, "leave", sure=True)).text
        assert "Only the host" in (await held.slash(ana, "stop", sure=True)).text
        assert "it was you" in (await held.slash(ben, "stop", sure=True)).text
        await until(held, lambda: said_in(held, "has stopped the game"))


async def test_a_command_can_choose_an_ai_to_begin(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 1, driver=driver) as held:
        (ana,) = held.people
        message = await held.open_table(ana, clock="2h")
        await held.slash(ana, "ai add")
        (choice,) = await ana.autocomplete(f"{driver.group} begins", "ai", "")
        assert "no such AI" in (await held.slash(ana, "begins", ai="Nobody")).text
        assert f"AI {choice['name']} will begin" in (await held.slash(ana, "begins", ai=choice["value"])).text
        await until(held, lambda: re.search(rf"AI {choice['name']}.*begins", message.text))


@pytest.mark.parametrize("typed", ["back", "vote"])
async def test_commands_for_coming_back_and_voting_out(tmp_path: Path, driver: Driver, typed: str) -> None:
    async with evening(tmp_path, driver=driver, scale=20.0) as held:
        await started(held, clock="30s", **driver.long)  # 1.5 s of real time

        def gone(person: Person) -> bool:
            return any(person.mention in each.text for each in said_in(held, "away now"))

        await until(held, lambda: any(map(gone, held.people)), 40)
        away = next(filter(gone, held.people))
        if typed == "back":
            assert "Welcome back" in (await held.slash(away, "back")).text
            await until(held, lambda: said_in(held, f"{away.mention} is back"))
        else:
            voter = next(person for person in held.people if person is not away)
            assert "counted" in (await held.slash(voter, "vote", player=away)).text


async def test_private_settings_by_menu_and_by_command(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        message = await held.open_table(ana)
        menu = (await ben.click(message, "More…")).message  # even before sitting down
        assert menu is not None
        assert "twice the time" in (await ben.select(menu, "How much time do you need?", "2")).text
        shown = await held.slash(ben, "settings", pings=False)
        assert shown.message is not None
        chosen = next(each for each in shown.message.components if each["type"] == 3)["options"]
        assert [each["value"] for each in chosen if each.get("default")] == ["2"]
        assert "I'll ping you" in (await ben.click(shown.message, "Ping me")).text
        with database(held) as found:
            assert found.execute("SELECT slow, pinged FROM users").fetchall() == [(2, 1)]


async def test_dms_show_the_end_and_a_rematch_can_be_played(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        ana, ben, chloe = held.people
        final = await Game(held, held.people).play(clock="2h", **driver.quickest)
        for person in held.people:
            await person.wait_for(lambda who=person: "is over:" in who.dms()[-1].text)  # type: ignore[misc]
            assert len(person.dms()) == 1
            assert f"(https://discord.com/channels/{held.guild.id}/{held.games.id}/{final.id})" in person.dms()[0].text
            assert driver.look not in person.dms()[0].text
        assert not (await ben.click(final, "Rematch")).failed
        await until(held, lambda: held.phase(ana) == "lobby")
        lobby = newest(ana)
        assert lobby is not None
        seats = re.findall(r"^<@(\d+)>", lobby.text, re.M)
        assert seats == [ben.id, chloe.id, ana.id]
        assert f"{ben.mention} **host**" in lobby.text.replace("✉️\u00a0· ", "").replace("✉️ · ", "")
        assert "hasn't begun" in (await held.slash(ana, "rematch")).text  # the rematch exists, so no second one opens
        assert not (await ben.click(lobby, "Start")).failed
        await until(held, lambda: driver.asked(lobby))
        await make(held, held.move(lobby))


async def test_the_dm_of_a_player_who_leaves_the_lobby_promises_nothing(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, chloe, dmitri = held.people
        promise = driver.say("look.nothing_dealt_why")
        message = await held.open_table(ana)
        for person in (ben, chloe):
            await person.click(message, "Join")
            await person.wait_for(lambda who=person: who.dms() and promise in who.dms()[0].text, 20)  # type: ignore[misc]
        await ben.click(message, "Leave")
        assert "has been removed" in (await held.slash(ana, "kick", player=chloe, sure=True)).text
        await ben.wait_for(lambda: "You've left the table" in ben.dms()[0].text, 20)
        await chloe.wait_for(lambda: "has removed you" in chloe.dms()[0].text, 20)
        assert "**Join**" not in (await held.slash(chloe, "look")).text
        assert "You have no seat" in (await held.slash(dmitri, "look")).text
        assert dmitri.dms() == []
        await ben.click(message, "Join")
        await ben.wait_for(lambda: promise in ben.dms()[0].text, 20)
        assert [len(each.dms()) for each in (ben, chloe)] == [1, 1], "one DM per game"
        assert "left the table" in (await held.slash(ben, "leave")).text
        assert "left the table" in (await held.slash(ana, "leave")).text
        await ana.wait_for(lambda: "closed before a game began" in ana.dms()[0].text, 20)


async def test_a_rematch_can_be_opened_by_command(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 2, driver=driver) as held:
        ana, ben = held.people
        await Game(held, held.people, "commands").play(clock="2h", **driver.quickest)
        assert "A new table" in (await held.slash(ana, "rematch")).text
        await until(held, lambda: held.phase(ben) == "lobby")


@pytest.mark.parametrize("in_turn", [True, False], ids=["in turn", "waiting"])
async def test_a_game_goes_on_without_a_player_who_leaves(tmp_path: Path, driver: Driver, in_turn: bool) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held, **driver.short)
        await make(held, held.move(message))
        turn = held.in_turn(message)
        gone = turn if in_turn else next(person for person in held.people if person is not turn)
        asked = await held.slash(gone, "leave")
        assert asked.message is not None
        await gone.click(asked.message, "Leave")
        stay = [person for person in held.people if person is not gone]
        await until(held, lambda: (now := newest(stay[0])) is not None and gone.id not in driver.asked(now))
        final = await Game(held, stay, seed=2).go_on()
        assert is_won(final)
        assert gone.mention not in final.text.splitlines()[0], "somebody else wins"


async def test_the_final_message_is_not_moved_by_a_rematch(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        ana, ben, chloe = held.people
        message = await started(held)
        for person in (ana, ben):
            await held.slash(person, "leave", sure=True)
        await until(held, lambda: held.phase(chloe) == "over")
        final = newest(chloe) or message
        await quiet()  # the bot must note the message before chatter can bury it
        for number in range(9):
            await ben.say(f"chatter {number}")
        await held.slash(ben, "look")  # an answer means that the bot has seen all the chatter
        assert not (await chloe.click(final, "Rematch")).failed
        await until(held, lambda: held.phase(ana) == "lobby")
        await until(held, lambda: said_in(held, "To the rematch"))
        assert not final.deleted
        assert sum(map(is_won, ana.read())) == 1


async def test_dms_say_that_the_table_was_stopped(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        ana, ben, _ = held.people
        await started(held)
        await ben.wait_for(lambda: ben.dms() and driver.look in ben.dms()[-1].text)
        await held.slash(ana, "stop", sure=True)
        await ben.wait_for(lambda: "without a winner" in ben.dms()[-1].text)
        assert len(ben.dms()) == 1


async def test_the_bot_says_once_that_it_is_back(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver, scale=1.0) as held:
        message = await started(held, clock="10m")
        turn = held.in_turn(message)
        await held.bot.kill()
        _went_down(held, seconds=60)
        await held.bot.start()
        await until(held, lambda: said_in(held, "Back again"))
        assert turn.mention in said_in(held, "Back again")[0].text
        found = re.search(r"<t:(\d+):R>", said_in(held, "Back again")[0].text)
        assert found is not None
        left = int(found[1]) - time.time()
        assert 600 < left <= 672  # the time left before the downtime, plus a grace period
        first = said_in(held, "Back again")[0].id
        await asyncio.sleep(0.3)  # until the bot has noted the message
        await held.bot.restart()
        await asyncio.sleep(1.5)
        assert len(said_in(held, "Back again")) == 1
        await held.bot.kill()
        _went_down(held, seconds=60)
        await held.bot.start()
        await until(held, lambda: [each.id for each in said_in(held, "Back again") if each.id != first])
        await until(held, lambda: len(said_in(held, "Back again")) == 1)
        await make(held, held.move(newest(turn)))


def _went_down(held: Evening, seconds: int) -> None:
    """Backdate the heartbeat, so that the bot believes it was down for this long."""
    with database(held) as found:
        found.execute("UPDATE meta SET value = ? WHERE key = 'heartbeat'", (str(int((time.time() - seconds) * 1000)),))


async def test_a_player_with_closed_dms_is_told_once(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        held.people[1].dms_open = False
        message = await started(held)
        ben = held.people[1]
        await until(held, lambda: driver.closed_dms_mark in message.text)
        first = await held.look(ben, message)
        assert "I couldn't DM you" in first.text
        assert driver.look in first.text
        assert "I couldn't DM you" not in (await held.look(ben, message)).text


async def test_repeated_looks_reuse_one_message(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        other = next(person for person in held.people if person is not held.in_turn(message))
        refused = await driver.move(other, message).press()
        assert refused.message is not None
        await other.click(refused.message, driver.say("table.button.look"))
        assert driver.look in refused.message.text
        await other.click(refused.message, driver.say("look.button.again"))
        await other.wait_for(lambda: other.private() == [refused.message])

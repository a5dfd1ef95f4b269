"""Everything around a game: its end, rematches, restarts, closed DMs, settings, and playing by commands alone."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

import pytest

from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.screens.custom_ids import Verb
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.common import database, in_turn, said_in, started, until
from tests.e2e.harness import Evening, evening
from tests.e2e.players import TURN, Game, newest, phase, quiet

TYPED: dict[str, str] = {
    Verb.JOIN: "join",
    Verb.LEAVE: "leave",
    Verb.START: "start",
    Verb.KICK: "kick",
    Verb.PASS: "host",
    Verb.STARTER: "begins",
    Verb.STOP: "stop",
    CoyoteVerb.BID: "bid",
    CoyoteVerb.BID_ANYWAY: "bid",
    CoyoteVerb.NUMBER: "bid",
    CoyoteVerb.CALL: "call",
    CoyoteVerb.ACT: "act",
    CoyoteVerb.BET: "act",
    CoyoteVerb.GUESS: "act",
    Verb.LOOK: "look",
    Verb.DEAL: "deal",
    Verb.PAUSE: "pause",
    Verb.BACK: "back",
    Verb.VOTE: "vote",
    Verb.TABLE: "table",
    Verb.TIME: "settings",
    Verb.PINGS: "settings",
    Verb.REMATCH: "rematch",
    Verb.NEW: "new",
    Verb.CHOSEN: "new",
    Verb.AI: "ai add",
    Verb.ASK: "ai add",
    Verb.FILL: "ai fill",
    Verb.SEND: "ai remove",
    Verb.WATCH: "ai watch",
}
ELSEWHERE = {
    Verb.RULES: "rules",
    Verb.HELP: "help",
    Verb.PRIVACY: "privacy",
    Verb.STATS: "stats",
    Verb.VERSUS: "versus",
    Verb.HISTORY: "history",
    Verb.BOARD: "leaderboard",
    Verb.REPLAY: "replay",
    Verb.SEASON: "season",
}
"""Buttons whose command is not below `/coyote`."""
HOUSE = {verb for verb in Verb if verb.value.startswith("h") and verb not in (Verb.HOST, Verb.HELP)}
"""Buttons in the form of `/houserules`, which has its own commands."""
ONLY_THERE = {Verb.HOST, CoyoteVerb.FORM, Verb.MORE, Verb.KEEP, Verb.CHOOSE}
"""Buttons that only open or close a menu or form, and need no command."""


async def test_everything_can_be_typed_and_everything_can_be_pressed(tmp_path: Path) -> None:
    named = set(TYPED) | set(ELSEWHERE) | HOUSE | ONLY_THERE
    assert {*Verb, *CoyoteVerb} == named, "a new button: which command does the same?"
    async with evening(tmp_path) as held:
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        owner.where = held.games
        found = {each["name"]: each for each in owner.commands()}
        assert set(found) == {"coyote", "houserules", *ELSEWHERE.values()}, "a new command: which button does the same?"
        typed = {line for command in found.values() for line in _lines(command)}
        at_the_table = {f"coyote {name}" for name in TYPED.values()}
        assert {line for line in typed if line.startswith("coyote ")} == at_the_table
        # /privacy also works in a DM, for users who no longer share a server with the bot.
        for name, command in found.items():
            assert sorted(command["contexts"]) == ([0, 1] if name == "privacy" else [0]), name
        shown = await held.people[0].slash("help")
        assert "Only you can see this" not in shown.text
        offered = set(re.findall(r"^\*\*/([^*]+)\*\*", shown.text, re.M))
        for group, others in re.findall(r"^-# \*\*/(\w+)\*\* … (.+)$", shown.text, re.M):
            offered |= {f"{group} {other}" for other in re.split(r"\s*·\s*", others)}
        assert offered == typed


def _lines(command: dict[str, Any]) -> list[str]:
    """Return the full names of a command, or of all commands in its group."""
    below = [each for each in command.get("options", []) if each["type"] in (1, 2)]
    inner = [line for each in below for line in _lines(each)]
    return [f"{command['name']} {line}" for line in inner] or [command["name"]]


async def test_a_table_with_other_rules_is_opened_by_buttons(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        shown = (await ana.slash("help")).message
        assert shown is not None
        wrong = await ana.submit(await ana.click(shown, "With other rules…"), clock="5 s", rules="coins=many")
        assert wrong.message is not None
        assert (wrong.message.only, phase(newest(ana))) == (ana.id, "nothing")
        form = await ana.click(wrong.message, "With other rules…")  # the refusal offers the form again
        opened = await ana.submit(form, edition="scout", actions="yes", clock=" off ", thread="no", rules="threshold=2")
        assert opened.message is not None
        assert opened.message.only is None
        assert "Coyote · Scouts" in opened.message.text
        assert "2 coins" in opened.message.text or "2nd coin" in opened.message.text
        again = (await ben.slash("help")).message
        assert again is not None
        taken = await ben.submit(await ben.click(again, "With other rules…"), edition="peek")
        assert "There's a table in this channel already" in taken.text
        assert "With other rules…" not in taken.text  # other rules would not help here
        await ana.slash("coyote leave")
        plain = await ben.submit(
            await ben.click(again, "With other rules…")
        )  # nothing chosen, so the house rules apply
        assert plain.message is not None
        assert "Coyote · Feathers" in plain.message.text


async def test_a_game_typed_from_the_lobby_on(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        ana, ben, chloe, dmitri = held.people
        opened = await ana.slash("help")
        assert opened.message is not None
        await ana.click(opened.message, "Open a table here")
        await until(held, lambda: phase(newest(ana)) == "lobby")
        for person in (ben, chloe, dmitri):
            assert "You're in" in (await person.slash("coyote join")).text
        assert "will begin" in (await ana.slash("coyote begins", player=ben)).text
        assert "Chance will say" in (await ana.slash("coyote begins")).text
        assert "will begin" in (await ana.slash("coyote begins", player=chloe)).text
        assert "sent away" in (await ana.slash("coyote kick", player=dmitri)).text
        assert "is the host now" in (await ana.slash("coyote host", player=ben)).text
        assert "Only the host" in (await ana.slash("coyote host", player=ben)).text
        assert "what you see" in (await ben.slash("coyote start")).text
        message = newest(ana)
        assert message is not None
        await until(held, lambda: TURN.search(message.text))
        assert in_turn(held, message) is chloe
        asked = await chloe.slash("coyote bid", number=900)
        assert "Really 900?" in asked.text
        assert "what you see" in (await chloe.slash("coyote bid", number=900, sure=True)).text
        assert "Between rounds" in (await ana.slash("coyote call")).text
        assert "round" not in (await ana.slash("coyote leave")).text
        assert "Noted" in (await ana.slash("coyote pause")).text
        assert "what you see" in (await ana.slash("coyote deal")).text
        assert "the round won't count" in (await ana.slash("coyote leave")).text
        assert "Noted" in (await ben.slash("coyote pause")).text
        assert "is paused" in (await chloe.slash("coyote pause")).text
        await until(held, lambda: "paused" in (newest(ana) or message).text.lower())
        assert "most of those" in (await ana.slash("coyote pause")).text
        assert "On we go" in (await ben.slash("coyote pause")).text  # two of three are enough to resume
        assert "left the game for good" in (await chloe.slash("coyote leave", sure=True)).text
        assert "Only the host" in (await ana.slash("coyote stop", sure=True)).text
        assert "it was you" in (await ben.slash("coyote stop", sure=True)).text
        await until(held, lambda: said_in(held, "has stopped the game"))


async def test_an_ai_can_be_typed_to_begin_as_it_can_be_picked(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        message = await held.open_table(ana, edition="scout", clock="2h")
        await ana.slash("coyote ai add")
        (choice,) = await ana.autocomplete("coyote begins", "ai", "")
        assert "no such AI" in (await ana.slash("coyote begins", ai="Nobody")).text
        assert f"AI {choice['name']} will begin" in (await ana.slash("coyote begins", ai=choice["value"])).text
        await until(held, lambda: re.search(rf"AI {choice['name']}.*begins", message.text))


@pytest.mark.parametrize("typed", ["back", "vote"])
async def test_away_and_what_can_be_typed_then(tmp_path: Path, typed: str) -> None:
    async with evening(tmp_path, scale=20.0) as held:
        await started(held, clock="30s", coins=5)  # 1.5 s of real time

        def gone(person: Person) -> bool:
            return any(person.mention in each.text for each in said_in(held, "away now"))

        await until(held, lambda: any(map(gone, held.people)), 40)
        away = next(filter(gone, held.people))
        if typed == "back":
            assert "Welcome back" in (await away.slash("coyote back")).text
            await until(held, lambda: said_in(held, f"{away.mention} is back"))
        else:
            voter = next(person for person in held.people if person is not away)
            assert "counted" in (await voter.slash("coyote vote", player=away)).text


async def test_settings_from_the_lobby_and_by_command(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        message = await held.open_table(ana)
        menu = (await ben.click(message, "More…")).message  # even before sitting down
        assert menu is not None
        assert "twice the time" in (await ben.select(menu, "How much time do you need?", "2")).text
        shown = await ben.slash("coyote settings", pings=False)
        assert shown.message is not None
        chosen = next(each for each in shown.message.components if each["type"] == 3)["options"]
        assert [each["value"] for each in chosen if each.get("default")] == ["2"]
        assert "I'll ping you" in (await ben.click(shown.message, "Ping me")).text
        with database(held) as found:
            assert found.execute("SELECT slow, pinged FROM users").fetchall() == [(2, 1)]


async def test_dms_show_the_end_and_the_rematch_is_played(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        ana, ben, chloe = held.people
        final = await Game(held, held.people).play(edition="scout", coins=2, clock="2h")
        for person in held.people:
            await person.wait_for(lambda who=person: "has won" in who.dms()[-1].text)  # type: ignore[misc]
            assert len(person.dms()) == 1
            links = [each["url"] for each in person.dms()[0].buttons if "url" in each]
            assert links == [f"https://discord.com/channels/{held.guild.id}/{held.games.id}/{final.id}"]
            assert "what you see" not in person.dms()[0].text
        assert not (await ben.click(final, "Rematch")).failed
        await until(held, lambda: phase(newest(ana)) == "lobby")
        lobby = newest(ana)
        assert lobby is not None
        seats = re.findall(r"^<@(\d+)>", lobby.text, re.M)
        assert seats == [ben.id, chloe.id, ana.id]
        assert f"{ben.mention} **host**" in lobby.text.replace("✉️\u00a0· ", "").replace("✉️ · ", "")
        assert "hasn't begun" in (await ana.slash("coyote rematch")).text  # the rematch exists, so no second one opens
        assert not (await ben.click(lobby, "Start")).failed
        await until(held, lambda: TURN.search(lobby.text))
        assert not (await in_turn(held, lobby).click(lobby, "5")).text
        await until(held, lambda: "Bid to beat: **5**" in lobby.text)


async def test_a_player_who_leaves_the_lobby_is_promised_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        ana, ben, chloe, dmitri = held.people
        message = await held.open_table(ana)
        for person in (ben, chloe):
            await person.click(message, "Join")
            await person.wait_for(lambda who=person: who.dms() and "every feather" in who.dms()[0].text, 20)  # type: ignore[misc]
        await ben.click(message, "Leave")
        assert "sent away" in (await ana.slash("coyote kick", player=chloe)).text
        await ben.wait_for(lambda: "You have no seat" in ben.dms()[0].text, 20)
        await chloe.wait_for(lambda: "has sent you away" in chloe.dms()[0].text, 20)
        assert "**Join**" not in (await chloe.slash("coyote look")).text
        assert "You have no seat" in (await dmitri.slash("coyote look")).text
        assert dmitri.dms() == []
        await ben.click(message, "Join")
        await ben.wait_for(lambda: "every feather" in ben.dms()[0].text, 20)
        assert [len(each.dms()) for each in (ben, chloe)] == [1, 1], "one DM per game"
        assert "got up" in (await ben.slash("coyote leave")).text
        assert "got up" in (await ana.slash("coyote leave")).text
        await ana.wait_for(lambda: "This table is done" in ana.dms()[0].text, 20)


async def test_a_rematch_is_typed(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        ana, ben = held.people
        await Game(held, held.people, "commands").play(edition="scout", coins=2, clock="2h")
        assert "A new table" in (await ana.slash("coyote rematch")).text
        await until(held, lambda: phase(newest(ben)) == "lobby")


async def test_the_final_message_is_not_moved_by_a_rematch(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        ana, ben, chloe = held.people
        message = await started(held)
        for person in (ana, ben):
            await person.slash("coyote leave", sure=True)
        await until(held, lambda: phase(newest(chloe)) == "over")
        final = newest(chloe) or message
        await quiet()  # the bot must note the message before chatter can bury it
        for number in range(9):
            await ben.say(f"chatter {number}")
        await ben.slash("coyote look")  # an answer means that the bot has seen all the chatter
        assert not (await chloe.click(final, "Rematch")).failed
        await until(held, lambda: phase(newest(ana)) == "lobby")
        await until(held, lambda: said_in(held, "To the rematch"))
        assert not final.deleted
        assert sum("wins" in each.text for each in ana.read()) == 1


async def test_dms_say_that_the_table_was_stopped(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        ana, ben, _ = held.people
        await started(held)
        await ben.wait_for(lambda: ben.dms() and "what you see" in ben.dms()[-1].text)
        await ana.slash("coyote stop", sure=True)
        await ben.wait_for(lambda: "without a winner" in ben.dms()[-1].text)
        assert len(ben.dms()) == 1


async def test_back_again_is_said_once(tmp_path: Path) -> None:
    async with evening(tmp_path, scale=1.0) as held:
        message = await started(held, clock="10m")
        turn = in_turn(held, message)
        await held.bot.kill()
        _went_down(held, seconds=60)
        await held.bot.start()
        await until(held, lambda: said_in(held, "Back again"))
        assert f"{turn.mention}'s turn" in said_in(held, "Back again")[0].text
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
        assert not (await turn.click(newest(turn) or message, "5")).text


def _went_down(held: Evening, seconds: int) -> None:
    """Backdate the heartbeat, so that the bot believes it was down for this long."""
    with database(held) as found:
        found.execute("UPDATE meta SET value = ? WHERE key = 'heartbeat'", (str(int((time.time() - seconds) * 1000)),))


async def test_a_player_with_closed_dms_is_told_once(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        held.people[1].dms_open = False
        message = await started(held)
        ben = held.people[1]
        await until(held, lambda: "👁 sees the feathers here" in message.text)
        first = await ben.click(message, "Look")
        assert "I couldn't DM you" in first.text
        assert "what you see" in first.text
        assert "I couldn't DM you" not in (await ben.click(message, "Look")).text


async def test_looking_again_stays_in_one_message(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        message = await started(held)
        other = next(person for person in held.people if person is not in_turn(held, message))
        refused = await other.click(message, "5")
        count = len(other.private())
        assert refused.message is not None
        await other.click(refused.message, "Look")
        assert "what you see" in refused.message.text
        await other.click(refused.message, "Look again")
        assert len(other.private()) == count


async def test_a_refusal_comes_before_a_missing_option(tmp_path: Path) -> None:
    async with evening(tmp_path, 4) as held:
        message = await started(held, edition="tomahawk", actions=True)
        first = in_turn(held, message)
        await first.slash("coyote bid", number=5)
        second = await _next(held, message, first)
        choices = [each["value"] for each in await second.autocomplete("coyote act", "action", "")]
        assert "redo" in choices, choices
        await second.slash("coyote act", action="redo")
        await until(held, lambda: in_turn(held, message) is first)
        assert "start again" in (await first.slash("coyote act", action="bid.double")).text


async def _next(held: Evening, message: Message, before: Person) -> Person:
    await until(held, lambda: in_turn(held, message) is not before)
    return in_turn(held, message)

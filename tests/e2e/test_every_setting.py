"""Every setting has the effect it describes, shown in a real game."""

import re
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from bot.house_rules.game_settings import by_key
from bot.text.catalogue import languages
from sandbox.events import Change
from sandbox.messagelog import Message
from sandbox.person import Person
from tests.e2e import plenty_coups_settings
from tests.e2e.harness import Evening
from tests.e2e.players import newest, phase
from tests.e2e.servers import SCALE, Server, held, quiet
from tests.games.coyote.driver import TURN
from tests.games.drivers import COYOTE

__all__ = ["held"]
pytestmark = pytest.mark.asyncio(loop_scope="module")

Case = Callable[[Server], Awaitable[None]]
CASES: dict[str, Case] = {}
ONES = "Ones: 1×12"
"""A deck of ones: the total is the number of players, so a bid of 10 is always too high and a bid of 1 never."""


def case(played: Case) -> Case:
    """Register a function as the case of the setting with the same name."""
    CASES[played.__name__] = played
    return played


CASES |= {f"plenty-coups.{key}": played for key, played in plenty_coups_settings.CASES.items()}


@pytest.mark.parametrize("key", list(by_key()))
async def test_every_setting_changes_what_it_says(held: Evening, key: str) -> None:
    assert key in CASES, f"{key} has no case: show here what it changes in a game"
    server = Server(held, key)
    await CASES[key](server)
    usual = await server.boss.slash("houserules reset", key=key)
    assert "back to its default" in usual.text or key == "language", usual.text


async def test_every_case_belongs_to_a_setting() -> None:
    assert set(CASES) <= set(by_key())


@case
async def edition(server: Server) -> None:
    assert "Coyote · Feathers" in (await server.open()).text
    await server.people[0].slash("coyote leave")
    await server.set("edition", "scout")
    message = await server.start(2)
    assert server.kept()["options"] == {"edition": "scout", "guess_along": 5}
    refused = await server.in_turn(message).slash("coyote bid", number=0)
    assert "Try 1 or more" in refused.text, "Scouts open at 1"


@case
async def variant(server: Server) -> None:
    await server.set("variant", "on")
    message = await server.start()
    assert "coin.skip" in await server.acts()
    assert "Picture coins" in message.text


@case
async def threshold(server: Server) -> None:
    told = await server.set("threshold", "2")
    assert "3rd coin; tables of 3 or 4 players may agree" in told
    await server.set("edition", "scout")
    await server.set("deck", ONES)
    message = await server.start(2, rules="pause_seconds=0")
    assert re.search(r"(?<!○)○○(?!○)", message.text)
    for _ in range(2):
        loser = await server.bid(10)
        winner, _ = await server.call()
    assert f"{winner.mention} wins" in await server.see("wins"), loser


@case
async def min_bid(server: Server) -> None:
    await server.set("min_bid", "5")
    message = await server.start()
    refused = await server.in_turn(message).slash("coyote bid", number=4)
    assert "Try 5 or more" in refused.text
    await server.bid(5)


@case
async def next_starter(server: Server) -> None:
    await server.set("deck", ONES)
    await server.set("next_starter", "loser")
    await server.start(rules="pause_seconds=0")
    loser = await server.bid(10)
    await server.call()
    assert server.in_turn(await server.turn()) is loser, "Feathers would let the other one open"


@case
async def if_starter_is_out(server: Server) -> None:
    await server.set("deck", ONES)
    await server.set("next_starter", "loser")
    await server.set("threshold", "2")
    await server.set("if_starter_is_out", "duellist")
    await server.start(rules="pause_seconds=0")
    for _ in range(4):
        bidder = await server.bid(1)
        caller, reveal = await server.call()
    assert f"{caller.mention} takes" in reveal
    assert "is **out**" in reveal
    assert server.in_turn(await server.turn()) is bidder, "Feathers would let the next on the left open"


@case
async def min_players(server: Server) -> None:
    await server.set("min_players", "2")
    assert server.in_turn(await server.start(2)) in server.people, "Feathers wants three"


@case
async def max_players(server: Server) -> None:
    told = await server.set("max_players", "3")
    assert "written for 3 to 6 players" in told
    lobby = await server.open()
    for person in server.people[1:3]:
        await person.click(lobby, "Join")
    assert "All 3 seats are taken" in (await server.people[3].click(lobby, "Join")).text


@case
async def actions_off(server: Server) -> None:
    await server.set("variant", "on")
    await server.set("actions_off", "skip, guess")
    message = await server.start()
    assert {"coin.extra", "coin.replace"} <= set(await server.acts())
    assert not {"coin.skip", "coin.guess"} & set(await server.acts())
    refused = await server.in_turn(message).slash("coyote act", action="coin.skip")
    assert "switched that off" in refused.text


@case
async def actions_per(server: Server) -> None:
    await server.set("edition", "tomahawk")
    await server.set("variant", "on")
    await server.set("actions_per", "player")
    await server.start()
    await server.act("coyote act", action="bid.double", value="5")
    assert "bid.double" in await server.acts(), "by the book, the table has used it"


@case
async def actions_per_turn(server: Server) -> None:
    await server.set("edition", "tomahawk")
    await server.set("variant", "on")
    await server.set("actions_per_turn", "several")
    message = await server.start()
    player = server.in_turn(message)
    await player.slash("coyote act", action="announce.double")
    assert player.mention in await server.see("announces: double. A number must follow.")
    refused = await player.slash("coyote act", action="announce.double")
    assert "has been used this round" in refused.text
    await server.bid(5)
    assert "announce.double" not in await server.acts()


@case
async def right_guess(server: Server) -> None:
    await server.set("variant", "on")
    await server.set("deck", ONES)
    await server.set("right_guess", "choose")
    message = await server.start()
    guesser = server.in_turn(message)
    await guesser.slash("coyote act", action="coin.guess", value="1")
    await server.see("guessed right, and may bid now or sit out the round")
    assert "you wear **1**" in (await guesser.slash("coyote look")).text
    await guesser.click(await server.turn(), "Sit out the round")
    await server.see("safe this round, wore 1")


@case
async def open_eyes(server: Server) -> None:
    await server.set("edition", "peek")
    await server.set("variant", "on")
    await server.set("actions_off", "bet")
    await server.set("open_eyes", "2")
    message = await server.start()
    shown = (await server.people[0].slash("coyote rules")).text
    assert "**Open eyes at the start:** 2 (default: 1; the bot's own rule)" in shown
    assert "◉◉◌" in message.text, "the trickster variant begins with one"


@case
async def coins(server: Server) -> None:
    await server.set("variant", "on")
    await server.set("coins", "extra 0, skip 1")
    lobby = await server.open()
    assert "coins: extra 0" in lobby.text
    await server.people[0].slash("coyote leave")
    await server.start()
    offered = await server.acts()
    assert "coin.skip" in offered
    assert "coin.extra" not in offered


@case
async def x2_doubles(server: Server) -> None:
    await server.set("max_players", "3")
    await server.set("deck", "Three: −5, 10, x2")
    await server.set("x2_doubles", "all")
    await server.start()
    await server.bid(1)
    _, reveal = await server.call()
    assert "**10**" in reveal, "Feathers would make 15 of it"


@case
async def max_zero_hits(server: Server) -> None:
    await server.set("max_players", "3")
    await server.set("deck", "Three: −5, −1, max0")
    await server.set("max_zero_hits", "any")
    await server.start()
    await server.bid(1)
    _, reveal = await server.call()
    assert "**−5**" in reveal, "Feathers would make −6 of it"


@case
async def deck(server: Server) -> None:
    told = await server.set("deck", ONES)
    assert "Deck** is now: **Ones**" in told
    lobby = await server.open()
    assert "Own deck of 12 feathers" in lobby.text or "own deck of 12 feathers" in lobby.text
    await server.people[0].slash("coyote leave")
    opener = server.in_turn(await server.start())
    assert "no deal of this deck makes more than 3" in (await opener.slash("coyote bid", number=4)).text
    await server.bid(4)
    _, reveal = await server.call()
    assert "**3**" in reveal
    assert "The deck **Ones** is gone" in (await server.boss.slash("houserules set", key="deck", value="Ones:")).text
    await server.set("deck", ONES)


@case
async def turn_seconds(server: Server) -> None:
    await server.set("turn_seconds", "20s")
    await _seat_three(server)
    await server.see("didn't answer in time")


async def _seat_three(server: Server, **options: object) -> None:
    """Open a table of three with the clock of the house rules, and start it."""
    host, *others = server.people[:3]
    shown = await host.slash("coyote new", **options)
    assert shown.message is not None, shown.text
    for person in others:
        await person.click(shown.message, "Join")
    await host.click(shown.message, "Start")


@case
async def guess_along(server: Server) -> None:
    watcher = server.people[3]
    await server.set("guess_along", "15s")
    await server.start()
    assert "You're guessing along" in (await watcher.slash("coyote guess")).text
    await server.bid(10)
    await server.in_turn(await server.turn()).slash("coyote call")
    await server.see("calls Coyote on", "All feathers are shown")
    await server.people[0].slash("coyote stop", sure=True)
    await server.set("guess_along", "0")
    await server.start()
    assert "You're guessing along" not in (await watcher.slash("coyote guess")).text


@case
async def pictures(server: Server) -> None:
    player = server.people[0]
    await server.start()
    await player.slash("coyote look")
    await player.wait_for(lambda: any(each.files for each in player.private()))
    await player.slash("coyote stop", sure=True)
    await server.set("pictures", "off")
    await server.start()
    shown = await player.slash("coyote look")
    await quiet(1)
    assert "what you see" in shown.text
    assert shown.message is not None
    assert not shown.message.files


@case
async def reveal(server: Server) -> None:
    await server.set("reveal", "instantly")
    await server.set("deck", ONES)
    await server.start()
    await server.bid(10)
    caller = server.in_turn(await server.turn())
    known = {each.id for each in caller.read()}
    await caller.slash("coyote call")

    def first() -> str | None:
        new = [each.text for each in caller.read() if each.id not in known]
        return next((each for each in new if "calls Coyote on" in each), None)

    assert "takes a coin" in await caller.wait_for(first)


@case
async def pause_seconds(server: Server) -> None:
    await server.set("pause_seconds", "1h")
    await server.set("deck", ONES)
    await server.start()
    await server.bid(10)
    await server.call()
    await quiet(60 / SCALE)
    assert any(each.component("Deal now") for each in server.people[0].read() if not each.deleted)


@case
async def away_after(server: Server) -> None:
    await server.set("away_after", "1")
    await _seat_three(server, clock="20s", rules="ai_for_away=off")
    await server.see("away now: their turns pass quickly")


@case
async def away_seconds(server: Server) -> None:
    await server.set("away_after", "1")
    await server.set("away_seconds", "1h")
    await server.set("ai_for_away", "off")
    await server.set("edition", "scout")
    host, other = server.people[:2]
    lobby = await server.open(host, clock="20s")
    await other.click(lobby, "Join")
    await host.click(lobby, "Start")
    await server.see("away now")

    def in_an_hour() -> bool:
        due = [int(each) for message in host.read() for each in re.findall(r"<t:(\d+):R>", message.text)]
        return any(moment - time.time() > 0.5 * 3600 / SCALE for moment in due)

    await host.wait_for(in_an_hour, 8)


@case
async def reminders(server: Server) -> None:
    await server.set("reminders", "off")
    loud = Server(server.held, "reminded")
    for each in (server, loud):
        await _seat_three(each, clock="10m", rules="away_after=10")
    await loud.see("it's still your turn")
    await quiet(0.2)
    assert not any("it's still your turn" in each.text for each in server.people[0].read())


@case
async def lobby_minutes(server: Server) -> None:
    await server.set("lobby_minutes", "1m")
    await server.open()
    await server.see("closed")


@case
async def channels(server: Server) -> None:
    other = server.world.add_channel(server.guild, "tables")
    await server.set("channels", f"<#{other.id}>")
    ana = server.people[0]
    refused = await ana.slash("coyote new")
    assert f"tables stand in <#{other.id}>" in refused.text
    assert refused.message is not None
    assert refused.message.only == ana.id
    assert (await ana.slash("coyote new", other)).message is not None
    server.world.remove_channel(other)
    opened = await ana.slash("coyote new")
    await ana.wait_for(lambda: "all gone, so tables may stand everywhere" in opened.text)
    assert any(each.component("Start") for each in opened.appeared)
    assert "all gone" in (await server.boss.slash("house")).text


@case
async def role(server: Server) -> None:
    ana, ben = server.people[:2]
    needed = server.world.add_role(server.guild, "Dealers")
    await server.set("role", f"<@&{needed.id}>")
    refused = await ana.slash("coyote new")
    assert f"<@&{needed.id}> opens the tables" in refused.text
    server.world.grant(server.guild, ana.user, needed)
    lobby = await server.open(ana)
    assert not (await ben.click(lobby, "Join")).failed
    await _close(ana)
    over = await _over(server)
    assert "opens the tables" in (await ben.click(over, "Rematch")).text
    assert not (await ana.click(over, "Rematch")).failed
    await server.see("Start")
    await _close(ana)
    del server.guild.roles[needed.id]
    server.guild.members[ana.id].roles.remove(needed.id)
    gone = {"guild_id": server.guild.id, "role_id": needed.id}
    server.world.bus.publish(Change("GUILD_ROLE_DELETE", gone, server.guild))
    opened = await ben.slash("coyote new")
    await ben.wait_for(lambda: "is gone, so anyone may" in opened.text)
    assert "is gone" in (await ana.slash("house")).text


async def _over(server: Server) -> Message:
    """Play a match that ends because all but one leave; return the final message."""
    ana, ben = server.people[:2]
    await server.start(2, edition="scout")
    await ben.slash("coyote leave", sure=True)

    def ended() -> Message | None:
        shown = newest(ana)
        return shown if shown is not None and shown.component("Rematch") else None

    return await ana.wait_for(ended)


async def _close(host: Person) -> None:
    asked = await host.slash("coyote stop")
    assert asked.message is not None
    await host.click(asked.message, "Cancel it")


@case
async def thread(server: Server) -> None:
    await server.set("thread", "on")
    shown = await server.people[0].slash("coyote new")
    assert "has opened a table" in shown.text
    assert "Start" in [
        each.get("label") for each in (await server.people[1].slash("coyote new", thread=False)).appeared[0].buttons
    ]


@case
async def tables_at_once(server: Server) -> None:
    await server.set("tables_at_once", "1")
    await server.open()
    more = server.world.add_channel(server.guild, "more")
    assert "has one table open" in (await server.people[1].slash("coyote new", more)).text
    assert "has one table open" in (await server.people[1].slash("coyote new", more, thread=True)).text
    assert not server.guild.threads  # a refused table leaves no thread behind
    tried = await server.people[1].slash("coyote new", more, rules="tables_at_once=5")
    assert "for the whole server" in tried.text
    await _close(server.people[0])
    over = await _over(server)
    await server.people[2].slash("coyote new", more)
    for shown in (await server.people[0].click(over, "Rematch"), await server.people[0].slash("coyote rematch")):
        assert "has one table open" in shown.text
        assert "Open the table" not in shown.text  # the link would lead to the finished table
    await server.people[2].slash("coyote stop", more, sure=True)
    assert "A new table" in (await server.people[0].slash("coyote rematch")).text


@case
async def pings(server: Server) -> None:
    await server.set("pings", "off")
    assert "Pings: off" in (await server.open()).text
    await server.people[0].slash("coyote leave")
    await server.start()
    await quiet()
    assert not any(each.pinged for each in server.people[0].read())
    loud = Server(server.held, "loud")
    turn = loud.in_turn(await loud.start())
    await turn.wait_for(turn.pings)


@case
async def dms(server: Server) -> None:
    await server.set("dms", "off")
    await server.start()
    await quiet()
    assert not any(person.id in server.world.dm_of for person in server.people)


@case
async def who_stops(server: Server) -> None:
    await server.set("who_stops", "players")
    await server.start()
    assert "Only players at the table" in (await server.people[3].slash("coyote stop")).text
    asked = await server.people[1].slash("coyote stop")
    assert asked.message is not None
    await server.people[1].click(asked.message, "Stop it")
    await server.see("has stopped the game")
    await server.set("who_stops", "managers")
    await server.start()
    assert "only somebody who manages" in (await server.people[0].slash("coyote stop")).text
    assert "for everyone?" in (await server.boss.slash("coyote stop")).text


@case
async def language(server: Server) -> None:
    refused = await server.boss.slash("houserules set", key="language", value="tlh")
    assert "Did you mean the server's own?" in refused.text
    for other in languages():
        await server.boss.slash("houserules set", key="language", value=other)
        await server.open()
        assert server.kept()["house"]["language"] == other
        await server.people[0].slash("coyote leave")


@case
async def ai_seats(server: Server) -> None:
    lobby = await server.open()
    assert lobby.component("Add AI…") is not None
    assert "🤖 AI" in await _filled(server, lobby)
    await server.people[0].slash("coyote leave")
    await server.set("ai_seats", "off")
    lobby = await server.open()
    assert lobby.component("Add AI…") is None
    assert lobby.component("Fill the table") is None
    for command in ("coyote ai fill", "coyote ai add"):
        assert "do without AI players" in (await server.people[0].slash(command)).text
    table = str((lobby.component("Join") or {})["custom_id"]).split(":")[1]
    assert "do without AI players" in (await server.people[0].forge(lobby, f"c1:{table}:0:fill")).text
    assert "🤖 AI" not in lobby.text


@case
async def ai_for_away(server: Server) -> None:
    await server.set("away_after", "1")
    await server.set("threshold", "2")
    await _seat_three(server, clock="20s")
    await server.see("plays for them, with the same feathers")
    await server.see("wins")
    assert server.moves()["ai"], "the stand-in has moved"
    await server.set("ai_for_away", "off")
    alone = server.elsewhere("alone")
    await _seat_three(alone, clock="20s")
    await alone.see("away now: their turns pass quickly")
    await alone.see("wins")
    assert not server.moves()["ai"], "nobody but the clock has moved"
    assert server.moves()["clock"]


@case
async def ai_for_left(server: Server) -> None:
    host, leaver = server.people[:2]
    await server.start(2, edition="scout")
    await leaver.slash("coyote leave", sure=True)
    assert host.mention in await server.see("wins")
    assert not server.moves()["ai"]
    await server.set("ai_for_left", "on")
    here = server.elsewhere("played-on")
    await here.start(2, edition="scout", rules="threshold=2")
    await leaver.slash("coyote leave", sure=True)
    assert leaver.mention in await here.see("plays on for them")
    await _play_on(here, host)
    assert server.moves()["ai"], "the AI has moved in the seat that was left"


@case
async def open_looks(server: Server) -> None:
    host, leaver = server.people[:2]
    await server.set("ai_for_left", "on")
    await server.set("pause_seconds", "5m")  # so that the game of the AIs lasts
    await _leave_it_to_ais(server)
    assert "nothing hidden" in (await host.slash("coyote look")).text
    assert "nothing hidden" in (await leaver.slash("coyote look")).text
    await host.slash("coyote stop", sure=True)
    await server.set("open_looks", "off")
    await _leave_it_to_ais(server)
    assert "nothing hidden" not in (await host.slash("coyote look")).text


@case
async def out_may_look(server: Server) -> None:
    await server.set("edition", "scout")
    await server.set("threshold", "2")
    await server.set("deck", ONES)
    await server.set("out_may_look", "on")
    await server.start(3, rules="pause_seconds=0")
    loser = await server.bid(10)
    await server.call()
    assert server.in_turn(await server.turn()) is loser
    await server.bid(10)
    await server.call()
    await server.turn()
    assert "this house lets you see every feather" in (await loser.slash("coyote look")).text
    other = next(person for person in server.people[:3] if person is not loser)
    assert "every feather" not in (await other.slash("coyote look")).text


async def _leave_it_to_ais(server: Server) -> None:
    """Let a host watch a game with two AIs and one person, who leaves it to a third AI."""
    host, leaver = server.people[:2]
    lobby = await server.open(host)
    await leaver.click(lobby, "Join")
    for _ in range(2):
        await host.slash("coyote ai add")
    await host.slash("coyote ai watch")
    await host.slash("coyote start")
    await leaver.slash("coyote leave", sure=True)
    await server.see("plays on for them")


def _looks(message: Message | None) -> tuple[str, int] | None:
    return None if message is None else (message.id, message.version)


def _changed(reader: Person, before: tuple[str, int] | None) -> bool:
    return _looks(newest(reader)) != before


async def _play_on(server: Server, person: Person) -> None:
    """Play for one person until the game is over: call every bid, and open with a high one."""

    def in_turn_or_over() -> Message | None:
        message = newest(person)
        found = TURN.search(message.text) if message is not None and phase(COYOTE, message) == "bidding" else None
        return message if phase(COYOTE, message) == "over" or (found and found[1] == person.id) else None

    while phase(COYOTE, message := await person.wait_for(in_turn_or_over, 20)) != "over":
        before = _looks(message)
        called = message is not None and message.component("Coyote!") is not None
        shown = await (person.slash("coyote call") if called else person.slash("coyote bid", number=25))
        assert not shown.failed
        await person.wait_for(partial(_changed, person, before), 20)


async def _short(server: Server) -> None:
    """Set rules for short games: two can play, and a bid of 10 always loses."""
    await server.set("edition", "scout")
    await server.set("deck", ONES)


async def _finish(server: Server) -> dict[str, Any]:
    """Play a game of two to its end; return its row in the history."""
    await server.start(2, rules="threshold=2, pause_seconds=0")
    while True:
        await server.bid(10)
        _, reveal = await server.call()
        if "is **out**" in reveal:
            break
    await server.see("wins")
    return server.finished()[-1]


@case
async def counts(server: Server) -> None:
    ana = server.people[0]
    await _short(server)
    assert (await _finish(server))["counted"] == 1
    await server.set("counts", "off")
    quietly = server.elsewhere("quietly")
    game = await _finish(quietly)
    assert (game["number"], game["counted"]) == (2, 0)
    assert "unrated" in await quietly.see("wins")
    assert "unrated" in (await ana.slash("history")).text
    assert "in 1 game" in (await ana.slash("stats")).text, "the second is in the history alone"
    refused = await ana.slash("coyote new", rules="counts=on")
    assert "only somebody with **Manage Server**" in refused.text


@case
async def count_ai(server: Server) -> None:
    for counted in (False, True):
        if counted:
            await server.set("count_ai", "on")
        here = server.elsewhere(f"counted-{counted}")
        host, lobby = here.people[0], await here.open(edition="scout", rules="threshold=2, pause_seconds=0")
        assert ("won't count" in await _filled(here, lobby)) is (not counted)
        await host.click(lobby, "Start")
        await _play_on(here, host)
        await here.see("wins")
        game = server.finished()[-1]
        assert (game["ai"], game["counted"]) == (1, counted)
    assert "in 1 game" in (await host.slash("stats")).text


async def _filled(server: Server, lobby: Message) -> str:
    host = server.people[0]
    await host.click(lobby, "Fill the table")
    await host.wait_for(lambda: "🤖 AI" in lobby.text, 8)
    return lobby.text


@case
async def ranked_after(server: Server) -> None:
    ana, ben = server.people[:2]
    await _short(server)
    await _finish(server)
    unranked = (await ana.slash("leaderboard")).text
    assert "It takes 5 games that count" in unranked
    assert ben.mention not in unranked
    told = await server.set("ranked_after", "1")
    assert "1 game" in told
    card = (await ana.slash("stats")).text
    assert "of 2 ranked" in card, card
    ranked = (await ana.slash("leaderboard")).text
    assert ben.mention in ranked
    assert "It takes" not in ranked
    await server.set("ranked_after", "2")
    assert ben.mention not in (await ana.slash("leaderboard")).text
    assert "2 games that count" in (await ana.slash("leaderboard", edition="scout")).text

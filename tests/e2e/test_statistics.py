"""Statistics commands and buttons with the real bot, on a server where games were already played."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from bot.host.model import UserId
from bot.store.sqlite.store import SqliteStore
from sandbox.faults import Slow
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.permissions import Permission
from tests.e2e.harness import Evening, evening
from tests.e2e.past import remember
from tests.host.evening import BEGIN

LINE = re.compile(r"^(?:🥇 |🥈 |🥉 )?\*\*(\d+)\*\* <@(\d+)> \*\*(\d+)\*\*", re.M)
MEMBER = "GET /guilds/{guild_id}/members/{user_id}"


@pytest_asyncio.fixture
async def held(tmp_path: Path) -> AsyncIterator[Evening]:
    """Twelve people who have played sixty games, and Max, who has not."""
    async with evening(tmp_path, 13, start=False) as found:
        await remember(found, [int(person.id) for person in found.people[:12]], 60)
        await found.bot.start()
        yield found


def lines(message: Message) -> list[tuple[int, str, int]]:
    return [(int(rank), user, int(rating)) for rank, user, rating in LINE.findall(message.text)]


def shown(answer: object) -> Message:
    message: Message | None = answer.message  # type: ignore[attr-defined]
    assert message is not None, answer
    return message


async def board(person: Person, **options: object) -> Message:
    return shown(await person.slash("leaderboard", **options))


async def test_a_leaderboard_is_public_and_its_pages_are_turned_in_place(held: Evening) -> None:
    ana, ben, *_ = held.people
    message = await board(ana)
    assert not message.ephemeral
    assert message.pinged == []
    first = lines(message)
    assert len(first) == 10
    ratings = [rating for _, _, rating in first]
    assert ratings == sorted(ratings, reverse=True)
    assert [rank for rank, _, _ in first] == [1 + sum(other > mine for other in ratings) for mine in ratings]
    assert f"{ana.mention}: **" in message.text
    assert "of 12 with" in message.text
    turned = await ana.click(message, "Next")
    assert turned.changed == [message]
    assert len(lines(message)) == 2
    assert not {user for _, user, _ in lines(message)} & {user for _, user, _ in first}
    other = await ben.click(message, "Back")
    assert other.message is not None
    assert other.message.only == ben.id
    assert [user for _, user, _ in lines(other.message)] == [user for _, user, _ in first]
    assert f"{ben.mention}: **" in other.message.text
    assert len(lines(message)) == 2
    again = await ben.click(other.message, "Next")
    assert again.changed == [other.message]
    await held.bot.restart()
    assert (await ana.click(message, "Back")).changed == [message]
    assert lines(message) == first


async def test_a_leaderboard_can_be_ordered_and_filtered(held: Evening) -> None:
    ana = held.people[0]
    message = await board(ana, private=True)
    assert message.only == ana.id
    for label in ("Wins", "Win rate", "Calls that were right", "Exact hits", "Longest winning run", "Games played"):
        assert (await ana.select(message, "Order by", label)).changed == [message]
        assert f"🏆 {label}" in message.text
    await ana.select(message, "Edition", "Peek")
    assert "Peek\u00a0· all time" in message.text
    assert "🏆 Games played" in message.text
    await ana.select(message, "Period", "Season 1, still running")
    assert "Peek\u00a0· season 1" in message.text
    offered = await ana.autocomplete("leaderboard", "period", "seas")
    assert [each["value"] for each in offered] == ["season-1"]
    assert "season 1" in (await board(ana, period="Season 1")).text
    assert "season 1" in (await board(ana, period="season-1", by="Wins")).text
    assert "Nobody is ranked here yet" in (await board(ana, period="1999-01")).text
    wrong = await ana.slash("leaderboard", period="the good old days")
    assert "I don't know the period the good old days" in wrong.text
    assert shown(wrong).only == ana.id
    last = await board(ana, page=99_999)
    assert "2 of 2" in [each.get("label") for each in last.buttons]


async def test_a_member_who_left_is_not_shown_and_is_looked_up_once(held: Evening) -> None:
    ana, ben, *_ = held.people
    before = lines(await board(ana))
    gone = (
        next(person for person in held.people if person.id == before[0][1] and person is not ana)
        if before[0][1] != ana.id
        else next(person for person in held.people if person.id == before[1][1])
    )
    everyone = {user for _, user, _ in before}
    gone.leave(held.guild)
    await held.bot.restart()  # clears the cache of members
    after = lines(await board(ana))
    assert gone.id not in {user for _, user, _ in after}
    assert len(after) == 10
    assert everyone - {gone.id} < {user for _, user, _ in after}
    assert after[0][0] == 1
    asked = [each for each in held.sandbox.api.requests if each.route == MEMBER]
    await board(ben)
    assert [each for each in held.sandbox.api.requests if each.route == MEMBER] == asked
    gone.join(held.guild)
    mine = await board(gone)
    assert gone.id in {user for _, user, _ in lines(mine)}
    assert f"{gone.mention}: **" in mine.text


async def test_player_cards(held: Evening) -> None:
    ana, ben, *_, newcomer = held.people
    message = shown(await ana.slash("stats"))
    assert not message.ephemeral
    for words in ("Rating **", "ranked", "wins in", "on average", "calls,", "Favourite victim: <@", "Nemesis: <@"):
        assert words in message.text
    assert re.search(r"^ *\d+ .*[▁▂▃▄▅▆▇█]", message.text, re.M)
    assert "at the highest" in message.text
    assert ana.mention in message.text
    chosen = await ana.select(message, "Edition", "Peek")
    assert chosen.changed == [message]
    assert "Peek" in message.text
    copy = shown(await ben.select(message, "Period", "Season 1, still running"))
    assert copy.only == ben.id
    assert "season 1" in copy.text
    assert ana.mention in copy.text
    games = shown(await ben.click(copy, "Games"))
    assert games.only == ben.id
    assert f"{ana.mention}'s games" in games.text
    assert "🏆" in shown(await ben.click(copy, "Leaderboard")).text
    of_ben = shown(await ana.slash("stats", player=ben, private=True, edition="feathers"))
    assert of_ben.only == ana.id
    assert ben.mention in of_ben.text
    assert "haven't finished a game here" in (await newcomer.slash("stats")).text
    assert f"{newcomer.mention} hasn't finished" in (await ana.slash("stats", player=newcomer)).text
    machine = held.sandbox.world.bot
    assert "is a bot" in (await ana.slash("stats", player=machine)).text


async def test_head_to_head(held: Evening) -> None:
    ana, ben, *_, newcomer = held.people
    message = shown(await ana.slash("versus", a=ben))
    assert not message.ephemeral
    assert re.search(r"^## \d+ : \d+$", message.text, re.M)
    assert "games together" in message.text
    assert "last games together" in message.text
    assert (await ana.select(message, "Edition", "Peek")).changed == [message]
    assert shown(await ben.select(message, "Edition", "Feathers")).only == ben.id
    again = await ana.select(message, "Edition", "Coyote, all editions")
    number = next(iter(re.findall(r"\*\*#(\d+)\*\*", again.text)))
    watched = shown(await ben.select(message, "Watch one of them again …", number))
    assert watched.only == ben.id
    assert f"Game #{number}" in watched.text
    assert "Nobody wins" in (await ana.slash("versus", a=ana)).text
    assert "Nobody wins" in (await ana.slash("versus", a=ben, b=ben)).text
    assert "haven't finished a game together" in (await ana.slash("versus", a=ben, b=newcomer)).text
    assert "is a bot" in (await ana.slash("versus", a=held.sandbox.world.bot)).text


async def test_somebody_is_looked_up_in_their_menu(held: Evening) -> None:
    ana, ben, *_, newcomer = held.people
    card = shown(await ana.use("Coyote stats", ben))
    assert card.only == ana.id, "only the asker sees it"
    assert card.text == shown(await ana.slash("stats", player=ben, private=True)).text
    assert (await ana.select(card, "Edition", "Peek")).changed == [card]
    assert "hasn't finished" in (await ana.use("Coyote stats", newcomer)).text
    assert shown(await ana.use("Coyote stats", ana)).text == shown(await ana.slash("stats", private=True)).text
    pair = shown(await ana.use("Versus me", ben))
    assert pair.only == ana.id
    assert pair.text == shown(await ana.slash("versus", a=ben, private=True)).text
    assert "Nobody wins" in (await ana.use("Versus me", ana)).text
    assert "haven't finished a game together" in (await ana.use("Versus me", newcomer)).text
    machine = held.sandbox.people.adopt(held.sandbox.world.bot)
    assert "is a bot" in (await ana.use("Coyote stats", machine)).text
    assert "is a bot" in (await ana.use("Versus me", machine)).text


async def test_history_and_its_pages(held: Evening) -> None:
    ana, ben, *_, newcomer = held.people
    message = shown(await ana.slash("history"))
    assert "60 games" in message.text
    assert [int(each) for each in re.findall(r"\*\*#(\d+)\*\*", message.text)] == list(range(60, 50, -1))
    assert (await ana.click(message, "Next")).changed == [message]
    assert "**#50**" in message.text
    copy = shown(await ben.click(message, "Next"))
    assert copy.only == ben.id
    assert "**#40**" in copy.text
    assert "**#50**" in message.text
    mine = shown(await ben.slash("history", player=ben, private=True))
    assert mine.only == ben.id
    assert f"{ben.mention}'s games" in mine.text
    assert "**#1**" in shown(await ana.slash("history", page=9999)).text
    assert "hasn't finished" in (await ana.slash("history", player=newcomer)).text


async def test_a_player_who_opted_out_is_not_shown(held: Evening) -> None:
    ana, ben, *_ = held.people
    assert await held.bot.stop() == 0
    store = await SqliteStore.open(held.bot.database, BEGIN)
    await store.stats.set_opted_out(UserId(int(ben.id)), True)
    await store.close()
    await held.bot.start()
    kindly = await ana.slash("stats", player=ben)
    assert "would rather not be counted" in kindly.text
    assert shown(kindly).only == ana.id
    own = await ben.slash("stats")
    assert "You keep out of statistics" in own.text
    assert "/privacy" in own.text
    assert "Rating" not in own.text
    assert "would rather not" in (await ana.slash("versus", a=ben)).text
    assert "would rather not" in (await ana.slash("history", player=ben)).text
    for page in range(1, 7):
        assert ben.mention not in (await ana.slash("history", page=page)).text, "older games do not name them either"
    for page in (1, 2):
        assert ben.id not in {user for _, user, _ in lines(await board(ana, page=page))}
    assert ben.mention not in (await board(ben)).text


async def test_a_server_manager_closes_a_season_after_confirming(held: Evening) -> None:
    ana, ben, *_ = held.people
    role = held.sandbox.world.add_role(held.guild, "Manager", Permission.MANAGE_GUILD)
    held.sandbox.world.grant(held.guild, ana.user, role)
    asked = shown(await ana.slash("season close"))
    assert asked.only == ana.id
    assert "Close season 1?" in asked.text
    refused = await ben.forge(await board(ben), "c1:0:0:season:1")
    assert "Manage Server" in refused.text
    assert shown(refused).only == ben.id
    held.sandbox.world.set_role_permissions(held.guild, role, 0)
    assert "Manage Server" in (await ana.click(asked, "Close season 1")).text
    held.sandbox.world.set_role_permissions(held.guild, role, int(Permission.MANAGE_GUILD))
    done = await ana.click(asked, "Close season 1")
    assert "Season 1 is closed, and season 2 has begun" in done.text
    public = await ana.wait_for(lambda: next(iter(done.appeared), None))
    assert not public.ephemeral
    assert "Season 1 is over" in public.text
    assert len(lines(public)) == 10
    await ana.wait_for(lambda: public.files)
    assert [file["filename"] for file in public.files] == ["leaderboard.png"]
    assert "closed already" in (await ana.forge(asked, "c1:0:0:season:1")).text
    assert "nothing to close" in (await ana.forge(asked, "c1:0:0:season:2")).text
    assert "nothing to close" in (await ana.slash("season close")).text
    kept = await board(ben, period="season 1")
    assert lines(kept) == lines(public)
    assert "Nobody is ranked" in (await board(ben, period="season 2")).text


async def test_forged_presses_are_refused_and_change_nothing(held: Evening) -> None:
    ana, ben, *_ = held.people
    message = await board(ana)
    before = message.text
    forged = [
        "c1:0:1:board:by",
        "c1:0:2:board:rating.any",
        "c1:0:2:board:rating.any.2026-13",
        "c1:0:2:board:rating_DESC.any.all",
        "c1:0:1:stats:0.any.all",
        "c1:0:1:stats:x",
        "c1:0:1:stats:99999999999999999999",
        "c1:0:1:stats:9223372036854775808.any.all",
        "c1:0:1:versus:9223372036854775808.1.any.all",
        "c1:0:1:history:99999999999999999999",
        "c1:0:1:privacy:export.1",
        "c1:0:1:privacy:1",
        "c1:0:0:privacy",
        "c1:0:1:versus:1.2",
        "c1:0:1:history:nobody",
        "c1:0:1:replay:0.0.all",
        "c1:0:1:replay:1.0.-1",
        "c1:0:0:replay:9999999",
        "c1:nosuch:0:replay",
        "c1:0:0:season:1e9",
        "c1:0:0:season",
        f"c1:0:1:stats:{held.people[12].id}",
    ]
    for custom_id in forged:
        answer = await ben.forge(message, custom_id)
        assert answer.failed is None, custom_id
        assert answer.text, custom_id
        assert "went wrong" not in answer.text, custom_id
        assert shown(answer).only == ben.id, custom_id
    beyond = await ana.forge(message, "c1:0:1:replay:5.99999.99")
    assert "Game #5" in beyond.text
    assert "round" in beyond.text
    # A forged button that is not on the message cannot change it, not even for the user who owns the message.
    assert shown(await ana.forge(message, f"c1:0:1:history:{ana.id}")).only == ana.id
    assert message.text == before


async def test_a_leaderboard_does_not_wait_for_a_slow_discord(held: Evening) -> None:
    """The leaderboard is shown at once with everybody, then redrawn without members who have left."""
    ana, ben, *_ = held.people
    before = lines(await board(ana))
    best = next(user for _, user, _ in before if user not in (ana.id, ben.id))
    next(person for person in held.people if person.id == best).leave(held.guild)
    await held.bot.restart()
    held.sandbox.faults.on(MEMBER, Slow(0.4), times=50)
    message = await board(ana)
    assert best in {user for _, user, _ in lines(message)}
    await ana.wait_for(lambda: best not in {user for _, user, _ in lines(message)})
    assert len(lines(message)) == 10


async def test_the_house_rules_set_the_number_of_games_to_be_ranked(held: Evening) -> None:
    ana, ben, *_ = held.people
    role = held.sandbox.world.add_role(held.guild, "Manager", Permission.MANAGE_GUILD)
    held.sandbox.world.grant(held.guild, ana.user, role)
    assert "of 12 with" in (await board(ben)).text
    await ana.slash("houserules set", key="ranked_after", value="50")
    after = await board(ben)
    assert "It takes 50 games that count" in after.text
    assert "16 games. Ranked after 34 more games." in after.text
    await ana.slash("houserules set", key="ranked_after", value="1")
    assert "of 12 with" in (await board(ben)).text

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from sandbox import posting
from tests.page.stage import Stage, stage

Json = dict[str, Any]


class Line:
    """The page's side of the socket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.pushed: list[Json] = []
        self.number = 0

    async def ask(self, op: str, **body: Any) -> Json:
        self.number += 1
        await self.socket.send_json({"op": op, "n": self.number, **body})
        while True:
            got: Json = await self.socket.receive_json(timeout=5)
            if got["op"] == "reply":
                assert got["n"] == self.number
                return got
            self._note(got)

    async def push(self) -> Json:
        while not self.pushed:
            self._note(await self.socket.receive_json(timeout=5))
        return self.pushed.pop(0)

    def _note(self, got: Json) -> None:
        if got["op"] != "bot":  # may arrive at any time
            self.pushed.append(got)


@asynccontextmanager
async def line(here: Stage) -> AsyncIterator[Line]:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{here.url}page/ws") as socket:
        yield Line(socket)


async def test_the_first_message_lists_the_people() -> None:
    async with stage("Ana", "Ben") as here, line(here) as page:
        hello = await page.push()
        assert [each["user"]["global_name"] for each in hello["people"]] == ["Sam", "Ana", "Ben"]


async def test_an_ephemeral_message_reaches_only_its_reader() -> None:
    async with stage("Ana", "Ben") as here, line(here) as page:
        await page.push()
        ana, ben = here.people["Ana"], here.people["Ben"]
        await page.ask("watch", person=ana.id)
        await page.ask("watch", person=ben.id)
        posting.post(here.world, here.games, here.world.bot, {"content": "your secret"}, only=ana.id)
        posting.post(here.world, here.games, here.world.bot, {"content": "for all"})
        seen = [await page.push() for _ in range(3)]
        contents = sorted((each["person"] == ana.id, each["d"]["content"]) for each in seen)
        assert contents == [(False, "for all"), (True, "for all"), (True, "your secret")]
        history = (await page.ask("history", person=ben.id, channel=here.games.id))["data"]
        assert [each["content"] for each in history["messages"]] == ["for all"]
        assert history["complete"]


async def test_news_for_a_person_who_is_not_shown_is_a_nudge_without_content() -> None:
    async with stage("Ana") as here, line(here) as page:
        await page.push()
        ana = here.people["Ana"]
        posting.post(here.world, ana.open_dm(), here.world.bot, {"content": "your secret"})
        assert await page.push() == {"op": "nudge", "person": ana.id}


async def test_a_dm_of_somebody_else_cannot_be_read() -> None:
    async with stage("Ana", "Ben") as here, line(here) as page:
        channel = here.people["Ana"].open_dm()
        reply = await page.ask("history", person=here.people["Ben"].id, channel=channel.id)
        assert not reply["ok"]


async def test_people_can_be_added_and_renamed() -> None:
    async with stage() as here, line(here) as page:
        await page.push()
        added = await page.ask("add_person", name="  Dmitri ", locale="ru")
        assert here.people["Dmitri"].locale == "ru"
        await page.ask("change_person", person=added["data"]["id"], name="Dima", locale="uk", dms_open=False)
        person = here.people["Dima"]
        assert (person.locale, person.dms_open) == ("uk", False)
        assert page.pushed[-1]["people"][-1]["user"]["global_name"] == "Dima"
        for name in ("", " ", "x" * 33):
            assert not (await page.ask("add_person", name=name))["ok"]


async def test_odd_requests_are_refused_and_do_no_harm() -> None:
    async with stage() as here, line(here) as page:
        you = here.people["Sam"].id
        message = posting.post(here.world, here.games, here.world.bot, {"content": "x"})
        odd: list[Json] = [
            {"op": "history"},
            {"op": "history", "person": you, "channel": "1"},
            {"op": "nonsense", "person": you, "channel": here.games.id},
            {"op": "_message", "person": you, "channel": here.games.id},
            {"op": "click", "person": you, "channel": here.games.id},
            {"op": "history", "person": you, "channel": here.games.id, "limit": "many"},
            {"op": "history", "person": you, "channel": here.games.id, "before": "soon"},
            {"op": "slash", "person": you, "channel": here.games.id, "command": ""},
            {"op": "submit", "person": you, "channel": here.games.id, "modal": "1", "values": {}},
            {"op": "react", "person": you, "channel": here.games.id, "message": message.id, "emoji": "🐺"},
        ]
        for each in odd:
            op = each.pop("op")
            assert not (await page.ask(op, **each))["ok"]
        await page.socket.send_str("[")
        await page.socket.send_str("[]")
        assert (await page.ask("say", person=you, channel=here.games.id, content="still here"))["ok"]


async def test_events_reach_the_page_in_order() -> None:
    async with stage("Ana") as here, line(here) as page:
        await page.push()
        await page.ask("watch", person=here.people["Sam"].id)
        for number in range(20):
            await here.people["Ana"].say(f"message {number}")
            assert (await page.push())["d"]["content"] == f"message {number}"

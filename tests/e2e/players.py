"""Simulated people who play whole games and know only what their clients show."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from tests.e2e.harness import Evening

TURN = re.compile(r"^## <@(\d+)>'s turn", re.M)
TO_BET = re.compile(r"Still to bet: (.*)")
BEAT = re.compile(r"Bid to beat: \*\*(−?\d+)\*\*")
LOWEST = re.compile(r"name a number, (−?\d+) or more")
PATIENCE = 60.0
"""Seconds to wait for the bot to react."""

Hook = Callable[[str], Awaitable[None]]


def newest(reader: Person) -> Message | None:
    """Return the newest public bot message with buttons in the reader's channel: the table message."""
    for message in reversed(reader.read(limit=30)):
        if message.buttons and message.author_id == reader.world.bot.id and not message.ephemeral:
            return message
    return None


def phase(message: Message | None) -> str:
    """Return the phase of the game that the table message shows."""
    if message is None:
        return "nothing"
    labels = {each.get("label") for each in message.buttons}
    if "Rematch" in labels or "To the rematch" in labels:
        return "over"
    if "Start" in labels:
        return "lobby"
    if "Deal now" in labels:
        return "between"
    if "Still to bet" in message.text:
        return "bets"
    return "bidding" if TURN.search(message.text) else "still"


def label_of(part: dict[str, Any]) -> str:
    return str(part.get("label") or "")


class Game:
    """One game from the lobby to the winner; `way` is "buttons" or "commands"."""

    def __init__(
        self,
        evening: Evening,
        players: list[Person],
        way: str = "buttons",
        seed: int = 0,
        onlookers: Sequence[Person] = (),
    ) -> None:
        self.evening = evening
        self.players = players
        self.onlookers = onlookers
        self.way = way
        self.rng = Random(seed)
        self.acts = 0
        self.by_id = {person.id: person for person in players}
        self.visited: set[str] = set()

    async def play(self, hook: Hook | None = None, **options: object) -> Message:
        """Open a table, seat everybody, play to the end; return the final message."""
        host, *others = self.players
        shown = await self._ok(host.slash("coyote new", **options))
        assert shown.message is not None, shown.text
        # On a busy machine the answer is deferred, and the table message arrives separately.
        message = await host.wait_for(lambda: newest(host), PATIENCE)
        for person in others:
            await self._ok(person.click(message, "Join") if self.way == "buttons" else person.slash("coyote join"))
        await self._visit("lobby", hook)
        await self._ok(host.click(message, "Start") if self.way == "buttons" else host.slash("coyote start"))
        return await self.go_on(hook)

    async def go_on(self, hook: Hook | None = None) -> Message:
        """Play the running game until somebody has won."""
        while True:
            message = newest(self.players[0])
            now = phase(message)
            if message is not None and now != "lobby":
                if now != "still":
                    await self._visit(now, hook)
                if now == "over":
                    return message
                fresh = newest(self.players[0])
                if fresh is message and phase(message) == now and now in ("bets", "bidding"):
                    await (self._bet(message) if now == "bets" else self._turn(message))
                    continue
                if fresh is not message:
                    continue
            await self._changed(message)

    async def _visit(self, now: str, hook: Hook | None) -> None:
        if now not in self.visited:
            self.visited.add(now)
            if hook is not None:
                await hook(now)

    async def _ok(self, act: Awaitable[Shown]) -> Shown:
        shown = await act
        assert not shown.failed, (shown.failed, self.evening.bot.said[-4000:])
        assert "went wrong" not in shown.text, shown.text
        return shown

    async def _sees(self, person: Person, answer: Shown) -> None:
        """Wait until the answer shows the private look.

        On a busy machine the answer is deferred, or the round has ended before the table shows it.
        """
        try:
            await person.wait_for(lambda: "what you see" in answer.text or "Between rounds" in answer.text, PATIENCE)
        except TimeoutError:
            raise AssertionError(f"no look: {answer.text!r}") from None

    async def _changed(self, message: Message | None) -> None:
        """Wait until the table message changes or is replaced."""
        version = None if message is None else message.version

        def look() -> bool:
            now = newest(self.players[0])
            return now is not message or (now is not None and now.version != version)

        try:
            await self.players[0].wait_for(look, PATIENCE)
        except TimeoutError:
            shown = "" if message is None else message.text
            raise AssertionError(f"nothing happens after {self.acts} acts:\n{shown}") from None

    async def _turn(self, message: Message) -> None:
        found = TURN.search(message.text)
        assert found is not None
        person = self.by_id[found[1]]
        before = message.version
        try:
            if self.rng.random() < (0.1 if person.dms_open else 0.8):
                looked = person.click(message, "Look") if self.way == "buttons" else person.slash("coyote look")
                await self._sees(person, await self._ok(looked))
            if self.onlookers and self.rng.random() < 0.15:
                await self._look_on(message)
            shown = await self._ok(self._move(person, message))
        except Refused:
            return  # the turn timed out first, so the button is gone
        anyway = [each for answer in shown.appeared for each in answer.buttons if label_of(each).endswith("anyway")]
        if anyway:
            await self._ok(person.click(shown.appeared[0], label_of(anyway[0])))
        self.acts += 1
        if message.version == before and newest(self.players[0]) is message:
            await self._changed(message)

    async def _look_on(self, message: Message) -> None:
        """Let a random player or bystander press "Look", whether or not it is their turn."""
        person = self.rng.choice([*self.players, *self.onlookers])
        await self._ok(person.click(message, "Look") if self.way == "buttons" else person.slash("coyote look"))

    async def _bet(self, message: Message) -> None:
        waiting = TO_BET.search(message.text)
        assert waiting is not None
        sides = [each for each in message.buttons if ":bet:" in each.get("custom_id", "")]
        for user in re.findall(r"<@(\d+)>", waiting[1]):
            person, side = self.by_id[user], self.rng.choice(sides)
            if self.way == "commands":
                choices = await person.autocomplete("coyote act", "action", "")
                offered = [each["value"] for each in choices]
                if offered:
                    await self._ok(person.slash("coyote act", action=self.rng.choice(offered)))
            else:
                await self._ok(person.click(message, side["custom_id"]))
            self.acts += 1
        if newest(self.players[0]) is message and phase(message) == "bets":
            await self._changed(message)

    async def _move(self, person: Person, message: Message) -> Shown:
        labels = [label_of(each) for each in message.buttons]
        menu = next((each for each in message.components if each["type"] == 3), None)
        dice = self.rng.random()
        if "Coyote!" in labels and dice < 0.5:
            return await (person.slash("coyote call") if self.way == "commands" else person.click(message, "Coyote!"))
        if dice > 0.7:
            special = await self._special(person, message, menu, labels)
            if special is not None:
                return special
        bids = [each for each in message.buttons if ":bid:" in each.get("custom_id", "")]
        number = int(label_of(self.rng.choice(bids)).replace("−", "-")) if bids else self._lowest(message)
        if self.way == "commands":
            return await person.slash("coyote bid", number=number)
        if bids and dice < 0.65:
            return await person.click(message, str(number))
        form = await self._ok(person.click(message, "Bid…"))
        if form.modal is None:
            return form
        return await person.submit(form, number=str(number))

    def _lowest(self, message: Message) -> int:
        for pattern, more in ((BEAT, 1), (LOWEST, 0)):
            found = pattern.search(message.text)
            if found is not None:
                return int(found[1].replace("−", "-")) + more
        return 1

    async def _special(
        self, person: Person, message: Message, menu: dict[str, Any] | None, labels: list[str]
    ) -> Shown | None:
        if self.way == "commands":
            return await self._typed(person, message)
        for name in ("Peek", "Coyote card"):
            if name in labels and self.rng.random() < 0.5:
                return await person.click(message, name)
        if menu is None:
            return None
        value = self.rng.choice(menu["options"])["value"]
        shown = await self._ok(person.select(message, menu["custom_id"], value))
        if shown.modal is None:
            return shown
        fields: dict[str, Any] = {}
        for part in shown.modal.fields:
            if part["type"] == 3:
                fields[part["custom_id"]] = self.rng.choice(part["options"])["value"]
            else:
                fields[part["custom_id"]] = str(self._lowest(message))
        return await person.submit(shown, fields)

    async def _typed(self, person: Person, message: Message) -> Shown | None:
        choices = await person.autocomplete("coyote act", "action", "")
        if not choices:
            return None
        action = self.rng.choice(choices)["value"]
        options: dict[str, Any] = {"action": action}
        if action.startswith("bid."):
            options["value"] = str(self._lowest(message))
        if action == "coin.guess":
            options["value"] = "5"
        if action not in ("bid.extra", "bid.next"):
            return await person.slash("coyote act", **options)
        # At a big table the list has no room for the targets, so the target is an option of its own.
        for target in self.rng.sample(self.players, len(self.players)):
            shown = await self._ok(person.slash("coyote act", **options, target=target))
            if "what you see" in shown.text:
                return shown
        raise AssertionError(f"{action} was offered, but nobody can be named for it")


async def quiet(seconds: float = 0.3) -> None:
    """Wait for messages that are still on their way."""
    await asyncio.sleep(seconds)

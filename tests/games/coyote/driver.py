"""How people play Coyote with the bot: by buttons and forms, or by commands."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from tests.e2e import players
from tests.e2e.driver import Driver, Move
from tests.e2e.players import Game, label_of, newest
from tests.games.coyote.leaks import ROUND, CoyoteLeaks

if TYPE_CHECKING:
    from tests.e2e.harness import Evening

TURN = re.compile(r"^## <@(\d+)>'s turn", re.M)
TO_BET = re.compile(r"Still to bet: (.*)")
BEAT = re.compile(r"Bid to beat: \*\*(−?\d+)\*\*")
LOWEST = re.compile(r"name a number, (−?\d+) or more")


class CoyoteDriver(Driver):
    """Bids, calls, bets and special actions, most of them on the table message."""

    name = "coyote"
    group = "coyote"
    short: ClassVar = {"coins": 2}
    quickest: ClassVar = {"edition": "scout", "coins": 2}
    replayed: ClassVar = {"coins": 2, "actions": False}
    long: ClassVar = {"coins": 5}
    suggested = ("coyote act", "action")
    look = "what you see"
    look_between = "Between rounds"
    side = "you're watching"
    reveal = "calls Coyote on"
    acting = frozenset({"bidding", "bets"})
    leak_check = CoyoteLeaks
    kinds: ClassVar = {
        f"{edition}-{'variant' if variant else 'plain'}": {"edition": edition, "actions": variant}
        for edition in ("scout", "tomahawk", "feathers", "peek")
        for variant in (False, True)
    }
    sizes = (2, 3, 4, 5, 6, 12)
    kills = ("bidding", "bets", "between")

    def is_possible(self, kind: str, players: int, kill: str) -> bool:
        """Bets need the variant of `peek`, and every edition a minimum of players."""
        if kill == "bets" and kind != "peek-variant":
            return False
        return players >= (2 if kind.startswith(("scout", "tomahawk")) else 3)

    def options(self, kind: str, players: int, *, full: bool) -> Mapping[str, Any]:
        """Allow for many players, and shorten games of four and more."""
        seats = {"seats": players} if players > 6 else {}
        return {**self.kinds[kind], **seats, **(self.short if players >= 4 and not full else {})}

    def phase(self, message: Message) -> str:
        """Tell bidding and bets apart."""
        if "Still to bet" in message.text:
            return "bets"
        return "bidding" if TURN.search(message.text) else "still"

    def asked(self, message: Message) -> Sequence[str]:
        """Find the player in turn, or those who have not bet yet."""
        betting = TO_BET.search(message.text)
        return TURN.findall(message.text) if betting is None else re.findall(r"<@(\d+)>", betting[1])

    def round_of(self, message: Message) -> int | None:
        """Read it in the small line on top."""
        found = ROUND.search(message.text)
        return None if found is None else int(found[1])

    def whose_turn(self, turn: Person) -> str:
        """Say it as for a bid."""
        return f"It's {turn.mention}'s turn"

    def move(self, person: Person, message: Message, *, on: Message | None = None) -> Move:
        """Bid what one of the buttons offers: 5 if it is there."""
        bids = {label_of(each): each["custom_id"] for each in message.buttons if ":bid:" in each.get("custom_id", "")}
        number = "5" if "5" in bids else next(iter(bids))

        def press() -> Awaitable[Shown]:
            return person.click(message, number) if on is None else person.forge(on, bids[number])

        return Move(person, press, f"Bid to beat: **{number}**")

    def command(self, person: Person, message: Message) -> Move:
        """Bid 5."""
        return Move(person, lambda: person.slash("coyote bid", number=5), "Bid to beat: **5**")

    def early(self, person: Person, message: Message) -> Sequence[Callable[[], Awaitable[Shown]]]:
        """Bid 30, and doubt a bid."""
        return [lambda: person.slash("coyote bid", number=30), lambda: person.slash("coyote call")]

    async def form(self, person: Person, message: Message) -> tuple[Callable[[], Awaitable[Shown]], str]:
        """Bid 5 in the form."""
        shown = await person.click(message, "Bid…")
        return lambda: person.submit(shown, number="5"), "Bid to beat: **5**"

    def forged(self, table: str) -> Sequence[str]:
        """Impossible bids, and everything that is not open at the first turn."""
        presses = ("bid:99999", "bid:x", "bet:1", "bet:x", "call", "act:deal", "act:leave", "act:bid.extra")
        forms = ("act:coin.guess", "form:yes", "form:next", "form:<@1>")
        return [f"c1:{table}:{prompt}:{press}" for press in (*presses, *forms) for prompt in (1, 999)]

    async def type_move(self, held: Evening) -> str:
        """Bid one more than the highest bid."""
        number = lowest_bid((await held.slash(held.people[0], "look")).text)
        for person in held.people:
            sign = f"Bid to beat: **{number}**"
            if sign in (await held.slash(person, "bid", number=number)).text:
                return sign
        raise AssertionError("it is nobody's turn")

    async def last_move(self, people: Sequence[Person], message: Message) -> Move:
        """Let one player bid; the next one can call."""
        bid = self.move(_in_turn(people, message), message)
        await bid.press()
        await bid.by.wait_for(lambda: bid.is_shown(message))
        caller = _in_turn(people, message)
        return Move(caller, lambda: caller.click(message, "Coyote!"), self.reveal)

    async def act(self, game: Game, message: Message) -> None:
        """Bid, call, bet or use a special action."""
        await (_bet(game, message) if self.phase(message) == "bets" else _turn(game, message))


def _in_turn(people: Sequence[Person], message: Message) -> Person:
    (user,) = TURN.findall(message.text)
    return next(person for person in people if person.id == user)


def lowest_bid(text: str) -> int:
    """Return the lowest bid that is possible, as a table message or a look says it."""
    for pattern, more in ((BEAT, 1), (LOWEST, 0)):
        found = pattern.search(text)
        if found is not None:
            return int(found[1].replace("−", "-")) + more
    return 1


async def _turn(game: Game, message: Message) -> None:
    found = TURN.search(message.text)
    assert found is not None
    person = game.by_id[found[1]]
    before = message.version
    try:
        if game.rng.random() < (0.1 if person.dms_open else 0.8):
            await _sees(person, await game.look(person, message))
        if game.onlookers and game.rng.random() < 0.15:
            await game.look(game.rng.choice([*game.players, *game.onlookers]), message)
        shown = await game.ok(_move(game, person, message))
    except Refused:
        return  # the turn timed out first, so the button is gone
    anyway = [each for answer in shown.appeared for each in answer.buttons if label_of(each).endswith("anyway")]
    if anyway:
        await game.ok(person.click(shown.appeared[0], label_of(anyway[0])))
    game.acts += 1
    if message.version == before and newest(game.players[0]) is message:
        await game.changed(message)


async def _sees(person: Person, answer: Shown) -> None:
    """Wait until the answer shows the private look.

    On a busy machine the answer is deferred, or the round has ended before the table shows it.
    """
    try:
        await person.wait_for(
            lambda: "what you see" in answer.text or "Between rounds" in answer.text, players.PATIENCE
        )
    except TimeoutError:
        raise AssertionError(f"no look: {answer.text!r}") from None


async def _bet(game: Game, message: Message) -> None:
    waiting = TO_BET.search(message.text)
    assert waiting is not None
    sides = [each for each in message.buttons if ":bet:" in each.get("custom_id", "")]
    for user in re.findall(r"<@(\d+)>", waiting[1]):
        person, side = game.by_id[user], game.rng.choice(sides)
        if game.way == "commands":
            choices = await person.autocomplete("coyote act", "action", "")
            offered = [each["value"] for each in choices]
            if offered:
                await game.ok(person.slash("coyote act", action=game.rng.choice(offered)))
        else:
            await game.ok(person.click(message, side["custom_id"]))
        game.acts += 1
    if newest(game.players[0]) is message and TO_BET.search(message.text):
        await game.changed(message)


async def _move(game: Game, person: Person, message: Message) -> Shown:
    labels = [label_of(each) for each in message.buttons]
    menu = next((each for each in message.components if each["type"] == 3), None)
    dice = game.rng.random()
    if "Coyote!" in labels and dice < 0.5:
        return await (person.slash("coyote call") if game.way == "commands" else person.click(message, "Coyote!"))
    if dice > 0.7:
        special = await _special(game, person, message, menu, labels)
        if special is not None:
            return special
    bids = [each for each in message.buttons if ":bid:" in each.get("custom_id", "")]
    number = int(label_of(game.rng.choice(bids)).replace("−", "-")) if bids else lowest_bid(message.text)
    if game.way == "commands":
        return await person.slash("coyote bid", number=number)
    if bids and dice < 0.65:
        return await person.click(message, str(number))
    form = await game.ok(person.click(message, "Bid…"))
    if form.modal is None:
        return form
    return await person.submit(form, number=str(number))


async def _special(
    game: Game, person: Person, message: Message, menu: dict[str, Any] | None, labels: list[str]
) -> Shown | None:
    if game.way == "commands":
        return await _typed(game, person, message)
    for name in ("Peek", "Coyote card"):
        if name in labels and game.rng.random() < 0.5:
            return await person.click(message, name)
    if menu is None:
        return None
    value = game.rng.choice(menu["options"])["value"]
    shown = await game.ok(person.select(message, menu["custom_id"], value))
    if shown.modal is None:
        return shown
    fields: dict[str, Any] = {}
    for part in shown.modal.fields:
        if part["type"] == 3:
            fields[part["custom_id"]] = game.rng.choice(part["options"])["value"]
        else:
            fields[part["custom_id"]] = str(lowest_bid(message.text))
    return await person.submit(shown, fields)


async def _typed(game: Game, person: Person, message: Message) -> Shown | None:
    choices = await person.autocomplete("coyote act", "action", "")
    if not choices:
        return None
    action = game.rng.choice(choices)["value"]
    options: dict[str, Any] = {"action": action}
    if action.startswith("bid."):
        options["value"] = str(lowest_bid(message.text))
    if action == "coin.guess":
        options["value"] = "5"
    if action not in ("bid.extra", "bid.next"):
        return await person.slash("coyote act", **options)
    # At a big table the list has no room for the targets, so the target is an option of its own.
    for target in game.rng.sample(game.players, len(game.players)):
        shown = await game.ok(person.slash("coyote act", **options, target=target))
        if "what you see" in shown.text:
            return shown
    raise AssertionError(f"{action} was offered, but nobody can be named for it")

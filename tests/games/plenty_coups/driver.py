"""How people play Plenty Coups with the bot: by selects, buttons and forms, or by commands."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from tests.e2e.driver import Driver, Move
from tests.e2e.players import Game, newest, prompt_of
from tests.games.plenty_coups.leaks import PlentyCoupsLeaks

if TYPE_CHECKING:
    from tests.e2e.harness import Evening

ROUND = re.compile(r"^-# 🐎 Plenty Coups · round (\d+) of \d+ · (summer|winter)\b", re.M)
TURN = re.compile(r"^## \S+ <@(\d+)>'s turn$", re.M)
ANSWERS = re.compile(r"(?:lays a card before|disdains) \S+ <@(\d+)>, who", re.M)
THIRD = re.compile(r"^<@(\d+)> decides for \S+ \S+ in this round\.$", re.M)
THINKING = "thinking…"
PHASES = (
    ("take", re.compile(r"^Takes (?:one card|\d cards) from the offer", re.M)),
    ("hunt", re.compile(r"^Back from the hunt", re.M)),
    ("gift", re.compile(r"lays a card before .*, who gives one in return", re.M)),
    ("disdain", re.compile(r"disdains .*, who proves their worth", re.M)),
)
COMMANDS = {"take": ("take", "cards"), "gift": ("answer", "answer"), "disdain": ("answer", "answer")}
"""The command for each phase, and the option that names the move."""
PLAY = ("play", "move")
UNDO = "undo"
CAMP = re.compile(r"^\S+ \*\*\w+\*\* · <@(\d+)>", re.M)
PLAIN = {
    "take": "{} takes **",
    "hunt_discard": "{} comes back from the hunt",
    "hunt": "{} discards **",
}
"""Moves that are always possible in their phase, and how the table tells of them."""
STALE = "The table has moved on"
"""Begins the answer to a press on a hand that had not followed the table yet."""
UNDO_CHANCE = 0.1
"""How likely people are to take back an action, if they can."""


class PlentyCoupsDriver(Driver):
    """Cards are taken in public, everything else is chosen in the private hand."""

    name = "plenty-coups"
    group = "plenty"
    short: ClassVar = {"rules": "rounds=3"}
    quickest: ClassVar = {"rules": "rounds=3"}
    replayed: ClassVar = {"rules": "rounds=3"}
    suggested = ("plenty play", "move")
    look_command = "hand"
    look = "your hand"
    move_shows_look = True
    side = "you're watching"
    reveal = "is over"
    acting = frozenset({"take", "act", "hunt", "gift", "disdain", "round", "winter"})
    leak_check = PlentyCoupsLeaks
    kinds: ClassVar = {
        "short": {"rules": "rounds=3"},
        "whole": {},
        "other": {"rules": "rounds=3, winter_hunting=off, decline_when_able=off, accepter_gains=on"},
    }
    sizes = (2, 3, 4, 6)
    kills = ("take", "act", "hunt", "gift", "disdain", "round", "winter")

    def is_possible(self, kind: str, players: int, kill: str) -> bool:
        """Kill only short games, and play the others without: they take long."""
        return kind == "short" or (kill == "never" and (kind == "whole" or players <= 4))

    def is_quick(self, kind: str, players: int) -> bool:
        """Leave whole games with a full table to the soak run."""
        return kind != "whole" or players <= 4

    def options(self, kind: str, players: int, *, full: bool) -> Mapping[str, Any]:
        """Every kind says itself how long it lasts."""
        return self.kinds[kind]

    def phase(self, message: Message) -> str:
        """Tell what is asked; the first question of the second round and all of winter have names of their own."""
        number = self.round_of(message)
        if number is None or not self.asked(message):
            return "still"
        if is_winter(message):
            return "winter"
        found = asked_for(message)
        return "round" if (number, found) == (2, "take") else found

    def asked(self, message: Message) -> Sequence[str]:
        """Find who decides for the third tribe, who must answer, or the player in turn."""
        if self.round_of(message) is None or THINKING in message.text:
            return []
        text = message.text
        for pattern in (THIRD, ANSWERS):
            if (asked_for(message) in ("gift", "disdain") or pattern is THIRD) and pattern.search(text):
                return pattern.findall(text)[:1]
        return [] if asked_for(message) in ("gift", "disdain") else TURN.findall(text)

    def round_of(self, message: Message) -> int | None:
        """Read it in the small line on top, of a message in which somebody can act."""
        found = ROUND.search(message.text)
        return None if found is None else int(found[1])

    def whose_turn(self, turn: Person) -> str:
        """Say for whom the table waits."""
        return f"The table waits for {turn.mention} now"

    def move(self, person: Person, message: Message, *, on: Message | None = None) -> Move:
        """Take the first cards of the offer, which everybody can press; later in a turn, go hunting."""
        taking = select_in(message)
        if taking is None:
            discards = asked_for(message) == "hunt"
            sign = "discards" if discards else "goes hunting"
            return Move(person, lambda: _choose(person, "hunt_discard" if discards else "hunt"), sign)
        value = taking["options"][0]["value"]

        def press() -> Awaitable[Shown]:
            if on is None:
                return person.select(message, taking["custom_id"], value)
            return person.forge(on, taking["custom_id"], kind=3, values=[value])

        return Move(person, press, "2 actions left")

    def command(self, person: Person, message: Message) -> Move:
        """Take the first cards that the select on the table message has."""
        taking = select_in(message)
        assert taking is not None
        value = taking["options"][0]["value"]
        return Move(person, lambda: person.slash("plenty take", cards=value), "2 actions left")

    def early(self, person: Person, message: Message) -> Sequence[Callable[[], Awaitable[Shown]]]:
        """Take the last cards of the offer, which stay there."""
        taking = select_in(message)
        assert taking is not None
        value = taking["options"][-1]["value"]
        return [lambda: person.slash("plenty take", cards=value)]

    async def form(self, person: Person, message: Message) -> tuple[Callable[[], Awaitable[Shown]], str]:
        """Take cards, and exchange gifts in the form."""
        taking = self.command(person, message)
        await taking.press()
        await person.wait_for(lambda: taking.is_shown(message))
        shown = await person.slash("plenty play", move="form.gift")
        assert shown.modal is not None, shown.text
        fields = {part["custom_id"]: part["options"][0]["value"] for part in shown.modal.fields}
        return lambda: person.submit(shown, fields), "lays a card before"

    def forged(self, table: str) -> Sequence[str]:
        """Moves that do not exist, cards that nobody has, and everything that is not open at the first turn."""
        moves = ("end", "decline", "undo", "take.horse", "raid.green.black9", "hunt.stick", "form.raid", "x")
        presses = [*(f"move:{move}" for move in moves), "move", "undo", "filled:gift", "filled:x", "filled"]
        return [f"c1:{table}:{prompt}:{press}" for press in presses for prompt in (999, 998)]

    async def type_move(self, held: Evening) -> str:
        """Take, hunt or discard, as the player who is asked."""
        for person in held.people:
            for kind, sign in PLAIN.items():
                if await _type(person, kind):
                    return sign.format(person.mention)
        raise AssertionError("nobody can take, hunt or discard")

    async def last_move(self, people: Sequence[Person], message: Message) -> Move:
        """Let everybody take cards and hunt twice, by command; the last discard of the round is left."""
        order = [next(each for each in people if each.id == user) for user in CAMP.findall(message.text)]
        turn = ("take", "hunt", "hunt_discard", "hunt", "hunt_discard")
        *moves, (last, kind) = [(person, kind) for person in order for kind in turn]
        for person, each in moves:
            assert await _type(person, each), (person, each)
        hand = (await last.slash("plenty hand")).message
        assert hand is not None
        await last.wait_for(lambda: asked_for(message) == "hunt" and self.asked(message) == [last.id])
        return Move(last, lambda: _pick(last, hand, kind), self.reveal)

    async def act(self, game: Game, message: Message) -> None:
        """Make any move that the client offers."""
        (user,) = self.asked(message)
        person, before = game.by_id[user], message.version
        if game.onlookers and game.rng.random() < 0.1:
            await game.look(game.rng.choice([*game.players, *game.onlookers]), message)
        move = _typed if game.way == "commands" else _pressed
        try:
            if not await move(game, person, message):
                return
        except Refused:
            return  # the time was up first, so the button is gone
        game.acts += 1
        if message.version == before and newest(game.players[0]) is message:
            await game.changed(message, before)


def is_winter(message: Message) -> bool:
    found = ROUND.search(message.text)
    return found is not None and found[2] == "winter"


def asked_for(message: Message) -> str:
    """Return what the table waits for."""
    return next((name for name, pattern in PHASES if pattern.search(message.text)), "act")


def select_in(message: Message) -> dict[str, Any] | None:
    """Return the select with moves on a message."""
    return next((each for each in message.components if each["type"] == 3 and prompt_of(each)), None)


def chosen(rng: Random, values: Sequence[str], aim: str | None) -> str:
    """Choose one of several moves: any kind of move is as likely as another, but the game's aim comes first."""
    kinds = sorted({_kind(value) for value in values})
    wanted = [kind for kind in kinds if kind == aim]
    kind = wanted[0] if wanted and rng.random() < 0.7 else rng.choice(kinds)
    sticks = [value for value in values if "stick" in value] if (kind, aim) == ("take", "disdain") else []
    return rng.choice(sticks or [value for value in values if _kind(value) == kind])


def _kind(value: str) -> str:
    return value.removeprefix("form.").split(".")[0]


async def _type(person: Person, kind: str) -> bool:
    """Type the first move of a kind that the client suggests; return whether there was one."""
    command, option = COMMANDS.get(kind, PLAY)
    name = f"plenty {command}"
    offered = [each["value"] for each in await person.autocomplete(name, option, kind.rsplit("_", maxsplit=1)[-1])]
    moves = [value for value in offered if _kind(value) == kind]
    if moves:
        shown = await person.slash(name, **{option: moves[0]})
        assert PlentyCoupsDriver.look in shown.text, shown.text
    return bool(moves)


async def _choose(person: Person, kind: str) -> Shown:
    """Open the hand by command, and choose the first move of a kind."""
    hand = (await person.slash("plenty hand")).message
    assert hand is not None
    return await _pick(person, hand, kind)


async def _pick(person: Person, hand: Message, kind: str) -> Shown:
    """Choose the first move of a kind in the select below a hand."""
    select = select_in(hand)
    assert select is not None, hand.text
    value = next(option["value"] for option in select["options"] if _kind(option["value"]) == kind)
    return await person.select(hand, select["custom_id"], value)


async def _typed(game: Game, person: Person, message: Message) -> bool:
    """Type a move that the client suggests; return whether there was one."""
    command, option = COMMANDS.get(asked_for(message), PLAY)
    name = f"{game.driver.group} {command}"
    # Not all moves fit into the list, so people also type how a move begins.
    begin = game.rng.choice(("", "", "hunt", "give", "disdain", "discard")) if command == "play" else ""
    offered = [each["value"] for each in await person.autocomplete(name, option, begin)]
    if not offered:
        return False
    moves = [value for value in offered if value != UNDO or game.rng.random() < UNDO_CHANCE] or offered
    shown = await game.ok(person.slash(name, **{option: chosen(game.rng, moves, game.aim)}))
    if shown.modal is not None:
        shown = await game.ok(person.submit(shown, _filled_in(shown, game.rng)))
    return STALE not in shown.text


async def _pressed(game: Game, person: Person, message: Message) -> bool:
    """Press something on the table message, or choose from the hand that the private look shows.

    Return whether something was chosen: the hand may be that of a moment before.
    """
    rng = game.rng
    public = [each for each in (*message.buttons, select_in(message)) if each is not None and _is_move(each)]
    if public and rng.random() < 0.5 and (rng.random() < UNDO_CHANCE or not _is_undo(public[0])):
        shown = await game.ok(_use(person, message, public[0], rng, game.aim))
        # Everybody sees "Decline", so it may be refused: some house rules ask for a proof if there is one.
        return not (public[0].get("custom_id", "").endswith(":decline") and shown.text)
    hand = _open_hand(person, message) if rng.random() < 0.8 else None
    if hand is None:
        shown = await game.ok(_look(game, person, message))
        hand = await person.wait_for(lambda: shown.message)
    parts = [each for each in (select_in(hand), *hand.buttons) if each is not None and _is_move(each)]
    parts = [each for each in parts if not _is_undo(each) or rng.random() < UNDO_CHANCE]
    if not parts:
        return False
    shown = await game.ok(_use(person, hand, rng.choice(parts), rng, game.aim))
    if shown.modal is not None:
        shown = await game.ok(person.submit(shown, _filled_in(shown, rng)))
    return STALE not in shown.text


def _is_move(part: dict[str, Any]) -> bool:
    return not part.get("disabled") and bool(re.search(r":(?:move|undo)(?::|$)", part.get("custom_id", "")))


def _is_undo(part: dict[str, Any]) -> bool:
    return str(part.get("custom_id", "")).endswith(":undo")


def _open_hand(person: Person, message: Message) -> Message | None:
    """Return a private message of this person that already offers moves for the question on the table."""
    asked = {prompt_of(each) for each in message.components} - {0}
    for private in reversed(person.private()):
        select = select_in(private)
        if select is not None and prompt_of(select) in asked:
            return private
    return None


def _look(game: Game, person: Person, message: Message) -> Awaitable[Shown]:
    """Open the hand: with the button that everybody has, or with that of an answer, at the table or below the ping."""
    pings = [each for each in person.pings() if each.buttons]
    places = [message, *pings[-1:]]
    buttons = [(each, part) for each in places for part in each.buttons if part.get("custom_id", "").endswith(":look")]
    place, button = game.rng.choice(buttons)
    return person.click(place, button["custom_id"])


def _use(person: Person, message: Message, part: dict[str, Any], rng: Random, aim: str | None) -> Awaitable[Shown]:
    if part["type"] == 2:
        return person.click(message, part["custom_id"])
    value = chosen(rng, [option["value"] for option in part["options"]], aim)
    return person.select(message, part["custom_id"], value)


def _filled_in(shown: Shown, rng: Random) -> dict[str, Any]:
    """Fill in a form at random; what may be left out is left out sometimes."""
    assert shown.modal is not None
    fields: dict[str, Any] = {}
    for part in shown.modal.fields:
        if part.get("required") is False and rng.random() < 0.5:
            continue
        fields[part["custom_id"]] = rng.choice(part["options"])["value"] if part["type"] == 3 else "Well, well."
    return fields

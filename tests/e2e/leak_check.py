"""Checks that no client was shown hidden cards before a reveal."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from bot.ai_players.characters import ROSTER
from bot.screens.custom_ids import parse
from sandbox.components import walk
from sandbox.events import Change
from sandbox.model import Channel
from sandbox.people import Person
from sandbox.server import Sandbox

Json = dict[str, Any]

NAME = rf"(<@\d+>|🤖 AI (?:{'|'.join(each.name for each in ROSTER)}))"
WEARS = re.compile(rf"^{NAME} \*\*([^*]+)\*\*(.*)$", re.M)
LOOK = re.compile(r"^### Round (\d+) · what you see", re.M)
SIDE = re.compile(r"^### Round (\d+), from the side", re.M)
ROUND = re.compile(r"^-# 🪶 Coyote · .* · round (\d+)$", re.M)
SEVERAL = re.compile(rf"{NAME}\*{{0,2}}(?: ←)?.*?(?:\d feathers|open: |safe this round)")
OPENED = re.compile(rf"{NAME}.*?(?:open: |safe this round)")
SEAT = re.compile(rf"^[●○◉◌]* {NAME}(?: 👁)?(?: ←)?(.*)$", re.M)
DOT = "\u00a0· "
MARK = re.compile(r"\d+ feathers|(?:one|\d+) covered|away|🤖 AI .+ plays for them")
"""A mark that may follow a name at the table, before the open feathers."""
NEXT = re.compile(r"opens round (\d+)")
REMARK = re.compile(r"^-# 🤖 AI [^:\n]+: “", re.M)
REVEALS = ("calls Coyote on", ", and was wrong", "The round is void", "has left the table")
OWN = ("You **🪶", "Your first feather", "Before you, open to all", "You guessed right")
OF_BETS = ("Your bet", "You let the bet pass")


def texts(data: Json) -> list[str]:
    """Return the plain content of a message and every text in its components."""
    found = [data["content"]] if data.get("content") else []
    return found + [part["content"] for part in walk(data.get("components") or []) if part.get("content")]


class LeakCheck:
    """Records everything that each client is shown, and checks it at the end."""

    def __init__(self, sandbox: Sandbox, people: Iterable[Person], channel: Channel) -> None:
        self.people = {person.id: person for person in people}
        self.channel = channel.id
        self.seen: dict[str, list[Change]] = defaultdict(list)
        self.order: list[Change] = []
        self._world = sandbox.world
        self._bot = sandbox.world.bot.id
        sandbox.world.subscribe(self._listen)

    def _listen(self, change: Change) -> None:
        if change.channel is None or (change.channel.guild_id is not None and change.channel.id != self.channel):
            return
        seeing = [user for user in self.people if self._world.may_see(change, user)]
        if not seeing:
            return
        # The data is changed by later edits, so keep a copy.
        kept = Change(change.kind, json.loads(json.dumps(change.data)), None, change.channel, change.only)
        self.order.append(kept)
        for user in seeing:
            self.seen[user].append(kept)

    def check(self, players: Iterable[Person], bystanders: Iterable[Person]) -> int:
        """Fail if anybody saw too much; return the number of private messages compared with a reveal."""
        truth, several, opened = self._truth()
        told = [ROUND.search(said) for _, said in self._messages(next(iter(self.people)))]
        rounds = max([int(found[1]) for found in told if found] + [*truth], default=0)
        # Round 0 is the lobby, whose seats match the pattern for feathers.
        assert set(truth) - {0} == set(range(1, rounds + 1)), f"{rounds} rounds, but reveals of {sorted(truth)}"
        compared = 0
        for person in players:
            compared += self._check_player(person.id, truth, several)
            self._check_from_the_side(person.id, opened)
        for person in bystanders:
            self._check_bystander(person.id)
            self._check_from_the_side(person.id, opened)
        self._check_tables()
        self._check_remarks()
        self._check_ids()
        return compared

    def _messages(self, user: str) -> Iterable[tuple[Change, str]]:
        for change in self.seen[user]:
            if change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and change.data["author"]["id"] == self._bot:
                yield change, "\n".join(texts(change.data))

    def _truth(self) -> tuple[dict[int, dict[str, str]], dict[int, set[str]], dict[int, set[str]]]:
        """Return three facts per round, read from the public messages.

        These are the feathers by player in the reveal, the players who wore several, and those with open feathers.
        """
        truth: dict[int, dict[str, str]] = {}
        several: dict[int, set[str]] = defaultdict(set)
        opened: dict[int, set[str]] = defaultdict(set)
        number = 0
        revealed: set[str] = set()
        for change in self.order:
            if change.kind not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or change.only or change.channel is None:
                continue
            if change.channel.guild_id is None or change.data["author"]["id"] != self._bot:
                continue
            said = "\n".join(texts(change.data))
            found = ROUND.search(said)
            if found is not None:
                number = int(found[1])
                for user in SEVERAL.findall(said):
                    several[number].add(user)
                opened[number].update(OPENED.findall(said))
                continue
            heads = {user: faces for user, faces, _ in WEARS.findall(said)}
            if change.kind == "MESSAGE_CREATE" and heads and "wins" not in said and change.data["id"] not in revealed:
                revealed.add(change.data["id"])
                # Quick AIs may end a round before its table message is drawn; then the reveal tells its number.
                following = NEXT.search(said)
                if number:
                    number = int(following[1]) - 1 if following else max(number, max(truth, default=0) + 1)
                truth[number] = heads
                opened[number].update(OPENED.findall(said))
                for user, _, extras in WEARS.findall(said):
                    if extras:
                        several[number].add(user)
        return truth, several, opened

    def _check_player(self, me: str, truth: dict[int, dict[str, str]], several: dict[int, set[str]]) -> int:
        compared = 0
        for change, said in self._messages(me):
            private = change.only == me or (change.channel is not None and change.channel.guild_id is None)
            found = LOOK.search(said)
            if found is None:
                continue
            assert private, f"feathers in public: {said}"
            heads = {user: faces for user, faces, _ in WEARS.findall(said)}
            assert f"<@{me}>" not in heads, f"{me} sees themselves: {said}"
            own = [line for line in said.splitlines() if line.startswith("You")]
            assert any(line.startswith(OWN) for line in own), said
            assert all(line.startswith((*OWN, *OF_BETS)) for line in own), said
            number = int(found[1])
            revealed = truth.get(number)
            if revealed is None:
                continue
            compared += 1
            assert f"<@{me}>" in revealed, f"{me} is out, and sees feathers: {said}"
            assert heads.keys() == revealed.keys() - {f"<@{me}>"}, (number, said, revealed)
            for user, faces in heads.items():
                if user not in several[number]:
                    assert faces == revealed[user], (number, said, revealed)
        return compared

    def _check_bystander(self, user: str) -> None:
        for change, said in self._messages(user):
            assert LOOK.search(said) is None, said
            if change.only == user:
                open_only = WEARS.findall(said)
                assert not open_only or SIDE.search(said), said

    def _check_from_the_side(self, user: str, opened: dict[int, set[str]]) -> None:
        """Check that bystanders and eliminated players see only feathers that are open to everybody."""
        for change, said in self._messages(user):
            found = SIDE.search(said)
            if found is not None:
                assert change.only == user, f"a look in public: {said}"
                assert {name for name, *_ in WEARS.findall(said)} <= opened[int(found[1])], said

    def _check_tables(self) -> None:
        """Check that the table message of a running round shows only open feathers."""
        for change in self.order:
            said = "\n".join(texts(change.data)) if change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE") else ""
            if ROUND.search(said):
                assert WEARS.search(said) is None, said
                for _, behind in SEAT.findall(said):
                    nothing, *marks = re.split(rf"{DOT}(?:open: |safe this round)", behind)[0].split(DOT)
                    assert not nothing, said
                    assert all(MARK.fullmatch(mark) for mark in marks), said

    def _check_remarks(self) -> None:
        """Check that AI remarks, which speak of feathers, appear only in a reveal."""
        for change in self.order:
            if change.kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
                said = "\n".join(texts(change.data))
                assert REMARK.search(said) is None or any(mark in said for mark in REVEALS), said

    def _check_ids(self) -> None:
        for change in self.order:
            for part in walk(change.data.get("components") or []):
                if "custom_id" in part and change.kind.startswith("MESSAGE"):
                    assert parse(part["custom_id"]) is not None, part

"""What is secret in the messages of a Coyote game: feathers, until the reveal."""

import re
from collections import defaultdict
from collections.abc import Iterable

from bot.ai_players.characters import ROSTER
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.emojis import in_words
from tests.e2e.leak_check import LeakCheck, texts

NAME = rf"(<@\d+>|🤖 AI (?:{'|'.join(each.name for each in ROSTER)}))"
WEARS = re.compile(rf"^{NAME} \*\*([^*]+)\*\*(.*)$", re.M)
LOOK = re.compile(r"^### Round (\d+) · what you see", re.M)
SIDE = re.compile(r"^### Round (\d+) · you're watching", re.M)
OPEN = re.compile(r"^### Round (\d+) · nothing hidden", re.M)
ROUND = re.compile(r"^-# 🪶 Coyote · .* · round (\d+)$", re.M)
SEVERAL = re.compile(rf"{NAME}\*{{0,2}}(?: ←)?.*?(?:\d feathers|open: |safe this round)")
OPENED = re.compile(rf"{NAME}.*?(?:open: |safe this round)")
REPLAYED = re.compile(r"^[●○◉◌]+ (<@\d+>)(?: \*\*([^*]+)\*\*)?", re.M)
SEAT = re.compile(rf"^[●○◉◌]* {NAME}(?: 👁)?(?: ←)?(.*)$", re.M)
DOT = "\u00a0· "
MARK = re.compile(r"\d+ feathers|(?:one|\d+) covered|away|🤖 AI .+ plays for them")
"""A mark that may follow a name at the table, before the open feathers."""
NEXT = re.compile(r"opens round (\d+)")
REMARK = re.compile(r"^-# 🤖 AI [^:\n]+: “", re.M)
REVEALS = ("calls Coyote on", ", and was wrong", "The round is void", "has left the table")
OWN = ("You **🪶", "Your first feather", "Before you, open to all", "You guessed right")
OF_BETS = ("Your bet", "You let the bet pass")


class CoyoteLeaks(LeakCheck):
    """Checks that nobody was shown hidden feathers before a reveal."""

    def check(self, players: Iterable[Person], bystanders: Iterable[Person]) -> int:
        """Compare private looks with the reveals."""
        truth, several, opened = self.truth()
        told = [ROUND.search(said) for _, said in self.messages(next(iter(self.people)))]
        rounds = max([int(found[1]) for found in told if found] + [*truth], default=0)
        # Round 0 is the lobby, whose seats match the pattern for feathers.
        assert set(truth) - {0} == set(range(1, rounds + 1)), f"{rounds} rounds, but reveals of {sorted(truth)}"
        compared = 0
        for person in players:
            compared += self._check_player(person.id, truth, several)
            self._check_from_the_side(person.id, opened)
            self._check_laid_open(person.id, truth)
        for person in bystanders:
            self._check_bystander(person.id)
            self._check_from_the_side(person.id, opened)
            self._check_laid_open(person.id, truth)
        self._check_tables()
        self._check_remarks()
        self.check_ids()
        return compared

    def check_replay(self, message: Message, number: int, eyes: Person | None) -> None:
        """Compare feathers with the reveals, or with the first look of a player in that round."""
        assert f"round {number} is dealt" in message.text.casefold()
        shown = dict(REPLAYED.findall(in_words(message.text)))
        if eyes is None:
            assert shown == self.truth()[0][number]
            return
        saw = self._looked(eyes)
        assert saw
        if eyes.mention in shown:
            assert shown.pop(eyes.mention) == "🪶"
            assert number not in saw or shown == saw[number]  # a short round may end before its DM is sent
        else:
            assert number not in saw
            assert set(shown.values()) == {"🪶"}
            assert "saw no feather any more" in message.text

    def _looked(self, person: Person) -> dict[int, dict[str, str]]:
        """Return the feathers that a person saw at their first look, per round."""
        found: dict[int, dict[str, str]] = {}
        for _, said in self.messages(person.id):
            look = LOOK.search(said)
            if look is not None:
                found.setdefault(int(look[1]), {user: faces for user, faces, _ in WEARS.findall(said)})
        return found

    def truth(self) -> tuple[dict[int, dict[str, str]], dict[int, set[str]], dict[int, set[str]]]:
        """Return three facts per round, read from the public messages.

        These are the feathers by player in the reveal, the players who wore several, and those with open feathers.
        """
        truth: dict[int, dict[str, str]] = {}
        several: dict[int, set[str]] = defaultdict(set)
        opened: dict[int, set[str]] = defaultdict(set)
        number = 0
        revealed: set[str] = set()
        for change in self.order:
            if not self.is_message(change) or not self.is_public(change):
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
        for change, said in self.messages(me):
            private = change.only == me or (change.channel is not None and change.channel.guild_id is None)
            found = LOOK.search(said)
            if found is None:
                continue
            assert private, f"feathers in public: {said}"
            heads = {user: faces for user, faces, _ in WEARS.findall(said)}
            assert f"<@{me}>" not in heads, f"{me} sees themselves: {said}"
            # A refusal may stand above the look.
            own = [line for line in said[found.start() :].splitlines() if line.startswith("You")]
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
        for change, said in self.messages(user):
            assert LOOK.search(said) is None, said
            if change.only == user:
                open_only = WEARS.findall(said)
                assert not open_only or SIDE.search(said) or OPEN.search(said), said

    def _check_from_the_side(self, user: str, opened: dict[int, set[str]]) -> None:
        """Check that bystanders and eliminated players see only feathers that are open to everybody."""
        for change, said in self.messages(user):
            found = SIDE.search(said)
            if found is not None:
                assert change.only == user, f"a look in public: {said}"
                assert {name for name, *_ in WEARS.findall(said)} <= opened[int(found[1])], said

    def _check_laid_open(self, user: str, truth: dict[int, dict[str, str]]) -> None:
        """Check that all feathers are shown only privately, and only of rounds in which no person played."""
        for change, said in self.messages(user):
            found = OPEN.search(said)
            if found is not None:
                assert change.only == user, f"a look in public: {said}"
                heads = {name for name, *_ in WEARS.findall(said)}
                assert heads, said
                assert not [name for name in heads | truth.get(int(found[1]), {}).keys() if name.startswith("<@")], said

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

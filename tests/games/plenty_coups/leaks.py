"""What is secret in the messages of a game of Plenty Coups: the hands."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from bot.engine.core import Seat
from bot.engine.registry import RULES
from bot.games.plenty_coups.rules.cards import Cards
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView
from bot.games.plenty_coups.ui.words import card_label, cards, tribe_name
from bot.text.catalogue import catalogue
from sandbox.components import walk
from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.emojis import in_words
from tests.e2e.leak_check import LeakCheck

SAY = catalogue().for_game("plenty-coups")
LOOK = re.compile(r"^### Round (\d+) · your hand$", re.M)
SIDE = re.compile(r"^### Round \d+ · you're watching$", re.M)
OPEN = re.compile(r"^### Round \d+ · nothing hidden$", re.M)
CAMP = re.compile(r"^\S+ \*\*(\w+)\*\* · ")
CARD = re.compile(r"^\*\*([^*]+)\*\*(?: × (\d+))? · ")
HAND = re.compile(r"^-# (Hand: .+|No cards in hand|\d+ cards? in hand)$", re.M)
PUBLIC_MOVES = re.compile(r":move:(?:decline|end)$|:undo$|:look$")
"""The only buttons with a prompt that everybody may see."""

Hands = dict[str, Counter[str]]
"""The cards of each tribe that a viewer decides for, by the names that the bot gives them."""


class PlentyCoupsLeaks(LeakCheck):
    """Checks that nobody was shown a hand but those who decide for it."""

    def check(self, players: Iterable[Person], bystanders: Iterable[Person]) -> int:
        """Compare every hand that was shown with the hands that the log leads to."""
        compared = sum(self._check_player(person.id) for person in players)
        for person in bystanders:
            for _, said in self.messages(person.id):
                assert LOOK.search(said) is None, said
                assert OPEN.search(said) is None, said
                assert not [line for line in said.splitlines() if CARD.match(line)], said
        self._check_public()
        self.check_ids()
        return compared

    def _check_player(self, me: str) -> int:
        """Check that every hand shown to a player was theirs at some moment of that round."""
        truth, compared = self._truth(me), 0
        for change, said in self.messages(me):
            found = LOOK.search(said)
            assert OPEN.search(said) is None, said
            if found is None:
                assert SIDE.search(said) is None or change.only == me, f"a look in public: {said}"
                continue
            assert change.only == me or not self.is_public(change), f"a hand in public: {said}"
            assert (int(found[1]), _key(hands_in(said))) in truth, f"{me} has never had these cards: {said}"
            compared += 1
        return compared

    def _check_public(self) -> None:
        """Check that public messages show no hand, and offer no move that depends on one."""
        for change in self.order:
            if not self.is_message(change) or not self.is_public(change):
                continue
            for part in walk(change.data.get("components") or []):
                assert LOOK.search(part.get("content", "")) is None, part
                if part["type"] == 3 and part["custom_id"].endswith(":move"):
                    assert all(option["value"].startswith("take.") for option in part["options"]), part
                elif re.search(r":[1-9]\d*:", part.get("custom_id", "")):
                    assert PUBLIC_MOVES.search(part["custom_id"]), part

    def check_replay(self, message: Message, number: int, eyes: Person | None) -> None:
        """Look for the line about each hand among those that there were in the round."""
        shown = HAND.findall(in_words(message.text))
        assert shown
        views = [view for view in self._views(None if eyes is None else eyes.id) if view.round == number]
        assert shown in [[_hand_line(camp) for camp in view.camps] for view in views]

    def _truth(self, user: str) -> set[tuple[int, str]]:
        """Return the hands that a player could see, with the round."""
        return {
            (view.round, _key({tribe_name(SAY, camp.tribe): _named(camp.hand) for camp in own_camps(view)}))
            for view in self._views(user)
        }

    def _views(self, user: str | None) -> Iterator[PlentyCoupsView]:
        """Replay the log; yield what a player saw after each action, or everything if it is nobody."""
        game = RULES["plenty-coups"]
        seats, log = self._stored()
        state: Any = None
        for action in log:
            if action.get("host") == "start":
                state = game.setup(action["options"], action["players"], action["starter"])
            elif "do" in action:
                state = game.apply(state, game.load_action(action)).state
            if state is not None:
                yield game.open_view(state) if user is None else game.view_for(state, Seat(seats[user]))

    def _stored(self) -> tuple[dict[str, int], list[dict[str, Any]]]:
        """Return who sits where at this channel's newest table, and its log."""
        uri = f"file:{self.held.bot.database}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as file:
            sql = "SELECT id FROM tables WHERE channel = ? ORDER BY rowid DESC LIMIT 1"
            ((table,),) = file.execute(sql, (int(self.channel),)).fetchall()
            seats = file.execute("SELECT seat, user FROM seats WHERE table_id = ? AND user > 0", (table,)).fetchall()
            sql = "SELECT action FROM actions WHERE table_id = ? ORDER BY seq, part"
            log = [json.loads(action) for (action,) in file.execute(sql, (table,))]
        return {str(user): seat for seat, user in seats}, log


def hands_in(said: str) -> Hands:
    """Read the hands in a private look."""
    hands: Hands = {}
    for tribe, card, count in _lines(said):
        hand = hands.setdefault(tribe, Counter())
        if card is not None:
            hand[_without_sign(card)] += count
    return hands


def _lines(said: str) -> Iterator[tuple[str, str | None, int]]:
    tribe = ""
    for line in said.splitlines():
        if camp := CAMP.match(line):
            tribe = camp[1]
            yield tribe, None, 0
        elif card := CARD.match(line):
            yield tribe, card[1], int(card[2] or 1)


def own_camps(view: PlentyCoupsView) -> list[CampView]:
    """Return the camps whose hand the viewer sees."""
    return [camp for camp in view.camps if camp.hand is not None]


def _named(hand: Cards | None) -> Counter[str]:
    return Counter(_without_sign(card_label(SAY, card)) for card in hand or ())


def _without_sign(card: str) -> str:
    """Leave out the sign of a card, in whose place its emoji may stand."""
    return re.sub(r"^\W+", "", card)


def _hand_line(camp: CampView) -> str:
    """Return what a replay says about a hand."""
    if not camp.hand_size:
        return SAY("plenty.replay.hand_empty")
    if camp.hand is None:
        return SAY("plenty.replay.hand_hidden", count=camp.hand_size)
    return SAY("plenty.replay.hand", cards=cards(SAY, camp.hand))


def _key(hands: Hands) -> str:
    return json.dumps({tribe: sorted(cards.items()) for tribe, cards in sorted(hands.items())})

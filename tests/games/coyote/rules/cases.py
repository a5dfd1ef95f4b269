"""A small language for rule cases: a table, moves as sentences, refusals by their reason.

Seats are called A, B, C and so on, clockwise. `Table.play` checks at every move what must always hold: the
move was offered, the state survives being written down, and no event shows a hidden card.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import asdict

from bot.engine.core import DEALER, Leave, Prompt, Rejected, Seat
from bot.engine.frozen import Frozen, encode
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import (
    Action,
    Announce,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Redo,
    Reveal,
    RoundEnded,
    Shuffle,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.codec import dump, dump_action, load, load_action
from bot.games.coyote.rules.editions import MOST_PLAYERS, rules_from
from bot.games.coyote.rules.results import Result
from bot.games.coyote.rules.rounds import needs_shuffle
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import CoyoteView, Phase

NAMES = "ABCDEFGHIJKL"
A, B, C, D, E, F = (Seat(seat) for seat in range(6))
PLAIN: dict[str, Any] = {
    "call": Call,
    "approve": Approve,
    "reverse": Turnabout,
    "redo": Redo,
    "withdraw": Withdraw,
    "peek": Peek,
    "coyote": UseCoyote,
}


def card(word: str) -> Card:
    return word if word in ("?", "max0", "max-", "x2", "night") else int(word)  # type: ignore[return-value]


def cards(words: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in words.split())


def seat(name: str) -> Seat:
    return Seat(NAMES.index(name))


def table(pile: str = "", edition: str = "feathers", **details: Any) -> Table:
    """Set up a table and deal: `pile` begins with the feathers of A, B and C; unlisted cards lie under it."""
    opened = undealt(pile, edition, **details)
    return opened.play("deal")


def undealt(
    pile: str = "",
    edition: str = "feathers",
    *,
    players: int = 3,
    starter: str | None = "A",
    out: str = "",
    tokens: dict[str, int] | None = None,
    eyes: dict[str, tuple[int, int]] | None = None,
    holder: str | None = None,
    discard: str = "",
    rest: str = "pile",
    **options: Any,
) -> Table:
    """Set up a table before its first deal; `rest` says whether unlisted cards are in the pile or the discard."""
    chosen = rules_from({"edition": edition, "min_players": 2, "max_players": MOST_PLAYERS, **options})
    top, gone = cards(pile), cards(discard)
    others = tuple((chosen.census - Counter(top) - Counter(gone)).elements())
    return Table(
        rules.position(
            chosen,
            players,
            starter=None if starter is None else seat(starter),
            out=tuple(seat(name) for name in out),
            tokens={seat(name): count for name, count in (tokens or {}).items()},
            eyes={seat(name): pair for name, pair in (eyes or {}).items()},
            coyote_holder=None if holder is None else seat(holder),
            piles=(top + others, gone) if rest == "pile" else (top, gone + others),
        )
    )


class Table:
    """One match under test."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: Any = ()
        """The events of the last move, a tuple of `Event`; typed as Any because tests read fields of many kinds."""

    def play(self, *moves: str) -> Table:
        for move in moves:
            self._apply(self._read(move), move)
        return self

    def refuse(self, move: str) -> Rejected:
        """Return the refusal of a move that must be refused."""
        action, before = self._read(move), dump(self.state)
        assert not any(prompt.allows(action) for prompt in self.prompts), f"{move} is offered"
        with pytest.raises(Rejected) as caught:
            rules.apply(self.state, action)
        assert dump(self.state) == before
        return caught.value

    def view(self, name: str | None = None) -> CoyoteView:
        return rules.view_for(self.state, None if name is None else seat(name))

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return rules.prompts(self.state)

    @property
    def prompt(self) -> Prompt:
        (prompt,) = self.prompts
        return prompt

    @property
    def verbs(self) -> list[str]:
        """The open verbs of the player in turn, each with its announcement or coin."""
        return [_verb_name(choice.verb, choice.fields) for choice in self.prompt.choices]

    @property
    def last(self) -> Result:
        result = self.view().last
        assert result is not None
        return result

    def _apply(self, action: Action, move: str) -> None:
        before = self.state
        offered = isinstance(action, Leave) or action.seat == DEALER or any(p.allows(action) for p in self.prompts)
        assert offered, f"{move} is not offered"
        self.state, self.events = rules.apply(before, action)
        answered_alone = not (before.phase is self.state.phase is Phase.BETS)
        assert self.state.asked == before.asked + answered_alone, (
            "a new question must get a new number, an open one must keep it"
        )
        assert load(json.loads(encode(dump(self.state)))) == self.state
        assert load_action(json.loads(json.dumps(dump_action(action)))) == action
        for prompt in self.prompts:
            assert prompt.id == self.state.asked
            assert prompt.seat == DEALER or prompt.allows(prompt.timeout), f"{prompt.timeout} cannot be"
            assert all(all(choice.fields) for choice in prompt.choices), f"nothing to choose from: {prompt}"
        if not any(isinstance(event, RoundEnded) for event in self.events):
            self._check_events_hide_cards()

    def _check_events_hide_cards(self) -> None:
        """Check that no event before the reveal shows a card, except an open extra feather and a guess."""
        for event in self.events:
            told = asdict(event) if isinstance(event, Frozen) else event._asdict()
            assert not {"result", "cards", "order"} & told.keys() or type(event).__name__ == "PileRenewed"
            if "card" in told:
                assert type(event).__name__ == "Guessed"
            if told.get("shown") is not None:
                assert told["coin"] == "extra"

    def _read(self, move: str) -> Action:
        """Read a move, such as "A bid 5", "B bid 6 extra C", "C coin guess 3", "D bet nobody" or "deal 1 2 3"."""
        who, *words = move.split()
        if who == "deal":
            named = seat(words.pop(0)) if words and words[0] in NAMES else None
            order = self._order(self.state.rules.cards, words) if self.must_shuffle else ()
            return Deal(DEALER, order, named)
        if who == "reveal":
            return Reveal(DEALER)
        if who == "shuffle":
            return Shuffle(DEALER, self._order(self.state.match.discard, words))
        verb, *rest = words
        return _action(seat(who), verb, rest)

    @property
    def must_shuffle(self) -> bool:
        return needs_shuffle(self.state)

    @staticmethod
    def _order(deck: tuple[Card, ...], top: list[str]) -> tuple[Card, ...]:
        first = cards(" ".join(top))
        return (*first, *(Counter(deck) - Counter(first)).elements())


def _action(who: Seat, verb: str, rest: list[str]) -> Action:
    match verb, rest:
        case "bid", [number, *more]:
            plus, target = (*more, None, None)[:2]
            return Bid(who, int(number), None if plus == "plain" else plus, None if target is None else seat(target))
        case "announce", [plus, *more]:
            return Announce(who, plus, seat(more[0]) if more else None)
        case "coin", [coin, *more]:
            return Flip(who, coin, card(more[0]) if more else None)
        case "bet", [on]:
            return Bet(who, None if on == "nobody" else seat(on))
        case "leave", []:
            return Leave(who)
        case _:
            action: Action = PLAIN[verb](who)
            return action


def _verb_name(verb: Any, fields: tuple[Any, ...]) -> str:
    names = {Bid: "bid", Flip: "coin", Call: "call", Approve: "approve", Turnabout: "reverse", Redo: "redo"}
    word = names.get(verb, verb.__name__.lower())
    if verb is Bid and fields[1][0]:
        return f"{word} {fields[1][0]}"
    return f"{word} {fields[0][0]}" if verb in (Flip, Announce) else word

"""Plays the game scripts of Coyote on the engine and evaluates their checks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.engine.core import DEALER, Leave, Rejected, Seat
from bot.games.coyote.rules.actions import (
    Action,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Redo,
    Shuffle,
    Turnabout,
    UseCoyote,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import COINS, MOST_PLAYERS, rules_from
from bot.games.coyote.rules.game import apply, position, prompts, view_for
from bot.games.coyote.rules.rounds import needs_shuffle
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import CoyoteView, Phase

Json = dict[str, Any]

KINDS: dict[type, str] = {
    Bid: "bid",
    Call: "call",
    Approve: "approve",
    Turnabout: "reverse",
    Redo: "redo",
    Flip: "coin",
    Peek: "peek",
    UseCoyote: "coyote_card",
    Bet: "bet",
}


def run(script: Json) -> None:
    """Play the script; raise AssertionError with the step and the difference if a check fails."""
    game = Script(script)
    for number, step in enumerate(script["steps"]):
        where = f"{script['id']}, step {number}"
        if "expect" in step:
            game.expect(step["expect"], where)
        else:
            game.act(step, where)


class Script:
    """One scripted match; it translates seat names and plays the dealer."""

    def __init__(self, script: Json) -> None:
        self.names: list[str] = script["seats"]
        self.shuffles: list[list[Card]] = [list(order) for order in script.get("shuffles", [])]
        rules = rules_from({"min_players": 2, "max_players": MOST_PLAYERS, **_options(script)})
        listed, discard = script.get("pile", []), script.get("discard", [])
        rest = list((Counter(rules.cards) - Counter(listed) - Counter(discard)).elements())
        below = script.get("rest", "pile") == "pile"
        self.state: State = position(
            rules,
            len(self.names),
            starter=self.seat(script["starter"]),
            out=tuple(self.seat(name) for name in script.get("out", [])),
            tokens={self.seat(name): count for name, count in script.get("tokens", {}).items()},
            eyes={self.seat(name): (eyes[0], eyes[1]) for name, eyes in script.get("eyes", {}).items()},
            coyote_holder=self.seat(script["coyote_holder"]) if script.get("coyote_holder") else None,
            piles=((*listed, *(rest if below else ())), (*discard, *(() if below else rest))),
        )
        self._deal()

    def seat(self, name: str) -> Seat:
        return Seat(self.names.index(name))

    def name(self, seat: Seat | None) -> str | None:
        return None if seat is None else self.names[seat]

    def act(self, step: Json, where: str) -> None:
        before = self.state
        try:
            self.state = apply(before, self._action(step)).state
        except (Rejected, ValueError, KeyError) as refusal:
            if step.get("refused"):
                return
            raise AssertionError(f"{where}: {step} should be accepted, but was refused: {refusal!r}") from None
        assert not step.get("refused"), f"{where}: {step} should be refused, but was accepted"
        self._deal()

    def expect(self, expected: Json, where: str) -> None:
        for key, value in expected.items():
            actual = self._answer(key, value)
            assert _plain(actual) == _plain(value), f"{where}: {key} should be {value!r}, but is {actual!r}"

    def _deal(self) -> None:
        """Play the dealer until a player has a prompt."""
        while self.state.phase in (Phase.DEAL, Phase.SHUFFLE):
            match, action = self.state.match, Deal(DEALER)
            if self.state.phase is Phase.SHUFFLE:
                self.state = apply(self.state, Shuffle(DEALER, self._order(match.discard))).state
                continue
            if needs_shuffle(self.state):
                action = Deal(DEALER, self._order(self.state.rules.cards))
            self.state = apply(self.state, action).state

    def _order(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        top = self.shuffles.pop(0) if self.shuffles else []
        return (*top, *(Counter(cards) - Counter(top)).elements())

    def _action(self, step: Json) -> Action:
        seat = self.seat(step["seat"])
        target = self.seat(step["target"]) if step.get("target") else None
        match step["do"]:
            case "bid":
                return Bid(seat, step["n"], step.get("with"), target)
            case "call":
                return Call(seat)
            case "approve":
                return Approve(seat)
            case "reverse":
                return Turnabout(seat)
            case "redo":
                return Redo(seat)
            case "coin":
                return Flip(seat, step["coin"], step.get("value"))
            case "peek":
                return Peek(seat)
            case "coyote_card":
                return UseCoyote(seat)
            case "bet":
                return Bet(seat, None if step["on"] is None else self.seat(step["on"]))
            case "leave":
                return Leave(seat)
            case unknown:
                raise ValueError(f"unknown kind {unknown!r}")

    def _answer(self, key: str, expected: Any) -> Any:
        view = view_for(self.state, None)
        match key:
            case "turn" | "bidder" | "winner" | "coyote_holder":
                return self.name(getattr(view, key))
            case "phase":
                return view.phase.value
            case "direction" | "bid":
                return getattr(view, key)
            case "starter":
                return self.name(view.starter)
            case "legal":
                return self._legal()
            case "must":
                kinds = self._legal()
                return kinds.pop() if len(kinds) == 1 else None
            case "legal_with":
                return {values[1][0] for verb, values in self._choices() if verb is Bid and values[1][0]}
            case "legal_coins":
                return {values[0][0] for verb, values in self._choices() if verb is Flip}
            case "coins":
                return {coin: count for coin, count in view.coins if coin in expected}
            case "withdrawn":
                return {self.name(seat.seat) for seat in view.seats if seat.withdrawn}
            case "bettors":
                return {self.name(seat) for seat in view.bettors}
            case "tokens":
                return {name: view.seats[self.seat(name)].tokens for name in expected}
            case "eyes":
                return {name: list(view.seats[self.seat(name)].eyes) for name in expected}
            case "out":
                return {self.name(seat) for seat in view.out}
            case "pile_count":
                return view.pile
            case "discard_count":
                return len(view.discard)
            case "last":
                return view.last if expected is None or view.last is None else self._last(view, expected)
            case "sees":
                return {name: self._sees(view_for(self.state, self.seat(name))) for name in expected}
            case unknown:
                raise ValueError(f"unknown check {unknown!r}")

    def _choices(self) -> list[tuple[Any, tuple[Any, ...]]]:
        return [(choice.verb, choice.fields) for prompt in prompts(self.state) for choice in prompt.choices]

    def _legal(self) -> set[str]:
        return {KINDS[verb] for verb, _ in self._choices()}

    def _last(self, view: CoyoteView, expected: Json) -> Json:
        last = view.last
        assert last is not None
        known = {
            "kind": last.ending.value,
            "total": last.counted.total if last.counted else None,
            "loser": self.name(last.loser),
            "penalty": last.penalty,
            "eliminated": self.name(last.eliminated),
            "reshuffled": view.shuffled,
            "next_starter": self.name(last.next_starter),
            "cards_counted": list(last.counted.cards) if last.counted else None,
        }
        return {key: known[key] for key in expected}

    def _sees(self, view: CoyoteView) -> Json:
        sees: Json = {}
        if view.viewer not in {seat.seat for seat in view.seats if seat.living} or view.winner is not None:
            return sees
        for seat in view.seats:
            cards = [*(seat.worn or ()), *seat.opened, *(f"old:{card}" for card in seat.covered or ())]
            if cards:
                sees[self.names[seat.seat]] = cards
        if view.centre is not None:
            sees["centre"] = [view.centre]
        if view.coyote_card is not None:
            sees["coyote"] = [view.coyote_card]
        return sees


def _options(script: Json) -> Json:
    options = {"edition": script["edition"], **script.get("rules", {})}
    if "coins" in options:
        options["coins"] = {coin: options["coins"].get(coin, 0) for coin in COINS}
    return options


def _plain(value: Any) -> Any:
    """Make two answers comparable: lists and sets without regard to order."""
    if isinstance(value, dict):
        return {key: (tuple(inner) if key == "eyes" else _plain(inner)) for key, inner in value.items()}
    if isinstance(value, list | set | tuple):
        return Counter(map(str, value))
    return value

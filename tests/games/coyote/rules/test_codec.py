"""Matches and actions round-trip as plain data; damaged or forged data is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engine.core import DEALER, Leave, Seat
from bot.engine.frozen import encode
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
from bot.games.coyote.rules.codec import dump, dump_action, load, load_action
from bot.games.coyote.rules.version_1 import upgrade
from tests.games.coyote.rules.cases import A, B, C, table
from tests.games.coyote.rules.positional import version_1

WRITTEN: list[tuple[Action, dict[str, Any]]] = [
    (Bid(A, 5), {"do": "bid", "seat": 0, "number": 5, "plus": None, "target": None}),
    (Bid(B, -5, "extra", C), {"do": "bid", "seat": 1, "number": -5, "plus": "extra", "target": 2}),
    (Call(A), {"do": "call", "seat": 0}),
    (Approve(A), {"do": "approve", "seat": 0}),
    (Turnabout(A), {"do": "reverse", "seat": 0}),
    (Redo(A), {"do": "redo", "seat": 0}),
    (Flip(A, "guess", "max0"), {"do": "coin", "seat": 0, "coin": "guess", "value": "max0"}),
    (Peek(A), {"do": "peek", "seat": 0}),
    (UseCoyote(A), {"do": "coyote_card", "seat": 0}),
    (Bet(A, None), {"do": "bet", "seat": 0, "on": None}),
    (Leave(A), {"do": "leave", "seat": 0}),
    (Deal(DEALER, (1, "?"), B), {"do": "deal", "seat": -1, "order": [1, "?"], "starter": 1}),
    (Shuffle(DEALER, (1,)), {"do": "shuffle", "seat": -1, "order": [1]}),
]


@pytest.mark.parametrize(("action", "written"), WRITTEN)
def test_an_action_is_written_by_name(action: Action, written: dict[str, Any]) -> None:
    assert json.loads(json.dumps(dump_action(action))) == written
    read = load_action(written)
    assert read == action
    assert type(read) is type(action)


@pytest.mark.parametrize(
    ("written", "action"),
    [
        ({"do": "bid", "seat": 0, "number": 5}, Bid(A, 5)),
        ({"do": "coin", "seat": 0, "coin": "skip"}, Flip(A, "skip")),
        ({"do": "deal", "seat": -1}, Deal(DEALER)),
    ],
)
def test_fields_with_a_default_may_be_left_out(written: dict[str, Any], action: Action) -> None:
    assert load_action(written) == action


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (None, "not an action of Coyote: None"),
        ([], r"not an action of Coyote: \[\]"),
        ({}, "not an action of Coyote: {}"),
        ({"do": "jump"}, "not an action of Coyote"),
        ({"do": ["bid"]}, "not an action of Coyote"),
        ({"do": None, "seat": 0}, "not an action of Coyote"),
        ({"do": "call"}, "a call has the fields .*seat"),
        ({"do": "call", "seat": 0, "number": 5}, "a call has the fields .*seat"),
        ({"do": "bid", "seat": 0}, "a bid has the fields .*number"),
        ({"do": "bet", "seat": 0}, "a bet has the fields .*on"),
        ({"do": "bid", "seat": 0, "number": "5"}, "'5' is not of type int"),
        ({"do": "bid", "seat": True, "number": 5}, "True is not of type int"),
        ({"do": "bid", "seat": 0, "number": 5.0}, "5.0 is not of type int"),
        ({"do": "bid", "seat": 0, "number": 5, "plus": 3}, "3 is not"),
        ({"do": "coin", "seat": 0, "coin": "guess", "value": "ace"}, "'ace' is not"),
        ({"do": "deal", "seat": -1, "order": 5}, "5 is not a list"),
        ({"do": "shuffle", "seat": -1, "order": [1.5]}, "1.5 is not"),
    ],
)
def test_a_damaged_action_is_refused(written: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        load_action(written)


def written_match() -> dict[str, Any]:
    """Return a `peek` match, with its variant, in the middle of its bets."""
    game = table("1 2 3 4 10", "peek", variant=True, players=4).play("A bid 1", "B call", "C bet B")
    document: dict[str, Any] = json.loads(encode(dump(game.state)))
    return document


def test_a_match_is_written_with_its_version_and_options() -> None:
    document = written_match()
    assert document["version"] == 2
    assert document["rules"] == {"edition": "peek", "variant": True, "min_players": 2, "max_players": 12}
    assert (document["phase"], document["bets"]) == ("bets", [[2, 1]])
    assert document["bidding"] == {
        "turn": 1,
        "bid": 1,
        "bidder": 0,
        "ladder": [{"seat": 0, "number": 1}],
    }
    assert dump(load(document)) == dump(load(json.loads(json.dumps(document))))


def test_a_waiting_action_is_written_too() -> None:
    game = table("1 ? 3", rest="discard").play("A bid 5", "B call")
    document = json.loads(encode(dump(game.state)))
    assert document["pending"] == {"do": "call", "seat": 1}
    assert load(document) == game.state
    assert type(load(document).pending) is Call


def test_fields_at_their_default_are_not_written() -> None:
    document = json.loads(encode(dump(table("1 2 3").state)))
    assert document.keys() == {"version", "rules", "phase", "asked", "match", "round", "bidding"}
    assert document["bidding"] == {"turn": 0}
    assert "last" not in document["match"]


def test_a_match_of_version_1_is_upgraded() -> None:
    states = [
        table("1 2 3 4 10", "peek", variant=True, players=4).play("A bid 1", "B call", "C bet B", "D bet A"),
        table("3 4 5 6", "feathers", variant=True, players=4).play("A bid 5", "B coin guess 9"),
        table("1 2 3 4", "scout", variant=True, players=4).play("A bid 5", "B bid 8", "C redo"),
        table("1 ? 3", rest="discard").play("A bid 5", "B call"),
        table("1 2 3").play("A bid 9", "B call"),
    ]
    for game in states:
        assert load(upgrade(version_1(game.state))) == game.state


@pytest.mark.parametrize("document", [None, [], {}, {"version": 2}, {"version": "1"}])
def test_only_version_1_is_upgraded(document: Any) -> None:
    with pytest.raises(ValueError, match="not a match of Coyote in version 1"):
        upgrade(document)


@pytest.mark.parametrize("part", ["match", "round", "bidding"])
@pytest.mark.parametrize("value", [None, {}, "talk", [], [0] * 20])
def test_a_damaged_match_of_version_1_is_refused(part: str, value: Any) -> None:
    document = version_1(table("1 2 3").play("A bid 9", "B call").state)
    with pytest.raises(ValueError, match=r"is not a list of \d+ values"):
        upgrade({**document, part: value})


@pytest.mark.parametrize("document", [None, [], "match", {}, {"version": 1}, {"version": "2"}])
def test_anything_but_a_match_of_this_version_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match="not a match of Coyote in version 2"):
        load(document)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("rules", None),
        ("rules", []),
        ("rules", {"edition": "uno"}),
        ("rules", {"edition": ["peek"]}),
        ("rules", {"edition": "peek", "threshold": 99}),
        ("phase", "party"),
        ("phase", None),
        ("phase", ["bets"]),
        ("asked", "5"),
        ("asked", 5.5),
        ("asked", None),
        ("match", None),
        ("match", []),
        ("match", {}),
        ("match", {"living": [0, 1, 2]}),
        ("round", [1, 2]),
        ("round", {}),
        ("bidding", "silence"),
        ("bidding", []),
        ("bidding", {"talk": 1}),
        ("weather", "fine"),
        ("bets", [[1, "A"]]),
        ("bets", [1]),
        ("bets", None),
        ("pending", {"do": "jump"}),
        ("pending", {"do": "call", "seat": 1}),
        ("pending", 5),
        ("phase", "shuffle"),
    ],
)
def test_a_damaged_match_is_refused(part: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        load({**written_match(), part: value})


@pytest.mark.parametrize("part", ["rules", "phase", "asked", "match", "round", "bidding"])
def test_a_match_without_one_of_its_parts_is_refused(part: str) -> None:
    document = written_match()
    del document[part]
    with pytest.raises(ValueError, match=f"a damaged match of Coyote: KeyError.'{part}'"):
        load(document)


def test_impossible_rules_are_named_in_the_refusal() -> None:
    with pytest.raises(ValueError, match=r"a damaged match of Coyote: Rejected.*out_of_range"):
        load({**written_match(), "rules": {"edition": "peek", "threshold": 99}})
    with pytest.raises(
        ValueError, match=r"^a damaged match of Coyote: a pending action and a shuffle must come together$"
    ):
        load({**written_match(), "phase": "shuffle"})


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value of a document, nested ones included."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from places_in(part, (*path, step))


def parent_of(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


def written_in_full() -> dict[str, Any]:
    """Return a match in its second round, with the result of the first."""
    game = table("1 2 3 4", variant=True, players=4, tokens={"B": 1}).play("A bid 1", "B call", "deal", "A bid 2")
    document: dict[str, Any] = json.loads(encode(dump(game.state)))
    assert load(document) == game.state
    return document


def test_every_single_value_of_a_match_is_checked() -> None:
    """Replace each value in turn by a float, which is valid nowhere."""
    document = written_in_full()
    for part in ("match", "round", "bidding"):
        for path in list(places_in(document[part], (part,))):
            parent = parent_of(document, path)
            value = parent[path[-1]]
            parent[path[-1]] = 0.5
            with pytest.raises(ValueError, match=r"0\.5"):
                load(document)
            parent[path[-1]] = value
    load(document)


def test_a_match_with_an_unknown_field_is_refused() -> None:
    document = written_in_full()
    for path in list(places_in(document)):
        value = parent_of(document, (*path, None))
        if isinstance(value, dict) and path != ("rules",):
            value["weather"] = "fine"
            with pytest.raises(ValueError, match="weather"):
                load(document)
            del value["weather"]
    load(document)


def test_seats_are_plain_numbers() -> None:
    state = load(written_match())
    assert state.bets == ((Seat(2), Seat(1)),)

"""Frozen records behave like named tuples and cache their written form."""

from __future__ import annotations

import json

import pytest

from bot.engine.frozen import Frozen, WrittenOnce, encode


class Card(Frozen, frozen=True):
    """A small record."""

    name: str
    value: int = 0


class Hand(WrittenOnce, frozen=True):
    """A record that contains others."""

    cards: tuple[Card, ...]
    owner: str = "Ana"


HAND = Hand((Card("night"), Card("x2", 2)))


def test_fields_are_written_by_name_without_defaults() -> None:
    assert encode({"hand": HAND}) == '{"hand":{"cards":[{"name":"night"},{"name":"x2","value":2}]}}'


def test_replacing_makes_a_copy() -> None:
    assert HAND._replace(owner="Ben") == Hand(HAND.cards, "Ben")
    assert HAND.owner == "Ana"
    with pytest.raises(AttributeError):
        HAND.owner = "Ben"  # type: ignore[misc]


def test_the_written_form_is_cached_and_never_shared_with_a_copy() -> None:
    assert HAND.written is HAND.written
    other = HAND._replace(owner="Ben")
    assert encode([HAND.written, other.written]) == encode([HAND, other])
    assert Hand(HAND.cards) == HAND
    assert hash(HAND) == hash(Hand(HAND.cards))


def test_a_lone_surrogate_is_escaped() -> None:
    odd = HAND._replace(owner="\ud800")
    assert json.loads(bytes(odd.written)) == {
        "cards": [{"name": "night"}, {"name": "x2", "value": 2}],
        "owner": "\ud800",
    }
    around = {"said": "\udfff", "hands": [HAND.written, odd.written]}
    assert json.loads(encode(around)) == {
        "said": "\udfff",
        "hands": [json.loads(encode(HAND)), json.loads(encode(odd))],
    }

"""Frozen data: what it shares with named tuples, and what is kept of it."""

from __future__ import annotations

import json

import pytest

from bot.engine.frozen import Frozen, WrittenOnce, encode


class Card(Frozen, frozen=True):
    """Something small."""

    name: str
    value: int = 0


class Hand(WrittenOnce, frozen=True):
    """Something that holds others."""

    cards: tuple[Card, ...]
    owner: str = "Ana"


HAND = Hand((Card("night"), Card("x2", 2)))


def test_it_is_written_by_name_without_what_is_default() -> None:
    assert encode({"hand": HAND}) == '{"hand":{"cards":[{"name":"night"},{"name":"x2","value":2}]}}'


def test_another_is_made_and_the_first_stays() -> None:
    assert HAND._replace(owner="Ben") == Hand(HAND.cards, "Ben")
    assert HAND.owner == "Ana"
    with pytest.raises(AttributeError):
        HAND.owner = "Ben"  # type: ignore[misc]


def test_what_was_written_once_is_not_written_again_and_never_goes_to_another() -> None:
    assert HAND.written is HAND.written
    other = HAND._replace(owner="Ben")
    assert encode([HAND.written, other.written]) == encode([HAND, other])
    assert Hand(HAND.cards) == HAND
    assert hash(HAND) == hash(Hand(HAND.cards))


def test_half_a_pair_of_surrogates_is_spelt_out_wherever_it_stands() -> None:
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

"""What buttons carry goes there and back; what is forged is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.screens.custom_ids import (
    MOST,
    Act,
    CustomId,
    Play,
    Verb,
    bid_argument,
    parse,
    parse_act,
    parse_announcement,
    parse_bid,
)

letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
custom_ids = st.builds(
    CustomId,
    st.sampled_from(Verb),
    st.text(letters, min_size=1, max_size=20),
    st.integers(0, 999_999_999),
    st.none() | st.text(letters + "-_.+?", min_size=1, max_size=40),
)


@given(custom_ids)
def test_there_and_back(custom_id: CustomId) -> None:
    assert len(str(custom_id)) <= MOST
    assert parse(str(custom_id)) == custom_id


@given(st.text() | st.from_regex(r"c\d:[\w]*:\d*:[a-z]*(:.*)?"))
def test_forged_ones_are_refused_or_mean_what_they_say(forged: str) -> None:
    read = parse(forged)
    assert read is None or str(read) == forged


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "c1:k7Q2:1:bid:15\n",
        " c1:k7Q2:1:bid:15",
        "c2:k7Q2:1:bid:15",
        "c1:k7Q2:1:bid:",
        "c1:k7Q2:01:bid:15",
        "c1:k7Q2:-1:bid:15",
        "c1:k7Q2:١:bid:15",
        "c1::1:bid:15",
        "c1:k7Q2:1:steal",
        "c1:k7Q2:1:bid:15:16",
        "c1:k7Q2:1:bid:<@1>",
        "c1:k7Q2:9999999999:bid:15",
        "c1:" + "k" * 21 + ":1:bid:15",
        "c1:k7Q2:1:bid:" + "1" * 41,
    ],
)
def test_malformed(forged: str) -> None:
    assert parse(forged) is None


@pytest.mark.parametrize(
    "wrong", [CustomId(Verb.BID, "a b"), CustomId(Verb.BID, argument="a:b"), CustomId(Verb.BID, "")]
)
def test_none_is_made_that_could_not_be_read(wrong: CustomId) -> None:
    with pytest.raises(ValueError, match="no custom_id"):
        str(wrong)


@pytest.mark.parametrize(
    ("argument", "fields"),
    [
        ("15", {"number": 15, "plus": None, "target": None}),
        ("-999", {"number": -999, "plus": None, "target": None}),
        ("15.double", {"number": 15, "plus": "double", "target": None}),
        ("15.next.11", {"number": 15, "plus": "next", "target": 11}),
    ],
)
def test_bids(argument: str, fields: dict[str, object]) -> None:
    assert parse_bid(argument) == Play("bid", fields)


@pytest.mark.parametrize(
    "forged", [None, "", "x", "1e3", "15.", "15..3", "15.next.", "99999", "1.NEXT", "15.next.3.4", "٣"]
)
def test_forged_bids(forged: str | None) -> None:
    assert parse_bid(forged) is None


@pytest.mark.parametrize(
    ("act", "written", "play"),
    [
        (Act("approve"), "approve", Play("approve", {})),
        (Act("coyote_card"), "coyote_card", Play("coyote_card", {})),
        (Act("coin", "skip"), "coin.skip", Play("coin", {"coin": "skip", "value": None})),
        (Act("coin", "guess"), "coin.guess", Play("coin", {"coin": "guess", "value": 7})),
        (Act("bid", "next", 3), "bid.next.3", Play("bid", {"number": 7, "plus": "next", "target": 3})),
    ],
)
def test_acts(act: Act, written: str, play: Play) -> None:
    assert str(act) == written
    assert parse_act(written) == act
    assert act.play(7, 7 if act.needs_guess else None) == play


@pytest.mark.parametrize(
    "forged", ["", "bid", "coin", "approve.x", "deal", "leave", "coin.skip.", "bid.next.333", "BID.next"]
)
def test_forged_acts(forged: str) -> None:
    assert parse_act(forged) is None


def test_announcements_travel_without_their_verb() -> None:
    assert parse_announcement(None) == Act("bid")
    assert parse_announcement("next.3") == Act("bid", "next", 3)
    assert parse_announcement("<@1>") is None
    assert bid_argument(15, Act("bid", "next", 3)) == "15.next.3"
    assert bid_argument(-5) == "-5"

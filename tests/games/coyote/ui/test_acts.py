"""Special actions and bids round-trip as text, and forged ones are refused."""

from __future__ import annotations

import pytest

from bot.games.coyote.ui.acts import Act, bid_argument, parse_act, parse_announcement, parse_bid


@pytest.mark.parametrize(
    ("argument", "fields"),
    [
        ("15", {"number": 15, "plus": None, "target": None}),
        ("-999", {"number": -999, "plus": None, "target": None}),
        ("15.double", {"number": 15, "plus": "double", "target": None}),
        ("15.next.11", {"number": 15, "plus": "next", "target": 11}),
    ],
)
def test_bids_are_read_from_arguments(argument: str, fields: dict[str, object]) -> None:
    bid = parse_bid(argument)
    assert bid is not None
    assert (bid.do, bid.fields) == ("bid", fields)
    assert (bid.slots, bid.confirmed) == ({"number": fields["number"]}, False)


@pytest.mark.parametrize(
    "forged", [None, "", "x", "1e3", "15.", "15..3", "15.next.", "99999", "1.NEXT", "15.next.3.4", "٣"]
)
def test_forged_bids_are_refused(forged: str | None) -> None:
    assert parse_bid(forged) is None


@pytest.mark.parametrize(
    ("act", "written", "do", "fields"),
    [
        (Act("approve"), "approve", "approve", {}),
        (Act("coyote_card"), "coyote_card", "coyote_card", {}),
        (Act("coin", "skip"), "coin.skip", "coin", {"coin": "skip", "value": None}),
        (Act("coin", "guess"), "coin.guess", "coin", {"coin": "guess", "value": 7}),
        (Act("bid", "next", 3), "bid.next.3", "bid", {"number": 7, "plus": "next", "target": 3}),
    ],
)
def test_special_actions_round_trip(act: Act, written: str, do: str, fields: dict[str, object]) -> None:
    assert str(act) == written
    assert parse_act(written) == act
    move = act.move(7, 7 if act.needs_guess else None)
    assert (move.do, move.fields) == (do, fields)
    assert move.shows_look is (do == "coyote_card")
    assert move.announced == ("next.3" if do == "bid" else None)


@pytest.mark.parametrize(
    "forged", ["", "bid", "coin", "approve.x", "deal", "leave", "coin.skip.", "bid.next.333", "BID.next"]
)
def test_forged_special_actions_are_refused(forged: str) -> None:
    assert parse_act(forged) is None


def test_announcements_are_written_without_their_verb() -> None:
    assert parse_announcement(None) == Act("bid")
    assert parse_announcement("next.3") == Act("bid", "next", 3)
    assert parse_announcement("<@1>") is None
    assert bid_argument(15, Act("bid", "next", 3)) == "15.next.3"
    assert bid_argument(-5) == "-5"

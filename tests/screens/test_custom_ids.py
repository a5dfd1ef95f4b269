"""Custom ids round-trip, and forged ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.screens.custom_ids import MAX_LENGTH, CustomId, Verb, parse

letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
custom_ids = st.builds(
    CustomId,
    st.sampled_from(Verb) | st.from_regex(r"[a-z]{2,12}", fullmatch=True),
    st.text(letters, min_size=1, max_size=20),
    st.integers(0, 999_999_999),
    st.none() | st.text(letters + "-_.+?", min_size=1, max_size=40),
)


@given(custom_ids)
def test_custom_ids_round_trip(custom_id: CustomId) -> None:
    assert len(str(custom_id)) <= MAX_LENGTH
    assert parse(str(custom_id)) == custom_id


@given(st.text() | st.from_regex(r"c\d:[\w]*:\d*:[a-z]*(:.*)?"))
def test_a_forged_custom_id_is_refused_or_reads_back_unchanged(forged: str) -> None:
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
        "c1:k7Q2:1:Steal",
        "c1:k7Q2:1:bid:15:16",
        "c1:k7Q2:1:bid:<@1>",
        "c1:k7Q2:9999999999:bid:15",
        "c1:" + "k" * 21 + ":1:bid:15",
        "c1:k7Q2:1:bid:" + "1" * 76,
    ],
)
def test_malformed_custom_ids_are_refused(forged: str) -> None:
    assert parse(forged) is None


@pytest.mark.parametrize(
    "wrong", [CustomId(Verb.KICK, "a b"), CustomId(Verb.KICK, argument="a:b"), CustomId(Verb.KICK, "")]
)
def test_an_unreadable_custom_id_is_never_made(wrong: CustomId) -> None:
    with pytest.raises(ValueError, match="no custom_id"):
        str(wrong)

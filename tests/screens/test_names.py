"""Display names never act as Markdown or mentions."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.screens.names import MAX_NAME_LENGTH, NAMELESS, mention, safe_name
from bot.text.catalogue import catalogue

ACTIVE = set("*_~`|<>@#\\[]:")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ana", "Ana"),
        ("Chloé", "Chloé"),
        ("Nguyễn Thị", "Nguyễn Thị"),
        ("Дмитрий", "Дмитрий"),
        ("  Ana \n  B.  ", "Ana B."),
        ("**Ana**", "∗∗Ana∗∗"),
        ("@everyone", "＠everyone"),
        ("<@&12>", "‹＠&12›"),
        ("<t:0:R>", "‹t∶0∶R›"),
        ("</bid:1>", "‹/bid∶1›"),
        ("<a:e:1>", "‹a∶e∶1›"),
        ("[free](https://x.y)", "［free］(https∶//x.y)"),
        ("1. Ana", "1․ Ana"),
        ("12) Ana", "12․ Ana"),
        ("- Ana", "‐ Ana"),
        ("-# Ana", "‐＃ Ana"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("a\u200b\u2060\ufeffb", "ab"),
        ("\u3164", NAMELESS),
        ("\u2800 \u115f", NAMELESS),
        ("", NAMELESS),
        ("\u0301\u0301", NAMELESS),
        ("e" + "\u0335" * 40, "e" + "\u0335" * 2),
        ("x" * 40, "x" * 31 + "…"),
    ],
)
def test_hostile_names_become_inert(raw: str, shown: str) -> None:
    assert safe_name(raw) == shown


@given(st.text())
def test_any_name_becomes_short_and_inert(raw: str) -> None:
    name = safe_name(raw)
    assert 1 <= len(name) <= MAX_NAME_LENGTH
    assert not ACTIVE & set(name)
    assert not re.match(r"\s|[-+>#]|\d+[.)]", name)
    assert all(unicodedata.category(character)[0] != "C" for character in name)
    assert "\n" not in name
    assert safe_name(name) == name


def test_mentions() -> None:
    assert mention(catalogue(), 12) == "<@12>"

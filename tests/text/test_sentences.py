"""Texts that only rare positions show have a golden file for review."""

from __future__ import annotations

import pytest

from bot.text.catalogue import catalogue, languages
from tests.golden import matches_golden
from tests.text.sentences import sentences


@pytest.mark.parametrize("language", languages())
def test_golden_sentences(language: str) -> None:
    matches_golden("sentences.txt", "\n".join([*sentences(catalogue(language)), ""]), language)

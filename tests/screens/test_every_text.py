"""Every text is seen in a golden file of its language, so that somebody has read it where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pytest

from bot.engine.registry import RULES
from bot.text.catalogue import catalogue, languages
from tests.discord_ui.commands.test_localisation import FOR_COMMANDS
from tests.screens.every_screen import draw_everything
from tests.text.checks import LISTS
from tests.text.sentences import GROUPS, is_rare
from tests.text.speaking import recorded, speaking

ELSEWHERE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(FOR_COMMANDS, "in commands.txt; a test of commands asks whether all are used"),
        LISTS: "how a language joins lists, which the catalogue's own tests try",
        **dict.fromkeys(("typed.", "plenty.called."), "what people may type, which nothing shows"),
    }
)
"""Beginnings of the keys that these scenes need not show, each with the reason."""


@pytest.mark.parametrize("language", languages())
def test_every_text_is_in_a_golden_file(language: str) -> None:
    say = catalogue(language)
    with speaking(language), recorded() as found:
        for _ in draw_everything(language):
            pass
    replaced = {key for key in say.keys if all(f"{game}.{key}" in say.keys for game in RULES)}
    unseen = {key for key in say.keys - found - replaced if not key.startswith(tuple(ELSEWHERE))}
    assert sorted(unseen) == []


def test_each_exemption_is_needed() -> None:
    keys = catalogue().keys | {f"{LISTS}and"}
    assert [start for start in ELSEWHERE if not any(key.startswith(start) for key in keys)] == []
    assert [group for group in GROUPS if not any(is_rare(key) and group in key for key in keys)] == []

"""A message refused by a filter is sent again without names, mentions and links, but with its buttons."""

import pytest

from bot.screens.layout import PublicScreen
from bot.screens.plain import plain_screen, plain_text
from tests.screens import scenes
from tests.screens.limits import check_limits, walk
from tests.screens.scenes import FIRST_USER, SAY, a_table

PUBLIC = {name: screen for name, screen in scenes.screens().items() if isinstance(screen, PublicScreen)}


@pytest.mark.parametrize("name", PUBLIC)
def test_nobody_is_named_and_nothing_is_linked(name: str) -> None:
    table = a_table(12)
    plain = plain_screen(SAY, table, PUBLIC[name])
    check_limits(plain)
    before, after = list(walk(PUBLIC[name].to_components())), list(walk(plain.to_components()))
    said = " ".join(str(part) for part in after)
    assert "<@" not in said
    assert "<#" not in said
    assert "http" not in said
    assert not any(player.name in said for player in table.players)
    pressed = {part.get("custom_id") for part in before if part["type"] == 2}
    assert {part.get("custom_id") for part in after if part["type"] == 2} <= pressed
    assert any("refused my usual message" in str(part.get("content")) for part in after)


def test_people_are_named_by_their_seats() -> None:
    words = f"<@{FIRST_USER + 1}> calls Coyote on <@{FIRST_USER}>, says <@77>"
    assert plain_text(SAY, a_table(3), words) == "seat 2 calls Coyote on seat 1, says somebody"


def test_the_buttons_stay() -> None:
    plain = plain_screen(SAY, a_table(5), PUBLIC["lobby"])
    labels = [part["label"] for part in walk(plain.to_components()) if part["type"] == 2]
    assert labels == ["Join", "Leave", "Start", "Add AI…", "Fill the table", "Rules", "Host…", "Cancel", "More…"]

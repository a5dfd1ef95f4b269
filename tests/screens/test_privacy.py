from __future__ import annotations

import pytest

from bot.engine.core import Seat
from bot.host.former_players import new_former_id
from bot.screens.layout import PrivateScreen, text
from bot.screens.names import mention
from bot.screens.privacy import (
    Known,
    counted_screen,
    delete_screen,
    deleted_screen,
    privacy_screen,
    unknown_screen,
)
from bot.screens.words import seat_label, who
from bot.text.catalogue import catalogue
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.screens.scenes import FEATHERS, a_table, dealt, shown

SAY = catalogue()
SOMEBODY = Known(anything=True, tables=12, seated=2, opted_out=False)


@pytest.mark.parametrize(
    "screen",
    [
        privacy_screen(SAY, SOMEBODY, 30),
        privacy_screen(SAY, SOMEBODY._replace(opted_out=True, tables=0, seated=0), 0),
        privacy_screen(SAY, Known(anything=False, tables=0, seated=0, opted_out=False), 1),
        delete_screen(SAY, SOMEBODY),
        delete_screen(SAY, SOMEBODY._replace(seated=0)),
        deleted_screen(SAY, 30, reaches_files=True),
        deleted_screen(SAY, 30, reaches_files=False),
        unknown_screen(SAY),
        counted_screen(SAY, opted_out=True),
    ],
)
def test_screens_fit_discord(screen: PrivateScreen) -> None:
    check_limits(screen)


def test_an_unknown_user_can_delete_nothing() -> None:
    text = rendered(privacy_screen(SAY, Known(anything=False, tables=0, seated=0, opted_out=False), 30))
    assert "Delete" not in text
    assert "Download" not in text
    assert "Nothing" in text


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it"])
def test_backups_are_promised_only_where_the_bot_makes_them(language: str) -> None:
    say = catalogue(language)
    ours, others = (rendered(deleted_screen(say, 30, reaches_files=each)) for each in (True, False))
    copies, beneath = (
        rendered(PrivateScreen(text(written)))
        for written in (say("privacy.delete.copies", count=30), say("privacy.delete.beneath"))
    )
    assert copies in ours
    assert beneath not in ours
    assert beneath in others
    assert "30" not in others


def test_a_former_player_has_the_same_name_everywhere() -> None:
    former_id = new_former_id()
    assert mention(SAY, former_id) == "*a former player*"
    assert mention(SAY, 5) == "<@5>"
    table = a_table(3, FEATHERS)
    left = table.players[1]._replace(user=former_id, name="", left=True)
    table = table._replace(players=(table.players[0], left, table.players[2]))
    assert (who(SAY, table, Seat(1)), seat_label(SAY, table, Seat(1))) == ("*a former player*", "former player")
    text = rendered(shown(table, dealt(FEATHERS, (1, 2, 3))))
    assert "a former player" in text
    assert str(former_id) not in text

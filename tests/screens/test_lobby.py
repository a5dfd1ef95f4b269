"""The lobby offers only what the table's game can do."""

import pytest

from bot.ai_players.brains import BRAINS
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.screens.lobby import lobby_screen
from bot.screens.refusals import refusal_text
from tests.screens.rendering import rendered
from tests.screens.scenes import FEATHERS, SAY, a_table


def test_ai_players_are_offered_only_where_they_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(1)._replace(options=FEATHERS)
    missing = Rejected(HostReason.TOO_FEW, missing=1)
    assert "Add AI…" in rendered(lobby_screen(SAY, table))
    assert "Add AI…" in refusal_text(SAY, missing, table)
    monkeypatch.delitem(BRAINS, table.game)
    shown = rendered(lobby_screen(SAY, table))
    assert "Add AI…" not in shown
    assert "Fill the table" not in shown
    assert "Add AI…" not in refusal_text(SAY, missing, table)

"""What a process is told that was not elected."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.host.ports import Fault, StoreFault
from bot.store.postgres.elections import Elections


async def test_a_server_that_has_gone_away_is_not_taken_for_another_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lose(*_: object, **__: object) -> bool:
        return False

    monkeypatch.setattr(Elections, "win", lose)
    connections: Any = SimpleNamespace(is_away=False)
    assert not await Elections(connections).win_within("owner", 0)
    connections.is_away = True
    with pytest.raises(StoreFault) as raised:
        await Elections(connections).win_within("owner", 0)
    assert raised.value.fault is Fault.AWAY

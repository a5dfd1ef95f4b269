"""The delay before a login, when few logins are left."""

import pytest

from bot.discord_ui.gateway.connection import login_delay

DAY = 86_400_000


@pytest.mark.parametrize(
    ("left", "shards", "seconds"),
    [(1000, 1, 0.0), (101, 1, 0.0), (100, 1, 864.0), (100, 10, 8640.0), (109, 10, 8640.0), (110, 10, 0.0)],
)
def test_remaining_logins_are_spread_over_the_day(left: int, shards: int, seconds: float) -> None:
    assert login_delay({"remaining": left, "reset_after": DAY}, shards) == seconds


@pytest.mark.parametrize(("left", "shards"), [(0, 1), (3, 4)])
def test_with_too_few_logins_for_a_start_the_bot_waits_for_the_reset(left: int, shards: int) -> None:
    assert login_delay({"remaining": left, "reset_after": 5000}, shards) == 5.0


def test_a_gateway_proxy_may_omit_the_limits() -> None:
    assert login_delay({}, 3) == 0.0

"""Many processes share what Discord lets one bot do."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from bot.discord_ui.client import DM_BURST, REQUEST_BURST, REQUESTS_PER_SECOND, Services

DISCORDS_LIMIT = 50
"""Requests with one bot token in a second."""


def services(shards: range | None, of: int | None) -> Services:
    """Return the services of a process with these shards."""
    unused: dict[str, Any] = dict.fromkeys(field.name for field in fields(Services))
    return Services(**{**unused, "shard_count": of, "shard_ids": shards})


@pytest.mark.parametrize("processes", [1, 2, 4, 8])
def test_all_processes_together_keep_discords_limit_in_every_second(processes: int) -> None:
    mine = services(range(16 // processes), 16)
    assert processes * (REQUESTS_PER_SECOND * mine.share + mine.part_of(REQUEST_BURST)) <= DISCORDS_LIMIT


def test_a_small_part_is_one_request_and_the_only_process_has_all() -> None:
    assert services(range(1), 64).part_of(REQUEST_BURST) == 1
    assert services(None, None).part_of(REQUEST_BURST) == REQUEST_BURST
    assert services(range(1), 4).part_of(DM_BURST) == 1

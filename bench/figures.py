"""Measures and prints figures: the best rate per second of CPU time, taken in turn with a baseline."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Figure(NamedTuple):
    """One printed line: what was measured, its value, and the ratio to a baseline from the same run."""

    name: str
    value: str
    ratio: float | None = None
    baseline: str = ""
    wanted: str = ""

    def __str__(self) -> str:
        against = "" if self.ratio is None else f"  {self.ratio:6.2f}x {self.baseline}"
        return f"{self.name:<58}{self.value:>16}{against}{f'  (wanted: {self.wanted})' if self.wanted else ''}"


def rates(work: Mapping[str, Callable[[], int]], turns: int = 5) -> dict[str, float]:
    """Run each function `turns` times, in turn; return the best rate of each, per second of CPU time."""
    best = dict.fromkeys(work, 0.0)
    for _ in range(turns):
        for name, run in work.items():
            begin = time.process_time()
            done = run()
            best[name] = max(best[name], done / (time.process_time() - begin))
    return best

"""Draws a small graph of block characters; the text below it says the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
_FULL: Final = len(_BLOCKS) - 1
WIDTH: Final = 26
"""Columns of the graph: as many as fit on a phone."""
HEIGHT: Final = 3
"""Rows of the graph."""


def graph(values: Sequence[int]) -> list[str]:
    """Draw numbers from left (oldest) to right, with the highest and the lowest beside their rows.

    If there are more numbers than columns, a column shows the last of its numbers.
    """
    columns = min(WIDTH, len(values))
    drawn = [values[(place + 1) * len(values) // columns - 1] for place in range(columns)]
    low, high = min(values), max(values)
    top = HEIGHT * _FULL
    heights = [1 + round((value - low) * (top - 1) / (high - low)) if high > low else _FULL for value in drawn]
    margin = max(len(str(low)), len(str(high)))
    beside = {0: low} if high == low else {HEIGHT - 1: high, 0: low}
    rows = []
    for row in reversed(range(HEIGHT)):
        bars = "".join(_BLOCKS[min(_FULL, max(0, height - row * _FULL))] for height in heights)
        rows.append(f"{beside.get(row, ''):>{margin}} {bars}".rstrip())
    return [row for row in rows if row]

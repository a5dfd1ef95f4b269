"""Shows how far long work has come: a bar with a rate and the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final, Self, TextIO

BAR_WIDTH: Final = 24
"""The width of the bar, in characters."""
REDRAW_SECONDS: Final = 0.1
"""Pause between two redrawings of the bar."""
LINE_SECONDS: Final = 5.0
"""Pause between two plain lines."""


class Progress:
    """Called with what is done and what there is to do; use it as a context manager, which ends the bar."""

    def __init__(self, what: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._began = clock()
        self._shown: float | None = None
        self._on_terminal = self._stream.isatty()
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __call__(self, done: int, of: int) -> None:
        """Show the new state, unless it was shown a moment ago."""
        now = self._clock()
        pause = REDRAW_SECONDS if self._on_terminal else LINE_SECONDS
        if now - (self._began if self._shown is None else self._shown) < pause and (done < of or self._shown is None):
            return  # work that is done before its first line needs none
        self._shown = now
        line = self._line(done, of, now - self._began)
        if self._on_terminal:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r\x1b[K{_bar(done, of)} {line}"[: width + len("\r\x1b[K")])
            self._drawn = True
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()

    def _line(self, done: int, of: int, took: float) -> str:
        line = f"{done:,} of {of:,} {self._what}"
        if done >= of or took <= 0 or done <= 0:
            return line
        rate = done / took
        return f"{line}, {rate:,.0f}/s, {duration((of - done) / rate)} left"


def _bar(done: int, of: int) -> str:
    full = BAR_WIDTH if of <= 0 else min(BAR_WIDTH, BAR_WIDTH * done // of)
    return f"[{'#' * full}{'-' * (BAR_WIDTH - full)}] {100 if of <= 0 else min(100, 100 * done // of):3} %"


def duration(seconds: float) -> str:
    """Return a duration as people say it: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def size(count: int) -> str:
    """Return a size in bytes as people read it: 812 KB, 4.2 MB, 1.3 GB."""
    if count < 1_000_000:
        return f"{max(1, round(count / 1000))} KB"
    return f"{count / 1e6:.1f} MB" if count < 1_000_000_000 else f"{count / 1e9:.1f} GB"

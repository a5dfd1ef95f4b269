"""`make bench`: prints every figure, most as a ratio to a baseline from the same run."""

from __future__ import annotations

import platform
import sys
from importlib import import_module

SECTIONS = (
    *("games", "odds", "host", "postgres", "start", "languages", "stats", "privacy", "pictures", "sandbox", "page"),
    *("bot", "ai", "budget", "monitor"),
)


def main(wanted: list[str]) -> None:
    """Print the named sections, or all of them."""
    print(f"Python {platform.python_version()} on {platform.machine()}, rates per second of CPU time, best of five")
    for name in wanted or SECTIONS:
        print(f"\n{name}")
        for figure in import_module(f"bench.{name}").figures():
            print(f"  {figure}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

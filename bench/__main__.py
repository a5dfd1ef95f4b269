"""`make bench`: prints every figure, each as a ratio against a baseline measured in the same run."""

from __future__ import annotations

import platform
import sys

from bench import games, host, page, sandbox

SECTIONS = {"games": games.figures, "host": host.figures, "sandbox": sandbox.figures, "page": page.figures}


def main(wanted: list[str]) -> None:
    """Print the named sections, or all of them."""
    print(f"Python {platform.python_version()} on {platform.machine()}, rates per second of CPU time, best of five")
    for name in wanted or SECTIONS:
        print(f"\n{name}")
        for figure in SECTIONS[name]():
            print(f"  {figure}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""`make bench`: prints every figure, each as a ratio against a baseline measured in the same run."""

from __future__ import annotations

import platform
import sys
from importlib import import_module

SECTIONS = ("games", "host", "sandbox", "page", "bot")


def main(wanted: list[str]) -> None:
    """Print the named sections, or all of them."""
    print(f"Python {platform.python_version()} on {platform.machine()}, best of several turns")
    for name in wanted or SECTIONS:
        print(f"\n{name}")
        # One by one: what a section measures against is installed for it, and must not weigh on the others.
        for figure in import_module(f"bench.{name}").figures():
            print(f"  {figure}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Adds commands to the command line, each with an example in its help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What `add_subparsers` returns; argparse has no public name for it."""


def add_command(
    commands: Commands,
    name: str,
    help_: str,
    *,
    run: Callable[[argparse.Namespace], int],
    example: str,
    more: str = "",
) -> argparse.ArgumentParser:
    """Add a command. Its own help shows `help_`, which is also its line in the list of commands, and then `more`."""
    description = f"{help_[0].upper()}{help_[1:]}."
    parser = commands.add_parser(
        name,
        help=help_,
        description=f"{description} {more}".strip(),
        epilog=f"example:\n  python -m bot {example}",
        formatter_class=_Formatter,
    )
    parser.set_defaults(run=run, parser=parser)  # it says which help to read
    return parser


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of an example, but wraps the description."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("example:"):
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)

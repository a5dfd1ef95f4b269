"""Reads the command line, and runs one command. What a command needs is imported only when it runs."""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
from collections.abc import Sequence
from typing import NoReturn

from bot.cli import backups, cluster, doctor, playing, reports, rules, statistics, stores
from bot.exit_codes import DATABASE, INTERRUPTED, WRONG_SETTINGS
from bot.settings import WrongSettings
from bot.store.faults import DatabaseRefused
from bot.version import VERSION

PROGRAM = "python -m bot"


class Parser(argparse.ArgumentParser):
    """Prints one line about a wrong argument, and where to read more."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit."""
        self.exit(WRONG_SETTINGS, f"{self.prog}: {message}. Try: {self.prog} --help\n")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the process's exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except WrongSettings as wrong:
        print(*wrong.lines, sep="\n", file=sys.stderr)
        return WRONG_SETTINGS
    except DatabaseRefused as refused:
        print(refused, file=sys.stderr)
        return DATABASE
    except BrokenPipeError:
        sys.stderr.close()  # the reader, such as `head`, is gone; Python would print an error at exit
        return 0
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Hosts bluffing games in Discord. Without a command: runs the bot, or the sandbox without a token.",
        epilog=f"example:\n  {PROGRAM} play --open\n\n{PROGRAM} COMMAND --help explains a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    versions = f"Coyote Table {VERSION} (Python {platform.python_version()}, SQLite {sqlite3.sqlite_version})"
    parser.add_argument("--version", action="version", version=versions)
    parser.set_defaults(run=playing.run_or_play)
    playing.add_options(parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for family in (playing, cluster, doctor, reports, backups, stores, statistics, rules):
        family.add_commands(commands)
    return parser

"""Reads the command line, and runs one command. What a command needs is imported only when it runs."""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sqlite3
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from bot.cli import backups, cluster, doctor, playing, reports, rules, statistics, stores
from bot.exit_codes import DATABASE, FAILED, INTERRUPTED, WRONG_SETTINGS
from bot.logs import print_fatal
from bot.settings import WrongSettings
from bot.store.faults import DatabaseRefused
from bot.version import VERSION

log = logging.getLogger(__name__)

PROGRAM = "python -m bot"


class Parser(argparse.ArgumentParser):
    """Prints one line about a wrong argument, and where to read more."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # An abbreviation would change its meaning with the next option that begins like it.
        super().__init__(*arguments, **{"allow_abbrev": False} | options)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit."""
        self.exit(WRONG_SETTINGS, f"{self.prog}: {message}. Try: {self.prog} --help\n")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the process's exit code."""
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        code: int = options.run(options)
        return code
    except WrongSettings as wrong:
        for line in wrong.lines:
            print_fatal(line, as_json=_logs_as_json(options))
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
    except OSError as fault:
        log.debug("the command failed", exc_info=fault)
        where = "" if fault.filename is None else f"{fault.filename}: "
        print(f"{where}{fault.strerror or fault or type(fault).__name__}.", file=sys.stderr)
        return FAILED


def _logs_as_json(options: argparse.Namespace) -> bool:
    """Return whether a machine reads the output of this command; settings that are wrong cannot say so."""
    return getattr(options, "logs", False) and os.environ.get("LOG_FORMAT", "").strip().lower() == "json"


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Hosts bluffing games in Discord. Without a command: runs the bot, or the sandbox without a token.",
        epilog=f"example:\n  {PROGRAM} play --open\n\n{PROGRAM} COMMAND --help explains a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    versions = f"Coyote Table {VERSION} (Python {platform.python_version()}, SQLite {sqlite3.sqlite_version})"
    parser.add_argument("--version", action="version", version=versions)
    parser.set_defaults(run=playing.run_or_play, parser=parser)
    playing.add_options(parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for family in (playing, cluster, doctor, reports, backups, stores, statistics, rules):
        family.add_commands(commands)
    return parser

"""`python -m bot`: the command line. `python -m bot --help` lists the commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from bot import health

OWN_PACKAGES: Final = ("bot", "cogs", "sandbox")
HOW_TO_INSTALL: Final = "Install all of them with: make .venv/.play; then type .venv/bin/python in place of python."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the process's exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["health"] and (database := health.database_path()) is not None:
        return health.report(database)  # without the imports that all other commands need
    try:
        from bot.cli.main import main as run  # noqa: PLC0415

        return run(arguments)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] in OWN_PACKAGES:
            raise
        from bot.exit_codes import WRONG_SETTINGS  # noqa: PLC0415

        print(f"This Python has no package {missing.name}. {HOW_TO_INSTALL}", file=sys.stderr)
        return WRONG_SETTINGS


if __name__ == "__main__":
    sys.exit(main())

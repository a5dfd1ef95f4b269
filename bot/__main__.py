"""Provides the command line: `python -m bot` runs the bot.

`… health` reports whether it is well, `… rules` prints a random game, `… stats rebuild` recounts all finished games.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from bot.engine.core import Rejected
from bot.games.registry import KITS
from bot.health import examine
from bot.settings import WrongSettings, load_settings
from bot.store.sqlite.faults import EXIT_CODE as DATABASE_EXIT_CODE
from bot.store.sqlite.faults import Refused

UNWELL_EXIT_CODE: Final = 1
"""Exit code of `health` if the bot is not well."""
WRONG_SETTINGS_EXIT_CODE: Final = 2
"""Exit code if settings or arguments are wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the process's exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "rules":
        return _rules(options)
    if options.command == "stats":
        return _rebuild()
    if options.command == "health":
        return _health()
    return _run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Hosts bluffing games in Discord.")
    parser.add_argument("--open", action="store_true", help="without a token: open the sandbox in the browser")
    parser.add_argument("--until-input-ends", action="store_true", help="stop as soon as standard input is closed")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("health", help="say in one line whether the bot on this database is well; exit code 0 or 1")
    rules = commands.add_parser("rules", help="print a game between random players")
    games = [kit.name for kit in KITS if kit.demo is not None]
    rules.add_argument("--game", choices=games, default=games[0])
    rules.add_argument("--edition", default=argparse.SUPPRESS, help="the edition, for a game with several")
    rules.add_argument("--variant", action="store_true", default=argparse.SUPPRESS, help="use the optional actions")
    rules.add_argument("--simulate", type=int, metavar="PLAYERS", default=3, help="how many play (default: 3)")
    rules.add_argument("--seed", type=int, default=0, help="the same seed prints the same game")
    stats = commands.add_parser("stats", help="look after the statistics")
    stats.add_argument("what", choices=("rebuild",), help="count all finished games anew, from the log")
    return parser


def _rebuild() -> int:
    from bot.store.sqlite.rebuild import rebuild  # noqa: PLC0415 - no other command needs the ratings

    try:
        games = rebuild(load_settings().database_path, lambda done, of: print(f"{done} of {of} games", flush=True))
    except WrongSettings as wrong:
        print(*wrong.lines, sep="\n", file=sys.stderr)
        return WRONG_SETTINGS_EXIT_CODE
    except Refused as refused:
        print(refused, file=sys.stderr)
        return DATABASE_EXIT_CODE
    print(f"The statistics of {games} games are rebuilt.")
    return 0


def _rules(options: argparse.Namespace) -> int:
    try:
        for line in _narrate(options):
            print(line)
    except Rejected as refusal:
        details = ", ".join(f"{name}: {value}" for name, value in refusal.details.items())
        print(f"This table cannot be: {refusal.reason.replace('_', ' ')} ({details}).", file=sys.stderr)
        return WRONG_SETTINGS_EXIT_CODE
    except BrokenPipeError:
        sys.stderr.close()  # whoever read the output, such as `head`, is gone; Python would print an error at exit
    return 0


def _narrate(options: argparse.Namespace) -> Iterator[str]:
    demo = next(kit.demo for kit in KITS if kit.name == options.game and kit.demo is not None)
    chosen = {name: value for name, value in vars(options).items() if name in ("edition", "variant")}
    return demo(chosen, options.simulate, options.seed)


def _health() -> int:
    try:
        well, line = examine(load_settings().database_path, time.time())
    except WrongSettings as wrong:
        well, line = False, f"unwell: {wrong.lines[0]}"
    print(line)
    return 0 if well else UNWELL_EXIT_CODE


def _run(options: argparse.Namespace) -> int:
    try:
        settings = load_settings()
        if settings.token is not None:
            from bot.run import run  # noqa: PLC0415 - no other command needs discord.py

            return asyncio.run(run(settings, until_input_ends=options.until_input_ends))
        from bot.play import play  # noqa: PLC0415 - a bot on Discord does not need the sandbox

        # By default the sandbox prints its address and nothing else.
        level = settings.log_level if "log_level" in settings.model_fields_set else "WARNING"
        return asyncio.run(play(browse=options.open, log_level=level))
    except WrongSettings as wrong:
        print(*wrong.lines, sep="\n", file=sys.stderr)
        return WRONG_SETTINGS_EXIT_CODE


if __name__ == "__main__":
    sys.exit(main())

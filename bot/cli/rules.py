"""`rules`: prints a game between random players."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bot.cli.command import Commands, add_command
from bot.engine.core import Rejected
from bot.exit_codes import WRONG_SETTINGS


def add_commands(commands: Commands) -> None:
    """Add `rules`."""
    rules = add_command(
        commands,
        "rules",
        "print a game between random players, to watch the rules at work",
        run=_rules,
        example="rules --game coyote --edition feathers --simulate 4 --seed 7",
    )
    rules.add_argument("--game", type=_game, metavar="NAME", help="the game, such as coyote or plenty-coups")
    rules.add_argument("--edition", default=argparse.SUPPRESS, help="the edition, for a game with several")
    rules.add_argument("--variant", action="store_true", default=argparse.SUPPRESS, help="use the optional actions")
    rules.add_argument("--simulate", type=int, metavar="PLAYERS", default=3, help="how many play (default: 3)")
    rules.add_argument("--seed", type=int, default=0, help="the same seed prints the same game")


def _games() -> list[str]:
    from bot.games.registry import KITS  # noqa: PLC0415 - no other command needs all the games here

    return [kit.name for kit in KITS if kit.demo is not None]


def _game(name: str) -> str:
    games = _games()
    if name not in games:
        raise argparse.ArgumentTypeError(f"there is no game {name!r}; choose {' or '.join(games)}")
    return name


def _rules(options: argparse.Namespace) -> int:
    try:
        for line in _narrate(options):
            print(line)
    except Rejected as refusal:
        details = ", ".join(f"{name}: {value}" for name, value in refusal.details.items())
        print(f"This table cannot be played: {refusal.reason.replace('_', ' ')} ({details}).", file=sys.stderr)
        return WRONG_SETTINGS
    return 0


def _narrate(options: argparse.Namespace) -> Iterator[str]:
    from bot.games.registry import KITS  # noqa: PLC0415

    game = options.game or _games()[0]
    demo = next(kit.demo for kit in KITS if kit.name == game and kit.demo is not None)
    chosen = {name: value for name, value in vars(options).items() if name in ("edition", "variant")}
    return demo(chosen, options.simulate, options.seed)

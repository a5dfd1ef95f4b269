"""`make arena`: repeatable tournaments of an AI player against simple opponents, with confidence intervals."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any, NamedTuple

from bench import players
from bot.ai_players.brains import BRAINS
from bot.ai_players.characters import EXPERT, STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES

MATCHES_PER_JOB = 50
"""How many matches one process plays before it reports."""


class Job(NamedTuple):
    """Some matches of one AI player against opponents of one kind."""

    game: str
    hero: Character
    others: str
    options: dict[str, Any]
    size: int
    seed: int
    matches: range


class Tally(NamedTuple):
    """The result of a job: matches won, and the CPU milliseconds of each of the AI player's moves."""

    wins: int
    matches: int
    moves: tuple[float, ...]


def match(game: str, seats: list[players.Player], options: dict[str, Any], rng: Random) -> tuple[Seat, ...]:
    """Play one match; return the seats that won."""
    rules = RULES[game]
    state = rules.setup(options, len(seats), None)
    while asked := rules.prompts(state):
        prompt = asked[0]
        if prompt.seat == DEALER:
            action: Any = rules.deal(state, rng)
        else:
            action = seats[prompt.seat](rules.view_for(state, prompt.seat), prompt, rng)
        state = rules.apply(state, action).state
    outcome = rules.outcome(state)
    return () if outcome is None else outcome.winners


def play(job: Job) -> Tally:
    """Play the matches of a job, with the AI player in each seat in turn. Number and seed determine a match."""
    moves: list[float] = []
    ai, other = players.ai(job.game, job.hero), players.named(job.game, job.others)

    def hero(*asked: Any) -> Any:
        begin = time.thread_time()
        answer = ai(*asked)
        moves.append(1000 * (time.thread_time() - begin))
        return answer

    wins = 0
    for number in job.matches:
        seat = number % job.size
        seats = [hero if place == seat else other for place in range(job.size)]
        wins += seat in match(job.game, seats, job.options, Random(f"{job.seed} {number}"))
    return Tally(wins, len(job.matches), tuple(moves))


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share."""
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def line(job: Job, tallies: list[Tally]) -> str:
    """Return one result as a line."""
    wins, games = sum(tally.wins for tally in tallies), sum(tally.matches for tally in tallies)
    moves = sorted(move for tally in tallies for move in tally.moves)
    low, high = wilson(wins, games)
    usual = players.opposition(job.game)
    standard = job.hero.strength == EXPERT and job.size == 4 and job.options == usual.options
    share = usual.wanted.get(job.others) if standard else None
    wanted = "" if share is None else f"  (wanted: at least {share:.0%})"
    middle, late = moves[len(moves) // 2], moves[int(len(moves) * 0.99)]
    return (
        f"against {job.size - 1} × {job.others:<8} {games:>5} games  {wins / games:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  a move: median {middle:.1f} ms, 99th percentile {late:.1f} ms{wanted}"
    )


def run(arguments: argparse.Namespace) -> Iterator[str]:
    """Play everything that was asked for, in several processes; yield the lines to print."""
    hero = Character("the AI", arguments.temperament, arguments.strength)
    game, size = arguments.game, arguments.players
    usual = players.opposition(game)
    options = {**usual.options, **_options(arguments)}
    variant = " with the variant" if options.get("variant") else ""
    edition = options.get("edition", game)
    yield f"{edition}{variant}, {size} players, seed {arguments.seed}; fair share {1 / size:.1%}"
    yield f"one AI, {hero.temperament}, strength {hero.strength}; 95 % intervals (Wilson)"
    with ProcessPoolExecutor(arguments.processes) as pool:
        for others in arguments.against.split(",") if arguments.against else usual.players:
            numbers = range(arguments.games)
            jobs = [
                Job(game, hero, others, options, size, arguments.seed, numbers[first : first + MATCHES_PER_JOB])
                for first in numbers[::MATCHES_PER_JOB]
            ]
            yield line(jobs[0], list(pool.map(play, jobs)))


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the game's options that the command line sets."""
    options: dict[str, Any] = {}
    for written in arguments.option:
        name, _, value = written.partition("=")
        options[name] = json.loads(value)
    if arguments.edition is not None:
        options["edition"] = arguments.edition
    if arguments.variant:
        options["variant"] = True
    return options


def main() -> None:
    """Read the command line and print the results."""
    parser = argparse.ArgumentParser(prog="make arena", description=__doc__)
    parser.add_argument("--game", default="coyote", choices=tuple(BRAINS))
    parser.add_argument("--games", type=int, default=4000, help="how many matches are played against each kind")
    parser.add_argument(
        "--against", default="", help="plain,gap,wild for Coyote; ai1, ai2, ai3: AI players by strength"
    )
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--edition", help="the same as --option edition=…")
    parser.add_argument("--variant", action="store_true", help="the same as --option variant=true")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=JSON", help="an option of the game")
    parser.add_argument("--temperament", default="counter", choices=TEMPERAMENTS)
    parser.add_argument("--strength", type=int, default=EXPERT, choices=STRENGTHS)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=2)
    for text in run(parser.parse_args()):
        print(text, flush=True)


if __name__ == "__main__":
    main()

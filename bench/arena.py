"""`make arena`: tournaments between an AI and the players that it must beat, with seeds and confidence intervals."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any, NamedTuple

from bench import players
from bot.ai_players.characters import EXPERT, STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import DEALER
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.editions import EDITIONS

CHUNK = 50
WANTED = {"plain": 0.30, "gap": 0.30, "wild": 0.90}
"""What the strongest AI is to win of games of four against three of a kind."""


class Job(NamedTuple):
    """Some games of one AI against others of one kind."""

    hero: Character
    others: str
    options: dict[str, Any]
    size: int
    seed: int
    games: range


class Tally(NamedTuple):
    """What came of a job: games won, and the CPU milliseconds of each of the AI's moves."""

    wins: int
    games: int
    moves: tuple[float, ...]


def match(seats: list[players.Player], options: dict[str, Any], rng: Random) -> int:
    """Play one match; return the seat that won."""
    state = rules.setup(options, len(seats), None)
    while asked := rules.prompts(state):
        prompt = asked[0]
        if prompt.seat == DEALER:
            action: Any = rules.deal(state, rng)
        else:
            action = seats[prompt.seat](rules.view_for(state, prompt.seat), prompt, rng)
        state = rules.apply(state, action).state
    return int(state.match.living[0])


def play(job: Job) -> Tally:
    """Play the games of a job, the AI's seat in rotation; a game's number and the seed decide everything in it."""
    moves: list[float] = []
    ai, other = players.ai(job.hero), players.named(job.others)

    def hero(*asked: Any) -> Any:
        begin = time.thread_time()
        answer = ai(*asked)
        moves.append(1000 * (time.thread_time() - begin))
        return answer

    wins = 0
    for game in job.games:
        seat = game % job.size
        seats = [hero if place == seat else other for place in range(job.size)]
        wins += match(seats, job.options, Random(f"{job.seed} {game}")) == seat
    return Tally(wins, len(job.games), tuple(moves))


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def line(job: Job, tallies: list[Tally]) -> str:
    """Write one result."""
    wins, games = sum(tally.wins for tally in tallies), sum(tally.games for tally in tallies)
    moves = sorted(move for tally in tallies for move in tally.moves)
    low, high = wilson(wins, games)
    standard = (
        job.hero.strength == EXPERT and job.size == 4 and job.options == {"edition": "feathers", "variant": False}
    )
    wanted = f"  (wanted: at least {WANTED[job.others]:.0%})" if standard and job.others in WANTED else ""
    middle, late = moves[len(moves) // 2], moves[int(len(moves) * 0.99)]
    return (
        f"against {job.size - 1} × {job.others:<8} {games:>5} games  {wins / games:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  a move: median {middle:.1f} ms, 99th percentile {late:.1f} ms{wanted}"
    )


def run(arguments: argparse.Namespace) -> Iterator[str]:
    """Play everything that was asked for, in several processes, and yield the lines to print."""
    hero = Character("the AI", arguments.temperament, arguments.strength)
    options = {"edition": arguments.edition, "variant": arguments.variant}
    size = arguments.players
    variant = " with the variant" if arguments.variant else ""
    yield f"{arguments.edition}{variant}, {size} players, seed {arguments.seed}; fair share {1 / size:.1%}"
    yield f"one AI, {hero.temperament}, strength {hero.strength}; 95 % intervals (Wilson)"
    with ProcessPoolExecutor(arguments.processes) as pool:
        for others in arguments.against.split(","):
            games = range(arguments.games)
            jobs = [Job(hero, others, options, size, arguments.seed, games[at : at + CHUNK]) for at in games[::CHUNK]]
            yield line(jobs[0], list(pool.map(play, jobs)))


def main() -> None:
    """Read the command line and print."""
    parser = argparse.ArgumentParser(prog="make arena", description=__doc__)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument(
        "--against", default="plain,gap,wild", help="plain, gap, wild, or ai1, ai2, ai3: AIs by strength"
    )
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--edition", default="feathers", choices=tuple(EDITIONS))
    parser.add_argument("--variant", action="store_true")
    parser.add_argument("--temperament", default="counter", choices=TEMPERAMENTS)
    parser.add_argument("--strength", type=int, default=EXPERT, choices=STRENGTHS)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=2)
    for text in run(parser.parse_args()):
        print(text, flush=True)


if __name__ == "__main__":
    main()

"""`make arena`: repeatable tournaments of an AI player against simple opponents, with confidence intervals.

In most games one AI player meets a table of opponents; in pairings, any player meets a table of any others. In a duel
several seats are the AI player's, and the tables are mirrored: over a cycle of matches each side has every arrangement
of seats once, and so half of all seats. A match then counts as 1, which players who win together share, so that a side
which plays as well as the other gets half.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

from bench import players
from bot.ai_players.brains import BRAINS
from bot.ai_players.characters import EXPERT, STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES

MATCHES_PER_JOB = 50
"""How many matches one process plays before it reports."""


PAIRED_MATCHES = 400
"""How many matches each pairing plays."""


class Job(NamedTuple):
    """Some matches of one AI player against opponents of one kind."""

    game: str
    hero: Character | str
    """An AI player, or the name of any player in the arena."""
    others: str
    options: dict[str, Any]
    size: int
    seed: int
    matches: range
    duel: bool = False


class Tally(NamedTuple):
    """The result of a job: matches won, and the CPU milliseconds of each of the AI player's moves."""

    wins: float
    matches: int
    moves: tuple[float, ...]
    shared: int
    """How many matches an AI player won together with an opponent."""


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


def arrangements(size: int, *, duel: bool) -> list[frozenset[int]]:
    """Return the AI player's seats in each match of a cycle."""
    if not duel:
        return [frozenset({seat}) for seat in range(size)]
    half = [frozenset(seats) for seats in combinations(range(size), size // 2)]
    return [seats for one in half for seats in (one, frozenset(range(size)) - one)]


def play(job: Job) -> Tally:
    """Play the matches of a job, in each arrangement of seats in turn. Number and seed fully determine a match."""
    moves: list[float] = []
    ai = players.named(job.game, job.hero) if isinstance(job.hero, str) else players.ai(job.game, job.hero)
    other = players.named(job.game, job.others)

    def hero(*asked: Any) -> Any:
        begin = time.thread_time()
        answer = ai(*asked)
        moves.append(1000 * (time.thread_time() - begin))
        return answer

    wins, shared = 0.0, 0
    cycle = arrangements(job.size, duel=job.duel)
    for number in job.matches:
        mine = cycle[number % len(cycle)]
        seats = [hero if place in mine else other for place in range(job.size)]
        winners = match(job.game, seats, job.options, Random(f"{job.seed} {number}"))
        won = sum(seat in mine for seat in winners)
        wins += won / len(winners) if job.duel else won
        shared += 0 < won < len(winners)
    return Tally(wins, len(job.matches), tuple(moves), shared)


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
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
    wanted = _wanted(job, usual)
    middle, late = moves[len(moves) // 2], moves[int(len(moves) * 0.99)]
    opponents = f"{job.size} players, against" if job.duel else f"against {job.size - 1} ×"
    if isinstance(job.hero, str):
        opponents = f"{job.hero} {opponents}"
    shared = f"  {sum(tally.shared for tally in tallies) / games:.1%} shared" if usual.duel else ""
    return (
        f"{opponents} {job.others:<8} {games:>5} games  {wins / games:6.1%}  [{low:.1%}, {high:.1%}]{shared}"
        f"  a move: median {middle:.1f} ms, 99th percentile {late:.1f} ms{wanted}"
    )


def _wanted(job: Job, usual: players.Opposition) -> str:
    """Return the share of wins to aim for, as text; empty if there is no aim for such matches."""
    if job.options != usual.options or job.size not in usual.sizes:
        return ""
    if isinstance(job.hero, str):
        pairing = next((each for each in usual.pairings if (each.hero, each.others) == (job.hero, job.others)), None)
        least, most = (None, None) if pairing is None else (pairing.least, pairing.most)
    else:
        standard = (job.hero.strength, job.duel) == (EXPERT, usual.duel)
        least, most = usual.wanted.get(job.others) if standard else None, None
    if least is not None:
        return f"  (wanted: at least {least:.0%})"
    return "" if most is None else f"  (wanted: at most {most:.0%})"


def run(arguments: argparse.Namespace) -> Iterator[str]:
    """Play everything that was asked for, in several processes; yield the lines to print."""
    hero = Character("the AI", arguments.temperament, arguments.strength)
    game = arguments.game
    usual = players.opposition(game)
    sizes = usual.sizes if arguments.players is None else (arguments.players,)
    matches = usual.matches if arguments.games is None else arguments.games
    options = {**usual.options, **_options(arguments)}
    variant = " with the variant" if options.get("variant") else ""
    edition = options.get("edition", game)
    duel = usual.duel and not arguments.alone
    if duel:
        yield f"{edition}{variant}, seed {arguments.seed}; half of the seats are the AI's, fair share 50.0%"
    else:
        fair = ", ".join(f"{1 / size:.1%} of {size} players" for size in sizes)
        yield f"{edition}{variant}, seed {arguments.seed}; one seat is the AI's, fair share {fair}"
    yield f"one AI, {hero.temperament}, strength {hero.strength}; 95 % intervals (Wilson)"
    against = arguments.against.split(",") if arguments.against else usual.wanted or usual.players
    with ProcessPoolExecutor(arguments.processes) as pool:
        for others, size in product(against, sizes):
            numbers = range(matches)
            jobs = [
                Job(
                    game,
                    hero,
                    others,
                    options,
                    size,
                    arguments.seed,
                    numbers[first : first + MATCHES_PER_JOB],
                    duel,
                )
                for first in numbers[::MATCHES_PER_JOB]
            ]
            yield line(jobs[0], list(pool.map(play, jobs)))
        if arguments.against or duel or options != usual.options:
            return
        for pairing, size in product(usual.pairings, sizes):
            numbers = range(PAIRED_MATCHES if arguments.games is None else arguments.games)
            paired = [
                Job(
                    game,
                    pairing.hero,
                    pairing.others,
                    options,
                    size,
                    arguments.seed,
                    numbers[first : first + MATCHES_PER_JOB],
                )
                for first in numbers[::MATCHES_PER_JOB]
            ]
            yield line(paired[0], list(pool.map(play, paired)))


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
    parser.add_argument("--games", type=int, help="how many matches are played against each kind")
    parser.add_argument(
        "--against",
        default="",
        help="plain,gap,wild,repeater for Coyote, aimless for Plenty Coups; ai1, ai2, ai3: AI players by strength",
    )
    parser.add_argument("--players", type=int)
    parser.add_argument("--alone", action="store_true", help="one AI player against the whole table, even in duels")
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

"""AI players as the host knows them: who may sit down, for how long they think, and from which seed."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import Final

from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import Rejected, Seat
from bot.engine.registry import RULES
from bot.games.coyote.ai.brain import pause, plays
from bot.host.commands import HostReason
from bot.host.model import Ai, Millis, Table

USUAL_STRENGTH: Final = STRENGTHS[len(STRENGTHS) // 2]
SHORTEST: Final = 1600
LONGEST: Final = 6500
"""Milliseconds: nobody believes in a quicker thought, and nobody waits gladly for a slower one."""

has_brain = plays


def character(ai: Ai) -> Character:
    """Return the AI as its brain knows it."""
    return Character(*ai)


def seed_for(table: Table, seat: Seat, prompt: int) -> int:
    """Return where the chance of one thought begins: no feather has a say in it, and a restart changes nothing.

    The match's secret keeps it from everybody else: who could repeat a thought for each feather that they may wear
    would read their own from the answer.
    """
    written = f"{table.id}.{table.secret}.{seat}.{prompt}"
    return int.from_bytes(blake2b(written.encode(), digest_size=8).digest(), "big")


def thinking_time(table: Table, ai: Ai, seat: Seat, prompt: int) -> Millis:
    """Return how long an AI thinks about a question: chance and temperament say so, no card does.

    What lies beyond a bound comes back from it: were it cut off there, people would know the very moment of many moves,
    and see that a thought took longer than usual.
    """
    time = pause(seed_for(table, seat, prompt), character(ai))
    time = SHORTEST + abs(time - SHORTEST)
    if time > LONGEST:
        time = LONGEST - (time - LONGEST) % (LONGEST - SHORTEST)
    return time // hurry(table)


def hurry(table: Table) -> int:
    """Return how many times as fast a table goes on. Those who look on wait less gladly than those who play.

    AIs among themselves are watched for fun; but where everybody is out, people wait for the end.
    """
    seats = range(len(table.players)) if table.match is None else RULES[table.game].seated(table.match)
    playing = [table.players[seat] for seat in seats]
    if any(player.mind is None for player in playing):
        return 1
    away = any(player.ai is None and not player.left for player in playing)  # they may be back any moment
    return 4 if table.people and not away else 2


def free(table: Table) -> list[Character]:
    """Return who does not play at this table yet."""
    here = {mind.name for player in table.players if (mind := player.mind) is not None}
    return [each for each in ROSTER if each.name not in here]


def chosen(
    table: Table, rng: Random, name: str | None = None, temperament: str | None = None, strength: int | None = None
) -> Ai:
    """Return the AI that was asked for; what was left open is chosen among those who do not sit here yet."""
    if strength is not None and strength not in STRENGTHS:
        raise Rejected(HostReason.NO_SUCH_AI)
    if temperament is not None and temperament not in TEMPERAMENTS:
        raise Rejected(HostReason.NO_SUCH_AI)
    possible = free(table)
    if name is not None:
        possible = [each for each in possible if each.name == name]
    elif temperament is not None:
        possible = [each for each in possible if each.temperament == temperament] or possible
    if not possible:
        raise Rejected(HostReason.NO_SUCH_AI)
    found = possible[int(rng.random() * len(possible))]
    return Ai(found.name, temperament or found.temperament, strength or USUAL_STRENGTH)

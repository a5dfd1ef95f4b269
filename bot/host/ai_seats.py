"""AI players as the host knows them: who is available, how long they think, and from which seed."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import Final

from bot.ai_players.brains import BRAINS, REASON_TIMINGS, ReasonTiming
from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS, Character
from bot.ai_players.pace import thinking_millis
from bot.engine.core import Rejected, Seat
from bot.engine.registry import RULES
from bot.host.commands import HostReason
from bot.host.model import FIRST_MATCHES, Ai, Millis, Player, Table

USUAL_STRENGTH: Final = STRENGTHS[len(STRENGTHS) // 2]
"""The strength of an AI player for whom none was chosen."""


def has_brain(game: str) -> bool:
    """Return whether AI players can play this game."""
    return game in BRAINS


def tells_at_the_end(game: str) -> bool:
    """Return whether AI players explain their moves after the match, and not after each round."""
    return REASON_TIMINGS.get(game) is ReasonTiming.AT_THE_END


def character(table: Table, ai: Ai) -> Character:
    """Return the AI player as its brain knows it, with the manners that this table asks for."""
    people = [player for player in _playing(table) if player.acting_ai is None]
    begins = table.match is not None and not RULES[table.game].rounds_ended(table.match)
    return Character(
        ai.name,
        ai.temperament,
        ai.strength,
        is_gentle=any(player.learning == FIRST_MATCHES for player in people),
        is_patient=begins and bool(people) and not any(player.has_moved for player in people),
    )


def seed_for(table: Table, seat: Seat, prompt: int) -> int:
    """Return the seed for one thought. It depends on no card, and is the same after a restart.

    The match's secret keeps it unknown to players. Otherwise they could repeat the thought for each card that they may
    hold, and learn from the answer which one it is.
    """
    written = f"{table.id}.{table.secret}.{seat}.{prompt}"
    return int.from_bytes(blake2b(written.encode(), digest_size=8).digest(), "big")


def thinking_time(table: Table, ai: Ai, seat: Seat, prompt: int) -> Millis:
    """Return how long an AI player seems to think about a prompt."""
    return thinking_millis(seed_for(table, seat, prompt), character(table, ai)) // speed(table)


def speed(table: Table) -> int:
    """Return how many times faster the table goes: people who only watch are less patient than those who play.

    With AI players alone it goes twice as fast; if people who are out wait for the end of the match, four times.
    """
    if any(player.acting_ai is None for player in _playing(table)):
        return 1
    return 4 if table.people and only_ais_play(table) else 2


def only_ais_play(table: Table) -> bool:
    """Return whether nobody but AI players is in the match. Somebody who is away may come back, so they count."""
    return all(player.ai is not None or player.left for player in _playing(table))


def _playing(table: Table) -> list[Player]:
    """Return the players in the match; before it begins, those who will be."""
    seats = range(len(table.players)) if table.match is None else RULES[table.game].seated(table.match)
    return [table.players[seat] for seat in seats]


def free(table: Table) -> list[Character]:
    """Return the AI players that are not at this table yet."""
    taken = {ai.name for player in table.players if (ai := player.acting_ai) is not None}
    return [each for each in ROSTER if each.name not in taken]


def choose(
    table: Table, rng: Random, name: str | None = None, temperament: str | None = None, strength: int | None = None
) -> Ai:
    """Return the AI player that was asked for. What was left open is drawn from those not at this table yet."""
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

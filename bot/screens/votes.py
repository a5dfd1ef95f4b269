"""Counts the votes at a running table: for a pause or its end, and to go on without away players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.engine.core import Seat
from bot.host.model import Table, UserId


class Vote(NamedTuple):
    """Who has voted for something so far, and how many votes it needs."""

    votes: tuple[UserId, ...]
    needed: int


def voters(table: Table, living: Sequence[Seat]) -> tuple[UserId, ...]:
    """Return the people who have a say: still playing, and not away."""
    players = [table.players[seat] for seat in living]
    return tuple(player.user for player in players if not player.away and not player.left and player.ai is None)


def pause_vote(table: Table, living: Sequence[Seat]) -> Vote:
    """Count the votes for a pause, which all voters must want, or for its end, which most must want."""
    present = voters(table, living)
    needed = len(present) if table.pause is None else len(present) // 2 + 1
    return Vote(tuple(user for user in table.pause_votes if user in present), needed)


def out_votes(table: Table, living: Sequence[Seat]) -> list[tuple[Seat, Vote]]:
    """Count the votes to go on without each away player, which most of the others must want."""
    found = []
    for seat in living:
        player = table.players[seat]
        if player.away and not player.left:
            others = [user for user in voters(table, living) if user != player.user]
            votes = tuple(voter for whom, voter in table.out_votes if whom == player.user and voter in others)
            found.append((seat, Vote(votes, len(others) // 2 + 1)))
    return found
